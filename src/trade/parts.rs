//! The code that no first price needs, as tables of functions. In the package each is a file of its own, loaded while the
//! first price is asked ("Parts" in docs/architecture.md). A table is to be had from [`Parts`] alone, so that nothing is
//! called that is not there.

use crate::client::Client;
use crate::domain::intent::Intent;
use crate::error::Result;
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::call::CallArgs;
use crate::trade::follow::Follow;
use crate::trade::quote::fields::Judge;
use std::future::Future;
use std::pin::Pin;

/// Work that goes on, by default to JSON text. It is boxed: one future for all calls would be as large as the largest.
pub type Work<'a, T = String> = Pin<Box<dyn Future<Output = Result<T>> + 'a>>;

/// Makes a call of that name.
type Call<H> = for<'a> fn(&'a str, &'a Client<H>, &'a CallArgs<'a, H>) -> Work<'a>;
/// Asks what is known of a trade.
type Hear<H> = for<'a> fn(&'a Client<H>, &'a Intent, &'a <H as Host>::Signal) -> Work<'a>;
/// Awaits the next change.
type Next<H> = for<'a> fn(&'a mut Follow, &'a Client<H>, &'a <H as Host>::Signal) -> Work<'a, Option<String>>;

/// A host that has the code, or loads it.
#[allow(async_fn_in_trait, reason = "one thread: nothing here is Send")]
pub trait Parts: Host + Sized + 'static {
    /// Everything but prices; awaits it.
    ///
    /// # Errors
    /// NETWORK if it could not be loaded. The next call tries again.
    async fn rest(&self) -> Result<&'static Rest<Self>>;

    /// As [`Parts::rest`], if it is there.
    fn rest_if_there(&self) -> Option<&'static Rest<Self>>;
}

/// Everything but prices.
pub struct Rest<H: Host> {
    /// Makes a call of that name.
    pub call: Call<H>,
    /// Runs a pure function, by its name ([`super::compute`]).
    pub compute: fn(&str, &Json, &Json, u64) -> Result<String>,
    /// Asks what a trade will need to know, and awaits nothing.
    pub read_early: fn(&Client<H>, &Intent),
    /// What references say of a trade, as the members that are sealed with its price.
    pub hear_early: Hear<H>,
    /// How a price looks to its references.
    pub judge: Judge,
    /// Begins to follow orders or a transaction ([`Follow::new`]), with the options of `watch`.
    pub follow: fn(&Json, &JsonAt<'_>) -> Result<Follow>,
    /// The next change ([`Follow::next`]).
    pub next: Next<H>,
    /// Looks up the account's next number, behind what was sent ([`super::learn_number`]).
    pub learn_number: for<'a> fn(&'a Client<H>, &'a H::Signal) -> Work<'a, ()>,
}
