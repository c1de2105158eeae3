//! Why the router refuses, in words.

use alloy_primitives::Bytes;

use super::abi::IRouter;
use crate::chain::RpcError;

/// The name of the router's error, else the node's words.
pub fn reason(error: &RpcError) -> String {
    let name = || {
        let start = error.message.find("0x")?;
        let digits: String = error.message[start + 2..].chars().take_while(char::is_ascii_hexdigit).collect();
        let data: Bytes = digits.parse().ok()?;
        let errors = IRouter::abi::errors();
        let selector = data.get(..4)?;
        errors.into_values().flatten().find(|known| known.selector() == selector).map(|known| known.name)
    };
    name().unwrap_or_else(|| error.message.clone())
}
