//! One fill of an order: what is due, what it costs, and whether the owner has it.

use alloy_primitives::{Bytes, U256};

use super::life;
use crate::app::App;
use crate::chain::{Chain, Filled, NATIVE, Proposal, RpcError};
use crate::control::NativeReading;
use crate::order::{OrderKind, Part, Status, StoredOrder, Trading, purchase_total};
use crate::service::{Price, Refusal, Trade};

/// A part of an order, and a price at which it can be settled.
pub(super) struct Offer {
    part: Part,
    price: Price,
    /// All that leaves the owner.
    pub taken: U256,
}

impl Offer {
    /// The next part at the pool's price, where that is one the owner signed for.
    pub async fn affordable(
        chain: &Chain,
        order: &StoredOrder,
        filled: &Filled,
        percent: u64,
        gas_price_wei: u64,
    ) -> Option<Self> {
        let terms = &order.terms;
        let part = order.order.next_part(filled, percent);
        let trade = Trade { src: terms.src_token, dest: terms.dest_token, is_sell: terms.is_sell, amount: part.amount };
        let price = trade.price(chain, gas_price_wei).await.ok()?;
        let taken =
            if terms.is_sell { part.amount } else { purchase_total(terms.partner_and_fee, price.spend, part.expected) };
        let good = if terms.is_sell { price.promised >= part.limit } else { taken <= part.limit };
        good.then_some(Self { part, price, taken })
    }

    /// Settles it. Where a signature is all that is needed to sell the native token, what is not deposited is.
    ///
    /// # Errors
    /// When the contract refuses, or the node does not answer.
    pub async fn settle(&self, app: &App, chain: &Chain, order: &StoredOrder) -> Result<(), RpcError> {
        if sells_by_signature(app, chain, order) {
            chain.deposit_for(order.terms.owner, self.taken).await?;
        }
        chain.settle(self.call(chain, order)).await
    }

    /// Whether the contract would take it, the handler of an external order included.
    ///
    /// # Errors
    /// When the node does not answer.
    pub async fn would_settle(&self, chain: &Chain, order: &StoredOrder) -> Result<bool, RpcError> {
        let data = self.call(chain, order);
        let proposal = Proposal { from: chain.solver(), to: chain.delta, data, value: U256::ZERO };
        match chain.dry_run(&proposal).await {
            Ok(()) => Ok(true),
            Err(error) if error.refused => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn call(&self, chain: &Chain, order: &StoredOrder) -> Bytes {
        let Price { spend, trade_in, promised, .. } = self.price;
        let trading = Trading { executor: chain.executor, spend, trade_in, promised };
        order.order.settlement(&order.signature, &self.part, &trading)
    }
}

/// Whether the contract would settle the next slice by that time; other orders are due always.
pub(super) fn is_due(order: &StoredOrder, filled: &Filled, now: u64) -> bool {
    filled.fills == 0 || !order.kind().is_twap() || now >= filled.lastAt.saturating_add(order.terms.interval)
}

/// Whether the owner still has, and still allows, that much of the source token.
pub(super) async fn is_covered(app: &App, chain: &Chain, order: &StoredOrder, needed: U256) -> Result<bool, RpcError> {
    let terms = &order.terms;
    if order.kind() == OrderKind::External {
        // Its handler pays, as it can: see `Offer::would_settle`.
        return Ok(true);
    }
    if chain.sells_native(terms.src_token) {
        let deposited = chain.deposited(terms.owner).await?;
        let native =
            if sells_by_signature(app, chain, order) { chain.balance(NATIVE, terms.owner).await? } else { U256::ZERO };
        return Ok(deposited.saturating_add(native) >= needed);
    }
    let now = chain.now().await?;
    Ok(chain.balance(terms.src_token, terms.owner).await? >= needed
        && chain.can_take(&terms.funding(!order.settlements.is_empty()), needed, now).await?)
}

/// Whether an order that came without a signature is signed by now: by a note to the Delta contract, or as an account
/// with code sees it.
async fn is_signed_on_chain(chain: &Chain, order: &StoredOrder) -> Result<bool, RpcError> {
    let owner = order.terms.owner;
    Ok(chain.is_pre_signed(owner, order.hash).await?
        || (chain.has_code(owner).await? && chain.is_contracts_signature(owner, order.hash, &Bytes::new()).await?))
}

/// Whether what an order waits for is there: its signature, and where that is needed its deposit.
pub(super) async fn is_ready(app: &App, chain: &Chain, order: &StoredOrder) -> Result<bool, RpcError> {
    let is_signed = !order.signature.is_empty() || is_signed_on_chain(chain, order).await?;
    let terms = &order.terms;
    let is_native = chain.sells_native(terms.src_token);
    Ok(is_signed && (!is_native || is_covered(app, chain, order, terms.src_amount).await?))
}

fn sells_by_signature(app: &App, chain: &Chain, order: &StoredOrder) -> bool {
    chain.sells_native(order.terms.src_token) && app.control.settings().native_reading == NativeReading::Sign
}

/// Fills an order at once, whatever the settings: all of it, the next slice, or `percent` of one that may be filled
/// in parts.
///
/// # Errors
/// Why it cannot be filled now; nothing happened then.
pub async fn fill_now(app: &App, order: &StoredOrder, percent: Option<u64>) -> Result<(), Refusal> {
    let chain = app.chain(order.chain_id).ok_or_else(|| Refusal::unsupported_chain(order.chain_id))?;
    if percent.is_some_and(|percent| percent != 100) && order.kind() != OrderKind::Fillable {
        return Err(Refusal::invalid("percent: only a FillableOrder can be filled in parts"));
    }
    if order.status != Status::Active {
        let status = order.status.text();
        return Err(Refusal::invalid(format!("the order is {status}, only one that is ACTIVE can be filled")));
    }
    let filled = chain.filled(order.hash).await?;
    let offer =
        Offer::affordable(chain, order, &filled, percent.unwrap_or(100), app.control.settings().gas_price_wei).await;
    let offer = offer.ok_or_else(|| Refusal::pricing("the pool's price is worse than the order's"))?;
    let has_begun = app.book().take_off(order.hash);
    if !has_begun {
        return Err(Refusal::invalid("a fill of the order is under way already"));
    }
    if let Err(error) = offer.settle(app, chain, order).await {
        let now = chain.now().await?;
        app.book().abort(order.hash, now);
        return Err(Refusal::invalid(error.to_string()));
    }
    let change = life::settled(chain, order, &chain.filled(order.hash).await?).await?;
    app.book().advance(order.hash, change);
    Ok(())
}
