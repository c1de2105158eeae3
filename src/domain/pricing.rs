//! How a price is asked for: on which path, up to which impact, and by whose valuation it is judged.

use super::chain::Protocol;
use super::decimal;
use super::fields::{Fields, members};
use super::input::one_of;
use super::market::price_options::{self, Parameter};
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter, quoted};

/// Which paths may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Delta, and Market where no solver can fill.
    All,
    /// Gasless only.
    #[default]
    Delta,
    /// On chain only.
    Market,
}

impl Mode {
    /// All of them, as service and JavaScript have them.
    pub const ALL: [(Mode, &str); 3] = [(Mode::All, "ALL"), (Mode::Delta, "DELTA"), (Mode::Market, "MARKET")];

    /// As service and JavaScript have it.
    pub fn name(self) -> &'static str {
        Mode::ALL.iter().find(|(mode, _)| *mode == self).map_or("", |(_, name)| name)
    }

    /// The one path that may answer; `None` where either may.
    pub fn path(self) -> Option<Protocol> {
        match self {
            Mode::All => None,
            Mode::Delta => Some(Protocol::Delta),
            Mode::Market => Some(Protocol::Market),
        }
    }

    /// Its name as JSON text, where it is not the one that goes without saying.
    fn stated(self) -> Option<String> {
        (self != Mode::default()).then(|| quoted(self.name()))
    }

    fn read(at: &JsonAt<'_>) -> Result<Mode> {
        one_of(at, &Mode::ALL, "ALL, DELTA or MARKET")
    }
}

/// The members of a request that say so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pricing {
    /// Which paths may answer.
    pub mode: Mode,
    /// The price impact from which the service refuses, percent as decimal text.
    pub max_impact_percent: Option<String>,
    /// The same in dollars.
    pub max_usd_impact: Option<String>,
    /// The caller's own price of one whole source token in dollars, decimal text.
    pub src_price_usd: Option<String>,
    /// See `src_price_usd`.
    pub dest_price_usd: Option<String>,
    /// More parameters of the Market price, checked; see [`price_options`].
    pub market: Option<Json>,
    /// The same of the Delta price.
    pub delta: Option<Json>,
}

impl Pricing {
    members! { MEMBERS of pricing: Pricing;
        "mode": optional(Mode::read, pricing.mode), maybe_raw(pricing.mode.stated());
        "maxImpactPercent": optional(decimal_text, pricing.max_impact_percent), maybe(&pricing.max_impact_percent);
        "maxUsdImpact": optional(decimal_text, pricing.max_usd_impact), maybe(&pricing.max_usd_impact);
        "srcPriceUsd": optional(decimal_text, pricing.src_price_usd), maybe(&pricing.src_price_usd);
        "destPriceUsd": optional(decimal_text, pricing.dest_price_usd), maybe(&pricing.dest_price_usd);
        "market": , maybe_raw(pricing.market.as_ref().map(Json::write));
        "delta": , maybe_raw(pricing.delta.as_ref().map(Json::write));
    }

    /// Reads them from a request.
    ///
    /// # Errors
    /// Names the member that is not as it must be.
    pub fn read(&mut self, at: &JsonAt<'_>) -> Result<()> {
        let mut fields = Fields::of(at);
        Pricing::read_members(&mut fields, self);
        fields.finish()?;
        self.market = self.options(at, "market", &price_options::MARKET, Mode::Market)?;
        self.delta = self.options(at, "delta", &price_options::DELTA, Mode::Delta)?;
        if self.src_price_usd.is_some() != self.dest_price_usd.is_some() {
            let missing = at.get(if self.src_price_usd.is_some() { "destPriceUsd" } else { "srcPriceUsd" });
            return Err(missing.fault("a price too: one alone says nothing about the trade"));
        }
        Ok(())
    }

    /// More parameters, which go with one mode only.
    fn options(&self, at: &JsonAt<'_>, name: &str, known: &[Parameter], only: Mode) -> Result<Option<Json>> {
        let at = at.get(name);
        let Some(json) = at.json() else { return Ok(None) };
        price_options::query(&at, known)?;
        if self.mode != only {
            return Err(at.fault(&["nothing, unless mode is ", only.name()].concat()));
        }
        Ok(Some(json.clone()))
    }

    /// Writes those that were given into a request.
    pub fn write(&self, out: &mut ObjectWriter) {
        Pricing::write_members(out, self);
    }
}

/// A decimal without sign, as text: a number would have lost digits already.
///
/// # Errors
/// Anything else.
pub fn decimal_text(at: &JsonAt<'_>) -> Result<String> {
    let text = at.text()?;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match decimal::scaled(text).filter(|_| plain) {
        Some(_) => Ok(text.into()),
        None => Err(at.fault("a decimal number as text, without sign or exponent")),
    }
}
