//! The reference prices of one trade, and the price between them.

use super::chain_prices::{ChainPrices, PoolFilter, PoolPath};
use super::pools::{Price, is_apart};
use super::price_float::{PriceFloat, decimal_price};
use super::sources::{WHYS, Why};
use crate::domain::asset;
use crate::domain::bps::Bps;
use crate::domain::input::{one_of, optional};
use crate::domain::intent::{Intent, Token};
use crate::domain::token::NATIVE;
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter, array};
use crate::value::text::{ToText, joined};
use alloy_primitives::U256;

/// The most gas that settling an order may take, in units: several times that of an order over a few pools.
const GAS_UNITS: u64 = 1_000_000;

/// The kind of a reference. Each has one price, however many pools or feeds are behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceKind {
    /// The caller's own `srcPriceUsd` and `destPriceUsd`. They may refuse a trade, and never lower the others' price.
    Prices,
    /// The identity of the asset: the two tokens are one.
    Asset,
    /// Pools on the chain.
    Pools,
    /// Feeds on the chain.
    Feeds,
    /// The application's `reference`.
    App,
}

/// Each kind with its name in JavaScript.
const NAMES: [(ReferenceKind, &str); 5] = [
    (ReferenceKind::Prices, "prices"),
    (ReferenceKind::Asset, "asset"),
    (ReferenceKind::Pools, "pools"),
    (ReferenceKind::Feeds, "feeds"),
    (ReferenceKind::App, "app"),
];

/// The price of one reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferencePrice {
    /// The reference that states it.
    pub by: ReferenceKind,
    /// The destination amount for a source amount, raw units for a raw unit; for pools, by the deepest path.
    pub price: Price,
    /// The lowest and the highest price of deep paths over pools; for other references, their price.
    pub range: (PriceFloat, PriceFloat),
    /// The seconds over which its long price is a mean; 0 for a price of this moment.
    pub window_secs: u64,
    /// For how many seconds its pools are known to be deep; 0 if only this moment was read, and for other references.
    pub held_secs: u64,
    /// The number of its pools.
    pub pools: u8,
}

/// The reference prices of one trade.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceReferences {
    /// The prices, in the order in which they are reported.
    pub answered: Vec<ReferencePrice>,
    /// The references without a price, and why.
    pub unanswered: Vec<(ReferenceKind, Why)>,
    /// The pools' highest price at this moment, if some deep ones have no history: raw units of the destination token.
    /// It is shown, and judges nothing.
    pub now: Option<PriceFloat>,
    /// The most that gas may take, raw units of the destination token; `None` if it is not known.
    pub gas: Option<PriceFloat>,
    /// The value of one wei of the source chain's native token, raw units of the destination token.
    pub wei: Option<PriceFloat>,
}

/// The reference prices of a trade: of the destination token, and of a bridge input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TradeReferences {
    /// The reference prices of the destination token.
    pub price: PriceReferences,
    /// The reference prices of the bridge input, crosschain, if its decimals are known.
    pub bridge_input: Option<PriceReferences>,
}

impl Default for TradeReferences {
    /// No references were read.
    fn default() -> TradeReferences {
        TradeReferences { price: PriceReferences::unasked(), bridge_input: None }
    }
}

impl TradeReferences {
    /// Writes them as an object, whose members are sealed.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.raw("reference", &self.price.write());
        if let Some(bridge_input) = &self.bridge_input {
            out.raw("bridgeInput", &bridge_input.write());
        }
        out.close()
    }

    /// Reads the text of [`TradeReferences::write`]; if it has none, no references were read.
    ///
    /// # Errors
    /// INVALID_INPUT with the member, for anything else.
    pub fn read(inside: &JsonAt<'_>) -> Result<TradeReferences> {
        let price = optional(&inside.get("reference"), PriceReferences::read)?.unwrap_or_else(PriceReferences::unasked);
        Ok(TradeReferences { price, bridge_input: optional(&inside.get("bridgeInput"), PriceReferences::read)? })
    }
}

/// A token with its chain, and the prices read on that chain.
pub type PricedToken<'a> = (u64, &'a Token, Option<&'a ChainPrices>);

impl PriceReferences {
    /// The reference prices of the destination token in the source token, on one chain or on two.
    pub fn of(given: PricedToken<'_>, got: PricedToken<'_>) -> PriceReferences {
        let (mut answered, mut now) = (Vec::new(), None);
        let ((from, src, here), (to, dest, there)) = (given, got);
        let is_wrapping = from == to && here.is_some_and(|here| here.is_one(src.address, dest.address));
        if is_wrapping || asset::is_same((from, src.address), (to, dest.address)) {
            answered.push(ReferencePrice::whole(ReferenceKind::Asset, PriceFloat::ONE, src, dest));
            return PriceReferences { answered, ..PriceReferences::default() };
        }
        if let (Some(here), Some(there)) = (here, there) {
            let by_pools = |filter| {
                let path = if from == to {
                    here.by_pools(src.address, dest.address, filter)
                } else {
                    let there = there.units_by_pools(dest.address, filter)?;
                    Some(here.dollars_by_pools(src.address, filter)?.then(&there))
                };
                path.filter(|path| path.pools > 0)
            };
            let (past, at_once) = (by_pools(PoolFilter::DeepInHistory), by_pools(PoolFilter::DeepNow));
            answered.extend(past.map(ReferencePrice::of_pools));
            // The highest of several: a deeper pool cannot hide it for a block.
            now =
                at_once.filter(|path| past.is_none_or(|past| past.range != path.range)).map(|path| path.range.1.asks());
            let feeds = || {
                let worth = there.dollars_by_feed(dest.address, dest.decimals)?;
                Some(here.dollars_by_feed(src.address, src.decimals)?.times(worth.reversed()))
            };
            answered.extend(feeds().map(|price| ReferencePrice::of(ReferenceKind::Feeds, price)));
        }
        let (here, there) = (here.map(|here| (here, src.address)), there.map(|there| (there, dest.address)));
        let ends =
            [here, there].map(|end| end.map_or((Why::None, Why::None), |(reading, token)| reading.silence(token)));
        let [pools, feeds] = match ends {
            // Both ends have to be known, so the missing one is the reason.
            [(one, two), (other, another)] => [joint(one, other), joint(two, another)],
        };
        let pools = if now.is_some() { Why::NoHistory } else { pools };
        let unanswered = [(ReferenceKind::Pools, pools), (ReferenceKind::Feeds, feeds)];
        let is_unanswered = |(by, _): &(ReferenceKind, Why)| answered.iter().all(|reference| reference.by != *by);
        PriceReferences {
            unanswered: unanswered.into_iter().filter(is_unanswered).collect(),
            answered,
            now,
            ..PriceReferences::default()
        }
    }

    /// Adds the caller's own prices of both tokens, if the request has them: a price of zero is none.
    pub fn add_own(&mut self, intent: &Intent) {
        let own = intent.pricing.src_price_usd.as_deref().zip(intent.pricing.dest_price_usd.as_deref());
        let own = own.and_then(|(src, dest)| Some(decimal_price(src)?.over(decimal_price(dest)?)));
        let own = own.filter(|own| !own.is_zero());
        self.answered
            .extend(own.map(|own| ReferencePrice::whole(ReferenceKind::Prices, own, &intent.src, &intent.dest)));
    }

    /// The value of one wei of a chain's native token, raw units of the destination token: by these prices if that token is
    /// what is given, else by what was read on both chains. `None` if it is not known.
    pub fn wei_of(
        &self,
        (chain_id, here): (u64, Option<&ChainPrices>),
        (from, src): (u64, &Token),
        got: PricedToken<'_>,
    ) -> Option<PriceFloat> {
        let native = Token { address: NATIVE, decimals: 18, ..Token::default() };
        let (one, other) = ((chain_id, NATIVE), (from, src.address));
        let given = self.price().filter(|_| one == other || asset::is_same(one, other));
        given.or_else(|| PriceReferences::of((chain_id, &native, here), got).price())
    }

    /// Sets the gas that settling an order may take on the source chain, and across chains on the other one, too.
    /// Each chain has the wei for a unit, and the value of a wei in raw units of the destination token; `None` if not
    /// known.
    pub fn set_gas(&mut self, chains: impl Iterator<Item = (Option<U256>, Option<PriceFloat>)> + Clone) {
        let units = PriceFloat::of(U256::from(GAS_UNITS));
        self.wei = chains.clone().next().and_then(|(_, wei)| wei);
        let costs = chains.map(|(price, wei)| Some(PriceFloat::of(price?).times(units).times(wei?)));
        self.gas = costs.reduce(|all, cost| Some(all?.plus(cost?))).flatten();
    }

    /// No references were read.
    pub fn unasked() -> PriceReferences {
        let unanswered = [ReferenceKind::Pools, ReferenceKind::Feeds].map(|by| (by, Why::Unasked)).into();
        PriceReferences { unanswered, ..PriceReferences::default() }
    }

    /// The price between the references; the lower of two in the middle. `None` without a reference.
    pub fn price(&self) -> Option<PriceFloat> {
        Some(self.prices(Bps::WHOLE)?.0)
    }

    /// The price between the references: the median, and for an even number the two in the middle, the lower one
    /// first. The lower one of the long and the recent price counts, so that both have to be missed. If pools are the
    /// only reference and their lowest price is below the deepest path's by more than `limit_bps`, it counts in the
    /// first price; their highest, if it is so far above, in the second: pools are one reference, so more pools do not
    /// outweigh the other references. The caller's own prices are not among these: they count only if they are higher.
    pub fn prices(&self, limit_bps: u16) -> Option<(PriceFloat, PriceFloat)> {
        let answered: Vec<&ReferencePrice> =
            self.answered.iter().filter(|reference| reference.by != ReferenceKind::Prices).collect();
        let between = |at: usize, asks: &dyn Fn(&ReferencePrice) -> Price| {
            let nth = |of: fn(Price) -> PriceFloat| {
                let below = |price: PriceFloat| answered.iter().filter(|other| of(asks(other)) < price).count();
                answered.iter().map(|reference| of(asks(reference))).filter(|price| below(*price) <= at).max()
            };
            Some(nth(|price| price.long)?.min(nth(|price| price.recent)?))
        };
        // Beside another reference, the deepest path alone counts.
        let is_alone = answered.len() == 1;
        let least = |reference: &ReferencePrice| match is_alone
            && is_apart(reference.range.0, reference.price.asks(), limit_bps)
        {
            true => Price::steady(reference.range.0),
            false => reference.price,
        };
        let most = |reference: &ReferencePrice| match is_alone
            && is_apart(reference.price.asks(), reference.range.1, limit_bps)
        {
            true => Price::steady(reference.range.1),
            false => reference.price,
        };
        let own = self
            .answered
            .iter()
            .find(|reference| reference.by == ReferenceKind::Prices)
            .map(|reference| reference.price.long);
        let lower = between(answered.len().saturating_sub(1) / 2, &least).max(own)?;
        Some((lower, between(answered.len() / 2, &most).max(own)?))
    }

    /// Whether any reference can be relied on: pools only if they were seen to be deep before this moment, too.
    pub fn is_lasting(&self) -> bool {
        self.answered.iter().any(|reference| reference.by != ReferenceKind::Pools || reference.held_secs > 0)
    }

    /// The prices as JSON text that [`PriceReferences::read`] reads back, to be sealed.
    pub fn write(&self) -> String {
        let mut answered = Vec::new();
        for reference in &self.answered {
            let mut out = ObjectWriter::object();
            out.text("by", reference.by.name());
            out.text("long", &reference.price.long.write());
            out.text("recent", &reference.price.recent.write());
            out.text("least", &reference.range.0.write());
            out.text("most", &reference.range.1.write());
            out.number("secs", reference.window_secs);
            out.number("held", reference.held_secs);
            out.number("pools", reference.pools.into());
            answered.push(out.close());
        }
        let mut out = ObjectWriter::object();
        out.raw("answered", &array(&answered));
        out.raw("unanswered", &self.write_unanswered());
        out.text_or_null("now", self.now.map(PriceFloat::write).as_deref());
        out.text_or_null("gas", self.gas.map(PriceFloat::write).as_deref());
        out.text_or_null("wei", self.wei.map(PriceFloat::write).as_deref());
        out.close()
    }

    /// The references without a price, and why, as JSON text: `[{ by, why }]`.
    pub fn write_unanswered(&self) -> String {
        let mut all = Vec::new();
        for (by, why) in &self.unanswered {
            let mut out = ObjectWriter::object();
            out.text("by", by.name());
            out.text("why", why.name());
            all.push(out.close());
        }
        array(&all)
    }

    /// Reads the text of [`PriceReferences::write`].
    ///
    /// # Errors
    /// INVALID_INPUT with the member, for anything else.
    pub fn read(at: &JsonAt<'_>) -> Result<PriceReferences> {
        let real = |at: &JsonAt<'_>| PriceFloat::read(at.text()?).ok_or_else(|| at.fault("a price"));
        let unanswered = |at: &JsonAt<'_>| {
            let one = |at: JsonAt<'_>| {
                Ok((one_of(&at.get("by"), &NAMES, "a reference")?, one_of(&at.get("why"), &WHYS, "a reason")?))
            };
            at.items()?.map(one).collect::<Result<Vec<_>>>()
        };
        let mut references = PriceReferences {
            unanswered: unanswered(&at.get("unanswered"))?,
            now: optional(&at.get("now"), real)?,
            gas: optional(&at.get("gas"), real)?,
            wei: optional(&at.get("wei"), real)?,
            ..PriceReferences::default()
        };
        for reference in at.get("answered").items()? {
            let price = Price { long: real(&reference.get("long"))?, recent: real(&reference.get("recent"))? };
            references.answered.push(ReferencePrice {
                by: one_of(&reference.get("by"), &NAMES, "a reference")?,
                price,
                range: (real(&reference.get("least"))?, real(&reference.get("most"))?),
                window_secs: reference.get("secs").integer(u64::MAX)?,
                held_secs: reference.get("held").integer(u64::MAX)?,
                pools: u8::try_from(reference.get("pools").integer(u8::MAX.into())?).unwrap_or(u8::MAX),
            });
        }
        Ok(references)
    }
}

impl ReferenceKind {
    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(by, _)| *by == self).map_or("", |(_, name)| name)
    }
}

impl ReferencePrice {
    /// A reference by a price of this moment.
    pub fn of(by: ReferenceKind, price: Price) -> ReferencePrice {
        ReferencePrice { by, price, range: (price.asks(), price.asks()), window_secs: 0, held_secs: 0, pools: 0 }
    }

    /// The reference price of pools.
    fn of_pools(PoolPath { price, range, window_secs, held_secs, pools, .. }: PoolPath) -> ReferencePrice {
        let (least, most) = range;
        ReferencePrice {
            by: ReferenceKind::Pools,
            price,
            range: (least.asks(), most.asks()),
            window_secs,
            held_secs,
            pools,
        }
    }

    /// A reference by a price of whole units: `price` of the destination token for one of the source token.
    pub fn whole(by: ReferenceKind, price: PriceFloat, src: &Token, dest: &Token) -> ReferencePrice {
        let units = PriceFloat::ten_to(i32::from(dest.decimals).saturating_sub(src.decimals.into()));
        ReferencePrice::of(by, Price::steady(price.times(units)))
    }

    /// The reference's name in a sentence: `the 30-minute price of 2 pools (depth held 240 s)`.
    fn describe(&self) -> String {
        match self.by {
            ReferenceKind::Prices => "your own prices".into(),
            ReferenceKind::Asset => "the same asset".into(),
            ReferenceKind::Feeds => "price feeds".into(),
            ReferenceKind::App => "the app's reference".into(),
            ReferenceKind::Pools => {
                let pools = if self.pools == 1 { " pool" } else { " pools" };
                let held = match self.held_secs {
                    0 => " (depth seen now only)".into(),
                    secs => [" (depth held ", &*secs.text(), " s)"].concat(),
                };
                ["the ", &*(self.window_secs / 60).text(), "-minute price of ", &self.pools.text(), pools, &held]
                    .concat()
            }
        }
    }
}

/// The references in a sentence: `the 30-minute price of 2 pools (depth held 240 s) and price feeds`.
pub fn describe(references: &PriceReferences) -> String {
    let all: Vec<String> = references.answered.iter().map(ReferencePrice::describe).collect();
    joined(&all, " and ")
}

/// The references without a price, and why, in a sentence: `pools: none for this pair; price feeds: no answer`.
pub fn describe_unanswered(references: &PriceReferences) -> String {
    if references.unanswered.iter().all(|(_, why)| *why == Why::Unasked) {
        return "no reference price was asked for or passed".into();
    }
    let describe = |(by, why): &(ReferenceKind, Why)| {
        let by = match by {
            ReferenceKind::Pools => "pools: ",
            ReferenceKind::Feeds => "price feeds: ",
            _ => "the app's reference: ",
        };
        let why = match why {
            Why::None => "none for this pair",
            Why::Unasked => "not asked",
            Why::NoHistory => "none that can tell its past",
            Why::Silent => "no answer",
            Why::Unread => "nobody could read the chain",
        };
        [by, why].concat()
    };
    joined(&references.unanswered.iter().map(describe).collect::<Vec<_>>(), "; ")
}

/// Why both ends of a trade have no price: one that does not exist at one end does not help at the other.
fn joint(here: Why, there: Why) -> Why {
    if here == Why::None || there == Why::None { Why::None } else { here.max(there) }
}

/// The factor from raw to whole units of a price, for display.
pub fn whole_units(src: &Token, dest: &Token) -> PriceFloat {
    PriceFloat::ten_to(i32::from(src.decimals).saturating_sub(dest.decimals.into()))
}
