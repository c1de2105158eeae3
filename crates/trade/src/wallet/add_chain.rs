//! The data with which a wallet adds a chain that it does not have: the option `addChain`, and the request made from it
//! (EIP-3085, <https://eips.ethereum.org/EIPS/eip-3085>).

use super::account::{hex_quantity, quantity};
use crate::client::endpoint;
use alloy_primitives::U256;
use verify::internal::domain::input::{decimals_input, known, short_text};
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter, array};
use verify::internal::value::text::ToText;

/// The members of viem's description of a chain that are read; it has others.
pub const VIEM: [&str; 5] = ["id", "name", "nativeCurrency", "rpcUrls", "blockExplorers"];
/// The members of EIP-3085's description of a chain.
const EIP_3085: [&str; 6] = ["chainId", "chainName", "nativeCurrency", "rpcUrls", "blockExplorerUrls", "iconUrls"];

/// Reads the data of a chain, in the form of EIP-3085 or of viem's `Chain` (which has an `id`). Returns the parameters
/// of `wallet_addEthereumChain`, a JSON array.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, unknown or malformed, with a URL that is not secure, and with the
/// chain's id if it is another one than `chain_id`.
///
/// ```
/// use verified_swap_trade::wallet::add_chain;
/// use verify::internal::json::{JsonAt, parse};
/// let json = parse(concat!(
///     r#"{"chainName":"Base","nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"#,
///     r#""rpcUrls":["https://base.test"]}"#,
/// )).unwrap();
/// let params = add_chain::read(&JsonAt::input(&json, "addChain.8453"), 8453).unwrap();
/// assert!(params.starts_with(r#"[{"chainId":"0x2105","chainName":"Base","nativeCurrency":{"name":"Ether","#));
/// ```
pub fn read(at: &JsonAt<'_>, chain_id: u64) -> Result<String> {
    let is_viem = at.get("id").some().is_some();
    known(at, if is_viem { &VIEM } else { &EIP_3085 })?;
    let (id, name, nodes, explorers) = match is_viem {
        true => {
            let inside = |list, name| at.get(list).get("default").get(name);
            ("id", "name", inside("rpcUrls", "http"), inside("blockExplorers", "url"))
        }
        false => ("chainId", "chainName", at.get("rpcUrls"), at.get("blockExplorerUrls")),
    };
    let id = at.get(id);
    if id.some().is_some() && id.json().and_then(quantity) != Some(chain_id) {
        return Err(id.fault(&chain_id.text()));
    }
    let mut out = ObjectWriter::object();
    out.text("chainId", &hex_quantity(U256::from(chain_id)));
    let members: [(&str, JsonAt<'_>, bool, Check); 5] = [
        ("chainName", at.get(name), true, text),
        ("nativeCurrency", at.get("nativeCurrency"), true, currency),
        ("rpcUrls", nodes, true, urls),
        ("blockExplorerUrls", explorers, at.get("blockExplorers").some().is_some(), urls),
        ("iconUrls", at.get("iconUrls"), false, urls),
    ];
    for (name, place, is_needed, check) in members {
        if is_needed || place.some().is_some() {
            check(&place)?;
            let json = place.json().map(Json::write).unwrap_or_default();
            // viem has one explorer; a wallet takes a list.
            out.raw(name, &if name.ends_with("Urls") && json.starts_with('"') { array(&[&json]) } else { json });
        }
    }
    Ok(array(&[&out.close()]))
}

/// Refuses a malformed member.
type Check = fn(&JsonAt<'_>) -> Result<()>;

fn text(at: &JsonAt<'_>) -> Result<()> {
    short_text(at).map(drop)
}

fn currency(at: &JsonAt<'_>) -> Result<()> {
    known(at, &["name", "symbol", "decimals"])?;
    text(&at.get("name"))?;
    text(&at.get("symbol"))?;
    decimals_input(&at.get("decimals")).map(drop)
}

/// One or more URLs whose requests no third party on the network can read or answer.
fn urls(at: &JsonAt<'_>) -> Result<()> {
    let mut all = vec![*at];
    if at.text().is_err() {
        all = at.items()?.collect();
    }
    if all.is_empty() {
        return Err(at.fault("at least one URL"));
    }
    for url in all {
        endpoint::rpc_url(url.text()?).ok_or_else(|| url.fault("an https URL (http on loopback only)"))?;
    }
    Ok(())
}
