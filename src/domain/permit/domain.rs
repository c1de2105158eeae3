//! The domain a permit is signed in. Nobody's word is taken for it: it counts once it hashes to the separator that the
//! contract itself computes.

use super::{PERMIT2, PermitKind};
use crate::domain::abi::string_at;
use crate::domain::typed_struct::TypedStruct;
use alloy_primitives::{Address, B256};

/// The domains that tokens are known to have: with a version, without, and with the chain as salt.
const TYPES: [&str; 3] = [
    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)",
    "EIP712Domain(string name,uint256 chainId,address verifyingContract)",
    "EIP712Domain(string name,string version,address verifyingContract,bytes32 salt)",
];

/// What a token says of its domain (EIP-5267, `name()`, `version()`), and what tokens usually have.
#[derive(Clone, Debug)]
pub struct DomainFields {
    /// Names.
    pub names: Vec<String>,
    /// Versions.
    pub versions: Vec<String>,
}

impl DomainFields {
    /// What the answers of these reads say: `eip712Domain()`, `name()`, `version()`. Any of them may be empty.
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

    /// What Permit2 is known by.
    pub fn permit2() -> DomainFields {
        DomainFields { names: vec!["Permit2".into()], versions: vec![String::new()] }
    }
}

/// The contract that takes a permit of that kind.
pub fn contract(kind: PermitKind, token: Address) -> Address {
    if kind.by_permit2() { PERMIT2 } else { token }
}

/// The domain that hashes to the contract's separator; `None` where none of those it can be does.
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
