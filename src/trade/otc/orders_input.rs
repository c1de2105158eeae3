//! OTC orders as the app passes them in, from the service or from anybody else: read, hashed, and looked up on the
//! contract. No statement of an order counts unless its maker signed it or the chain shows it.

use crate::client::Client;
use crate::domain::chain::{Deployment, Protocol};
use crate::domain::input::chain_id;
use crate::domain::member::{Members, member};
use crate::domain::otc::{calls, order};
use crate::domain::signature::plain;
use crate::domain::verify::Checks;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::chain::clock::chain_time;
use crate::trade::chain::deployment::find_deployment;
use crate::trade::chain::signature_check::{DELEGATION_CODE_SIZE, verify_key_signature};
use crate::value::text::ToText;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Pending, Read};
use crate::wire::otc::{Signed, read_signed};
use alloy_primitives::{Address, B256, U256};

/// The most orders in one transaction.
const MAX_ORDERS: usize = 100;

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

/// Reads an order or a list of them. With `one_pair`, all have to trade the same two assets in the same direction.
///
/// # Errors
/// INVALID_INPUT with the member that is missing, does not fit, or differs from the first order's; UNSUPPORTED_CHAIN.
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

/// Refuses an asset that has no code of its own, named by its member: a transfer of it would succeed and move nothing.
/// The code of an account that delegates (EIP-7702) does not count.
///
/// # Errors
/// INVALID_INPUT with the member; the RPC's failure.
pub async fn check_are_tokens<H: Host>(chain: &Chain<'_, H>, assets: &[(&str, &Address)]) -> Result<()> {
    let (batch, sizes) = code_questions(assets);
    let answers = chain.ask(batch).await?;
    for ((member, asset), size) in assets.iter().zip(answers.get_all(sizes)?) {
        if size == 0 || size == DELEGATION_CODE_SIZE {
            let actual = [&asset.text(), ", which has no code of its own"].concat();
            return Err(Error::input(member, "a token's contract", &actual));
        }
    }
    Ok(())
}

/// The reads of [`check_are_tokens`].
pub fn code_questions(assets: &[(&str, &Address)]) -> (Batch, Vec<Pending<u64>>) {
    let mut batch = Batch::default();
    let sizes = batch.add_all(assets.iter().map(|(_, asset)| Read::code_size(asset).lasting()));
    (batch, sizes)
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
        Ok(SignedOtcOrder { name: at.path(), signed, hash, maker, remaining: nothing, maker_funds: (nothing, nothing) })
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

    /// Reads the remaining amounts of the orders in one batch. Returns the time on the chain, unix seconds.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn read<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<u64> {
        let mut batch = Batch::default();
        let time = batch.add(Read::time());
        let left = batch.add_all(self.orders.iter().map(|one| self.left(one)));
        let answers = chain.ask(batch).await?;
        for (one, remaining) in self.orders.iter_mut().zip(answers.get_all(left)?) {
            one.remaining = remaining;
        }
        Ok(chain_time(self.chain_id, answers.get(time)?, chain.client.shared.host.unix_ms() / 1_000))
    }

    /// The read of an order's remaining amount.
    fn left(&self, one: &SignedOtcOrder) -> Read<U256> {
        let remaining = calls::remaining(one.maker, one.hash);
        Read::word(&self.deployment.contracts.rfq, &remaining).named("remaining")
    }

    /// [`OrdersInput::read`] with the makers' balances and allowances. Answers of the last 12 s are reused.
    ///
    /// # Errors
    /// The RPC's failure.
    pub async fn read_for_fill<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<u64> {
        let (batch, time, places) = self.fill_questions();
        let answers = chain.ask(batch).await?;
        for (one, [remaining, balance, allowance]) in self.orders.iter_mut().zip(places) {
            one.remaining = answers.get(remaining)?;
            one.maker_funds = (answers.get(balance)?, answers.get(allowance)?);
        }
        Ok(chain_time(self.chain_id, answers.get(time)?, chain.client.shared.host.unix_ms() / 1_000))
    }

    /// Starts the reads of [`OrdersInput::read_for_fill`], and awaits nothing.
    pub fn read_early<H: Host>(&self, chain: &Chain<'_, H>) {
        chain.put_early(self.fill_questions().0);
    }

    /// The reads of a fill: the time, and for each order its remaining amount, and its maker's balance and allowance.
    fn fill_questions(&self) -> (Batch, Pending<u64>, Vec<[Pending<U256>; 3]>) {
        let (rfq, asset) = (self.deployment.contracts.rfq, self.pair.0);
        let mut batch = Batch::default();
        let time = batch.add(Read::time().recent());
        let mut places = Vec::new();
        for one in &self.orders {
            places.push([
                batch.add(self.left(one).recent()),
                batch.add(Read::balance(&asset, &one.maker).recent()),
                batch.add(Read::allowance(&asset, &one.maker, &rfq).recent()),
            ]);
        }
        (batch, time, places)
    }
}
