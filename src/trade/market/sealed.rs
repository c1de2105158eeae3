//! A Market build as it travels: sealed text, opened and verified again each time it comes back.

use crate::client::{Client, Shared};
use crate::domain::chain::{Deployment, Protocol, Source};
use crate::domain::input::{chain_id, optional};
use crate::domain::intent::{Defaults, Intent};
use crate::domain::market::terms::MarketTerms;
use crate::domain::permit::Permit;
use crate::domain::sentence;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::domain::verify::market_expectation::MarketExpectation;
use crate::domain::verify::market_transaction::{Verified, verify};
use crate::domain::verify::{Checks, market_quote, report_of_trade};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter, parse};
use crate::trade::call::CallArgs;
use crate::trade::chain::deployment::find_deployment;
use crate::trade::foreign_bounds::{complete_request, foreign_bounds};
use crate::trade::permit::open_permit;
use crate::trade::seal::{RawMembers, check_unedited, open};
use crate::trade::transaction::send::{Payment, Transaction, send_once};
use crate::wire::price_route;
use alloy_primitives::{U256, keccak256};

/// How long a build is good for, unless said otherwise: as long as an order is.
const VALID_FOR_SECS: u64 = 1_200;

/// A build that says what was asked for.
pub struct OpenMarket {
    /// What was asked for.
    pub intent: Intent,
    /// What was checked, and what it comes to.
    pub verified: Verified,
    /// What the wallet is asked to send.
    pub transaction: Transaction,
    /// Whether the caller vouched for methods when it was built, or left the partner what exceeds the quote.
    pub is_own_only: bool,
    /// Until when it may be sent, unix seconds by the chain's clock: nothing in the calldata says it.
    pub until: u64,
    /// The build as JavaScript sees it, without `approval` and its seal, as an object's text that is still open.
    pub view: ObjectWriter,
}

/// Reads the parts again and verifies all of them: the route against the request, the transaction against both.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED; INVALID_INPUT where the text is no build.
pub fn open_market<H: Host>(shared: &Shared<H>, text: &str, deployment: &Deployment) -> Result<OpenMarket> {
    let tree = parse(text).map_err(Error::not_json)?;
    let (inside, answered) = (JsonAt::input(&tree, ""), JsonAt::service(&tree, ""));
    let intent = Intent::read(&inside.get("request"), &Defaults::default())?;
    let at = inside.get("options");
    let terms = MarketTerms::read(&at)?;
    let permit = at.get("permit").some().map(|at| open_permit(shared, &at)).transpose()?;
    let route = price_route::route(&answered.get("market"))?;
    let arriving = intent.arriving_as(route.dest_token);
    market_quote::verify(&route, &arriving, deployment)?;
    let answer = answered.get("transaction");
    let envelope = price_route::envelope(&answer)?;
    let owner = inside.get("owner").address()?;
    let now = inside.get("now").integer(u64::MAX)?;
    let ahead = optional(&inside.get("ahead"), |at| at.integer(u64::MAX))?.unwrap_or_default();
    let until = terms.deadline.unwrap_or_else(|| now.saturating_add(terms.valid_for_secs.unwrap_or(VALID_FOR_SECS)));
    let expected = MarketExpectation {
        intent: &arriving,
        terms: &terms,
        owner,
        permit: permit.as_ref(),
        route: &route,
        deployment,
        now,
        ahead,
    };
    let verified = verify(&envelope, &expected)?;
    let payment = Payment {
        path: Protocol::Market,
        token: intent.src.address,
        amount: verified.max_spent,
        permit: permit.as_ref().map(Permit::hash),
    };
    let decimals = [("request.srcDecimals", &intent.src), ("request.destDecimals", &arriving.dest)];
    let transaction = Transaction {
        chain_id: intent.chain_id,
        owner,
        to: envelope.to,
        value: envelope.value,
        data: envelope.data,
        pays: Some(payment).filter(|pays| !is_native(pays.token)),
        decimals: decimals.map(|(field, token)| (token.address, token.decimals, field.into())).into(),
    };
    let view = write_view((&intent, &arriving), &verified, &transaction, until, &answer, deployment.source);
    Ok(OpenMarket {
        intent,
        verified,
        transaction,
        is_own_only: !terms.allow_selectors.is_empty() || terms.take_surplus == Some(true),
        until,
        view,
    })
}

/// `arriving` is the intent with what arrives.
fn write_view(
    (intent, arriving): (&Intent, &Intent),
    verified: &Verified,
    transaction: &Transaction,
    until: u64,
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
    let (spent, received) = (verified.max_spent, verified.min_received);
    let sentence = sentence::transaction(arriving, spent, received, beneficiary, verified.fee_bps);
    let sentence = [&sentence, source.caveat()].concat();
    out.raw("report", &report_of_trade(&sentence, &verified.checks, None, verified.distance_bps));
    out
}

/// Sends a Market build, verified once more. Returns the `SentTransaction`; the same one for a build that was sent
/// already.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH, and those of [`send_once`].
pub async fn submit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let shared = &client.shared;
    let at = JsonAt::input(call.data, "build");
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    // Before its permit is found to be used: by this very build.
    let sent = shared.sent(keccak256(sealed.text()?));
    if let Some(sent) = sent {
        return Ok(sent.json().write());
    }
    let chain_id = chain_id(&at.get("chainId"))?;
    let deployment = find_deployment(shared, chain_id, Protocol::Market, call.signal).await?;
    let mut build = open_market(shared, text, &deployment)?;
    build.view.raw("approval", RawMembers::of(text)?.raw("approval").unwrap_or("null"));
    check_unedited(&at, &build.view.closed())?;
    if !own {
        if build.is_own_only {
            let expected = "a build of this client, where a method was vouched for or the partner has a part in it";
            return Err(Error::input("build", expected, "one of another client"));
        }
        let request =
            complete_request(client, JsonAt::input(call.options, "options").get("request").json(), call.signal).await?;
        verify_foreign_build(client, &build, request.as_ref())?;
    }
    Ok(send_once(client, &build.transaction, Some(build.until), sealed.text()?, call).await?.json().write())
}

/// Holds a build that was not made here against what the caller says again.
fn verify_foreign_build<H: Host>(client: &Client<H>, build: &OpenMarket, request: Option<&Json>) -> Result<()> {
    let stated = foreign_bounds(client, &build.intent, request)?;
    let mut checks = Checks::default();
    checks.same("transaction.from", &build.intent.account.unwrap_or_default(), &build.transaction.owner);
    checks.at_least("transaction.minReceived", &stated.least, &build.verified.min_received);
    checks.at_most("transaction.maxSpent", &stated.most, &build.verified.max_spent);
    checks.at_most("transaction.deadline", &stated.latest, &U256::from(build.until));
    checks.finish().map(|_| ())
}
