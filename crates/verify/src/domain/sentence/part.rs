//! The parts of the sentences that a person reads: an id, values with names, and an English rendering.
//!
//! The client's sentence is the English of its parts, one after the other; `verified-swap-explain` gives the same parts with
//! their values, so that another language has its own words and the same safe displays. Ids and names of values are
//! semver: a part may be added, none is renamed. The client needs no ids, so [`Sink`] is generic: where only text
//! is wanted, ids and raw values are gone once it is compiled.

use crate::domain::chain::named;
use crate::domain::decimal::bps_as_percent;
use crate::domain::display::quantity;
use crate::domain::intent::Token;
use crate::domain::sentence::instant;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// A part of a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its id, which does not change.
    pub id: &'static str,
    /// The names of its values, in the order of the English rendering.
    pub names: &'static [&'static str],
    /// The English rendering, `#` in the place of each value.
    pub english: &'static str,
}

/// The value of a part, for programs.
#[derive(Clone, Copy, Debug)]
pub enum Raw<'a> {
    /// An amount of a token, raw units.
    Amount(U256, &'a Token),
    /// A chain, by its id, and whether the caller names it.
    Chain(u64, bool),
    /// Accounts or contracts.
    Accounts(&'a [Address]),
    /// A point in time, unix seconds.
    Time(u64),
    /// A share, in basis points.
    Share(u16),
    /// A number of things, or of seconds.
    Count(u64),
}

/// A receiver of the parts of a sentence.
pub trait Sink {
    /// A value as it is kept: with its display, or as nothing else.
    type Value;

    /// Keeps a value with the text that a person reads.
    fn keep(display: String, raw: Raw<'_>) -> Self::Value;

    /// Takes the next part, with as many values as it has names.
    fn say(&mut self, part: Part, values: &[Self::Value]);
}

impl Sink for String {
    type Value = String;

    #[inline(always)]
    fn keep(display: String, _: Raw<'_>) -> String {
        display
    }

    #[inline(always)]
    fn say(&mut self, part: Part, values: &[String]) {
        fill(self, part.english, values);
    }
}

/// Appends an English rendering with the displays of its values.
pub fn fill(out: &mut String, english: &str, values: &[String]) {
    let mut rest = english;
    for value in values {
        let Some((text, behind)) = rest.split_once('#') else { break };
        out.push_str(text);
        out.push_str(value);
        rest = behind;
    }
    out.push_str(rest);
}

/// An amount of a token, raw units.
#[inline(always)]
pub fn amount<S: Sink>(amount: U256, token: &Token) -> S::Value {
    S::keep(quantity(amount, token), Raw::Amount(amount, token))
}

/// A chain, with the caller's name for it.
#[inline(always)]
pub fn chain<S: Sink>(id: u64, stated: Option<&str>) -> S::Value {
    S::keep(named(id, stated), Raw::Chain(id, stated.is_some()))
}

/// An account or contract, by its whole address.
#[inline(always)]
pub fn account<S: Sink>(account: Address) -> S::Value {
    S::keep(account.text(), Raw::Accounts(&[account]))
}

/// A point in time, unix seconds.
#[inline(always)]
pub fn time<S: Sink>(secs: u64) -> S::Value {
    S::keep(instant(secs), Raw::Time(secs))
}

/// A share, in basis points.
#[inline(always)]
pub fn share<S: Sink>(bps: u16) -> S::Value {
    S::keep([&*bps_as_percent(bps), " %"].concat(), Raw::Share(bps))
}

/// A number of things, or of seconds.
#[inline(always)]
pub fn count<S: Sink>(count: u64) -> S::Value {
    S::keep(count.text(), Raw::Count(count))
}

/// Parts as constants, and the list of them.
#[doc(hidden)]
#[macro_export]
macro_rules! parts {
    ($($name:ident $id:literal [$($value:ident),*] $english:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $english)]
            pub const $name: $crate::internal::domain::sentence::part::Part = $crate::internal::domain::sentence::part::Part {
                id: $id,
                names: &[$(stringify!($value)),*],
                english: $english,
            };
        )*
        /// The parts of this list.
        pub const ALL: &[$crate::internal::domain::sentence::part::Part] = &[$($name),*];
    };
}

parts! {
    GAS_PAID "gas.paid" [payer] "; gas paid by # if it agrees";
    SELL "sell" [spent, chain] "Sell # on #";
    SELL_IN_SLICES "slices" [count, interval] " in # slices, one every # s,";
    FOR_AT_LEAST "for.atLeast" [received] " for at least #";
    BUY "buy" [received] "Buy at least #";
    FOR_AT_MOST "for.atMost" [spent] " for at most #";
    ON "on" [chain] " on #";
    IF_DELIVERED "bridge.ifDelivered" [] ", if delivered,";
    IF_BRIDGED "bridge.ifBridged" [] ", if the bridge delivers,";
    ENTERS_BRIDGE "bridge.enters" [entering, chain] ": at least # enters the bridge to #";
    BRIDGE_PROMISE "bridge.promise" [expected] "; # expected there, promised by the bridge, not by this order;";
    TO "to" [receiver] " to #";
    TO_HANDLER "to.handler" [handler] ", handled by the contract #";
    TO_UNBOUND "to.unbound" [] " over a bridge whose data was not read; the order does not bind who receives";
    RESTS_IN_PARTS "rests.inParts" [] "; rests until its price is reached, may be filled in parts";
    RESTS "rests" [] "; rests until its price is reached";
    IN_PARTS "inParts" [] "; may be filled in parts";
    EXPIRES "expires" [deadline] "; expires #";
    FEE "fee" [fee] "; fee # included";
    FEE_WITHOUT_GAS "fee.withoutGas" [fee] "; fee # included, gas not";
    ABOUT "about" [spent] "About #";
    FOR "for" [received] " for #";
    ONE_SLICE "slice.one" [] " for one slice";
    OFFER "otc.offer" [given, wanted, chain] "Offer # for # on #";
    TO_ANYBODY "to.anybody" [] " to anybody";
    OPEN_UNTIL "otc.openUntil" [expiry] "; open until #";
    OPEN "otc.open" [] "; open until filled or cancelled";
    GIVE "otc.give" [given, received, makers] "Give # for # of #";
    CANCEL_ONE "otc.cancelOne" [count, maker, chain] "Cancel # OTC order of # on #";
    CANCEL "otc.cancel" [count, maker, chain] "Cancel # OTC orders of # on #";
}
