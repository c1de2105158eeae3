//! Orders as an application passes them on: those of the service, or of anybody else.

use crate::client::Client;
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::input::chain_id;
use crate::domain::member::{Members, member};
use crate::domain::otc::{calls, order};
use crate::domain::text::ToText;
use crate::domain::verify::Checks;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::chain::clock::chain_time;
use crate::trade::chain::deployment::find_deployment;
use crate::trade::chain::signature_check::DELEGATION_CODE_SIZE;
use crate::wallet::reads::{Batch, Chain, Read};
use crate::wire::otc::{Signed, signed};
use alloy_primitives::{Address, B256, U256};

/// The most orders one transaction is about.
const MAX_ORDERS: usize = 100;

/// An order as it was passed.
pub struct SignedOtcOrder {
    /// How it is called: `order`, `orders.0`.
    pub name: String,
    /// What stands in it.
    pub signed: Signed,
    /// Its hash, from its members.
    pub hash: B256,
    /// Who offers.
    pub maker: Address,
    /// The contract's `remaining`, once it was read.
    pub remaining: U256,
    /// What the maker has of the maker's asset, and lets the contract take; once it was read.
    pub maker_funds: (U256, U256),
}

/// Orders of one chain.
pub struct OrdersInput {
    /// The chain.
    pub chain_id: u64,
    /// The chain's contracts, and whose word they rest on.
    pub deployment: Deployment,
    /// The maker's asset, and the taker's, of the first.
    pub pair: (Address, Address),
    /// At least one, no two of them the same.
    pub orders: Vec<SignedOtcOrder>,
}

/// Reads an order or a list of them; with `one_pair` all of them trade the same two assets.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, does not fit, or is not that of the first; UNSUPPORTED_CHAIN.
pub async fn read_orders<H: Host>(
    client: &Client<H>,
    orders: &Json,
    one_pair: bool,
    signal: &H::Signal,
) -> Result<OrdersInput> {
    let is_list = matches!(orders, Json::Array(_));
    let root = JsonAt::input(orders, if is_list { "orders" } else { "order" });
    let mut all = vec![root];
    if is_list {
        all = root.items()?.collect();
    }
    let Some(first) = all.first().filter(|_| all.len() <= MAX_ORDERS) else {
        return Err(root.fault("1 to 100 orders"));
    };
    let chain_id = chain_id(&first.get("chainId"))?;
    let deployment = find_deployment(&client.shared, chain_id, Protocol::Otc, signal).await?;
    let mut input = OrdersInput { chain_id, deployment, pair: (Address::ZERO, Address::ZERO), orders: vec![] };
    for at in &all {
        input.add(at, one_pair)?;
    }
    Ok(input)
}

/// Refuses an asset, by its member, that is no contract: to move it would succeed, and move nothing. A key's account
/// that delegates to code (EIP-7702) is none either.
///
/// # Errors
/// INVALID_INPUT with the member; the RPC's failure.
pub async fn check_are_tokens<H: Host>(chain: &Chain<'_, H>, assets: &[(&str, &Address)]) -> Result<()> {
    let mut batch = Batch::default();
    let sizes = batch.add_all(assets.iter().map(|(_, asset)| Read::code_size(asset)));
    let answers = chain.ask(batch).await?;
    for ((member, asset), size) in assets.iter().zip(answers.get_all(sizes)?) {
        if size == 0 || size == DELEGATION_CODE_SIZE {
            let actual = [&asset.text(), ", which has no code of its own"].concat();
            return Err(Error::input(member, "a token's contract", &actual));
        }
    }
    Ok(())
}

impl SignedOtcOrder {
    /// Reads an order, and hashes its members.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that does not fit.
    pub fn read(at: &JsonAt<'_>, chain_id: u64, rfq: Address) -> Result<SignedOtcOrder> {
        let signed = signed(at)?;
        let (maker, nothing) = (signed.order.address(member!("maker")), U256::ZERO);
        let hash = signed.order.digest(&order::domain(chain_id, rfq)).digest;
        Ok(SignedOtcOrder { name: at.path(), signed, hash, maker, remaining: nothing, maker_funds: (nothing, nothing) })
    }

    /// Whether it was filled in part: then the contract has found its signature good, and does not look again.
    pub fn is_partly_filled(&self) -> bool {
        self.remaining > U256::from(1)
    }

    /// Whether the hash that is stated is that of the members.
    ///
    /// # Errors
    /// VERIFY_MISMATCH.
    pub fn check_hash(&self) -> Result<()> {
        let mut checks = Checks::default();
        checks.same(&[&self.name, ".orderHash"].concat(), &self.hash, &self.signed.hash);
        checks.finish().map(|_| ())
    }
}

impl OrdersInput {
    /// One order more.
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
            return Err(at.fault("an order that is not input twice"));
        }
        self.orders.push(one);
        Ok(())
    }

    /// Reads what is left of the orders, and what time it is, unix seconds; with `means` also what their makers have
    /// and allow.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn read<H: Host>(&mut self, chain: &Chain<'_, H>, maker_funds: bool) -> Result<u64> {
        let (rfq, asset) = (self.deployment.contracts.rfq, self.pair.0);
        let mut batch = Batch::default();
        let time = batch.add(Read::time());
        let mut reads = Vec::new();
        for one in &self.orders {
            let remaining = batch.add(Read::word(&rfq, &calls::remaining(one.maker, one.hash)));
            let balance = maker_funds.then(|| batch.add(Read::balance(&asset, &one.maker)));
            let allowance = maker_funds.then(|| batch.add(Read::allowance(&asset, &one.maker, &rfq)));
            reads.push((remaining, balance, allowance));
        }
        let answers = chain.ask(batch).await?;
        let time = answers.get(time)?;
        for (one, (remaining, balance, allowance)) in self.orders.iter_mut().zip(reads) {
            one.remaining = answers.get(remaining)?;
            one.maker_funds = (answers.get_or_default(balance)?, answers.get_or_default(allowance)?);
        }
        Ok(chain_time(self.chain_id, time, chain.client.shared.host.unix_ms() / 1_000))
    }
}
