//! Payloads in the form of wallets' requests, encoded by another library than the reader's.

use alloy_dyn_abi::DynSolType;
use alloy_primitives::{hex, keccak256};
use serde_json::{Value, json};

/// Calldata by a signature, which may have the names of its ABI, and the arguments in text.
pub fn data(signature: &str, arguments: &str) -> String {
    let mut is_name = false;
    let signature: String = signature
        .chars()
        .filter(|one| {
            is_name = *one == ' ' || (is_name && ![',', ')'].contains(one));
            !is_name
        })
        .collect();
    let (_, types) = signature.split_at(signature.find('(').unwrap());
    let value = types.parse::<DynSolType>().unwrap().coerce_str(arguments);
    let value = value.unwrap_or_else(|why| panic!("{signature}: {why}"));
    hex::encode_prefixed([&keccak256(&signature)[..4], &value.abi_encode_params()].concat())
}

/// Typed data of a type as EIP-712 encodes it, with the types that it uses behind; to be signed by the account.
pub fn typed(account: &str, domain: &Value, encoded: &str, message: &Value) -> Value {
    let kinds = [("name", "string"), ("version", "string"), ("chainId", "uint256"), ("verifyingContract", "address")];
    let own = kinds.iter().filter(|(name, _)| !domain[*name].is_null());
    let own = own.map(|(name, kind)| json!({ "name": name, "type": kind })).collect::<Value>();
    let mut types = json!({ "EIP712Domain": own });
    for part in encoded.split_inclusive(')') {
        let (name, members) = part.trim_end_matches(')').split_once('(').unwrap();
        let member = |one: &str| {
            let (kind, name) = one.split_once(' ').unwrap();
            json!({ "name": name, "type": kind })
        };
        types[name] = members.split(',').map(member).collect();
    }
    let primary = encoded.split('(').next().unwrap();
    let data = json!({ "types": types, "primaryType": primary, "domain": domain, "message": message });
    json!({ "method": "eth_signTypedData_v4", "params": [account, data.to_string()] })
}
