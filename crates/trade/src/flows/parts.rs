//! The code that no first price needs, as tables of functions. In the package each is a file of its own, loaded after
//! the first price ("Parts" in docs/architecture.md). Only [`Parts`] hands out a table, so that no function is called
//! before it is loaded.

use crate::client::Client;
use crate::flows::call::{CallArgs, Work};
use crate::flows::follow::Following;
use crate::flows::quote::fields::Judge;
use crate::flows::quote::opened::OpenQuote;
use crate::host::Host;
use crate::wallet::chain::Quorum;
use alloy_primitives::B256;
use verify::internal::domain::intent::Intent;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt};

/// Makes a call.
type Call<H> = for<'a> fn(&'a Client<H>, &'a CallArgs<'a, H>) -> Work<'a>;
/// Makes the call of that name.
type CallNamed<H> = for<'a> fn(&'a str, &'a Client<H>, &'a CallArgs<'a, H>) -> Work<'a>;
/// Reads the reference prices of a trade.
type Hear<H> = for<'a> fn(&'a Client<H>, &'a Intent, &'a <H as Host>::Signal) -> Work<'a>;
/// Builds a transaction for a price, with the options.
type BuildMarket<H> = for<'a> fn(&'a Client<H>, OpenQuote<'a>, &'a JsonAt<'a>, &'a <H as Host>::Signal) -> Work<'a>;
/// Updates the state of the orders for an intent.
type RefreshOrders<H> = for<'a> fn(&'a Client<H>, B256, &'a <H as Host>::Signal) -> Work<'a, ()>;
/// Begins to follow the order or transaction in the first argument.
type Follow<H> = fn(&Json, &JsonAt<'_>) -> Result<Box<dyn Following<H>>>;

/// A host that has the code, or loads it.
#[allow(async_fn_in_trait, reason = "one thread: nothing here is Send")]
pub trait Parts: Host + Sized + 'static {
    /// Loads the code that a gasless trade needs from its price to its review, and awaits it.
    ///
    /// # Errors
    /// MODULE_UNAVAILABLE if it could not be loaded; NETWORK if that may pass; ABORTED. The next call tries again.
    async fn trade(&self, signal: &Self::Signal) -> Result<&'static Trade<Self>>;

    /// [`Parts::trade`], if it is loaded.
    fn trade_if_there(&self) -> Option<&'static Trade<Self>>;

    /// Loads all other code, and awaits it: no call that opens a prompt is made before.
    ///
    /// # Errors
    /// Same as [`Parts::trade`].
    async fn rest(&self, signal: &Self::Signal) -> Result<&'static Rest<Self>>;

    /// [`Parts::rest`], if it is loaded.
    fn rest_if_there(&self) -> Option<&'static Rest<Self>>;

    /// Has the rest loaded, if it is not, once the page has nothing else to do, and awaits nothing: every prompt needs it.
    fn expect_rest(&self);
}

/// The code that a gasless trade needs beyond its price, up to its review.
pub struct Trade<H: Host> {
    /// Makes the call of that name.
    pub call: CallNamed<H>,
    /// Runs a pure function that no price needs, by its name ([`super::compute`]).
    pub compute: fn(&str, &Json, &Json) -> Result<String>,
    /// Starts the reads that a trade will need, and awaits nothing.
    pub read_early: fn(&Client<H>, &Intent),
    /// The reference prices of a trade, as the members that are sealed with its price.
    pub prefetch_references: Hear<H>,
    /// Compares a price with its reference prices.
    pub judge: Judge,
}

/// All other code of the use cases.
pub struct Rest<H: Host> {
    /// Makes the call of that name.
    pub call: CallNamed<H>,
    /// Builds the transaction of a Market price.
    pub build_market: BuildMarket<H>,
    /// Prices and builds a Market request at once.
    pub swap: Call<H>,
    /// Builds anew with a permit.
    pub rebuild: Call<H>,
    /// Updates the state of the orders for an intent, if there is [an open one](super::delta::existing::is_open).
    pub refresh_orders: RefreshOrders<H>,
    /// Begins to follow orders or a transaction ([`super::Follow::new`]), with the options of `watch`.
    pub follow: Follow<H>,
    /// Compares the answers of several nodes.
    pub quorum: &'static Quorum<H>,
    /// Looks up the account's next nonce in the background ([`super::learn_number`]).
    pub learn_number: for<'a> fn(&'a Client<H>, &'a H::Signal) -> Work<'a, ()>,
}
