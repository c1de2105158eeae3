//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain.

use super::account::wallet_chain;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Event, Host, HttpRequest};
use crate::json::{At, Fault, Json, object, parse};
use crate::trade::Client;

/// Where a chain is read.
#[derive(Clone)]
pub enum Rpc<P> {
    /// A JSON-RPC endpoint.
    Url(String),
    /// An EIP-1193 provider.
    Provider(P),
}

/// A way to read that chain, or `None`. An RPC is asked once whether it is the chain it is said to be.
///
/// # Errors
/// INVALID_INPUT where the application's RPC is on another chain; what the RPC failed with otherwise.
pub async fn reader<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    signal: &H::Signal,
) -> Result<Option<Rpc<H::Provider>>> {
    let shared = &client.shared;
    if let Some((_, rpc)) = shared.rpc.iter().find(|(id, _)| *id == chain_id) {
        if !shared.checked_rpc.borrow().contains(&chain_id) {
            let answer = request(client, rpc, "eth_chainId", Json::Array(vec![]), signal).await?;
            let seen = quantity(&answer);
            if seen != Some(chain_id) {
                let field = ["rpc.", &chain_id.text()].concat();
                let expected = ["an RPC of chain ", &chain_id.text()].concat();
                return Err(Error::input(Fault::new(field, expected, answer.write())));
            }
            shared.checked_rpc.borrow_mut().push(chain_id);
        }
        return Ok(Some(rpc.clone()));
    }
    match &client.bound.wallet {
        Some(wallet) if !client.bound.local && wallet_chain(client, signal).await? == Some(chain_id) => {
            Ok(Some(Rpc::Provider(wallet.clone())))
        }
        _ => Ok(None),
    }
}

/// One JSON-RPC request.
///
/// # Errors
/// NETWORK, TIMEOUT, ABORTED; WALLET_FAILED with the node's own message where it answered with an error.
pub async fn request<H: Host>(
    client: &Client<H>,
    rpc: &Rpc<H::Provider>,
    method: &'static str,
    params: Json,
    signal: &H::Signal,
) -> Result<Json> {
    let host = &client.shared.host;
    let started = host.monotonic_ms();
    let outcome = match rpc {
        Rpc::Provider(provider) => {
            let prompt = host.ask(provider, method, &params);
            host.answer(&prompt, signal).await.map_err(|failure| super::wallet_error(failure, method))
        }
        Rpc::Url(url) => over_http(client, url, method, params, signal).await,
    };
    let code = outcome.as_ref().err().map(|error| error.code.name());
    let ms = host.monotonic_ms().saturating_sub(started);
    host.event(Event { kind: "rpc", name: method, ok: outcome.is_ok(), ms, status: None, code });
    outcome
}

async fn over_http<H: Host>(
    client: &Client<H>,
    url: &str,
    method: &'static str,
    params: Json,
    signal: &H::Signal,
) -> Result<Json> {
    let body = object([
        ("jsonrpc", Json::text("2.0")),
        ("id", Json::number(1)),
        ("method", Json::text(method)),
        ("params", params),
    ]);
    let request = HttpRequest { method: "POST", url: url.into(), body: Some(body.write()) };
    let failed = |what: &str| Error::new(ErrorCode::Network, ["the RPC failed (", method, "): ", what].concat());
    let answer = match client.shared.host.fetch(request, client.shared.timeout_ms, signal).await {
        Ok(answer) => answer,
        Err(crate::host::HttpFailure::Aborted) => return Err(Error::aborted()),
        Err(crate::host::HttpFailure::Network(cause)) => return Err(failed("network error").caused_by(cause)),
        Err(_) => return Err(failed("no answer in time")),
    };
    let json = parse(&answer.body).map_err(|_| failed("not JSON"))?;
    let root = At::root(&json, "");
    if let Some(error) = root.get("error").some() {
        let message = error.get("message").text().unwrap_or("no message");
        let message = ["the node refused ", method, ": ", message].concat();
        return Err(Error::new(ErrorCode::WalletFailed, message));
    }
    match json.get("result") {
        Some(result) => Ok(result.clone()),
        None => Err(failed("neither result nor error")),
    }
}

/// A hex quantity (`0x7a69`), or a number as some providers answer.
pub fn quantity(json: &Json) -> Option<u64> {
    match json {
        Json::String(text) => match text.strip_prefix("0x") {
            Some(digits) if !digits.starts_with('+') => u64::from_str_radix(digits, 16).ok(),
            _ => text.parse().ok(),
        },
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}
