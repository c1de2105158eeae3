//! A build as it travels: sealed text, opened and verified again each time it comes back.

use super::quote::sealed_intent;
use super::seal::Parts;
use crate::domain::bps::Bps;
use crate::domain::chain::{Contracts, Source};
use crate::domain::eip712;
use crate::domain::intent::{Intent, Terms, slippage};
use crate::domain::sentence;
use crate::domain::text::ToText;
use crate::domain::verify::delta_order::{Asked, Verified, verify};
use crate::domain::verify::{delta_quote, report};
use crate::error::{Error, ErrorCode, Result};
use crate::json::{At, Out, parse};
use crate::wire;
use alloy_primitives::Address;

/// The build's options as text.
pub fn write_terms(terms: &Terms) -> String {
    let mut out = Out::object();
    out.value("owner", &terms.owner);
    out.number("slippageBps", terms.slippage.get().into());
    out.number("deadline", terms.deadline);
    for (name, amount) in
        [("nonce", &terms.nonce), ("minReceived", &terms.min_received), ("maxSpent", &terms.max_spent)]
    {
        out.value_or_null(name, amount.as_ref().map(|amount| amount as &dyn ToText));
    }
    out.close()
}

fn read_terms(at: &At<'_>) -> Result<Terms> {
    let amount = |name| at.get(name).some().map(|at| at.uint()).transpose();
    let slippage: Bps = slippage(&at.get("slippageBps"))?;
    Ok(Terms {
        owner: at.get("owner").address()?,
        slippage,
        deadline: at.get("deadline").integer(u64::MAX)?,
        nonce: amount("nonce")?,
        min_received: amount("minReceived")?,
        max_spent: amount("maxSpent")?,
    })
}

/// A build that says what was asked for.
pub struct OpenBuild {
    /// What was asked for.
    pub intent: Intent,
    /// The build's options.
    pub terms: Terms,
    /// The order, its hashes, what was checked.
    pub verified: Verified,
    /// The contract that may spend.
    pub spender: Address,
    /// The service's `toSign.value`, byte for byte.
    pub value: String,
    /// The text the wallet is given.
    pub typed_data: String,
    /// The build as JavaScript sees it, without `approval` and its seal, as an object's text that is still open.
    pub view: Out,
}

/// Reads the parts again and verifies all of them: the price against the request, the typed data against both, and the
/// digest of the text the wallet is given against the order's hash.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED; INVALID_INPUT where the text is no build.
pub fn open_build(text: &str, known: &(Contracts, Source)) -> Result<Box<OpenBuild>> {
    let parts = Parts::of(text)?;
    let intent = sealed_intent(&parts)?;
    let (terms, now, delta) = (parts.json("terms")?, parts.json("now")?, parts.json("delta")?);
    let (to_sign, order_hash) = (parts.json("toSign")?, parts.json("orderHash")?);
    let terms = read_terms(&At::input(&terms, "terms"))?;
    let now = At::input(&now, "now").integer(u64::MAX)?;
    let price = wire::quote::price(&At::service(&delta, "delta"))?;
    delta_quote::verify(&price, &intent, known)?;
    let payload = wire::to_sign::payload(&At::service(&to_sign, "toSign"), &At::service(&order_hash, "orderHash"))?;
    let asked = Asked { intent: &intent, terms: &terms, price: &price, contracts: known, now, deadline_named: true };
    let verified = verify(payload, &asked)?;
    let typed_data = verified.order.typed_data(&verified.domain);
    let digest = eip712::digest(&parse(&typed_data).map_err(Error::not_json)?)?;
    if digest != verified.digest {
        return Err(Error::new(ErrorCode::Internal, "the text for the wallet does not hash to the order"));
    }
    let value = Parts::of(parts.raw("toSign")?)?.raw("value")?.into();
    let mut view = view(&intent, &verified);
    view.value("spender", &known.0.delta);
    view.raw("typedData", &typed_data);
    Ok(Box::new(OpenBuild { intent, terms, verified, spender: known.0.delta, value, typed_data, view }))
}

fn view(intent: &Intent, verified: &Verified) -> Out {
    let figures = &verified.figures;
    let mut out = Out::object();
    out.text("kind", "delta");
    out.text("orderKind", "Order");
    out.raw("request", &intent.write());
    out.number("chainId", intent.chain_id);
    let values: [(&str, &dyn ToText); 7] = [
        ("owner", &figures.owner),
        ("beneficiary", &figures.beneficiary),
        ("orderHash", &verified.digest.digest),
        ("maxSpent", &figures.spent),
        ("minDestAmount", &figures.paid_out),
        ("minReceived", &figures.received),
        ("nonce", &figures.nonce),
    ];
    for (name, value) in values {
        out.value(name, value);
    }
    out.number("feeBps", figures.fee_bps.into());
    out.number("deadline", figures.deadline);
    let sentence = sentence::order(intent, figures);
    out.raw("report", &report(&sentence, &verified.checks, Some(&verified.digest)));
    out
}
