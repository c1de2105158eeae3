//! The answer of POST /v2/delta/orders/build: `{ toSign: { domain, types, value }, orderHash }` (service, 2.5).

use crate::domain::delta::order::known_type;
use crate::domain::eip712::Types;
use crate::domain::typed_struct::TypedStruct;
use crate::domain::verify::delta_order::Payload;
use crate::error::Result;
use crate::json::At;
use alloy_primitives::B256;

/// Reads `toSign` strictly. `value` is read as an order only where the types are an order's.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn payload<'a>(to_sign: &At<'a>, order_hash: &At<'_>) -> Result<Payload<'a>> {
    let domain = to_sign.get("domain");
    let types = Types::read(&to_sign.get("types"))?;
    let primary_type = to_sign.get("primaryType").some().map(|at| at.text()).transpose()?;
    let known = known_type(&types, primary_type);
    let order = known.map(|encoded| TypedStruct::read(encoded, &to_sign.get("value"))).transpose()?;
    Ok(Payload {
        order,
        types,
        domain_members: domain.names().collect(),
        name: domain.get("name").text()?,
        version: domain.get("version").text()?,
        chain_id: domain.get("chainId").uint()?,
        verifying_contract: domain.get("verifyingContract").address()?,
        order_hash: B256::from(order_hash.fixed::<32>()?),
    })
}
