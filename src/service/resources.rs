//! The service's small reads: what can be traded where, by whom, and what open orders have claimed.

use super::call::{ServiceRequest, call};
use crate::client::Shared;
use crate::error::Result;
use crate::host::Host;
use crate::wire::resources::Reading;

/// One of them. Members of the query whose name ends in `?` may be left out.
#[derive(Debug)]
pub struct Resource {
    /// As the client and events call it.
    pub name: &'static str,
    /// The path's beginning.
    pub path: &'static str,
    /// Members that follow as parts of the path.
    pub segments: &'static [&'static str],
    /// Members that follow as its query.
    pub query: &'static [&'static str],
    /// Where it was before, and is asked for where the path is not there: without a query.
    pub older: Option<&'static str>,
    /// What the answer looks like.
    pub reading: Reading,
}

/// All of them (service, 4.4 to 4.6, and the lists of tokens).
pub const RESOURCES: [Resource; 10] = [
    Resource { name: "chains", path: "/chains", segments: &[], query: &[], older: None, reading: Reading::ChainIds },
    Resource {
        name: "tokens",
        path: "/fiat/tokens",
        segments: &["chainId"],
        query: &["category?"],
        older: Some("/tokens"),
        reading: Reading::Tokens,
    },
    Resource {
        name: "tokenCategories",
        path: "/fiat/tokens/categories",
        segments: &[],
        query: &[],
        older: None,
        reading: Reading::Named("categories"),
    },
    Resource {
        name: "isTokenSupported",
        path: "/v2/delta/prices/is-token-supported",
        segments: &[],
        query: &["token", "chainId"],
        older: None,
        reading: Reading::Flag("supported"),
    },
    Resource {
        name: "agents",
        path: "/v2/delta/agents/list",
        segments: &["chainId"],
        query: &[],
        older: None,
        reading: Reading::List("agents", &[]),
    },
    Resource {
        name: "strategies",
        path: "/v2/delta/prices/strategies",
        segments: &["chainId"],
        query: &[],
        older: None,
        reading: Reading::ByToken("strategies"),
    },
    Resource {
        name: "bridgeRoutes",
        path: "/v2/delta/prices/bridge-routes",
        segments: &[],
        query: &["bridges?", "allowBridgeAndSwap?"],
        older: None,
        reading: Reading::List("routes", &["srcChainId", "destChainId", "tokens"]),
    },
    Resource {
        name: "bridgeProtocols",
        path: "/v2/delta/prices/bridge-protocols",
        segments: &[],
        query: &[],
        older: None,
        reading: Reading::List("bridgeProtocols", &["protocol", "displayName", "icon"]),
    },
    Resource {
        name: "fillableBalance",
        path: "/v2/delta/orders/fillablebalance",
        segments: &["chainId", "account", "token?"],
        query: &[],
        older: None,
        reading: Reading::Amounts,
    },
    Resource {
        name: "otcFillableBalance",
        path: "/ft/fillablebalance",
        segments: &["chainId", "account", "token?"],
        query: &[],
        older: None,
        reading: Reading::Amounts,
    },
];

/// The resource of that name.
pub fn named(name: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.name == name)
}

/// Asks for it under that path; returns the answer's text.
///
/// # Errors
/// Those of [`call`].
pub async fn get<H: Host>(shared: &Shared<H>, resource: &Resource, path: String, signal: &H::Signal) -> Result<String> {
    call(shared, ServiceRequest { name: resource.name, path, body: None }, signal).await
}
