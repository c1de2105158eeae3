//! The functions that need neither a client nor the network, by name: one row each.
//!
//! The package exports them as plain functions. `src` passes their arguments as JSON; each row decodes its own, and
//! `domain` does the work.

use crate::flows::quote::bound::{QuoteBound, bound};
use crate::ledger::second::ExistingOrder;
use crate::wallet::batch::never_batches;
use alloy_primitives::{B256, hex};
use verify::internal::domain::delta::status;
use verify::internal::domain::input::{one_of, optional, slippage, unix_secs};
use verify::internal::domain::market::rank::rank;
use verify::internal::domain::permit::PermitKind;
use verify::internal::domain::signature::{self, SignatureError};
use verify::internal::domain::twap::{Twap, schedule};
use verify::internal::domain::verify::delta_reported::paid_out;
use verify::internal::domain::verify::question::check_answers;
use verify::internal::domain::verify::renewed::{carries_over, is_no_worse};
use verify::internal::domain::{eip712, token};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse, quoted, truth};
use verify::internal::value::address::{self, AddressError};
use verify::internal::value::amount::{self, AmountError};
use verify::internal::value::text::{ToText, replace};

/// A function of its first two arguments, each `null` if it is left out. Returns JSON text.
type Function = fn(&Json, &Json) -> Result<String>;

/// The functions that a page needs to show a price: they are loaded with it ([`super::Parts`]).
pub const OF_PRICES: &[(&str, Function)] = &[
    ("parseAddress", |address, _| {
        on_text(address, "address", &|text| {
            address::parse(text).map(address::checksummed).map_err(AddressError::expected)
        })
    }),
    // The service takes the native token's placeholder only in this casing, its EIP-55 checksum.
    ("normalizeToken", |token, _| {
        on_text(token, "token", &|text| token::parse(text).map(address::checksummed).map_err(AddressError::expected))
    }),
    ("parseUnits", |units, decimals| {
        let (at, places) = (JsonAt::input(units, "text"), places(decimals)?);
        let text = at.text()?;
        let parsed = amount::parse_units(text, places).map(|raw| quoted(&amount::text(raw)));
        parsed.map_err(|why| at.fault(&with_point(text, places).unwrap_or_else(|| why.expected().into())))
    }),
    ("formatUnits", |amount, decimals| {
        let places = places(decimals)?;
        on_text(amount, "amount", &|text| {
            let formatted = amount::parse_uint(text).and_then(|amount| amount::format_units(amount, places));
            formatted.map_err(AmountError::expected)
        })
    }),
    ("minReceived", |quote, slippage| Ok(quoted(&amount::text(bound(quote, slippage, QuoteBound::MinReceived)?)))),
    ("maxSpent", |quote, slippage| Ok(quoted(&amount::text(bound(quote, slippage, QuoteBound::MaxSpent)?)))),
    ("twapSchedule", |plan, start| {
        schedule(&JsonAt::input(plan, "plan"), unix_secs(&JsonAt::input(start, "startSecs"))?)
    }),
    ("isTerminal", |status, _| Ok(truth(status.as_text().is_some_and(status::is_terminal)).into())),
];

/// All other pure functions, by their names in JavaScript.
///
/// ```
/// use verified_swap_trade::flows::compute;
/// use verify::internal::json::Json;
/// let token = Json::String("0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2".into());
/// let checksummed = r#""0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2""#;
/// assert_eq!(compute("normalizeToken", &token, &Json::Null).unwrap(), checksummed);
/// let status = Json::String("COMPLETED".into());
/// assert_eq!(compute("isTerminal", &status, &Json::Null).unwrap(), "true");
/// ```
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("hashTypedData", |typed_data, _| Ok(quoted(&digest(typed_data)?.text()))),
    ("compactSignature", |signature, _| Ok(quoted(&hex::encode_prefixed(compact(signature)?)))),
    ("recoverTypedDataSigner", |typed_data, signature| {
        let digest = digest(typed_data)?;
        let signer = signature::recover(&compact(signature)?, digest);
        let unknown = |why: SignatureError| Error::input("signature", why.expected(), "another");
        Ok(quoted(&address::checksummed(signer.map_err(unknown)?)))
    }),
    // For `trade`, which otherwise would approve before `submit` refuses.
    ("checkAnswers", |build, accept| check_answers(build, &JsonAt::input(accept, "accept")).map(|()| "null".into())),
    // The amounts, addresses and words that `trade` goes by; the rest of it is JavaScript.
    ("promptFacts", |build, _| prompt_facts(&JsonAt::input(build, "build"))),
    ("checkChoices", |choices, name| check_choices(&JsonAt::input(choices, name.as_text().unwrap_or("options")))),
    ("isNoWorse", |next, before| Ok(truth(is_no_worse(next, before)).into())),
    ("carriesOver", |asked, before| {
        let next = asked.get("next").unwrap_or(&Json::Null);
        let carried = carries_over(&JsonAt::input(asked, "").get("questions"), next, before)?;
        let mut ids = Vec::new();
        for id in carried {
            ids.push(quoted(id));
        }
        Ok(array(&ids))
    }),
    // For `summarizeOrder`, which has read the members; the rest of it is JavaScript.
    ("paidOut", |what, _| {
        let at = JsonAt::input(what, "order.order");
        let uint = |name| optional(&at.get(name), JsonAt::uint).map(Option::unwrap_or_default);
        let slices = u32::try_from(uint("numSlices")?).ok().filter(|slices| *slices > 0);
        let num_slices = slices.ok_or_else(|| at.get("numSlices").fault("a number of slices from 1 on"))?;
        let twap = Twap { num_slices, interval_secs: 0 };
        Ok(quoted(&amount::text(paid_out(uint("total")?, uint("partnerAndFee")?, twap))))
    }),
    // For `quote` of both paths; the rest of it is JavaScript.
    ("rank", |delta, market| rank(delta, market)),
];

/// Runs one of [`OF_PRICES`] and [`FUNCTIONS`]. Arguments that it does not have are ignored. Returns
/// JSON text.
///
/// ```
/// use verified_swap_trade::flows::compute;
/// use verify::internal::json::{Json, parse};
/// let (units, decimals) = (Json::String("1.5".into()), parse("6").unwrap());
/// assert_eq!(compute("parseUnits", &units, &decimals).unwrap(), r#""1500000""#);
/// assert!(compute("parseAddress", &units, &decimals).is_err());
/// assert!(compute("parseUnits", &units, &parse("0").unwrap()).is_err());
/// ```
///
/// # Errors
/// INVALID_INPUT with the argument, or with `name` if there is no such function.
pub fn compute(name: &str, first: &Json, second: &Json) -> Result<String> {
    compute_early(name, first, second).unwrap_or_else(|| compute_late(name, first, second))
}

/// [`compute`] of [`OF_PRICES`] alone; `None` if it is none of them.
pub fn compute_early(name: &str, first: &Json, second: &Json) -> Option<Result<String>> {
    let (_, function) = OF_PRICES.iter().find(|(known, _)| *known == name)?;
    Some(function(first, second))
}

/// [`compute`] of [`FUNCTIONS`] alone.
///
/// # Errors
/// As [`compute`].
pub fn compute_late(name: &str, first: &Json, second: &Json) -> Result<String> {
    let found = FUNCTIONS.iter().find(|(known, _)| *known == name);
    let (_, function) = found.ok_or_else(|| Error::input("name", "a function's name", name))?;
    function(first, second)
}

/// Applies `work` to a string argument and returns the result as JSON text. Its error states the form expected of
/// `name`.
fn on_text(
    value: &Json,
    name: &str,
    work: &dyn Fn(&str) -> core::result::Result<String, &'static str>,
) -> Result<String> {
    let at = JsonAt::input(value, name);
    work(at.text()?).map(|text| quoted(&text)).map_err(|expected| at.fault(expected))
}

/// The facts that decide which prompts a build opens: whether the allowance is too low for it alone, and not just for the open
/// orders beside it; and whether it sells the native token, for which the service may want a deposit.
fn prompt_facts(build: &JsonAt<'_>) -> Result<String> {
    let approval = build.get("approval");
    let current = || optional(&approval.get("current"), JsonAt::uint).map(Option::unwrap_or_default);
    let lacks_allowance = approval.some().is_some() && current()? < build.get("maxSpent").uint()?;
    let src_token = build.get("request").get("srcToken");
    let sells_native =
        src_token.json().and_then(Json::as_text).is_some_and(|text| token::parse(text) == Ok(token::NATIVE));
    let mut facts = ObjectWriter::object();
    facts.flag("lacksAllowance", lacks_allowance);
    facts.flag("sellsNative", sells_native);
    Ok(facts.close())
}

/// Refuses what an answer, or the options, of `trade` choose in a word that is none. All of them may be absent.
fn check_choices(choices: &JsonAt<'_>) -> Result<String> {
    optional(&choices.get("slippageBps"), slippage)?;
    optional(&choices.get("permit"), |at| {
        let kinds =
            "never, whenPossible, eip2612, permit2Transfer, permit2Allowance, permit2Existing or a signed permit";
        one_of(at, &PermitKind::ALL, kinds)
    })?;
    optional(&choices.get("batch"), never_batches)?;
    for name in ["preSign", "withoutJournal"] {
        optional(&choices.get(name), JsonAt::bool)?;
    }
    ExistingOrder::read(choices)?;
    Ok("null".into())
}

/// The right form of an amount that has a comma in place of the point. `None` for anything else, also for `1,500`, in which
/// the comma may set off thousands.
fn with_point(text: &str, places: u8) -> Option<String> {
    let meant = replace(text, ",", ".");
    let (_, fraction) = text.split_once(',').filter(|_| amount::parse_units(&meant, places).is_ok())?;
    (fraction.len() != 3).then(|| ["a point, no comma: ", &meant].concat())
}

/// A token's decimals, 0 to [`amount::MAX_DECIMALS`].
fn places(value: &Json) -> Result<u8> {
    let decimals = JsonAt::input(value, "decimals").integer(amount::MAX_DECIMALS.into())?;
    Ok(u8::try_from(decimals).unwrap_or(amount::MAX_DECIMALS))
}

/// The digest of typed data (EIP-712, <https://eips.ethereum.org/EIPS/eip-712>), given as an object or as JSON text.
fn digest(value: &Json) -> Result<B256> {
    let parsed;
    let json = match value {
        Json::String(text) => {
            parsed = parse(text).map_err(|what| Error::input("typedData", "JSON text", what.reason))?;
            &parsed
        }
        other => other,
    };
    eip712::digest(json).map(|digest| digest.digest)
}

/// The 64-byte form (EIP-2098, <https://eips.ethereum.org/EIPS/eip-2098>) of a signature of 64 or 65 bytes.
fn compact(value: &Json) -> Result<[u8; 64]> {
    let at = JsonAt::input(value, "signature");
    signature::compact(&at.bytes()?).map_err(|why| at.fault(why.expected()))
}
