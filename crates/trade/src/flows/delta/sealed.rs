//! A Delta build as sealed text: opened and verified again each time it comes back.
//!
//! `build` opens what it has just sealed, and `submit` opens what the app passes back, by the same function. So the
//! signed text itself was verified, also if another client sealed it.
//!
//! The seal covers: the request, the options, when the app asked for the price, the time and the clock's lead when it was built, the chains that could
//! not be read, the quote's `delta` block, the service's `toSign` and `orderHash`, and the approval. The app's view is
//! derived from them, and from nothing else.

use crate::flows::chain::decimals::read_unread;
use crate::flows::seal::RawMembers;
use crate::ledger::orders::SignedOrder;
use crate::ledger::second::ExistingOrder;
use alloy_primitives::Address;
use verify::internal::domain::chain::{Deployment, Source};
use verify::internal::domain::delta::order::kind_name;
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::input::optional;
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::sentence;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::domain::verify::delta_expectation::DeltaExpectation;
use verify::internal::domain::verify::delta_order::{Verified, verify};
use verify::internal::domain::verify::{Checks, delta_quote, report_of_trade};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;
use verify::internal::wire;

/// A build that was opened and verified: its order matches the request.
pub struct OpenBuild {
    /// The request that the order was built for.
    pub intent: Intent,
    /// The build's options.
    pub terms: Terms,
    /// The option `existing` of the build.
    pub existing: Option<ExistingOrder>,
    /// The order, its hashes and amounts, and the checks made.
    pub verified: Verified,
    /// The Delta contract: it takes the sold tokens.
    pub spender: Address,
    /// The service's `toSign.value`, byte for byte: it is posted as it came.
    pub value: String,
    /// The typed data for the wallet. It is written here, from the verified struct.
    pub typed: TypedText,
    /// The view for the app, without `approval` and seal, as an object's text that is still open.
    pub view: ObjectWriter,
}

/// Opens the text of a build and verifies it: the price against the request, the typed data against both, and the
/// digest of the wallet's text against the order's hash. Nothing in `text` is trusted.
///
/// # Errors
/// VERIFY_MISMATCH with the first member that differs from the request; SERVICE_MALFORMED if price or typed data cannot
/// be read; INVALID_INPUT if the text is no build.
pub fn open_build(text: &str, deployment: &Deployment) -> Result<Box<OpenBuild>> {
    open_judged(text, deployment, None)
}

/// This page's knowledge about an order that the journal noted, in place of what was sealed with it.
pub struct JudgedAnew {
    /// The reference prices.
    pub references: TradeReferences,
    /// Whether a bound stated by the caller holds the price.
    pub is_bound: bool,
    /// The chains on which no decimals could be read.
    pub unread: Vec<u64>,
}

/// [`open_build`] for an order that the journal noted, judged by this page's knowledge.
///
/// # Errors
/// Same as [`open_build`].
pub fn open_judged(text: &str, deployment: &Deployment, judged: Option<&JudgedAnew>) -> Result<Box<OpenBuild>> {
    let inside = parse(text).map_err(Error::not_json)?;
    let part = |name| inside.get(name).unwrap_or(&Json::Null);
    let mut intent = Intent::read(&JsonAt::input(part("request"), "request"), &Defaults::default())?;
    intent.note_unread(match judged {
        Some(judged) => judged.unread.clone(),
        None => read_unread(&JsonAt::input(&inside, ""))?,
    });
    let terms = Terms::read(&JsonAt::input(part("terms"), "terms"))?;
    let existing = ExistingOrder::read(&JsonAt::input(&inside, ""))?;
    let now = JsonAt::input(part("now"), "now").integer(u64::MAX)?;
    let ahead = optional(&JsonAt::input(part("ahead"), "ahead"), |at| at.integer(u64::MAX))?.unwrap_or_default();
    let sealed = TradeReferences::read(&JsonAt::input(&inside, ""))?;
    let price = wire::quote::read_price(&JsonAt::service(part("delta"), "delta"), terms.alternative)?;
    let arriving = intent.arriving_as(price.destination_output.token);
    delta_quote::verify(&price, &arriving, deployment, Checks::unwritten())?;
    let (to_sign, order_hash) =
        (JsonAt::service(part("toSign"), "toSign"), JsonAt::service(part("orderHash"), "orderHash"));
    let payload = wire::to_sign::read_payload(&to_sign, Some(&order_hash))?;
    let expected = DeltaExpectation {
        intent: &arriving,
        terms: &terms,
        price: &price,
        deployment,
        now,
        ahead,
        references: judged.map_or(&sealed, |judged| &judged.references),
        bound: judged.map(|judged| judged.is_bound),
        deadline_named: true,
    };
    let verified = verify(payload, &expected)?;
    let typed = verified.order.to_sign(&verified.domain)?;
    let value = RawMembers::of(RawMembers::of(text)?.raw("toSign")?)?.raw("value")?.into();
    let mut view = write_view((&intent, &arriving), &terms, (&verified, &typed), deployment.source);
    view.value("spender", &deployment.contracts.delta);
    view.raw("typedData", &typed.text);
    Ok(Box::new(OpenBuild {
        intent,
        terms,
        existing,
        verified,
        spender: deployment.contracts.delta,
        value,
        typed,
        view,
    }))
}

impl OpenBuild {
    /// The order as the client remembers it: later reports of it are compared with this.
    pub fn signed(&self) -> SignedOrder {
        let Verified { order, digest, amounts, .. } = &self.verified;
        let (hash, chain_id, order) = (digest.digest, self.intent.chain_id, order.clone());
        SignedOrder { id: None, hash, chain_id, delta: self.spender, order, arrives: amounts.arrives }
    }
}

/// Writes the view for the app. `arriving` is the intent with the destination token of the price, which may be the
/// wrapped form of the requested one.
fn write_view(
    (intent, arriving): (&Intent, &Intent),
    terms: &Terms,
    (verified, typed): (&Verified, &TypedText),
    source: Source,
) -> ObjectWriter {
    let amounts = &verified.amounts;
    let mut out = ObjectWriter::object();
    out.text("kind", "delta");
    out.text("orderKind", kind_name(intent, terms));
    out.text("type", terms.type_name());
    out.raw("request", &intent.write());
    out.number("chainId", intent.chain_id);
    let values: [(&str, &dyn ToText); 7] = [
        ("owner", &amounts.owner),
        ("beneficiary", &amounts.beneficiary),
        ("orderHash", &verified.digest.digest),
        ("maxSpent", &amounts.spent),
        ("minDestAmount", &amounts.paid_out),
        ("minReceived", &amounts.received),
        ("nonce", &amounts.nonce),
    ];
    for (name, value) in values {
        out.value(name, value);
    }
    out.number("feeBps", amounts.fee_bps.into());
    out.number("deadline", amounts.deadline);
    if intent.is_crosschain() {
        let mut destination = ObjectWriter::object();
        destination.number("chainId", intent.dest_chain_id);
        destination.value("token", &arriving.dest.address);
        destination.number("decimals", intent.dest.decimals.into());
        destination.value_or_null("minReceived", amounts.arrives.as_ref());
        if let Some(bridge) = &amounts.bridge {
            destination.text("arrival", bridge.arrival());
            destination.value("expected", &bridge.expected);
            let mut bridge_input = ObjectWriter::object();
            bridge_input.value("token", &bridge.bridge_input.address);
            let decimals = bridge.has_decimals.then_some(u16::from(bridge.bridge_input.decimals));
            bridge_input.number_or_null("decimals", decimals);
            bridge_input.value("least", &amounts.received);
            destination.raw("bridgeInput", &bridge_input.close());
        }
        out.raw("destination", &destination.close());
    }
    if let Some(twap) = &intent.twap {
        out.raw("twap", &twap.write(intent.amount));
    }
    let sentence = [&*sentence::order(arriving, terms, amounts), source.caveat(), &verified.caveat()].concat();
    out.raw("report", &report_of_trade(&sentence, &verified.checks, Some(typed), &verified.priced()));
    out
}
