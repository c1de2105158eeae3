//! Permits: signed for one spender, proved, tried, used once.

mod delta;
mod mutated;
pub mod otc;
mod refused;
mod reviewed;
mod signed;

use super::fake_host::{DELTA, Rig, SRC, failure, hex_word, json, recovered, text};
use alloy_primitives::{Address, B256, Bytes, U256, address, hex, keccak256};
use alloy_sol_types::{Eip712Domain, SolCall, SolStruct, SolValue, sol};
use std::cell::RefCell;
use std::rc::Rc;
use verified_swap_trade::host::WalletFailure;
use verify::internal::error::Result;
use verify::internal::json::Json;

pub const PERMIT2: Address = address!("000000000022D473030F116dDEE9F6B43aC78BA3");

pub mod eip2612 {
    alloy_sol_types::sol! {
        struct Permit { address owner; address spender; uint256 value; uint256 nonce; uint256 deadline; }
        function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s);
    }
}

pub mod dai {
    alloy_sol_types::sol! {
        function permit(
            address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s
        );
    }
}

sol! {
    struct TokenPermissions { address token; uint256 amount; }
    struct PermitTransferFrom { TokenPermissions permitted; address spender; uint256 nonce; uint256 deadline; }
    struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }
    struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }

    /// Permit2 leaves the spender out: it is the sender.
    struct Transfer { TokenPermissions permitted; uint256 nonce; uint256 deadline; }
    struct TransferDetails { address to; uint256 requestedAmount; }
    function permitTransferFrom(Transfer permit, TransferDetails details, address owner, bytes signature);
    function permit(address owner, PermitSingle permit, bytes signature);
    function allowance(address owner, address token, address spender) returns (uint160, uint48, uint48);
    function allowance(address owner, address spender) returns (uint256);
    function nonces(address owner) returns (uint256);
    function nonceBitmap(address owner, uint256 word) returns (uint256);
    function DOMAIN_SEPARATOR() returns (bytes32);
    function PERMIT_TYPEHASH() returns (bytes32);
    function eip712Domain() returns (bytes1, string, string, uint256, address, bytes32, uint256[]);
    function name() returns (string);
    function version() returns (string);
    function decimals() returns (uint8);
    function balanceOf(address account) returns (uint256);
}

/// A token that takes permits, as it is seen from outside.
pub struct Token {
    /// The domain it verifies with.
    pub domain: Eip712Domain,
    pub name: Option<&'static str>,
    pub version: Option<&'static str>,
    /// It tells its domain (EIP-5267).
    pub tells: bool,
    pub type_hash: Option<B256>,
    pub separator: bool,
    pub nonce: u64,
    /// The allowance of it without a permit, but for Permit2.
    pub allowance: U256,
    /// The nonces of transfers that Permit2 has seen.
    pub transferred: Vec<U256>,
    /// It takes permits as DAI does, so that its call is another.
    pub is_dai: bool,
    /// Permit2's allowance of it.
    pub permit2_may_take: U256,
    /// The spender's allowance at Permit2: amount, expiration, nonce.
    pub granted: (u64, u64, u64),
    /// Permits are refused whatever they say.
    pub refuses: bool,
    /// Calls by which the node is out of breath: their data begins so.
    pub busy: Option<Vec<u8>>,
    /// Calls that used a permit.
    pub used: Vec<Vec<u8>>,
}

pub fn token_domain(name: &'static str, version: Option<&'static str>) -> Eip712Domain {
    let contract = Some(SRC.parse().unwrap());
    Eip712Domain::new(Some(name.into()), version.map(Into::into), Some(U256::from(8453)), contract, None)
}

fn permit2_domain() -> Eip712Domain {
    Eip712Domain::new(Some("Permit2".into()), None, Some(U256::from(8453)), Some(PERMIT2), None)
}

impl Default for Token {
    fn default() -> Token {
        Token {
            domain: token_domain("USD X", Some("2")),
            name: Some("USD X"),
            version: Some("2"),
            tells: false,
            type_hash: Some(keccak256(
                "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
            )),
            separator: true,
            nonce: 3,
            allowance: U256::ZERO,
            transferred: vec![],
            is_dai: false,
            permit2_may_take: U256::MAX,
            granted: (0, 0, 5),
            refuses: false,
            busy: None,
            used: vec![],
        }
    }
}

/// One that takes permits as DAI does, and no others.
pub fn dai_token() -> Token {
    Token {
        domain: token_domain("Dai Stablecoin", Some("1")),
        name: Some("Dai Stablecoin"),
        version: Some("1"),
        is_dai: true,
        type_hash: Some(keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)")),
        ..Token::default()
    }
}

pub struct Bank {
    pub rig: Rig,
    pub token: Rc<RefCell<Token>>,
}

/// A world in which SRC is that token, and Permit2 is where it should be.
pub fn bank(token: Token) -> Bank {
    let rig = Rig::default();
    let token = Rc::new(RefCell::new(token));
    for contract in [SRC.parse().unwrap(), PERMIT2] {
        let token = token.clone();
        let answer = move |call: &Json| token.borrow_mut().answer(contract, call);
        rig.world.chain.borrow_mut().node(8453).contracts.insert(contract, Box::new(answer));
    }
    Bank { rig, token }
}

type Outcome = core::result::Result<Json, WalletFailure>;

fn bytes(value: impl AsRef<[u8]>) -> Outcome {
    Ok(Json::String(hex::encode_prefixed(value)))
}

impl Token {
    fn answer(&mut self, contract: Address, call: &Json) -> Outcome {
        let data = hex::decode(text(call, "data")).unwrap();
        if self.busy.as_ref().is_some_and(|busy| data.starts_with(busy)) {
            return Err(failure(-32005, "limit exceeded"));
        }
        let reverted = || Err(failure(3, "execution reverted"));
        let word = |value: u64| Ok(Json::String(hex_word(U256::from(value))));
        let selector: [u8; 4] = data[..4].try_into().unwrap();
        if contract == PERMIT2 {
            return match selector {
                DOMAIN_SEPARATORCall::SELECTOR => bytes(permit2_domain().separator()),
                allowance_0Call::SELECTOR => {
                    let (amount, expiration, nonce) = self.granted;
                    bytes((U256::from(amount), U256::from(expiration), U256::from(nonce)).abi_encode())
                }
                nonceBitmapCall::SELECTOR => {
                    let asked = nonceBitmapCall::abi_decode(&data).unwrap().word;
                    let mut bits = U256::ZERO;
                    for nonce in self.transferred.iter().filter(|nonce| **nonce >> 8 == asked) {
                        bits.set_bit(nonce.byte(0).into(), true);
                    }
                    Ok(Json::String(hex_word(bits)))
                }
                permitCall::SELECTOR | permitTransferFromCall::SELECTOR => self.permit2(call, &data),
                _ => reverted(),
            };
        }
        match selector {
            decimalsCall::SELECTOR => word(6),
            balanceOfCall::SELECTOR => word(1_000_000_000_000),
            allowance_1Call::SELECTOR => {
                let spender = allowance_1Call::abi_decode(&data).unwrap().spender;
                Ok(Json::String(hex_word(if spender == PERMIT2 { self.permit2_may_take } else { self.allowance })))
            }
            noncesCall::SELECTOR => word(self.nonce),
            DOMAIN_SEPARATORCall::SELECTOR if self.separator => bytes(self.domain.separator()),
            PERMIT_TYPEHASHCall::SELECTOR if self.type_hash.is_some() => bytes(self.type_hash.unwrap()),
            nameCall::SELECTOR if self.name.is_some() => bytes(self.name.unwrap().abi_encode()),
            versionCall::SELECTOR if self.version.is_some() => bytes(self.version.unwrap().abi_encode()),
            eip712DomainCall::SELECTOR if self.tells => {
                let domain = &self.domain;
                let (name, version) = (domain.name.clone().unwrap(), domain.version.clone().unwrap_or_default());
                let (salt, none) = (domain.salt.unwrap_or_default(), Vec::<U256>::new());
                let fields = alloy_primitives::FixedBytes::<1>::from([0x0f]);
                let told = (fields, name.to_string(), version.to_string(), U256::from(8453), contract, salt, none);
                bytes(told.abi_encode_params())
            }
            eip2612::permitCall::SELECTOR if !self.is_dai => {
                let call = eip2612::permitCall::abi_decode(&data).unwrap();
                let message = eip2612::Permit {
                    owner: call.owner,
                    spender: call.spender,
                    value: call.value,
                    nonce: U256::from(self.nonce),
                    deadline: call.deadline,
                };
                let hash = message.eip712_signing_hash(&self.domain);
                self.taken(data, call.owner, hash, &[&call.r[..], &call.s[..], &[call.v]].concat())
            }
            _ => reverted(),
        }
    }

    fn permit2(&mut self, call: &Json, data: &[u8]) -> Outcome {
        let domain = permit2_domain();
        let (owner, hash, signature) = match data[..4] == permitCall::SELECTOR {
            true => {
                let call = permitCall::abi_decode(data).unwrap();
                (call.owner, call.permit.eip712_signing_hash(&domain), call.signature)
            }
            false => {
                // The spender is whoever calls.
                let spender = text(call, "from").parse().unwrap();
                let call = permitTransferFromCall::abi_decode(data).unwrap();
                let Transfer { permitted, nonce, deadline } = call.permit;
                let message = PermitTransferFrom { permitted, spender, nonce, deadline };
                (call.owner, message.eip712_signing_hash(&domain), call.signature)
            }
        };
        self.taken(data.to_vec(), owner, hash, &signature)
    }

    /// Whether it is the owner's signature, as another library sees it.
    fn taken(&mut self, data: Vec<u8>, owner: Address, hash: B256, signature: &[u8]) -> Outcome {
        let signer = recovered(signature, hash);
        if self.refuses || signer.is_none_or(|signer| signer != owner.to_string().to_ascii_lowercase()) {
            return Err(failure(3, "execution reverted: not the owner's"));
        }
        self.used.push(data);
        bytes([])
    }
}

impl Bank {
    pub fn sign(&self, subject: &Json, options: &str) -> Result<Json> {
        self.rig.call("signPermit", subject, options)
    }

    pub fn bytes(permit: &Json) -> Bytes {
        hex::decode(text(permit, "bytes")).unwrap().into()
    }
}

pub fn delta() -> Address {
    DELTA.parse().unwrap()
}

pub fn quote_of(bank: &Bank, request: &str) -> Json {
    bank.rig.quote(request).unwrap()
}

pub fn options(kind: &str) -> String {
    json(&format!(r#"{{"kind":"{kind}"}}"#)).write()
}
