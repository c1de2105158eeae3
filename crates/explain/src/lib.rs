//! Explains a payload that a wallet is asked to sign or send, without the user's request: a pure reading of it alone.
//!
//! [`explain`] states its effects in sentences and facts, finds unusual ones, and lists what it could not read. It
//! never calls a payload good: a payload without findings is one in which nothing is known to be wrong. docs/explain.md
//! has the ids, the rule of severities, and what is read of each kind.
//!
//! | file | contents |
//! |---|---|
//! | `request` | the shapes in which a wallet is asked |
//! | `typed_data`, `calls` | tables of types and methods, each with what it does |
//! | `trades`, `allowances`, `wrapped`, `message`, `raw` | what they do |
//! | `elsewhere`, `services` | trades at other services, and their contracts |
//! | `permissions` | ERC-7710 and ERC-7715, chains and tokens for a wallet |
//! | `payload_fields` | values by their paths, of typed data and calldata alike |
//! | `scope`, `context` | what is known beside the payload |
//! | `answer`, `words` | the answer, its parts and findings |

mod allowances;
mod answer;
mod calls;
mod context;
mod elsewhere;
mod message;
mod payload_fields;
mod permissions;
mod raw;
mod request;
mod scope;
mod services;
mod trades;
mod typed_data;
mod words;
mod wrapped;

use context::Context;
use core::cell::Cell;
use scope::{MAX_INNER, Scope, Shared};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, Malformed, TOO_MANY_VALUES, TWICE, parse};

pub use answer::anchor;
#[doc(hidden)]
pub use services::{SERVICES, Service};
pub use words::{ALL as PARTS, KINDS, Severity, WARNINGS, Warning};

/// Explains a request to a wallet, as JSON text: `{ kind, verdict, title, sentence, parts, facts, findings, coverage,
/// opaque, digests, inner }`.
///
/// `call` is `{ method, params }`, Snaps' `onSignature` or `onTransaction`, or `{ raw }`, a raw transaction.
/// `context` is `{ accounts, chainId, now?, origin?, tokens?, addressBook?, references?, safe?, contracts? }`.
///
/// ```
/// let call = r#"{ "method": "personal_sign", "params": ["0x6869", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"] }"#;
/// let context = r#"{ "accounts": ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"], "chainId": 1 }"#;
/// let answer = verified_swap_explain::explain(call, context)?;
/// assert!(answer.contains("Sign the text"));
/// # Ok::<(), verify::Refusal>(())
/// ```
///
/// # Errors
/// INVALID_INPUT with the member of the context that is malformed, or with `call` if that is no JSON object. Never for
/// what the payload itself has: the answer states that.
pub fn explain(call: &str, context: &str) -> Result<String> {
    let context = parse(context).map_err(|what| Error::input("context", "JSON", what.reason))?;
    match parse(call) {
        Ok(call) => explain_json(&call, &context),
        // JSON that this package does not read, because two readers may differ, or because of its size.
        Err(Malformed { reason, .. }) if is_refused(reason) && call.trim_start().starts_with('{') => {
            within(&context, None, |scope| typed_data::explain_refused(scope, reason, call.len()).write())
        }
        Err(_) => Err(Error::input("call", "a JSON object", "a text that is not")),
    }
}

/// Whether a text is JSON for others, for all that is known.
fn is_refused(reason: &str) -> bool {
    [TWICE, TOO_MANY_VALUES, "nested too deeply", "too many members"].contains(&reason)
}

/// [`explain`] of values that are parsed.
///
/// # Errors
/// As [`explain`].
#[doc(hidden)]
pub fn explain_json(call: &Json, context: &Json) -> Result<String> {
    if !matches!(call, Json::Object(_)) {
        return Err(JsonAt::input(call, "call").fault("a JSON object"));
    }
    within(context, request::origin(call), |scope| request::explain_request(scope, call).write())
}

fn within(context: &Json, origin: Option<&str>, explained: impl FnOnce(&Scope<'_>) -> String) -> Result<String> {
    let mut context = Context::read(&JsonAt::input(context, "context"))?;
    context.origin = origin.map(String::from).or(context.origin);
    let shared = Shared {
        context: &context,
        selectors: calls::selectors(),
        room: Cell::new(MAX_INNER),
        purse: Cell::default(),
        read_call: calls::explain_call,
        read_typed: typed_data::explain_typed_data,
    };
    Ok(explained(&Scope { shared: &shared, chain_id: context.chain_id, actor: None, safe: None, depth: 0 }))
}
