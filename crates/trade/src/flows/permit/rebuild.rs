//! A build made anew with a permit, after its review: the order carries the permit, so the service writes it once more.
//! The request is for the same price, however old by now, and the same deadline, nonce and metadata; any other
//! difference from the reviewed build is refused.

use crate::client::Client;
use crate::flows::argument_kind::PRICE;
use crate::flows::building::delta::find_route;
use crate::flows::building::market::TransactionRequest;
use crate::flows::call::CallArgs;
use crate::flows::delta::sealed::{OpenBuild, open_build};
use crate::flows::market::{OpenMarket, open_market};
use crate::flows::permit::reviewed::{Built, Reviewed};
use crate::flows::quote::opened::OpenQuote;
use crate::flows::seal::{RawMembers, seal};
use crate::flows::sealed_permit::{open_permit, write_permit};
use crate::host::Host;
use crate::ledger::asked::Asked;
use crate::service::building;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::input::known;
use verify::internal::domain::market::terms::MarketTerms;
use verify::internal::domain::member::{Members, member};
use verify::internal::domain::permit::{Permit, PermitKind};
use verify::internal::domain::verify::rebuilt::{check_order, check_transaction};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// Builds a reviewed build anew with the permit of the options. Returns the `DeltaBuild` or `MarketBuild` as JSON text;
/// it needs no approval, and has the questions of the reviewed one.
///
/// # Errors
/// INVALID_INPUT with the build's member or the permit's; VERIFY_MISMATCH with the first value that differs from the
/// reviewed build; those of the service.
pub async fn rebuild<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (shared, options) = (&client.shared, JsonAt::input(call.options, "options"));
    let Some(at) = options.get("permit").some() else {
        return Err(Error::input("quote", PRICE, "a build: submit(build) takes it"));
    };
    known(&options, &["permit"])?;
    let reviewed = Reviewed::open(client, call.data, call.signal).await?;
    let permit = open_permit(shared, &at)?;
    permit.check_fits(&at, reviewed.protocol(), &reviewed.spending())?;
    check_deadline(&permit, &at, &reviewed)?;
    let (text, deployment) = (reviewed.text, &reviewed.deployment);
    let (mut inside, mut view);
    match &reviewed.built {
        Built::Order(order) => {
            inside = order_with(client, order, text, permit, call.signal).await?;
            let started = shared.host.monotonic_ms();
            let verdict = open_build(&inside.closed(), deployment);
            shared.checked("order", started, &verdict);
            let built = verdict?;
            check_order(&order.verified.order, &built.verified.order)?;
            view = built.view;
        }
        Built::Transaction(transaction) => {
            inside = transaction_with(client, transaction, &reviewed, permit, call.signal).await?;
            let started = shared.host.monotonic_ms();
            let verdict = open_market(shared, &inside.closed(), deployment);
            shared.checked("transaction", started, &verdict);
            let built = verdict?;
            check_transaction(&transaction.transaction, &built.transaction)?;
            view = built.view;
        }
    }
    inside.raw("approval", "null");
    view.raw("approval", "null");
    view.text("sealed", &seal(&shared.settings.secret, &inside.close()));
    Ok(view.close())
}

/// Refuses a permit that ends before the order does, before it leaves for the service.
///
/// # Errors
/// INVALID_INPUT with the permit's deadline.
fn check_deadline(permit: &Permit, at: &JsonAt<'_>, reviewed: &Reviewed<'_>) -> Result<()> {
    let (until, signed) = (reviewed.until(), permit.grant.deadline);
    let is_exact = permit.grant.kind == PermitKind::Permit2Transfer;
    match reviewed.protocol() {
        Protocol::Delta if signed < until || (is_exact && signed != until) => {
            Err(at.get("deadline").fault(&[&until.text(), ", the order's: sign another"].concat()))
        }
        _ => Ok(()),
    }
}

/// The sealed text of a build with some members replaced; without its approval, and still open.
///
/// # Errors
/// SERVICE_MALFORMED if it is no object.
fn with_members(text: &str, changed: &[(&str, &str)]) -> Result<ObjectWriter> {
    let mut out = ObjectWriter::object();
    for (name, raw) in RawMembers::of(text)?.iter().filter(|(name, _)| *name != "approval") {
        let other = changed.iter().find(|(other, _)| *other == name).map(|(_, raw)| *raw);
        out.raw(name, other.unwrap_or(raw));
    }
    Ok(out)
}

/// Has the service write the order anew with the permit. Returns the text to be sealed, still open.
///
/// # Errors
/// The errors of the service; SERVICE_MALFORMED.
async fn order_with<H: Host>(
    client: &Client<H>,
    order: &OpenBuild,
    text: &str,
    permit: Permit,
    signal: &H::Signal,
) -> Result<ObjectWriter> {
    let mut terms = order.terms.clone();
    terms.permit = Some(permit);
    let sealed = terms.write();
    // The service's own choice, unless the caller stated it: the request asks for the same.
    let metadata = order.verified.order.bytes(member!("metadata"));
    terms.metadata = Some(metadata.to_vec()).filter(|bytes| !bytes.is_empty());
    let block = RawMembers::of(text)?.raw("delta")?;
    let route = find_route(block, &JsonAt::input(&Json::Null, "options"), terms.alternative)?;
    let answer = building::build(&client.shared, route, &order.intent, &terms, signal).await?;
    let parts = RawMembers::of(&answer)?;
    let changed = [("terms", &*sealed), ("toSign", parts.raw("toSign")?), ("orderHash", parts.raw("orderHash")?)];
    with_members(text, &changed)
}

/// Has the service write the transaction anew with the permit. Returns the text to be sealed, still open.
///
/// # Errors
/// The errors of the service; SERVICE_MALFORMED.
async fn transaction_with<H: Host>(
    client: &Client<H>,
    built: &OpenMarket,
    reviewed: &Reviewed<'_>,
    permit: Permit,
    signal: &H::Signal,
) -> Result<ObjectWriter> {
    let members = RawMembers::of(reviewed.text)?;
    let tree = parse(reviewed.text).map_err(Error::not_json)?;
    let stated = JsonAt::input(&tree, "").get("options");
    let mut terms = MarketTerms::read(&stated)?;
    terms.deadline = terms.deadline.or(terms.valid_for_secs.map(|_| built.until));
    let mut options = ObjectWriter::object();
    for (name, raw) in RawMembers::of(members.raw("options")?)?.iter() {
        options.raw(name, raw);
    }
    options.raw("permit", &write_permit(&permit, &client.shared.settings.secret));
    let opened = OpenQuote {
        intent: built.intent.clone(),
        protocol: Protocol::Market,
        block: members.raw("market")?,
        deployment: reviewed.deployment,
        arrived: 0,
        asked: Asked::now(&*client.shared.host),
    };
    let request = TransactionRequest { terms, permit: Some(permit), can_be_sent: false };
    let answer = request.ask(&client.shared, &opened, signal).await?;
    with_members(reviewed.text, &[("options", &options.close()), ("transaction", answer.trim())])
}
