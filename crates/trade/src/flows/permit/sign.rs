//! `signPermit`: has the owner sign a permit, and simulates it on the chain before a trade relies on it.
//!
//! The service has no part in it: spender and domain come from pinned contracts and from the token itself, whose
//! `DOMAIN_SEPARATOR()` has to be the hash of the signed domain (EIP-2612, <https://eips.ethereum.org/EIPS/eip-2612>;
//! EIP-712). A signature for another domain would be worthless here and might be valid elsewhere.

use crate::client::Client;
use crate::flows::argument_kind::is_build;
use crate::flows::call::{CallArgs, Progress};
use crate::flows::chain::approval::write_missing_approval;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::clock::{checked_chain_time, secs_ahead};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::open_orders::cover;
use crate::flows::chain::signature_check::DELEGATION_CODE_SIZE;
use crate::flows::otc;
use crate::flows::permit::reviewed::{Built, Reviewed};
use crate::flows::permit::token_answers::read_token_answers;
use crate::flows::quote::opened::open_quote;
use crate::flows::sealed_permit::write_permit;
use crate::flows::submission::Signable;
use crate::host::Host;
use crate::ledger::orders::KnownOrder;
use crate::wallet::account::ensure_ready;
use crate::wallet::chain::Chain;
use crate::wallet::confirm::{Payload, PromptContent, Purpose, own_report};
use crate::wallet::reads::{Batch, Read};
use crate::wallet::signing::{ToSign, forget, signature};
use crate::wallet::transaction::Message;
use alloy_primitives::{Address, U256};
use std::rc::Rc;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::chain::{Deployment, Protocol, Source};
use verify::internal::domain::permit::domain::contract;
use verify::internal::domain::permit::token_answers::{TokenAnswers, refused};
use verify::internal::domain::permit::{Grant, PERMIT2, Permit, PermitKind, calls, layout, typed};
use verify::internal::domain::sentence::instant;
use verify::internal::domain::signature::{plain, verify_key_signature};
use verify::internal::domain::token::own_decimals;
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::domain::verify::Checks;
use verify::internal::domain::verify::permit_request::PermitRequest;
use verify::internal::domain::verify::question::check_carried;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt};
use verify::internal::value::text::ToText;
use verify::internal::verifiers::orders::SignedOtcOrder;

/// How many seconds a permit is valid by default.
const VALID_FOR_SECS: u64 = 1_800;
/// How many seconds one transfer by the router is valid: the limit, and the default.
const TRANSFER_VALID_FOR_SECS: u64 = 1_200;

/// Has the owner sign a permit, unless it is an allowance that Permit2 has already. Returns the `Permit` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member or option, also if the token takes no such permit or only the service names the
/// contract; PRICE_UNJUDGED while a question of the build is open; VERIFY_MISMATCH if an OTC order does not hash to its own hash; UNSUPPORTED_ACCOUNT if the owner's account
/// cannot give one; INSUFFICIENT_ALLOWANCE, with the approval, if Permit2 may not take the token; SIGNATURE_MISMATCH;
/// the wallet's and the RPC's failures.
pub async fn sign_permit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let shared = &client.shared;
    let options = JsonAt::input(call.options, "options");
    let (mut request, deployment, order) = find_request(client, &options, call).await?;
    let chain = Chain::need(client, request.grant.chain_id, call.signal).await?;
    let found = settle_by_chain(&chain, &mut request, &options, order.as_deref()).await?;
    let protocol = request.protocol;
    let grant = request.grant;
    // An allowance that Permit2 has already needs no signature.
    let Some(message) = typed::message(&grant) else {
        let bytes = layout::encode(&grant, &[0; 64], protocol);
        return Ok(write_permit(&Permit { grant, bytes }, &shared.settings.secret));
    };
    if found.code != 0 && found.code != DELEGATION_CODE_SIZE {
        return Err(unsupported(&grant.owner));
    }
    let typed = message.to_sign(&found.token.prove_domain(&grant)?)?;
    let compact = ask_to_sign(client, &grant, &typed, (&deployment, &found), call).await?;
    let bytes = layout::encode(&grant, &compact, protocol);
    // In the form in which it is used: the code of an account that delegates may accept only one of them.
    let whole = plain(&compact);
    let form = if protocol == Protocol::Market { &whole[..] } else { &compact };
    if let Some((data, by_spender)) = calls::use_permit(&grant, &bytes, form) {
        // An `eth_call` sends nothing: the contract that takes the permit decides.
        let from = if by_spender { grant.spender } else { grant.owner };
        let message = Message { from, to: contract(grant.kind, grant.token), value: U256::ZERO, data: &data };
        message.simulate(&chain).await.map_err(|error| not_taken(&grant, found.code, error))?;
    }
    (call.progress)(Progress::step("signed"));
    Ok(write_permit(&Permit { grant, bytes }, &shared.settings.secret))
}

/// The requested permit for a build, a quote or an OTC order, the contracts of its chain, and the order of a gasless
/// build. Its nonce is drawn.
///
/// # Errors
/// Those of [`sign_permit`] before the chain is read.
async fn find_request<H: Host>(
    client: &Client<H>,
    options: &JsonAt<'_>,
    call: &CallArgs<'_, H>,
) -> Result<(Box<PermitRequest>, Deployment, Option<Rc<KnownOrder>>)> {
    let (shared, signal, mut order) = (&client.shared, call.signal, None);
    let of_otc = call.data.get("makerAsset").is_some();
    let mut request = match is_build(call.data) && !of_otc {
        true => {
            let reviewed = Reviewed::open(client, call.data, signal).await?;
            let request = PermitRequest::for_build(&reviewed.build(), options)?;
            if let Built::Order(built) = &reviewed.built {
                order = Signable::<H>::known(&**built);
            }
            Box::new(PermitRequest { questions: reviewed.questions, ..*request })
        }
        false => PermitRequest::read(call.data, options, &client.defaults())?,
    };
    call.gate.defer_questions(client, check_carried(&request.questions, &options.get("accept")))?;
    (call.progress)(Progress::step("checking"));
    if !of_otc && request.until.is_none() {
        open_quote(client, call.data, signal).await?;
    }
    let deployment = find_deployment(shared, request.grant.chain_id, request.protocol, signal).await?;
    if deployment.source == Source::Service {
        // An approval is visible and can be revoked; a signed permit is neither.
        let field = ["contracts.", &request.grant.chain_id.text(), ".", request.protocol.member()].concat();
        let expected =
            "the contract, passed to createClient: no permit is signed for one that only the service vouches for";
        return Err(Error::input(&field, expected, "nothing"));
    }
    match call.data.get("kind").and_then(Json::as_text) {
        Some("otc") => otc::check_own_build(client, &JsonAt::input(call.data, "build"), &deployment)?,
        _ if request.protocol == Protocol::Otc => {
            // `otc.buildFill` compares the hash as well, but the permit is signed before that.
            let at = JsonAt::input(call.data, "order");
            SignedOtcOrder::read(&at, request.grant.chain_id, deployment.contracts.rfq)?.check_hash()?;
        }
        _ => {}
    }
    if request.grant.owner.is_zero() {
        request.grant.owner = find_account(client, &options.get("account"), signal).await?;
    }
    request.grant.spender = deployment.contracts.of(request.protocol).unwrap_or_default();
    request.grant.nonce = U256::from_be_bytes(shared.host.random());
    Ok((request, deployment, order))
}

/// The state of the chain, read before a permit is signed.
struct PermitChainState {
    /// The size of the owner's code, in bytes.
    code: u64,
    /// The time on the chain, unix seconds.
    now: u64,
    /// When that was read, milliseconds of the monotonic clock.
    read_at: u64,
    /// The answers of the contract that takes the permit.
    token: TokenAnswers,
    /// The parts of the permit's amount in words, if it covers open orders, too.
    parts: String,
}

/// Reads the chain, and settles deadline, nonce and amount of the permit by it. A token's own permit sets the allowance
/// of the contract, from which open orders take, too: for a gasless order it covers those beside `order`, unless the
/// caller bounds the amount.
///
/// # Errors
/// INVALID_INPUT with the member or option; INSUFFICIENT_ALLOWANCE, with the approval, if Permit2 may not take the token;
/// the RPC's failure.
async fn settle_by_chain<H: Host>(
    chain: &Chain<'_, H>,
    request: &mut PermitRequest,
    options: &JsonAt<'_>,
    order: Option<&KnownOrder>,
) -> Result<PermitChainState> {
    let (mut batch, grant, host) = (Batch::default(), &request.grant, &chain.client.shared.host);
    let time = batch.add(Read::time());
    let code = batch.add(Read::code_size(&grant.owner));
    let decimals = batch.add(Read::decimals(grant.chain_id, &grant.token));
    let by_permit2 = grant.kind.by_permit2();
    let may_take = by_permit2.then(|| batch.add(Read::allowance(&grant.token, &grant.owner, &PERMIT2)));
    let answers = chain.ask(batch).await?;
    let (time, code, decimals) = (answers.get(time)?, answers.get(code)?, answers.get(decimals)?);
    let read_at = host.monotonic_ms();
    let now = settle(request, options, time, &decimals, host.unix_ms() / 1_000)?;
    if let Some(may_take) = may_take {
        let current = answers.get(may_take)?;
        if current < request.grant.amount {
            return Err(permit2_may_not_take(chain, request, &current).await?);
        }
    }
    let token = read_token_answers(chain, &request.grant).await?;
    token.settle_nonce(&mut request.grant, now)?;
    let (protocol, grant, mut parts) = (request.protocol, &mut request.grant, String::new());
    let is_bounded = ["amount", "maxSpent"].iter().any(|name| !options.get(name).is_absent());
    if protocol == Protocol::Delta && !by_permit2 && !is_bounded {
        let Grant { chain_id, token, owner, spender, amount, .. } = &*grant;
        let mut need = ApprovalNeed::new(protocol, *chain_id, token, owner, spender, amount, None);
        cover(chain, &mut need, order, U256::ZERO).await?;
        (grant.amount, parts) = (need.amount, need.parts());
    }
    Ok(PermitChainState { code, now, read_at, token, parts })
}

/// Has the owner sign, while the deadline is not over. Returns the signature in its compact form, by the owner's key.
///
/// # Errors
/// QUOTE_EXPIRED; SIGNATURE_MISMATCH; the wallet's failures.
async fn ask_to_sign<H: Host>(
    client: &Client<H>,
    grant: &Grant,
    typed: &TypedText,
    (deployment, found): (&Deployment, &PermitChainState),
    call: &CallArgs<'_, H>,
) -> Result<[u8; 64]> {
    let (digest, host, signal) = (typed.digest.digest, &client.shared.host, call.signal);
    let to_sign = ToSign { signer: grant.owner, digest, typed_data: &typed.text };
    let report = report_permit(grant, deployment, &found.parts)?;
    let payload = Payload::Signed(grant.owner, &typed.text);
    let detail = Some(("permit", Permit { grant: grant.clone(), bytes: vec![] }.open().close()));
    let content = PromptContent { key: digest, purpose: Purpose::Permit, report: &report, payload, detail };
    let consent = loop {
        ensure_ready(client, grant.owner, grant.chain_id, signal).await?;
        let waited = host.monotonic_ms().saturating_sub(found.read_at) / 1_000;
        if grant.deadline <= found.now.saturating_add(waited) {
            let message = "the permit's deadline passed before it was agreed to";
            return Err(Error::new(ErrorCode::QuoteExpired, message));
        }
        if let Some(consent) = call.gate.pass(client, &content, signal).await? {
            break consent;
        }
    };
    let signing = || (call.progress)(Progress::signing(typed));
    let signed = signature(client, &to_sign, Some(consent.without_trade()?), signal, &signing).await?;
    forget(client, digest);
    verify_key_signature(grant.owner, digest, &signed.unwrap_or_default())
}

/// Settles the deadline, and compares the stated decimals with the token's own. `time` is the timestamp of the chain's
/// last block, `machine` this machine's clock. Returns the time on the chain; all in unix seconds.
///
/// # Errors
/// INVALID_INPUT with `request.srcDecimals`, `options.deadline` or the RPC.
fn settle(request: &mut PermitRequest, options: &JsonAt<'_>, time: u64, decimals: &U256, machine: u64) -> Result<u64> {
    if let Some(stated) = request.decimals {
        own_decimals("request.srcDecimals", stated, decimals)?;
    }
    let now = checked_chain_time(request.grant.chain_id, time, machine)?;
    let named = options.get("deadline");
    // One transfer by the router is used at once, and no order's deadline bounds it.
    let transfer = request.protocol == Protocol::Market && request.grant.kind == PermitKind::Permit2Transfer;
    let valid = if transfer { TRANSFER_VALID_FOR_SECS } else { VALID_FOR_SECS };
    if let Some(until) = request.until.filter(|_| named.is_absent()) {
        // As long as the build, whose report states the clock of its deadline.
        request.grant.deadline = if transfer { until.min(now.saturating_add(valid)) } else { until };
    } else if named.is_absent() {
        // A permit has no report that could state it.
        let ahead = secs_ahead(now, machine);
        if ahead > 0 {
            let why = ["one of your own (the node's clock is ", &ahead.text(), " s ahead of this machine's)"].concat();
            return Err(named.fault(&why));
        }
        request.grant.deadline = now.saturating_add(valid);
    }
    if request.grant.deadline <= now {
        return Err(named.fault(&["unix seconds after ", &now.text()].concat()));
    }
    if transfer && request.grant.deadline > now.saturating_add(valid) {
        return Err(named.fault(&["unix seconds up to ", &now.saturating_add(valid).text()].concat()));
    }
    Ok(now)
}

/// The sentence of a permit's prompt, with the `parts` of its amount.
///
/// # Errors
/// VERIFY_MISMATCH with the spender.
fn report_permit(grant: &Grant, deployment: &Deployment, parts: &str) -> Result<Json> {
    let mut checks = Checks::default();
    let known = deployment.contracts;
    let is_known = [known.delta, known.router, known.rfq].contains(&grant.spender);
    checks.holds("permit.spender", is_known, &"a contract of the service", &grant.spender);
    let [token, spender] = [grant.token, grant.spender].map(|address| address.text());
    let until = instant(grant.deadline);
    let sentence =
        ["Let ", &spender, " take ", &grant.amount.text(), " raw units of ", &token, " until ", &until, parts].concat();
    own_report(&sentence, checks)
}

/// The error for an account whose code would not accept the permit.
fn unsupported(owner: &Address) -> Error {
    let message = [&owner.text(), " has code, and its permits are not accepted: approve instead"].concat();
    Error::new(ErrorCode::UnsupportedAccount, &message)
}

/// The error, with the approval, if Permit2 itself may not take the token: its permits only decide which contract may
/// use that allowance.
///
/// # Errors
/// The RPC's failure.
async fn permit2_may_not_take<H: Host>(chain: &Chain<'_, H>, request: &PermitRequest, current: &U256) -> Result<Error> {
    let Grant { chain_id, token, owner, amount, .. } = &request.grant;
    let mut need = ApprovalNeed::new(request.protocol, *chain_id, token, owner, &PERMIT2, amount, Some(current));
    need.questions.clone_from(&request.questions);
    let (needed, found) = (amount.text(), current.text());
    let prefix = "Permit2 may not take that much: ";
    let mut error = Error::at(ErrorCode::InsufficientAllowance, prefix, "allowance", &needed, &found);
    error.approval = Some(write_missing_approval(chain.client, Some(chain), need).await?);
    Ok(error)
}

/// The error for a permit that the contract refuses in the simulation.
fn not_taken(grant: &Grant, code: u64, error: Error) -> Error {
    match error.reverted {
        false => error,
        true if code != 0 => unsupported(&grant.owner).caused_by(error.cause.clone()),
        true => refused(error.actual.as_deref().unwrap_or(&error.message)),
    }
}
