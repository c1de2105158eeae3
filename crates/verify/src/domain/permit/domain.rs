//! The domain that a permit is signed in. Tokens build it in several ways and report it badly, so candidates are made
//! from the token's answers and usual values, and the one counts that hashes to the separator that the contract
//! computes.

use super::{PERMIT2, PermitKind};
use crate::domain::abi::string_at;
use crate::domain::typed_struct::TypedStruct;
use alloy_primitives::{Address, B256};

/// The encoded types of domains that tokens are known to have: with a version, without, and with the chain as salt.
const TYPES: [&str; 3] = [
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
    "EIP712Domain(string name,uint256 chainId,address verifyingContract)",
    "EIP712Domain(string name,string version,address verifyingContract,bytes32 salt)",
];

/// Candidates for the name and version of a domain: the token's answers (EIP-5267, `name()`, `version()`), and usual
/// values.
#[derive(Clone, Debug)]
pub struct DomainFields {
    /// The names that the domain may have.
    pub names: Vec<String>,
    /// The versions that the domain may have.
    pub versions: Vec<String>,
}

impl DomainFields {
    /// The candidates from a token's answers to `eip712Domain()`, `name()` and `version()`; any of them may be empty.
    pub fn of([domain, name, version]: [&[u8]; 3]) -> DomainFields {
        let mut said = DomainFields { names: vec![], versions: vec![] };
        said.names.extend(string_at(domain, 32));
        said.names.extend(string_at(name, 0));
        said.versions.extend(string_at(domain, 64));
        said.versions.extend(string_at(version, 0));
        said.versions.push("1".into());
        said.versions.push("2".into());
        said
    }

    /// The name of Permit2's domain, which has no version.
    pub fn permit2() -> DomainFields {
        DomainFields { names: vec!["Permit2".into()], versions: vec![String::new()] }
    }
}

/// The contract that verifies a permit of this kind, in whose domain it is signed.
pub fn contract(kind: PermitKind, token: Address) -> Address {
    if kind.by_permit2() { PERMIT2 } else { token }
}

/// The domain that hashes to the contract's separator; `None` if no candidate does, so that nothing is signed. Refuses
/// a token or node that states the domain of another contract.
pub fn find_domain(separator: B256, said: &DomainFields, chain_id: u64, contract: Address) -> Option<TypedStruct> {
    for encoded in TYPES {
        for name in &said.names {
            for version in &said.versions {
                let domain = TypedStruct::made(encoded, &|member, _| match member {
                    "name" => name.as_str().into(),
                    "version" => version.as_str().into(),
                    "verifyingContract" => contract.into(),
                    _ => chain_id.into(),
                });
                if domain.hash() == separator {
                    return Some(domain);
                }
            }
        }
    }
    None
}
