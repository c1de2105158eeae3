//! Which endpoint a request is for.

use strum::{EnumString, IntoStaticStr};

/// The service's endpoints, and what the control surface calls them.
#[derive(Clone, Copy, Debug, EnumString, Eq, Hash, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "camelCase")]
pub enum Endpoint {
    Quote,
    Prices,
    Build,
    Post,
    Orders,
    Order,
    OrderByHash,
    BuildCancellation,
    Cancel,
    FillableBalance,
    Agents,
    Strategies,
    Contracts,
    ContractsResource,
    Chains,
    Tokens,
    FiatTokens,
    TokenCategories,
    IsTokenSupported,
    BridgeRoutes,
    BridgeProtocols,
    OtcPost,
    OtcOrder,
    OtcMaker,
    OtcTaker,
    OtcFillableBalance,
    MarketPrices,
    Transactions,
    Swap,
    AdaptersList,
    OlderPrices,
    PartnerFee,
    OlderPost,
    OlderOrder,
    OlderCancel,
}

impl Endpoint {
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn named(name: &str) -> Option<Self> {
        name.parse().ok()
    }

    /// The endpoint of a request, and the variable part of its path. A slash at the path's end changes nothing.
    pub fn of(method: &str, path: &str) -> Option<(Self, Option<String>)> {
        let path = path.strip_suffix('/').unwrap_or(path);
        let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let fixed = |endpoint| Some((endpoint, None));
        match (method, &segments[..]) {
            ("GET", ["v2", "quote"]) => fixed(Self::Quote),
            ("GET", ["v2", "delta", "prices"]) => fixed(Self::Prices),
            ("GET", ["v2", "delta", "prices", "is-token-supported"]) => fixed(Self::IsTokenSupported),
            ("GET", ["v2", "delta", "prices", "bridge-routes"]) => fixed(Self::BridgeRoutes),
            ("GET", ["v2", "delta", "prices", "bridge-protocols"]) => fixed(Self::BridgeProtocols),
            ("POST", ["v2", "delta", "orders", "build"]) => fixed(Self::Build),
            ("POST", ["v2", "delta", "orders"]) => fixed(Self::Post),
            ("GET", ["v2", "delta", "orders"]) => fixed(Self::Orders),
            ("GET", ["v2", "delta", "orders", "hash", hash]) => Some((Self::OrderByHash, Some((*hash).to_owned()))),
            ("POST", ["v2", "delta", "orders", "build", "cancellation"]) => fixed(Self::BuildCancellation),
            ("POST", ["v2", "delta", "orders", "cancel"]) => fixed(Self::Cancel),
            ("GET", ["v2", "delta", "orders", "fillablebalance", rest @ ..]) if [2, 3].contains(&rest.len()) => {
                Some((Self::FillableBalance, Some(rest.join("/"))))
            }
            ("GET", ["v2", "delta", "agents", "list", chain_id]) => Some((Self::Agents, Some((*chain_id).to_owned()))),
            ("GET", ["v2", "delta", "prices", "strategies", chain_id]) => {
                Some((Self::Strategies, Some((*chain_id).to_owned())))
            }
            ("GET", ["v2", "delta", "orders", id]) => Some((Self::Order, Some((*id).to_owned()))),
            ("GET", ["adapters", "contracts"]) => fixed(Self::Contracts),
            ("GET", ["adapters", "list"]) => fixed(Self::AdaptersList),
            ("GET", ["prices"]) => fixed(Self::MarketPrices),
            ("GET", ["prices", "partnerfee", chain_id]) => Some((Self::PartnerFee, Some((*chain_id).to_owned()))),
            ("GET", ["delta", "prices"]) => fixed(Self::OlderPrices),
            ("POST", ["delta", "orders"]) => fixed(Self::OlderPost),
            ("POST", ["delta", "orders", "cancel"]) => fixed(Self::OlderCancel),
            ("GET", ["delta", "orders", id]) => Some((Self::OlderOrder, Some((*id).to_owned()))),
            ("GET", ["swap"]) => fixed(Self::Swap),
            ("POST", ["transactions", chain_id]) => Some((Self::Transactions, Some((*chain_id).to_owned()))),
            ("GET", ["resources", "contracts.json"]) => fixed(Self::ContractsResource),
            ("GET", ["chains"]) => fixed(Self::Chains),
            ("GET", ["fiat", "tokens", "categories"]) => fixed(Self::TokenCategories),
            ("GET", ["fiat", "tokens", chain_id]) => Some((Self::FiatTokens, Some((*chain_id).to_owned()))),
            ("GET", ["tokens", chain_id]) => Some((Self::Tokens, Some((*chain_id).to_owned()))),
            ("POST", ["ft", "p2p", chain_id]) => Some((Self::OtcPost, Some((*chain_id).to_owned()))),
            ("GET", ["ft", "order", hash]) => Some((Self::OtcOrder, Some((*hash).to_owned()))),
            ("GET", ["ft", "p2p", chain_id, "maker", account]) => {
                Some((Self::OtcMaker, Some(format!("{chain_id}/{account}"))))
            }
            ("GET", ["ft", "p2p", chain_id, "taker", account]) => {
                Some((Self::OtcTaker, Some(format!("{chain_id}/{account}"))))
            }
            ("GET", ["ft", "fillablebalance", rest @ ..]) if [2, 3].contains(&rest.len()) => {
                Some((Self::OtcFillableBalance, Some(rest.join("/"))))
            }
            _ => None,
        }
    }

    /// Whether a path belongs to the service, whatever the method.
    pub fn owns(path: &str) -> bool {
        ["/v2/", "/delta/", "/prices/", "/ft/", "/adapters/", "/resources/", "/tokens/", "/fiat/", "/transactions/"]
            .iter()
            .any(|prefix| path.starts_with(prefix))
            || ["/chains", "/prices", "/swap"].contains(&path.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::Endpoint;

    #[test]
    fn a_slash_at_the_end_changes_nothing() {
        assert_eq!(Endpoint::of("GET", "/v2/quote"), Endpoint::of("GET", "/v2/quote/"));
        assert_eq!(Endpoint::of("GET", "/v2/quote/").unwrap().0, Endpoint::Quote);
        assert_eq!(Endpoint::of("GET", "/v2/quote//"), None);
    }

    #[test]
    fn an_order_is_told_from_the_paths_beside_it() {
        let (endpoint, id) = Endpoint::of("GET", "/v2/delta/orders/abc").unwrap();
        assert_eq!((endpoint, id.as_deref()), (Endpoint::Order, Some("abc")));
        assert_eq!(Endpoint::of("POST", "/v2/delta/orders/build").unwrap().0, Endpoint::Build);
        assert_eq!(Endpoint::of("DELETE", "/v2/delta/orders"), None);
    }
}
