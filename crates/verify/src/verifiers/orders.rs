//! OTC orders as an app passes them in, from the service or from anybody else: read and hashed. No statement of an order
//! counts unless its maker signed it or the chain shows it.

use crate::domain::chain::Deployment;
use crate::domain::input::chain_id;
use crate::domain::member::{Members, member};
use crate::domain::otc::order;
use crate::domain::signature::{plain, verify_key_signature};
use crate::domain::verify::Checks;
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::wire::otc::{Signed, read_signed};
use alloy_primitives::{Address, B256, U256};

/// The most orders in one transaction.
pub const MAX_ORDERS: usize = 100;

/// An order as it was passed in, and its state on the chain.
pub struct SignedOtcOrder {
    /// Its path in the argument, for errors and reports: `order`, `orders.0`.
    pub name: String,
    /// Its members, the hash that it states, its signature and its maker's permit.
    pub signed: Signed,
    /// The hash of its members in the domain of the RFQ contract: the order's true hash.
    pub hash: B256,
    /// The maker's account, by the order's members.
    pub maker: Address,
    /// The contract's `remaining`, zero until it is read: 0 for an untouched order, 1 for one that is filled or
    /// cancelled, else the remaining amount plus one, in raw units of the maker's asset.
    pub remaining: U256,
    /// The maker's balance of the maker's asset, and its allowance for the contract, in raw units; zero until they are
    /// read.
    pub maker_funds: (U256, U256),
    /// Whether both are to be judged: not if the chain is not read.
    pub is_read: bool,
}

/// The orders of a call, all on one chain.
pub struct OrdersInput {
    /// The chain of the orders.
    pub chain_id: u64,
    /// The chain's contracts, and their source.
    pub deployment: Deployment,
    /// The maker's asset and the taker's asset of the first order.
    pub pair: (Address, Address),
    /// 1 to [`MAX_ORDERS`] orders, no two the same.
    pub orders: Vec<SignedOtcOrder>,
}

/// An order or a list of them, as it was passed in. `alone` is the name of an order that stands in no list.
///
/// # Errors
/// INVALID_INPUT for none, or too many.
pub fn places<'a>(orders: &'a Json, alone: &'a str) -> Result<Vec<JsonAt<'a>>> {
    let is_list = matches!(orders, Json::Array(_));
    let root = JsonAt::input(orders, if is_list { "orders" } else { alone });
    let mut all = vec![root];
    if is_list {
        all = root.items()?.collect();
    }
    if all.is_empty() || all.len() > MAX_ORDERS {
        return Err(root.fault("1 to 100 orders"));
    }
    Ok(all)
}

/// The chain of the first order.
///
/// # Errors
/// INVALID_INPUT with its `chainId`.
pub fn chain_of(all: &[JsonAt<'_>]) -> Result<u64> {
    all.first().map_or(Ok(0), |first| chain_id(&first.get("chainId")))
}

impl SignedOtcOrder {
    /// Reads an order, and hashes its members for the RFQ contract `rfq` of that chain.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or does not fit.
    pub fn read(at: &JsonAt<'_>, chain_id: u64, rfq: Address) -> Result<SignedOtcOrder> {
        let signed = read_signed(at)?;
        let (maker, nothing) = (signed.order.address(member!("maker")), U256::ZERO);
        let hash = signed.order.digest(&order::domain(chain_id, rfq)).digest;
        Ok(SignedOtcOrder {
            name: at.path(),
            signed,
            hash,
            maker,
            remaining: nothing,
            maker_funds: (nothing, nothing),
            is_read: true,
        })
    }

    /// The signature in the form in which the RFQ contract takes a key's, 65 bytes; empty if it is not by the maker's
    /// key.
    pub fn key_signature(&self) -> Vec<u8> {
        let by_key = verify_key_signature(self.maker, self.hash, &self.signed.signature);
        by_key.map(|compact| plain(&compact).to_vec()).unwrap_or_default()
    }

    /// Whether it was filled in part. Then the contract has accepted its signature, and does not check it again.
    pub fn is_partly_filled(&self) -> bool {
        self.remaining > U256::from(1)
    }

    /// Refuses an order that states another hash than its members have.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with `orderHash`.
    pub fn check_hash(&self) -> Result<()> {
        let mut checks = Checks::default();
        checks.same(&[&self.name, ".orderHash"].concat(), &self.hash, &self.signed.hash);
        checks.finish().map(|_| ())
    }
}

impl OrdersInput {
    /// Reads the orders, for the contracts of their chain. With `one_pair`, all have to trade the same two assets in the
    /// same direction.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, does not fit, or differs from the first order's.
    pub fn read(all: &[JsonAt<'_>], chain_id: u64, deployment: Deployment, one_pair: bool) -> Result<OrdersInput> {
        let mut input = OrdersInput { chain_id, deployment, pair: (Address::ZERO, Address::ZERO), orders: vec![] };
        for at in all {
            input.add(at, one_pair)?;
        }
        Ok(input)
    }

    /// Adds an order.
    ///
    /// # Errors
    /// INVALID_INPUT with the member, also for an amount of zero, or an order that is passed twice.
    fn add(&mut self, at: &JsonAt<'_>, one_pair: bool) -> Result<()> {
        let one = SignedOtcOrder::read(at, self.chain_id, self.deployment.contracts.rfq)?;
        let order = &one.signed.order;
        let pair = (order.address(member!("makerAsset")), order.address(member!("takerAsset")));
        if self.orders.is_empty() {
            self.pair = pair;
        }
        let other_pair = |here, first| one_pair && here != first;
        for (member, differs) in [
            ("chainId", at.get("chainId").integer(u64::MAX)? != self.chain_id),
            ("makerAsset", other_pair(pair.0, self.pair.0)),
            ("takerAsset", other_pair(pair.1, self.pair.1)),
        ] {
            if differs {
                return Err(at.get(member).fault("that of the first order"));
            }
        }
        for member in [member!("makerAmount"), member!("takerAmount")] {
            if order.uint(member).is_zero() {
                return Err(at.get(member.path()).fault("an amount above 0"));
            }
        }
        if self.orders.iter().any(|other| other.hash == one.hash) {
            return Err(at.fault("an order that is not passed twice"));
        }
        self.orders.push(one);
        Ok(())
    }
}
