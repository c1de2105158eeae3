//! The pricing of a request: the protocol, the highest price impact, and the valuation that judges the price.

use super::chain::Protocol;
use super::decimal;
use super::fields::{Fields, Writers, members};
use super::input::one_of;
use super::price_options::{self, Parameter};
use crate::error::Result;
use crate::json::{Json, JsonAt, quoted};

/// The protocols that may answer a request for a price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Delta, or Market if Delta has no price.
    All,
    /// Delta alone: the user pays no gas.
    #[default]
    Delta,
    /// Market alone: a transaction that the user sends.
    Market,
}

impl Mode {
    /// Every mode with its name in the service's API and in JavaScript.
    pub const NAMES: [(Mode, &str); 3] = [(Mode::All, "ALL"), (Mode::Delta, "DELTA"), (Mode::Market, "MARKET")];

    /// The mode's name in the service's API and in JavaScript.
    pub fn name(self) -> &'static str {
        Mode::NAMES.iter().find(|(mode, _)| *mode == self).map_or("", |(_, name)| name)
    }

    /// The one protocol that may answer; `None` if either may.
    pub fn protocol(self) -> Option<Protocol> {
        match self {
            Mode::All => None,
            Mode::Delta => Some(Protocol::Delta),
            Mode::Market => Some(Protocol::Market),
        }
    }

    /// The name as JSON text; `None` for the default, which is not written.
    fn unless_default(self) -> Option<String> {
        (self != Mode::default()).then(|| quoted(self.name()))
    }

    /// Reads a mode by its name.
    fn read(at: &JsonAt<'_>) -> Result<Mode> {
        one_of(at, &Mode::NAMES, "ALL, DELTA or MARKET")
    }
}

/// The members of a request that are about the price.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pricing {
    /// The protocols that may answer.
    pub mode: Mode,
    /// The price impact from which the service refuses, in percent, decimal text; the service's own limit by default.
    pub max_impact_percent: Option<String>,
    /// The price impact from which the service refuses, in dollars, decimal text.
    pub max_usd_impact: Option<String>,
    /// The caller's own price of one whole source token in dollars, decimal text. With both prices the loss of a quote
    /// is judged by them, not by the service's dollar values.
    pub src_price_usd: Option<String>,
    /// The caller's own price of one whole destination token; present only together with `src_price_usd`.
    pub dest_price_usd: Option<String>,
    /// Further parameters of a Market price, checked by [`price_options`]; only with [`Mode::Market`].
    pub market: Option<Json>,
    /// Further parameters of a Delta price, checked by [`price_options`]; only with [`Mode::Delta`].
    pub delta: Option<Json>,
}

impl Pricing {
    members! { MEMBERS of pricing: Pricing;
        "mode": optional(Mode::read, pricing.mode), maybe_raw(pricing.mode.unless_default());
        "advanced.maxImpactPercent": optional(decimal_text, pricing.max_impact_percent),
            maybe(&pricing.max_impact_percent);
        "advanced.maxUsdImpact": optional(decimal_text, pricing.max_usd_impact), maybe(&pricing.max_usd_impact);
        "advanced.srcPriceUsd": optional(decimal_text, pricing.src_price_usd), maybe(&pricing.src_price_usd);
        "advanced.destPriceUsd": optional(decimal_text, pricing.dest_price_usd), maybe(&pricing.dest_price_usd);
        "advanced.market": , maybe_raw(pricing.market.as_ref().map(Json::write));
        "advanced.delta": , maybe_raw(pricing.delta.as_ref().map(Json::write));
    }

    /// Reads these members from a request.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is malformed, does not fit the mode, or is a price without the other one.
    pub fn read(&mut self, at: &JsonAt<'_>) -> Result<()> {
        let mut fields = Fields::of(at);
        Pricing::read_members(&mut fields, self);
        fields.finish()?;
        self.market = self.options(at, "advanced.market", &price_options::MARKET, Mode::Market)?;
        self.delta = self.options(at, "advanced.delta", &price_options::DELTA, Mode::Delta)?;
        if self.src_price_usd.is_some() != self.dest_price_usd.is_some() {
            let has_src = self.src_price_usd.is_some();
            let missing = if has_src { "advanced.destPriceUsd" } else { "advanced.srcPriceUsd" };
            return Err(at.option(missing).fault("both prices, or neither"));
        }
        for name in ["advanced.srcPriceUsd", "advanced.destPriceUsd"] {
            if let Some(price) = at.option(name).some()
                && price.number_or_text().and_then(decimal::precise).is_none_or(|price| price.is_zero())
            {
                return Err(price.fault("a decimal above 0"));
            }
        }
        Ok(())
    }

    /// Reads the further parameters that one mode takes.
    fn options(&self, at: &JsonAt<'_>, name: &str, known: &[Parameter], only: Mode) -> Result<Option<Json>> {
        let at = at.option(name);
        let Some(json) = at.json() else { return Ok(None) };
        price_options::query(&at, known)?;
        if self.mode != only {
            return Err(at.fault(&["no such member unless mode is ", only.name()].concat()));
        }
        Ok(Some(json.clone()))
    }

    /// Writes the given members into a request.
    pub fn write(&self, out: &mut Writers) {
        Pricing::write_members(out, self);
    }
}

/// Reads a decimal without sign or exponent that is passed as text: a JavaScript number would have lost digits already.
///
/// # Errors
/// INVALID_INPUT for any other value.
pub fn decimal_text(at: &JsonAt<'_>) -> Result<String> {
    let text = at.text()?;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match decimal::scaled(text).filter(|_| plain) {
        Some(_) => Ok(text.into()),
        None => Err(at.fault("a decimal number as text, without sign or exponent")),
    }
}
