//! The request for a permit: for a build, the trade of a quote, or one side of an OTC order.

use super::Checks;
use crate::domain::bps::Bps;
use crate::domain::chain::Protocol;
use crate::domain::decimal::scaled;
use crate::domain::input::{account, amount_input, chain_id, decimals_input, known, optional, slippage, unix_secs};
use crate::domain::intent::Defaults;
use crate::domain::permit::{Grant, PermitKind, Spending};
use crate::domain::side::Side;
use crate::domain::token::{self, is_native};
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::value::amount::mul_div;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// The plain options of `signPermit`.
pub const PERMIT_OPTIONS: [&str; 7] = ["accept", "kind", "amount", "slippageBps", "maxSpent", "deadline", "account"];
/// The last deadline that Permit2 can store, unix seconds: it has 48 bits for it.
const MAX_DEADLINE: u64 = (1 << 48) - 1;
/// The bits of an amount that Permit2's allowances can store.
const ALLOWANCE_BITS: usize = 160;

/// The request for a permit: the argument and the options of `signPermit`, before the chain is read.
pub struct PermitRequest {
    /// The protocol whose contract may take the token.
    pub protocol: Protocol,
    /// The permission. Spender and nonce are zero until `sign_permit` settles them; so are owner and deadline if the
    /// caller stated none.
    pub grant: Grant,
    /// The token's decimals as a build's or quote's request states them; `None` for an OTC order, which does not.
    pub decimals: Option<u8>,
    /// Until when the build can be filled or sent, unix seconds; `None` for a quote and an OTC order.
    pub until: Option<u64>,
    /// The open questions of the build, as a JSON array; none until the caller has set them.
    pub questions: String,
}

/// A reviewed build, as far as a permit for it is bound by it.
pub struct ReviewedBuild {
    /// The protocol whose contract takes the tokens.
    pub protocol: Protocol,
    /// The most that it takes from its owner.
    pub spending: Spending,
    /// The token's decimals, as the request states them.
    pub decimals: u8,
    /// Until when it can be filled or sent, unix seconds.
    pub until: u64,
}

impl PermitRequest {
    /// Reads the argument (a quote, an OTC order to fill, or the maker's own OTC build) and the options.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing or does not fit, also for a kind that the protocol does not take;
    /// VERIFY_MISMATCH if the amount is more than `maxSpent`.
    pub fn read(argument: &Json, options: &JsonAt<'_>, defaults: &Defaults) -> Result<Box<PermitRequest>> {
        let is_otc = argument.get("makerAsset").is_some();
        let at = JsonAt::input(argument, if is_otc { "order" } else { "quote" });
        let protocol = read_protocol(&at, is_otc)?;
        let kind = read_kind(options, protocol)?;
        let request = if is_otc { at } else { at.get("request") };
        // For the maker's own build the maker pays; for an OTC order the taker, whom the order does not name.
        let (token, amount, owner) = match (is_otc, at.get("kind").text()) {
            (true, Ok("otc")) => ("makerAsset", "makerAmount", request.get("maker")),
            (true, _) => ("takerAsset", "takerAmount", options.get("account")),
            _ => ("srcToken", "srcAmount", request.get("account")),
        };
        let token = token::read(&request.get(token))?;
        check_is_token(token, &at)?;
        let amount = match optional(&options.get("amount"), amount_input)? {
            Some(amount) => amount,
            None if is_otc => at.get(amount).uint()?,
            None => {
                let stated = at.get(amount).uint()?;
                // For a BUY the router takes the fee on top.
                let after_fee = optional(&at.get("srcAmountAfterFee"), JsonAt::uint)?.unwrap_or_default();
                most_spent(
                    stated.max(after_fee),
                    &request,
                    options,
                    kind == PermitKind::Permit2Transfer && protocol == Protocol::Delta,
                )?
            }
        };
        let named = optional(&options.get("account"), account)?;
        let owner = named.or(optional(&owner, account)?).or(defaults.account).unwrap_or_default();
        let chain_id = chain_id(&request.get("chainId"))?;
        let decimals = if is_otc { None } else { Some(decimals_input(&request.get("srcDecimals"))?) };
        let grant = Grant { kind, chain_id, token, owner, amount, ..Grant::default() };
        PermitRequest { protocol, grant, decimals, until: None, questions: "[]".into() }.with_options(options)
    }

    /// Reads the options for a reviewed build, whose token, owner, amount and deadline are fixed.
    ///
    /// # Errors
    /// Same as [`PermitRequest::read`]; INVALID_INPUT with an option that contradicts the build.
    pub fn for_build(build: &ReviewedBuild, options: &JsonAt<'_>) -> Result<Box<PermitRequest>> {
        let ReviewedBuild { protocol, decimals, until, .. } = *build;
        let kind = read_kind(options, protocol)?;
        let Spending { chain_id, token, owner, amount, deadline, .. } = build.spending;
        check_is_token(token, &JsonAt::input(&Json::Null, "build"))?;
        for name in ["amount", "slippageBps"] {
            if let Some(stated) = options.get(name).some() {
                return Err(stated.fault("nothing: the build says what it spends"));
            }
        }
        let named = options.get("account");
        if optional(&named, account)?.is_some_and(|named| named != owner) {
            return Err(named.fault(&[&owner.text(), ", whose build this is"].concat()));
        }
        let named = options.get("deadline");
        if let (Some(stated), Some(until)) = (optional(&named, unix_secs)?, deadline) {
            let is_exact = kind == PermitKind::Permit2Transfer;
            if stated < until || (is_exact && stated != until) {
                return Err(named.fault(&["none, or the order's: ", &until.text()].concat()));
            }
        }
        let grant = Grant { kind, chain_id, token, owner, amount, ..Grant::default() };
        let (decimals, until, questions) = (Some(decimals), Some(until), "[]".into());
        PermitRequest { protocol, grant, decimals, until, questions }.with_options(options)
    }

    /// Completes the request with the options that all arguments have.
    ///
    /// # Errors
    /// INVALID_INPUT with the option; VERIFY_MISMATCH if the amount is more than `maxSpent`.
    fn with_options(mut self, options: &JsonAt<'_>) -> Result<Box<PermitRequest>> {
        let grant = &mut self.grant;
        if let Some(most) = optional(&options.get("maxSpent"), amount_input)? {
            let mut checks = Checks::default();
            checks.at_most("permit.amount", &most, &grant.amount);
            checks.finish()?;
        }
        if grant.kind == PermitKind::Permit2Allowance && grant.amount.bit_len() > ALLOWANCE_BITS {
            return Err(options.get("amount").fault("an amount below 2^160"));
        }
        grant.deadline = optional(&options.get("deadline"), |at| at.integer(MAX_DEADLINE))?.unwrap_or_default();
        Ok(Box::new(self))
    }
}

/// Reads the option `kind`. Refuses unknown options, and a kind that the protocol's contract does not take.
///
/// # Errors
/// INVALID_INPUT with the option.
fn read_kind(options: &JsonAt<'_>, protocol: Protocol) -> Result<PermitKind> {
    known(options, &PERMIT_OPTIONS)?;
    let at = options.get("kind");
    let kind = PermitKind::read(&at)?;
    kind.instead_on(protocol).map_or(Ok(kind), |kinds| Err(at.fault(kinds)))
}

/// Refuses a trade that sells the native token.
///
/// # Errors
/// INVALID_INPUT with the trade.
fn check_is_token(token: Address, at: &JsonAt<'_>) -> Result<()> {
    match is_native(token) {
        true => Err(at.fault("a trade that gives a token: the native token needs no approval")),
        false => Ok(()),
    }
}

/// The protocol of the argument. Refuses an order in slices: it needs an allowance for longer than a permit is valid.
///
/// # Errors
/// INVALID_INPUT with the member.
fn read_protocol(at: &JsonAt<'_>, is_otc: bool) -> Result<Protocol> {
    let (label, slices) = (at.get("kind"), at.get("twap"));
    if is_otc {
        return Ok(Protocol::Otc);
    }
    if !slices.is_absent() {
        return Err(slices.fault("a single order: one in slices outlives a permit, approve instead"));
    }
    match label.text()? {
        "delta" => Ok(Protocol::Delta),
        "market" => Ok(Protocol::Market),
        _ => Err(label.fault("delta or market")),
    }
}

/// The most that a trade spends, in raw units, given the amount stated in its quote. A SELL spends that amount, its
/// own; a BUY may spend the slippage more, and is refused unless the caller bounds its price: the service could state
/// any. `exact` rounds down, as the order does that one transfer by Permit2 has to match.
///
/// # Errors
/// INVALID_INPUT with the option that is missing or too large.
fn most_spent(stated: U256, request: &JsonAt<'_>, options: &JsonAt<'_>, exact: bool) -> Result<U256> {
    if Side::read(&request.get("side"))? == Side::Sell {
        return Ok(stated);
    }
    // The quote was compared with the caller's prices. A price of zero, or unlimited loss, would be no bound.
    let price = request.option("advanced.srcPriceUsd").text().ok().and_then(scaled).filter(|price| !price.is_zero());
    let is_bounded = price.is_some() && slippage(&request.get("maxLossBps"))?.get() < Bps::WHOLE;
    let bound = options.get("maxSpent");
    if !is_bounded && bound.is_absent() {
        let expected = "a bound of your own: what a purchase costs is the service's word (or advanced.srcPriceUsd and \
                        advanced.destPriceUsd in the request)";
        return Err(bound.fault(expected));
    }
    let place = options.get("slippageBps");
    let slippage = slippage(&place)?;
    // One transfer by Permit2 has to equal the order's amount, which the service rounds down. Other permits may exceed
    // it.
    let most = match exact {
        true => mul_div(stated, Bps::WHOLE.saturating_add(slippage.get()), Bps::WHOLE).map(|(floor, _)| floor),
        false => slippage.above(stated),
    };
    most.ok_or_else(|| place.fault("a smaller slippage"))
}
