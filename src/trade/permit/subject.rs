//! What a permit is for: a quote's trade, or a side of an OTC order.

use crate::domain::amount::mul_div;
use crate::domain::bps::Bps;
use crate::domain::chain::Path;
use crate::domain::input::{account, amount_input, chain_id, decimals_input, known, optional, slippage};
use crate::domain::intent::Defaults;
use crate::domain::permit::PermitKind;
use crate::domain::side::Side;
use crate::domain::token::{self, is_native};
use crate::error::Result;
use crate::json::{At, Json};
use alloy_primitives::{Address, U256};

/// The plain members the options of a permit may have.
pub const PERMIT_OPTIONS: [&str; 5] = ["kind", "amount", "slippageBps", "deadline", "account"];
/// The last second that Permit2 can hold.
const MAX_DEADLINE: u64 = (1 << 48) - 1;
/// The bits of an amount that Permit2's allowances can hold.
const ALLOWANCE_BITS: usize = 160;

/// What a permit is asked for.
pub struct Subject {
    /// How it is signed.
    pub kind: PermitKind,
    /// The chain.
    pub chain_id: u64,
    /// Whose contract may take the token.
    pub path: Path,
    /// The token.
    pub token: Address,
    /// How much of it.
    pub amount: U256,
    /// Its decimals, where a quote's request states them.
    pub decimals: Option<u8>,
    /// Whose it is, where that is known.
    pub owner: Option<Address>,
    /// Unix seconds, where the caller named it.
    pub deadline: Option<u64>,
}

impl Subject {
    /// Reads what is passed (a quote, an OTC order to fill, an OTC build of one's own) and the options.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or not as it must be.
    pub fn read(passed: &Json, options: &At<'_>, defaults: &Defaults) -> Result<Subject> {
        known(options, &PERMIT_OPTIONS)?;
        let kind_at = options.get("kind");
        let kind = PermitKind::read(&kind_at)?;
        let is_otc = passed.get("makerAsset").is_some();
        let at = At::input(passed, if is_otc { "order" } else { "quote" });
        let stated = optional(&options.get("amount"), amount_input)?;
        let mut subject = match is_otc {
            true => otc(&at, stated)?,
            false => quoted(&at, stated, options)?,
        };
        if is_native(subject.token) {
            return Err(at.fault("a trade that gives a token: the native coin needs no approval"));
        }
        if subject.path == Path::Otc && kind.by_permit2() {
            return Err(kind_at.fault("eip2612 or dai: the RFQ contract takes no other"));
        }
        if kind == PermitKind::Permit2Allowance && subject.amount.bit_len() > ALLOWANCE_BITS {
            return Err(options.get("amount").fault("an amount below 2^160"));
        }
        subject.kind = kind;
        subject.owner = optional(&options.get("account"), account)?.or(subject.owner).or(defaults.account);
        subject.deadline = optional(&options.get("deadline"), |at| at.integer(MAX_DEADLINE))?;
        Ok(subject)
    }
}

/// A side of an OTC order: the maker's of one's own build, the taker's of any other.
fn otc(at: &At<'_>, stated: Option<U256>) -> Result<Subject> {
    let own = matches!(at.get("kind").text(), Ok("otc"));
    let (asset, amount) = if own { ("makerAsset", "makerAmount") } else { ("takerAsset", "takerAmount") };
    let amount = match stated {
        Some(amount) => amount,
        None => at.get(amount).uint()?,
    };
    let owner = at.get("maker").address()?;
    Ok(Subject {
        kind: PermitKind::Eip2612,
        chain_id: chain_id(&at.get("chainId"))?,
        path: Path::Otc,
        token: at.get(asset).address()?,
        amount,
        decimals: None,
        owner: own.then_some(owner),
        deadline: None,
    })
}

/// What a quote spends.
fn quoted(at: &At<'_>, stated: Option<U256>, options: &At<'_>) -> Result<Subject> {
    let (label, request) = (at.get("kind"), at.get("request"));
    let path = match label.text()? {
        "delta" => Path::Delta,
        "market" => Path::Market,
        _ => return Err(label.fault("delta or market")),
    };
    if at.get("twap").some().is_some() {
        return Err(at.get("twap").fault("a single order: one in slices outlives a permit, approve instead"));
    }
    let side = Side::read(&request.get("side"))?;
    let spent = at.get("srcAmount").uint()?;
    let amount = match (stated, side) {
        (Some(amount), _) => amount,
        (None, Side::Sell) => spent,
        (None, Side::Buy) => {
            let place = options.get("slippageBps");
            let slippage = slippage(&place)?;
            // One transfer is of exactly what the order takes, which the service rounds down; an allowance is of at least that.
            let exact = matches!(options.get("kind").text(), Ok("permit2Transfer"));
            let most = match exact {
                true => mul_div(spent, Bps::WHOLE.saturating_add(slippage.get()), Bps::WHOLE).map(|(floor, _)| floor),
                false => slippage.above(spent),
            };
            most.ok_or_else(|| place.fault("less"))?
        }
    };
    Ok(Subject {
        kind: PermitKind::Eip2612,
        chain_id: chain_id(&request.get("chainId"))?,
        path,
        token: token::read(&request.get("srcToken"))?,
        amount,
        decimals: Some(decimals_input(&request.get("srcDecimals"))?),
        owner: optional(&request.get("account"), account)?,
        deadline: None,
    })
}
