//! What the user asked for. Everything the service answers is held against this.

use super::address;
use super::amount::{self, MAX_DECIMALS};
use super::bps::Bps;
use super::delta::partner_fee::CAP_BPS;
use super::delta::twap::Twap;
use super::pricing::{Mode, Pricing};
use super::side::Side;
use super::token::{self, NATIVE};
use crate::error::Result;
use crate::json::{At, Json, Out};
use alloy_primitives::{Address, U256};

/// The most a quote may lose by its own USD values unless the caller says otherwise: 15 %.
const MAX_LOSS_BPS: u16 = 1_500;
/// The partner for which the service takes 1 bps unasked.
pub const ANONYMOUS: &str = "anon";

/// A token with what the caller says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its address; the placeholder for the native coin.
    pub address: Address,
    /// Its decimals, as the caller states them. Compared with the token's own before the first prompt.
    pub decimals: u8,
    /// Its name in sentences, as the caller calls it.
    pub symbol: Option<String>,
}

/// A trade that somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The chain it happens on.
    pub chain_id: u64,
    /// The chain it arrives on: the same, unless it is bridged.
    pub dest_chain_id: u64,
    /// What is given.
    pub src: Token,
    /// What is wanted.
    pub dest: Token,
    /// Which of the two amounts is fixed.
    pub side: Side,
    /// The fixed amount, raw units.
    pub amount: U256,
    /// The owner, where already known.
    pub account: Option<Address>,
    /// Who receives; the owner unless named.
    pub beneficiary: Option<Address>,
    /// Attribution string.
    pub partner: String,
    /// Fee asked for the partner.
    pub partner_fee_bps: Option<u16>,
    /// Who receives the partner's fee.
    pub partner_address: Option<Address>,
    /// The highest fee that is accepted.
    pub max_fee_bps: u16,
    /// The largest loss by USD values that is accepted.
    pub max_loss_bps: u16,
    /// Which paths may answer, and how the price is judged.
    pub pricing: Pricing,
    /// Traded in slices; `amount` is then the total of them.
    pub twap: Option<Twap>,
}

/// What the client knows without being told in each request.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The partner string.
    pub partner: Option<String>,
    /// The account.
    pub account: Option<Address>,
}

impl Intent {
    /// The members a request may have.
    pub const MEMBERS: [&str; 26] = [
        "chainId",
        "destChainId",
        "srcToken",
        "destToken",
        "amount",
        "srcDecimals",
        "destDecimals",
        "side",
        "account",
        "beneficiary",
        "srcSymbol",
        "destSymbol",
        "partner",
        "partnerFeeBps",
        "partnerAddress",
        "maxFeeBps",
        "maxLossBps",
        "numSlices",
        "intervalSecs",
        "mode",
        "maxImpactPercent",
        "maxUsdImpact",
        "srcPriceUsd",
        "destPriceUsd",
        "market",
        "delta",
    ];

    /// Reads a request. `null` counts as absent, so that a normalised request can be read again.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or not as it must be.
    pub fn read(at: &At<'_>, defaults: &Defaults) -> Result<Intent> {
        known(at, &Intent::MEMBERS)?;
        Intent::read_known(at, defaults)
    }

    /// As [`Intent::read`], with other members beside those of the intent.
    ///
    /// # Errors
    /// As [`Intent::read`].
    pub fn read_known(at: &At<'_>, defaults: &Defaults) -> Result<Intent> {
        let src = token(at, "srcToken", "srcDecimals", "srcSymbol")?;
        let dest = token(at, "destToken", "destDecimals", "destSymbol")?;
        let from = chain_id(&at.get("chainId"))?;
        let to = optional(&at.get("destChainId"), chain_id)?.unwrap_or(from);
        if src.address == dest.address && from == to {
            return Err(at.get("destToken").fault("another token than srcToken"));
        }
        let partner = optional(&at.get("partner"), short_text)?.or_else(|| defaults.partner.clone());
        let partner = partner.unwrap_or_else(|| ANONYMOUS.into());
        let partner_fee_bps = optional(&at.get("partnerFeeBps"), fee_bps)?;
        let implied = match partner.as_str() {
            ANONYMOUS => partner_fee_bps.unwrap_or(0).saturating_add(1).min(CAP_BPS),
            _ => CAP_BPS,
        };
        let beneficiary = optional(&at.get("beneficiary"), account)?;
        if beneficiary.is_some_and(|who| [src.address, dest.address, NATIVE].contains(&who)) {
            return Err(at.get("beneficiary").fault("somebody who can receive, not a token"));
        }
        let amount = amount_input(&at.get("amount"))?;
        let (side, twap, pricing) =
            (optional(&at.get("side"), Side::read)?, Twap::read(at, amount)?, Pricing::read(at)?);
        let side = side.unwrap_or(Side::Sell);
        if from != to && pricing.mode == Mode::Market {
            return Err(at.get("destChainId").fault("the chain itself: Market trades on one chain"));
        }
        if from != to && twap.is_some() && side == Side::Buy {
            return Err(at.get("destChainId").fault("the chain itself: a BUY in slices is on one chain"));
        }
        Ok(Intent {
            chain_id: from,
            dest_chain_id: to,
            src,
            dest,
            side,
            amount,
            account: optional(&at.get("account"), account)?.or(defaults.account),
            beneficiary,
            partner,
            partner_fee_bps,
            partner_address: optional(&at.get("partnerAddress"), account)?,
            max_fee_bps: optional(&at.get("maxFeeBps"), fee_bps)?.unwrap_or(implied),
            max_loss_bps: optional(&at.get("maxLossBps"), slippage)?.map_or(MAX_LOSS_BPS, Bps::get),
            pricing,
            twap,
        })
    }

    /// Whether it is bridged.
    pub fn is_crosschain(&self) -> bool {
        self.chain_id != self.dest_chain_id
    }

    /// The fixed amount that a price is asked for: of one slice, where there are several.
    pub fn priced_amount(&self) -> U256 {
        self.twap.map_or(self.amount, |twap| twap.slices(self.amount).0)
    }

    /// The request as it was understood, every default filled in.
    pub fn write(&self) -> String {
        let mut out = Out::object();
        out.number("chainId", self.chain_id);
        if self.is_crosschain() {
            out.number("destChainId", self.dest_chain_id);
        }
        out.value("srcToken", &self.src.address);
        out.value("destToken", &self.dest.address);
        out.value("amount", &self.amount);
        out.number("srcDecimals", self.src.decimals.into());
        out.number("destDecimals", self.dest.decimals.into());
        out.text("side", self.side.name());
        for (name, address) in
            [("account", &self.account), ("beneficiary", &self.beneficiary), ("partnerAddress", &self.partner_address)]
        {
            out.value_or_null(name, address.as_ref());
        }
        out.text_or_null("srcSymbol", self.src.symbol.as_deref());
        out.text_or_null("destSymbol", self.dest.symbol.as_deref());
        out.text("partner", &self.partner);
        out.number_or_null("partnerFeeBps", self.partner_fee_bps);
        out.number("maxFeeBps", self.max_fee_bps.into());
        out.number("maxLossBps", self.max_loss_bps.into());
        self.pricing.write(&mut out);
        if let Some(twap) = &self.twap {
            out.number("numSlices", twap.num_slices.into());
            out.number("intervalSecs", twap.interval_secs);
        }
        out.close()
    }
}

/// A token with its decimals and symbol, from the members of those names.
///
/// # Errors
/// Names the member that is missing or not as it must be.
pub fn token(at: &At<'_>, address: &'static str, decimals: &'static str, symbol: &'static str) -> Result<Token> {
    let address = token::read(&at.get(address))?;
    let symbol = optional(&at.get(symbol), short_text)?;
    Ok(Token { address, decimals: decimals_input(&at.get(decimals))?, symbol })
}

/// A token's decimals.
///
/// # Errors
/// Above 77.
pub fn decimals_input(at: &At<'_>) -> Result<u8> {
    Ok(u8::try_from(at.integer(MAX_DECIMALS.into())?).unwrap_or(MAX_DECIMALS))
}

fn fee_bps(at: &At<'_>) -> Result<u16> {
    Ok(u16::try_from(at.integer(CAP_BPS.into())?).unwrap_or(CAP_BPS))
}

/// A time in unix seconds.
///
/// # Errors
/// Not an integer that JavaScript can hold.
pub fn unix_secs(at: &At<'_>) -> Result<u64> {
    at.integer(MAX_CHAIN_ID)
}

/// Chain ids that JavaScript can hold exactly.
pub const MAX_CHAIN_ID: u64 = (1 << 53) - 1;

/// The id of a chain.
///
/// # Errors
/// Zero, or not an integer that JavaScript can hold.
pub fn chain_id(at: &At<'_>) -> Result<u64> {
    match at.integer(MAX_CHAIN_ID)? {
        0 => Err(at.fault("a chain id above 0")),
        id => Ok(id),
    }
}

/// Slippage in basis points, 0 to 10 000.
///
/// # Errors
/// Absent or out of range.
pub fn slippage(at: &At<'_>) -> Result<Bps> {
    let bps = at.integer(Bps::WHOLE.into())?;
    Bps::new(bps).ok_or_else(|| at.fault("0 to 10000"))
}

/// Raw units as the caller passes them in: a decimal string (which a BigInt has become by here), above 0.
///
/// # Errors
/// A number (it loses digits above 2^53), zero, or not a canonical decimal integer.
pub fn amount_input(at: &At<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("raw units as a bigint or a decimal string"))?;
    let amount = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if amount.is_zero() { Err(at.fault("an amount above 0")) } else { Ok(amount) }
}

/// An address of somebody: not zero.
///
/// # Errors
/// Not an address, a wrong checksum, or zero.
pub fn account(at: &At<'_>) -> Result<Address> {
    let address = address::parse(at.text()?).map_err(|why| at.fault(why.expected()))?;
    if address.is_zero() { Err(at.fault(address::AddressError::Zero.expected())) } else { Ok(address) }
}

/// A name.
///
/// # Errors
/// Empty, or above 64 characters.
pub fn short_text(at: &At<'_>) -> Result<String> {
    let text = at.text()?;
    if text.is_empty() || text.chars().nth(64).is_some() {
        Err(at.fault("1 to 64 characters"))
    } else {
        Ok(text.into())
    }
}

/// Reads a place unless it is absent.
///
/// # Errors
/// Those of `read`.
pub fn optional<T>(at: &At<'_>, read: fn(&At<'_>) -> Result<T>) -> Result<Option<T>> {
    at.some().map(|at| read(&at)).transpose()
}

/// Refuses members that are not among `names`, and says which of them may have been meant.
///
/// # Errors
/// The first unknown member.
pub fn known(at: &At<'_>, names: &[&str]) -> Result<()> {
    match at.json() {
        Some(Json::Object(_)) => {}
        _ => return Err(at.fault("an object")),
    }
    for name in at.names() {
        if !names.contains(&name) {
            let (mut nearest, mut least) = ("", usize::MAX);
            for known in names {
                let far = distance(name, known);
                if far < least {
                    (nearest, least) = (known, far);
                }
            }
            return Err(at.get(name).fault(&["a known option (did you mean ", nearest, "?)"].concat()));
        }
    }
    Ok(())
}

/// Edit distance, letter case ignored.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<u8> = b.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut previous = i.saturating_add(1);
        for (cell, right) in row.iter_mut().skip(1).zip(&b) {
            let cost = usize::from(left.to_ascii_lowercase() != *right);
            let best = diagonal.saturating_add(cost).min(previous.saturating_add(1)).min(cell.saturating_add(1));
            diagonal = *cell;
            *cell = best;
            previous = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i.saturating_add(1);
        }
    }
    row.last().copied().unwrap_or_default()
}
