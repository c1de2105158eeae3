//! A Market build as sealed text: opened and verified again each time it comes back, and sent.
//!
//! `build` opens what it has just sealed, and `submit` opens what the app passes back, by the same function. So the
//! sent transaction itself was verified, also if another client sealed it.
//!
//! The seal covers: the request, the options, the owner, the time and the clock's lead when it was built, the chain if
//! it could not be read, the route, the service's transaction, and the approval; and a random id, so that two builds of
//! one quote are two transactions.

use crate::client::{Client, Shared};
use crate::flows::call::CallArgs;
use crate::flows::chain::approval::shown_approval;
use crate::flows::chain::decimals::read_unread;
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::outcome::Outcome;
use crate::flows::seal::{RawMembers, check_unedited, open_own};
use crate::flows::sealed_permit::open_permit;
use crate::flows::transaction::sealed::check_sent;
use crate::flows::transaction::send::{SendContext, send_once};
use crate::host::Host;
use crate::ledger::asked::Asked;
use crate::ledger::record::summary;
use crate::ledger::store::trade_key;
use crate::wallet::confirm::Purpose;
use alloy_primitives::{B256, U256, keccak256};
use verify::internal::domain::chain::{Deployment, Protocol, Source};
use verify::internal::domain::input::{chain_id, optional};
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::domain::market::terms::MarketTerms;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::reference::trade_references::TradeReferences;
use verify::internal::domain::token::is_native;
use verify::internal::domain::transaction::{Payment, Sent, Transaction};
use verify::internal::domain::verify::market_expectation::MarketExpectation;
use verify::internal::domain::verify::market_transaction::{Verified, verify};
use verify::internal::domain::verify::outcome::Trial;
use verify::internal::domain::verify::question::check_answers;
use verify::internal::domain::verify::{Checks, market_quote};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;
use verify::internal::verifiers::market_report;
use verify::internal::wire::price_route;

/// How many seconds a build may be sent by default: as long as a Delta order is valid.
const VALID_FOR_SECS: u64 = 1_200;

/// A build that was opened and verified: its transaction matches the request.
pub struct OpenMarket {
    /// The request that the transaction was built for.
    pub intent: Intent,
    /// The checks made, and the amounts: the most spent and the least received.
    pub verified: Verified,
    /// The transaction that the wallet is asked to send.
    pub transaction: Transaction,
    /// Until when it may be sent, unix seconds by the chain's clock. The calldata does not contain it, so it is checked
    /// here.
    pub until: u64,
    /// The trial of the transaction, if the options ask for it.
    pub trial: Option<Trial>,
    /// When the app asked for its price.
    pub asked: Option<Asked>,
    /// The view for the app, without `approval` and seal, as an object's text that is still open.
    pub view: ObjectWriter,
}

/// Opens the text of a build and verifies it: the route against the request, the transaction against both. Nothing in
/// `text` is trusted.
///
/// # Errors
/// VERIFY_MISMATCH with the first value that differs from the request; SERVICE_MALFORMED if route or transaction cannot
/// be read; INVALID_INPUT if the text is no build, or its permit was used.
pub fn open_market<H: Host>(shared: &Shared<H>, text: &str, deployment: &Deployment) -> Result<OpenMarket> {
    let tree = parse(text).map_err(Error::not_json)?;
    let (inside, answered) = (JsonAt::input(&tree, ""), JsonAt::service(&tree, ""));
    let mut intent = Intent::read(&inside.get("request"), &Defaults::default())?;
    intent.note_unread(read_unread(&inside)?);
    let at = inside.get("options");
    let terms = MarketTerms::read(&at)?;
    let permit = at.get("permit").some().map(|at| open_permit(shared, &at)).transpose()?;
    let route = price_route::read_route(&answered.get("market"))?;
    let arriving = intent.arriving_as(route.dest_token);
    market_quote::verify(&route, &arriving, deployment, Checks::unwritten())?;
    let answer = answered.get("transaction");
    let envelope = price_route::read_envelope(&answer)?;
    let owner = inside.get("owner").address()?;
    let now = inside.get("now").integer(u64::MAX)?;
    let ahead = optional(&inside.get("ahead"), |at| at.integer(u64::MAX))?.unwrap_or_default();
    let sealed = TradeReferences::read(&inside)?.price;
    let until = terms.deadline.unwrap_or_else(|| now.saturating_add(terms.valid_for_secs.unwrap_or(VALID_FOR_SECS)));
    let expected = MarketExpectation {
        intent: &arriving,
        terms: &terms,
        owner,
        permit: permit.as_ref(),
        route: &route,
        deployment,
        reference: &sealed,
        now,
        ahead,
    };
    let mut verified = verify(&envelope, &expected)?;
    let trial = Trial {
        owner,
        receiver: intent.beneficiary.unwrap_or(owner),
        src: intent.src.address,
        dest: arriving.dest.address,
        spender: envelope.to,
        most: verified.max_spent,
        // The router may keep a unit of what a purchase brings.
        least: verified.min_received.saturating_sub(U256::from(intent.side.kind())),
    };
    let trial = Some(trial).filter(|_| terms.try_outcome == Some(true));
    if let Some(trial) = &trial {
        let tried = inside.get("outcome").some();
        let data = keccak256(&envelope.data);
        let outcome = tried.map(|at| Outcome::read(&at, &data)).transpose()?.unwrap_or_default();
        let mut checks = Checks::default();
        outcome.note(trial, &mut checks);
        verified.checks = [&verified.checks, ",", &checks.finish()?].concat();
    }
    let payment = Payment {
        protocol: Protocol::Market,
        token: intent.src.address,
        amount: verified.max_spent,
        permit: permit.as_ref().map(Permit::in_use),
    };
    let decimals = [("request.srcDecimals", &intent.src), ("request.destDecimals", &arriving.dest)];
    let transaction = Transaction {
        chain_id: intent.chain_id,
        owner,
        to: envelope.to,
        value: envelope.value,
        data: envelope.data,
        pays: Some(payment).filter(|pays| !is_native(pays.token)),
        decimals: decimals.map(|(field, token)| (token.clone(), field.into())).into(),
    };
    let (id, asked) = (inside.get("id").text()?, optional(&inside.get("asked"), Asked::read)?);
    let view = write_view((&intent, &arriving), &verified, &transaction, (id, until), &answer, deployment.source);
    Ok(OpenMarket { intent, verified, transaction, until, asked, trial, view })
}

impl OpenMarket {
    /// The key shared by all transactions that make the same trade.
    fn key(&self) -> B256 {
        let Intent { chain_id, src, dest, amount, side, beneficiary, .. } = &self.intent;
        let owner = self.transaction.owner;
        let beneficiary = beneficiary.unwrap_or(owner);
        trade_key(&[&"market", chain_id, &owner, &beneficiary, &src.address, &dest.address, amount, &side.name()])
    }
}

/// Writes the view for the app. `arriving` is the intent with the destination token of the route, which may be the
/// wrapped form of the requested one. The gas that the service suggests is shown and never passed on.
fn write_view(
    (intent, arriving): (&Intent, &Intent),
    verified: &Verified,
    transaction: &Transaction,
    (id, until): (&str, u64),
    suggested: &JsonAt<'_>,
    source: Source,
) -> ObjectWriter {
    let beneficiary = intent.beneficiary.unwrap_or(transaction.owner);
    let mut out = ObjectWriter::object();
    out.text("kind", "market");
    out.raw("request", &intent.write());
    out.number("chainId", intent.chain_id);
    let values: [(&str, &dyn ToText); 5] = [
        ("owner", &transaction.owner),
        ("beneficiary", &beneficiary),
        ("spender", &transaction.to),
        ("maxSpent", &verified.max_spent),
        ("minReceived", &verified.min_received),
    ];
    for (name, value) in values {
        out.value(name, value);
    }
    out.text("contractMethod", &verified.method);
    out.number("feeBps", verified.fee_bps.into());
    out.number("deadline", until);
    out.raw("transaction", &transaction.write());
    let mut gas = ObjectWriter::object();
    for name in ["gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas"] {
        gas.text_or_null(name, suggested.get(name).number_or_text());
    }
    out.raw("suggestedGas", &gas.close());
    // Two builds of the same call are two transactions; one that is built anew with a permit is the same.
    let build = keccak256(id);
    out.raw("report", &market_report(verified, &verified.checks, arriving, beneficiary, source, &build));
    out
}

/// `submit` of a Market build: opens and verifies it, and sends its transaction. Returns the sent transaction;
/// the same one for a build that was sent already.
///
/// # Errors
/// INVALID_INPUT if it was edited, or another client made it; VERIFY_MISMATCH; those of [`send_once`].
pub async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<Sent> {
    let shared = &client.shared;
    let (at, options) = (JsonAt::input(call.data, "build"), JsonAt::input(call.options, "options"));
    let sealed = at.get("sealed");
    // First, because opening a build that was sent would find its permit used.
    let key = keccak256(sealed.text()?);
    if let Some(sent) = shared.ledger.sent(key) {
        check_sent(&at, shared.ledger.known(key).as_ref())?;
        return Ok(sent);
    }
    let text = open_own(&shared.settings.secret, &at)?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let deployment = find_deployment(shared, chain_id, Protocol::Market, call.signal).await?;
    let mut build = open_market(shared, text, &deployment)?;
    build.view.raw("approval", RawMembers::of(text)?.raw("approval").unwrap_or("null"));
    let view = check_unedited(&at, &build.view.closed())?;
    call.gate.defer_questions(client, check_answers(&view, &options.get("accept")))?;
    let context = SendContext {
        purpose: Purpose::Market,
        intent: Some(build.key()),
        asked: build.asked,
        cancels: None,
        report: view.get("report").unwrap_or(&Json::Null),
        first: None,
        summary: &summary(&view),
        until: Some(build.until),
        order: None,
        approval: shown_approval(client, &view),
        sealed: sealed.text()?,
    };
    send_once(client, &build.transaction, &context, call).await
}
