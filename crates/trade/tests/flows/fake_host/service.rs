//! The service: prices, builds and takes orders as asked, until it is told to lie or to fail.

use super::building::{self, Building};
use super::market::{self, Market};
use super::otc::OtcBook;
use super::routes::{Bridge, routes};
use super::stored;
use super::tree::{json, text};
use alloy_primitives::{B256, U256, hex};
use k256::ecdsa::{RecoveryId, Signature, VerifyingKey};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use verified_swap_trade::host::{HttpAnswer, HttpFailure, HttpRequest};
use verify::internal::domain::eip712;
use verify::internal::json::{Json, members};

pub type Answer = Result<HttpAnswer, HttpFailure>;
type Fault = Box<dyn FnOnce(&mut Service, &HttpRequest) -> Answer>;
type Lasting = Rc<dyn Fn() -> Answer>;
type Lie = Box<dyn Fn(&mut Json)>;
type Rewrite = Box<dyn Fn(String) -> String>;
type Judge = Box<dyn Fn(&str) -> bool>;

/// Raw units of the destination token for one of the source token.
const RATE: u64 = 400_000_000;

pub struct Service {
    /// The Delta contract it knows.
    pub delta: String,
    /// The fee that it takes for the partner.
    pub fee_bps: u16,
    /// How it builds orders.
    pub building: Building,
    pub bridge: Bridge,
    /// Changes the quote.
    pub quote_lie: Option<Lie>,
    /// Changes the build; the hash stated is that of the changed one.
    pub build_lie: Option<Lie>,
    /// Changes the text of the quote.
    pub quote_text: Option<Rewrite>,
    /// Changes the text of the build.
    pub build_text: Option<Rewrite>,
    /// The statuses an order has, one per reading; the last one stays.
    pub statuses: VecDeque<&'static str>,
    /// Which signatures it takes; without it, compact ones by the owner's key.
    pub takes: Option<Judge>,
    /// The fills it tells of an order, as JSON text.
    pub fills: String,
    /// Whether its list has the orders; it is not always up to date.
    pub lists: bool,
    /// Changes what it tells of an order, in every answer.
    pub order_lie: Option<Lie>,
    /// Members of an order beside its own, each with a comma behind it.
    pub more: &'static str,
    /// The Market side.
    pub market: Market,
    /// Price routes handed out.
    routes: Vec<String>,
    /// OTC orders.
    pub otc: OtcBook,
    faults: VecDeque<(&'static str, Fault)>,
    lasting: Vec<(&'static str, Lasting)>,
    built: HashMap<String, B256>,
    orders: HashMap<String, String>,
}

impl Default for Service {
    fn default() -> Service {
        Service {
            delta: super::DELTA.to_ascii_lowercase(),
            fee_bps: 1,
            building: Building::default(),
            bridge: Bridge::default(),
            quote_lie: None,
            build_lie: None,
            quote_text: None,
            build_text: None,
            statuses: VecDeque::from(["PENDING"]),
            takes: None,
            fills: "[]".into(),
            lists: false,
            order_lie: None,
            more: "",
            market: Market::default(),
            routes: Vec::new(),
            otc: OtcBook::default(),
            faults: VecDeque::new(),
            lasting: Vec::new(),
            built: HashMap::new(),
            orders: HashMap::new(),
        }
    }
}

/// Which endpoint a request is for.
pub fn endpoint(request: &HttpRequest) -> &'static str {
    let (_, path) = request.url.split_once("service.test").unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    match (path, request.body.is_some()) {
        ("/v2/quote", false) => "quote",
        ("/prices", false) => "prices",
        ("/swap", false) => "swap",
        (path, true) if path.starts_with("/transactions/") => "transactions",
        ("/v2/delta/prices", false) => "deltaPrices",
        ("/v2/delta/orders/build", true) => "build",
        ("/v2/delta/orders", true) => "post",
        ("/v2/delta/orders/cancel", true) => "cancel",
        ("/v2/delta/orders", false) => "orders",
        ("/adapters/contracts", false) => "adapters",
        ("/resources/contracts.json", false) => "resource",
        ("/chains", false) => "chains",
        ("/v2/delta/prices/is-token-supported", false) => "isTokenSupported",
        ("/v2/delta/prices/bridge-routes", false) => "bridgeRoutes",
        ("/v2/delta/prices/bridge-protocols", false) => "bridgeProtocols",
        ("/fiat/tokens/categories", false) => "tokenCategories",
        (path, false) if path.starts_with("/fiat/tokens/") => "tokens",
        (path, false) if path.starts_with("/tokens/") => "olderTokens",
        (path, false) if path.starts_with("/v2/delta/agents/list/") => "agents",
        (path, false) if path.starts_with("/v2/delta/prices/strategies/") => "strategies",
        (path, false) if path.starts_with("/v2/delta/orders/fillablebalance/") => "fillableBalance",
        (path, false) if path.starts_with("/ft/fillablebalance/") => "otcFillableBalance",
        ("/ft/p2p/8453/", true) => "otcPost",
        (path, false) if path.starts_with("/ft/p2p/8453/") => "otcOrders",
        (path, false) if path.starts_with("/ft/order/") => "otcOrder",
        (path, false) if path.starts_with("/v2/delta/orders/hash/") => "orderByHash",
        (path, false) if path.starts_with("/v2/delta/orders/") => "order",
        _ => panic!("no such endpoint: {}", request.url),
    }
}

pub fn answer(status: u16, body: impl Into<String>) -> Answer {
    Ok(HttpAnswer { status, body: body.into(), retry_after_secs: None })
}

impl Service {
    /// The next request to that endpoint is answered by `fault`.
    pub fn next(&mut self, endpoint: &'static str, fault: impl FnOnce(&mut Service, &HttpRequest) -> Answer + 'static) {
        self.faults.push_back((endpoint, Box::new(fault)));
    }

    /// Nothing that was scripted happens any more.
    pub fn forget_faults(&mut self) {
        self.faults.clear();
    }

    /// The next request to that endpoint is answered with that status and body, and has no effect.
    pub fn next_is(&mut self, endpoint: &'static str, status: u16, body: &'static str) {
        self.next(endpoint, move |_, _| answer(status, body));
    }

    /// From now on, requests to that endpoint are answered in that way, and have no effect.
    pub fn always(&mut self, endpoint: &'static str, answer: impl Fn() -> Answer + 'static) {
        self.lasting.retain(|(name, _)| *name != endpoint);
        self.lasting.push((endpoint, Rc::new(answer)));
    }

    /// From now on, requests to that endpoint are answered with that status and body, and have no effect.
    pub fn always_is(&mut self, endpoint: &'static str, status: u16, body: impl Into<String>) {
        let body = body.into();
        self.always(endpoint, move || answer(status, body.clone()));
    }

    /// The end of [`Service::always`].
    pub fn recovers(&mut self) {
        self.lasting.clear();
    }

    /// The next request to that endpoint gets lost on the way.
    pub fn next_is_lost(&mut self, endpoint: &'static str) {
        self.next(endpoint, |_, _| Err(HttpFailure::Network(None)));
    }

    /// No request is answered badly any more.
    pub fn forgive(&mut self) {
        self.faults.clear();
    }

    /// The next post is accepted, but answered in that way.
    pub fn accepts_but(&mut self, answer: impl FnOnce(HttpAnswer) -> Answer + 'static) {
        self.next("post", |service, request| {
            let accepted = service.honest(request)?;
            assert_eq!(accepted.status, 200, "{}", accepted.body);
            answer(accepted)
        });
    }

    pub fn answer(&mut self, request: &HttpRequest) -> Answer {
        let fault = self.faults.iter().position(|(name, _)| *name == endpoint(request));
        match fault.and_then(|index| self.faults.remove(index)) {
            Some((_, fault)) => fault(self, request),
            None => match self.lasting.iter().find(|(name, _)| *name == endpoint(request)) {
                Some((_, answer)) => answer.clone()(),
                None => self.honest(request),
            },
        }
    }

    pub fn honest(&mut self, request: &HttpRequest) -> Answer {
        let tail = request.url.rsplit('/').next().unwrap_or_default();
        match endpoint(request) {
            "quote" => {
                let query = query(&request.url);
                let falls_back = query["mode"] == "ALL" && self.market.falls_back;
                if query["mode"] != "MARKET" && !falls_back {
                    return answer(200, self.quote(&query));
                }
                let text = market::block(&self.market, &query);
                self.routes.push(text.clone());
                answer(200, text)
            }
            "prices" => {
                let others = self.market.others.map(|others| format!(r#","others":{others}"#)).unwrap_or_default();
                let text = format!(r#"{{"priceRoute":{}{others}}}"#, self.market.route(&query(&request.url)));
                self.routes.push(text.clone());
                answer(200, text)
            }
            "swap" => {
                let query = query(&request.url);
                answer(200, self.market.swap(&query))
            }
            "transactions" => self.market.transaction(request, &self.routes),
            "deltaPrices" => answer(200, raw(&self.quote(&query(&request.url)), "delta")),
            "build" => answer(200, self.build(request.body.as_deref().unwrap())),
            "post" => self.post(request.body.as_deref().unwrap()),
            "orderByHash" => self.read(&tail.to_ascii_lowercase()),
            "order" => self.read(tail),
            "orders" => self.page(),
            "otcPost" => self.otc.post(request.body.as_deref().unwrap()),
            "otcOrder" => self.otc.read(tail),
            "otcOrders" => self.otc.page(),
            "fillableBalance" => answer(200, "{}"),
            "adapters" => answer(404, r#"{"errorType":"NotFound"}"#),
            "resource" => {
                let delta = &self.delta;
                answer(200, format!(r#"{{"_meta":{{}},"chains":{{"31337":{{"delta":"{delta}"}}}}}}"#))
            }
            other => panic!("{other}"),
        }
    }

    fn quote(&self, query: &HashMap<String, String>) -> String {
        let amount: U256 = query["amount"].parse().unwrap();
        let (src, dest) = match query["side"].as_str() {
            "SELL" => (amount, amount * U256::from(RATE)),
            _ => (amount / U256::from(RATE), amount),
        };
        let (route, others) = routes(query, src, dest, &self.bridge);
        let to = query.get("destChainId").unwrap_or(&query["chainId"]);
        let token = |chain: &str, name: &str| {
            format!(r#"{{"chainId":{chain},"address":"{}"}}"#, query[name].to_ascii_lowercase())
        };
        let (input_token, output_token) = (token(&query["chainId"], "srcToken"), token(to, "destToken"));
        let (side, delta) = (&query["side"], &self.delta);
        let (percent, partner) = (format!("{}.{:02}", self.fee_bps / 100, self.fee_bps % 100), &query["partner"]);
        let text = format!(
            r#"{{"delta":{{"id":"quote-1","side":"{side}","inputToken":{input_token},"outputToken":{output_token},"route":{route},"partner":{{"name":"{partner}","feePercent":{percent}}},"spender":"{delta}","alternatives":{others}}}}}"#
        );
        let text = changed(text, self.quote_lie.as_ref());
        self.quote_text.as_ref().map_or(text.clone(), |rewrite| rewrite(text))
    }

    fn build(&mut self, body: &str) -> String {
        let body = json(body);
        let (encoded, value) = building::order(&self.building, &body, self.fee_bps, self.more);
        let (chain, delta) = (text(&body, "route.origin.input.token.chainId"), &self.delta);
        let types = building::types(encoded);
        let to_sign = format!(
            r#"{{"toSign":{{"domain":{{"name":"Portikus","version":"2.0.0","chainId":{chain},"verifyingContract":"{delta}"}},"types":{types},"value":{value}}}}}"#
        );
        let mut to_sign = changed(to_sign, self.build_lie.as_ref());
        // Types that cannot be hashed have no hash; what is stated then does not matter.
        let hash = eip712::digest(json(&to_sign).get("toSign").unwrap()).map_or(B256::ZERO, |hashes| hashes.digest);
        to_sign.truncate(to_sign.len() - 1);
        let text = format!(r#"{to_sign},"orderHash":"{hash}"}}"#);
        let text = self.build_text.as_ref().map_or(text.clone(), |rewrite| rewrite(text));
        // Orders that cannot be read are not remembered: they may not be posted.
        if let Some(value) = members(&text).ok().and_then(|parts| order_in(&parts)) {
            self.built.insert(value, hash);
        }
        text
    }

    fn post(&mut self, body: &str) -> Answer {
        let hash = *self.built.get(raw(body, "order")).unwrap_or_else(|| panic!("an altered order: {body}"));
        let posted = json(body);
        let owner = text(&posted, "order.owner").to_ascii_lowercase();
        let signature = text(&posted, "signature");
        let taken = match &self.takes {
            Some(takes) => takes(signature),
            None => signer(signature, hash).is_some_and(|signer| signer == owner),
        };
        if !taken {
            return answer(400, r#"{"errorType":"InvalidSignature"}"#);
        }
        self.orders.insert(hash.to_string(), stored::stored(hash, body));
        self.read(&hash.to_string())
    }

    /// The order of that hash, or id.
    fn read(&mut self, name: &str) -> Answer {
        let is_named = |hash: &&String| *hash == name || stored::id(hash.parse().unwrap()) == name.to_ascii_lowercase();
        let Some(hash) = self.orders.keys().find(is_named) else {
            return answer(404, r#"{"errorType":"NotFound"}"#);
        };
        let order = self.orders[hash].clone();
        let status = if self.statuses.len() > 1 { self.statuses.pop_front() } else { self.statuses.front().copied() };
        let text = order.replace("STATUS", status.unwrap_or("PENDING")).replace("FILLS", &self.fills);
        answer(200, changed(text, self.order_lie.as_ref()))
    }

    /// All orders, as a page of a list.
    fn page(&self) -> Answer {
        let status = self.statuses.front().copied().unwrap_or("PENDING");
        let told = |order: &String| order.replace("STATUS", status).replace("FILLS", &self.fills);
        let orders: Vec<String> = self
            .orders
            .values()
            .filter(|_| self.lists)
            .map(|order| changed(told(order), self.order_lie.as_ref()))
            .collect();
        let (count, orders) = (orders.len(), orders.join(","));
        answer(200, format!(r#"{{"data":[{orders}],"total":{count},"page":1,"limit":100,"hasMore":false}}"#))
    }
}

/// The signer, by another library's recovery; `None` unless the signature has 64 bytes.
fn signer(signature: &str, hash: B256) -> Option<String> {
    let bytes: [u8; 64] = hex::decode(signature).ok()?.try_into().ok()?;
    let odd = bytes[32] >> 7 == 1;
    let mut plain = bytes;
    plain[32] &= 0x7F;
    let signature = Signature::from_slice(&plain).ok()?;
    let id = RecoveryId::new(odd, false);
    let key = VerifyingKey::recover_from_prehash(hash.as_slice(), &signature, id).ok()?;
    Some(super::signer::address(&key).to_string().to_ascii_lowercase())
}

/// `toSign.value` of a build, byte for byte.
fn order_in(parts: &[(String, &str)]) -> Option<String> {
    let (_, to_sign) = parts.iter().find(|(name, _)| name == "toSign")?;
    let parts = members(to_sign).ok()?;
    parts.iter().find(|(name, _)| name == "value").map(|(_, value)| (*value).into())
}

/// A member's value, byte for byte.
pub fn raw<'a>(text: &'a str, name: &str) -> &'a str {
    members(text).unwrap().into_iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no {name}")).1
}

fn changed(text: String, lie: Option<&Lie>) -> String {
    let Some(lie) = lie else { return text };
    let mut tree = json(&text);
    lie(&mut tree);
    tree.write()
}

fn query(url: &str) -> HashMap<String, String> {
    let pairs = url.split_once('?').unwrap_or_default().1.split('&');
    pairs.filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect()
}
