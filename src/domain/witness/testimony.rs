//! What the witnesses say about one trade: a vote of each, and the price between them.

use super::pools::Price;
use super::reading::{Reading, Way};
use super::real::Real;
use crate::domain::asset;
use crate::domain::input::{one_of, optional};
use crate::domain::intent::Token;
use crate::domain::text::{ToText, joined};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter, array};
use alloy_primitives::U256;

/// Who votes. Each has one vote, however many pools or feeds are behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The caller's own `srcPriceUsd` and `destPriceUsd`: where there are these, nobody else votes.
    Prices,
    /// The two tokens are one asset.
    Asset,
    /// Pools on the chain.
    Pools,
    /// Feeds on the chain.
    Feeds,
    /// The application's `witness`.
    App,
}

/// Each voter with its name in JavaScript.
const NAMES: [(By, &str); 5] =
    [(By::Prices, "prices"), (By::Asset, "asset"), (By::Pools, "pools"), (By::Feeds, "feeds"), (By::App, "app")];

/// What one witness says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Which.
    pub by: By,
    /// What is got for what is given, raw units for a raw unit.
    pub price: Price,
    /// Over how many seconds its long price is a mean; 0 for one of this moment.
    pub window_secs: u64,
    /// Over how many pools it goes.
    pub pools: u8,
}

/// What the witnesses say about one trade.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Testimony {
    /// The votes, in the order in which they are told.
    pub votes: Vec<Vote>,
    /// The most that gas may take of it, raw units of what is got; `None` if that is not known.
    pub gas: Option<Real>,
}

/// A token with its chain, and what was read of that.
pub type Seen<'a> = (u64, &'a Token, Option<&'a Reading>);

impl Testimony {
    /// The votes about what is got for what is given, on one chain or on two.
    pub fn of(given: Seen<'_>, got: Seen<'_>) -> Testimony {
        let mut votes = Vec::new();
        let ((from, src, here), (to, dest, there)) = (given, got);
        let vote = |by, way: Way| Vote { by, price: way.price, window_secs: way.window_secs, pools: way.pools };
        if asset::is_same((from, src.address), (to, dest.address)) || (from, src.address) == (to, dest.address) {
            let units = Real::ten_to(i32::from(dest.decimals).saturating_sub(src.decimals.into()));
            votes.push(Vote { window_secs: 0, ..vote(By::Asset, Way { price: Price::steady(units), ..Way::NONE }) });
            return Testimony { votes, gas: None };
        }
        if let (Some(here), Some(there)) = (here, there) {
            let ways = || Some(here.dollars_by_pools(src.address)?.back(&there.dollars_by_pools(dest.address)?));
            let way = if from == to { here.by_pools(src.address, dest.address) } else { ways() };
            votes.extend(way.filter(|way| way.pools > 0).map(|way| vote(By::Pools, way)));
            let feeds = || {
                let worth = there.dollars_by_feed(dest.address, dest.decimals)?;
                Some(here.dollars_by_feed(src.address, src.decimals)?.times(worth.reversed()))
            };
            votes.extend(feeds().map(|price| Vote { by: By::Feeds, price, window_secs: 0, pools: 0 }));
        }
        Testimony { votes, gas: None }
    }

    /// The price between the votes: the median, of an even number the one that asks for less. Of the long and the recent
    /// one, too, the one that asks for less, so that both have to be missed. `None` without a vote.
    pub fn price(&self) -> Option<Real> {
        let median = |of: fn(&Vote) -> Real| {
            let below = |price: Real| self.votes.iter().filter(|vote| of(vote) < price).count();
            let is_low = |price: &Real| below(*price) <= self.votes.len().saturating_sub(1) / 2;
            self.votes.iter().map(of).filter(is_low).max()
        };
        Some(median(|vote| vote.price.long)?.min(median(|vote| vote.price.recent)?))
    }

    /// As JSON text that [`Testimony::read`] reads back, for what is sealed.
    pub fn write(&self) -> String {
        let mut votes = Vec::new();
        for vote in &self.votes {
            let mut out = ObjectWriter::object();
            out.text("by", vote.by.name());
            out.text("long", &vote.price.long.write());
            out.text("recent", &vote.price.recent.write());
            out.number("secs", vote.window_secs);
            out.number("pools", vote.pools.into());
            votes.push(out.close());
        }
        let mut out = ObjectWriter::object();
        out.raw("votes", &array(&votes));
        out.text_or_null("gas", self.gas.map(Real::write).as_deref());
        out.close()
    }

    /// What [`Testimony::write`] wrote.
    ///
    /// # Errors
    /// INVALID_INPUT with the member, for anything else.
    pub fn read(at: &JsonAt<'_>) -> Result<Testimony> {
        let real = |at: &JsonAt<'_>| Real::read(at.text()?).ok_or_else(|| at.fault("a price"));
        let mut testimony = Testimony { votes: vec![], gas: optional(&at.get("gas"), real)? };
        for vote in at.get("votes").items()? {
            testimony.votes.push(Vote {
                by: one_of(&vote.get("by"), &NAMES, "a witness")?,
                price: Price { long: real(&vote.get("long"))?, recent: real(&vote.get("recent"))? },
                window_secs: vote.get("secs").integer(u64::MAX)?,
                pools: u8::try_from(vote.get("pools").integer(u8::MAX.into())?).unwrap_or(u8::MAX),
            });
        }
        Ok(testimony)
    }
}

impl By {
    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(by, _)| *by == self).map_or("", |(_, name)| name)
    }
}

impl Vote {
    /// A vote by a price of whole units: `price` of what is got for one of what is given.
    pub fn whole(by: By, price: Real, src: &Token, dest: &Token) -> Vote {
        let units = Real::ten_to(i32::from(dest.decimals).saturating_sub(src.decimals.into()));
        Vote { by, price: Price::steady(price.times(units)), window_secs: 0, pools: 0 }
    }

    /// Who says so, in a sentence: `the 30-minute price of 2 pools`.
    fn describe(&self) -> String {
        match self.by {
            By::Prices => "your own prices".into(),
            By::Asset => "the same asset".into(),
            By::Feeds => "price feeds".into(),
            By::App => "the app's witness".into(),
            By::Pools => {
                let pools = if self.pools == 1 { " pool" } else { " pools" };
                ["the ", &*(self.window_secs / 60).text(), "-minute price of ", &self.pools.text(), pools].concat()
            }
        }
    }
}

/// Who testifies, in a sentence: `the 30-minute price of 2 pools and price feeds`.
pub fn describe(testimony: &Testimony) -> String {
    let all: Vec<String> = testimony.votes.iter().map(Vote::describe).collect();
    joined(&all, " and ")
}

/// The factor from raw to whole units of a price, to be shown.
pub fn whole_units(src: &Token, dest: &Token) -> Real {
    Real::ten_to(i32::from(src.decimals).saturating_sub(dest.decimals.into()))
}

/// The gas that a trade may be excused by, raw units of what is got: so many units at the node's price, and the native
/// token at what its witnesses say of it.
pub fn gas_allowance(units: u64, wei: U256, native: &Testimony) -> Option<Real> {
    Some(Real::of(wei).times(Real::of(U256::from(units))).times(native.price()?))
}
