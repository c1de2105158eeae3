//! The typed data of a Delta order, from POST /v2/delta/orders/build: `{ toSign: { domain, types, value }, orderHash }`
//! (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>; docs/verification.md, "The bytes").
//!
//! The wallet is not given this text. The values read here are verified, and the text for the wallet is written from
//! them. The names of all members of the domain are kept, so that the verifier can refuse an unexpected one.

use crate::domain::delta::order::{DeltaOrder, known_type};
use crate::domain::eip712::Types;
use crate::domain::fields::Fields;
use crate::domain::input::optional;
use crate::domain::sent_members::quantity;
use crate::domain::typed_struct::TypedStruct;
use crate::domain::verify::delta_order::Payload;
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::{Address, B256, U256};

/// A chain's id, also in hex, as libraries write it for a wallet.
fn chain_id(at: &JsonAt<'_>) -> Result<U256> {
    at.json().and_then(quantity).ok_or_else(|| at.fault("an unsigned integer"))
}

/// Reads `toSign` strictly, with the hash that the service states, if there is one. `value` is read as an order only if `types` are
/// exactly those of a known kind; else `order` is an error, which `domain::verify::delta_order` refuses.
///
/// # Errors
/// The error names the member that is missing or malformed.
pub fn read_payload<'a>(to_sign: &JsonAt<'a>, order_hash: Option<&JsonAt<'_>>) -> Result<Payload<'a>> {
    let domain = to_sign.get("domain");
    let types = Types::read(&to_sign.get("types"))?;
    let primary_type = optional(&to_sign.get("primaryType"), JsonAt::text)?;
    let order = match known_type(&types, primary_type) {
        Ok(encoded) => DeltaOrder::known(TypedStruct::read(encoded, &to_sign.get("value"))?).ok_or_else(String::new),
        Err(seen) => Err(seen),
    };
    let mut payload = Payload {
        order,
        domain_members: domain.names().collect(),
        name: "",
        version: "",
        chain_id: U256::ZERO,
        verifying_contract: Address::ZERO,
        order_hash: None,
    };
    let mut fields = Fields::of(&domain);
    fields.required("name", JsonAt::text, &mut payload.name);
    fields.required("version", JsonAt::text, &mut payload.version);
    fields.required("chainId", chain_id, &mut payload.chain_id);
    fields.required("verifyingContract", JsonAt::address, &mut payload.verifying_contract);
    fields.finish()?;
    payload.order_hash = order_hash.map(|at| at.fixed::<32>().map(B256::from)).transpose()?;
    Ok(payload)
}
