//! Whether the Delta contract could take an order's source tokens now, by allowance or by the order's permit.

use alloy_primitives::aliases::U48;
use alloy_primitives::ruint::UintTryTo;
use alloy_primitives::{Address, B256, Bytes, U160, U256};
use alloy_sol_types::{SolCall, SolValue, sol};
use serde_json::json;

use super::{Chain, PERMIT2, RpcError};

sol! {
    struct TokenPermissions { address token; uint256 amount; }
    struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }
    struct SignatureTransferDetails { address to; uint256 requestedAmount; }
    struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }
    struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }

    /// See `contracts/permits/Permit2.sol`.
    interface IPermit2 {
        function permitTransferFrom(
            PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature
        ) external;
        function permit(address owner, PermitSingle permitSingle, bytes signature) external;
        function allowance(address owner, address token, address spender)
            external view returns (uint160 amount, uint48 expiration, uint48 nonce);
    }

    /// A token's own permit.
    interface ITokenPermit {
        function permit(
            address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s
        ) external;
    }
}

/// An order's terms on how its source tokens are taken.
#[derive(Clone, Copy, Debug)]
pub struct Funding<'a> {
    pub token: Address,
    pub owner: Address,
    pub permit: &'a Bytes,
    /// The order's own source amount and deadline: a signed transfer is over them.
    pub signed_amount: U256,
    pub deadline: U256,
    /// Whether a part of the order is settled: what its permit allows was set by that.
    pub is_used: bool,
}

/// The kinds of permits an order may carry, by their length in bytes. See `contracts/permits/Funding.sol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermitKind {
    /// 0: an allowance of the token.
    None,
    /// 1: an allowance in Permit2.
    Existing,
    /// 96: one transfer, signed for Permit2.
    Transfer,
    /// 192: an allowance, signed for Permit2.
    Allowance,
    /// 224: EIP-2612.
    Token,
}

impl PermitKind {
    pub fn of(permit: &Bytes) -> Option<Self> {
        match permit.len() {
            0 => Some(Self::None),
            1 if permit[0] == 1 => Some(Self::Existing),
            96 => Some(Self::Transfer),
            192 => Some(Self::Allowance),
            224 => Some(Self::Token),
            _ => None,
        }
    }

    /// The kind that counts once the permit was used.
    fn once_used(self) -> Self {
        match self {
            Self::Allowance => Self::Existing,
            Self::Token => Self::None,
            kind => kind,
        }
    }
}

impl Chain {
    /// Whether the Delta contract could take `needed`, the balance aside.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn can_take(&self, funding: &Funding<'_>, needed: U256, now: u64) -> Result<bool, RpcError> {
        let Funding { token, owner, permit, .. } = *funding;
        let kind = PermitKind::of(permit).map(|kind| if funding.is_used { kind.once_used() } else { kind });
        match kind {
            None => Ok(false),
            Some(PermitKind::None) => Ok(self.allowance(token, owner).await? >= needed),
            Some(PermitKind::Existing) => {
                let call = IPermit2::allowanceCall { owner, token, spender: self.delta };
                let granted = self.read(PERMIT2, call).await?;
                let is_enough =
                    U256::from(granted.amount) >= needed && U256::from(granted.expiration) >= U256::from(now);
                Ok(is_enough && self.reaches_permit2(funding, needed).await?)
            }
            Some(PermitKind::Transfer) => self.would_transfer(funding, needed).await,
            Some(PermitKind::Allowance) => {
                Ok(self.would_allow(funding, needed, now).await? && self.reaches_permit2(funding, needed).await?)
            }
            Some(PermitKind::Token) => {
                let value = word(permit, 2);
                Ok(self.is_for_delta(funding)
                    && value >= needed
                    && self.passes(token, [&ITokenPermit::permitCall::SELECTOR[..], permit].concat()).await?)
            }
        }
    }

    async fn reaches_permit2(&self, funding: &Funding<'_>, needed: U256) -> Result<bool, RpcError> {
        Ok(self.allowance_for(funding.token, funding.owner, PERMIT2).await? >= needed)
    }

    async fn would_transfer(&self, funding: &Funding<'_>, needed: U256) -> Result<bool, RpcError> {
        let Ok((nonce, r, s)) = <(U256, B256, B256)>::abi_decode_params(funding.permit) else { return Ok(false) };
        let call = IPermit2::permitTransferFromCall {
            permit: PermitTransferFrom {
                permitted: TokenPermissions { token: funding.token, amount: funding.signed_amount },
                nonce,
                deadline: funding.deadline,
            },
            transferDetails: SignatureTransferDetails { to: self.delta, requestedAmount: needed },
            owner: funding.owner,
            signature: [r.0, s.0].concat().into(),
        };
        self.passes(PERMIT2, call.abi_encode()).await
    }

    async fn would_allow(&self, funding: &Funding<'_>, needed: U256, now: u64) -> Result<bool, RpcError> {
        let permit = funding.permit;
        let [amount, nonce, expiration, sig_deadline] = [0, 1, 2, 3].map(|index| word(permit, index));
        let (Ok(amount), Ok(nonce), Ok(expiration)): (Result<U160, _>, Result<U48, _>, Result<U48, _>) =
            (amount.uint_try_to(), nonce.uint_try_to(), expiration.uint_try_to())
        else {
            return Ok(false);
        };
        if U256::from(amount) < needed || (!expiration.is_zero() && U256::from(expiration) < U256::from(now)) {
            return Ok(false);
        }
        let call = IPermit2::permitCall {
            owner: funding.owner,
            permitSingle: PermitSingle {
                details: PermitDetails { token: funding.token, amount, expiration, nonce },
                spender: self.delta,
                sigDeadline: sig_deadline,
            },
            signature: permit.slice(128..192),
        };
        self.passes(PERMIT2, call.abi_encode()).await
    }

    /// Whether a token's own permit names the order's owner and the Delta contract.
    fn is_for_delta(&self, funding: &Funding<'_>) -> bool {
        let address = |address: Address| U256::from_be_slice(address.as_slice());
        word(funding.permit, 0) == address(funding.owner) && word(funding.permit, 1) == address(self.delta)
    }

    /// Whether a call of the Delta contract would go well.
    async fn passes(&self, to: Address, data: Vec<u8>) -> Result<bool, RpcError> {
        let call = json!([{"from": self.delta, "to": to, "data": Bytes::from(data)}, "pending"]);
        match self.rpc.call::<Bytes>("eth_call", call).await {
            Ok(_) => Ok(true),
            Err(error) if error.refused => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// The 32-byte word of that index; zero past the end.
fn word(bytes: &[u8], index: usize) -> U256 {
    bytes.get(index * 32..index * 32 + 32).map(U256::from_be_slice).unwrap_or_default()
}
