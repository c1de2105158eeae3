//! The service's small reads: its chains, tokens, agents and bridges, and the claims of open orders. They are a table
//! rather than functions; `trade::calls` makes one call of each row.

use super::call::{ServiceRequest, call};
use crate::client::Shared;
use crate::host::Host;
use verify::internal::error::Result;
use verify::internal::wire::resources::ResourceShape;

/// One endpoint. A member whose name ends in `?` may be left out.
#[derive(Debug)]
pub struct Resource {
    /// The name of the call in JavaScript, and of the event.
    pub name: &'static str,
    /// The path, up to the first segment that varies.
    pub path: &'static str,
    /// Members of the call's argument that are appended to the path, in this order.
    pub segments: &'static [&'static str],
    /// Members of the call's argument that go into the query.
    pub query: &'static [&'static str],
    /// The older path of the same list: tried if `path` is not found, for calls without a query.
    pub older: Option<&'static str>,
    /// The form of the answer.
    pub shape: ResourceShape,
}

/// The table of all of them (docs/coverage.md has each parameter and member).
pub const RESOURCES: [Resource; 10] = [
    Resource {
        name: "info.chains",
        path: "/chains",
        segments: &[],
        query: &[],
        older: None,
        shape: ResourceShape::ChainIds,
    },
    Resource {
        name: "info.tokens",
        path: "/fiat/tokens",
        segments: &["chainId"],
        query: &["category?"],
        older: Some("/tokens"),
        shape: ResourceShape::Tokens,
    },
    Resource {
        name: "info.tokenCategories",
        path: "/fiat/tokens/categories",
        segments: &[],
        query: &[],
        older: None,
        shape: ResourceShape::Named("categories"),
    },
    Resource {
        name: "info.isTokenSupported",
        path: "/v2/delta/prices/is-token-supported",
        segments: &[],
        query: &["token", "chainId"],
        older: None,
        shape: ResourceShape::Flag("supported"),
    },
    Resource {
        name: "info.agents",
        path: "/v2/delta/agents/list",
        segments: &["chainId"],
        query: &[],
        older: None,
        shape: ResourceShape::List("agents", &[]),
    },
    Resource {
        name: "info.strategies",
        path: "/v2/delta/prices/strategies",
        segments: &["chainId"],
        query: &[],
        older: None,
        shape: ResourceShape::ByToken("strategies"),
    },
    Resource {
        name: "info.bridgeRoutes",
        path: "/v2/delta/prices/bridge-routes",
        segments: &[],
        query: &["bridges?", "allowBridgeAndSwap?"],
        older: None,
        shape: ResourceShape::List("routes", &["srcChainId", "destChainId", "tokens"]),
    },
    Resource {
        name: "info.bridgeProtocols",
        path: "/v2/delta/prices/bridge-protocols",
        segments: &[],
        query: &[],
        older: None,
        shape: ResourceShape::List("bridgeProtocols", &["protocol", "displayName", "icon"]),
    },
    Resource {
        name: "info.fillableBalance",
        path: "/v2/delta/orders/fillablebalance",
        segments: &["chainId", "account", "token?"],
        query: &[],
        older: None,
        shape: ResourceShape::Amounts,
    },
    Resource {
        name: "otc.fillableBalance",
        path: "/ft/fillablebalance",
        segments: &["chainId", "account", "token?"],
        query: &[],
        older: None,
        shape: ResourceShape::Amounts,
    },
];

/// The resource of that name; `None` if there is none.
///
/// ```
/// assert_eq!(verified_swap_trade::service::resources::named("info.chains").unwrap().path, "/chains");
/// ```
pub fn named(name: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.name == name)
}

/// Requests a resource; returns the answer's text. `path` is complete, with segments and query.
///
/// # Errors
/// The errors of [`call`].
pub async fn get<H: Host>(shared: &Shared<H>, resource: &Resource, path: String, signal: &H::Signal) -> Result<String> {
    call(shared, ServiceRequest { name: resource.name, path, body: None }, signal).await
}
