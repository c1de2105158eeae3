//! A permit: its domain proved against the contract that takes it, signed once, and tried on the chain before anybody
//! relies on it.

use crate::client::Client;
use crate::domain::chain::{Protocol, Source};
use crate::domain::permit::domain::contract;
use crate::domain::permit::{Grant, PERMIT2, Permit, PermitKind, calls, layout, typed};
use crate::domain::signature::plain;
use crate::domain::text::ToText;
use crate::domain::token::own_decimals;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt};
use crate::trade::approve::{ApprovalNeed, write_missing_approval};
use crate::trade::call::{CallArgs, Progress};
use crate::trade::chain::clock::{checked_chain_time, secs_ahead};
use crate::trade::chain::deployment::find_deployment;
use crate::trade::chain::signature_check::{DELEGATION_CODE_SIZE, verify_key_signature};
use crate::trade::delta::orders::find_account;
use crate::trade::otc;
use crate::trade::permit::request::PermitRequest;
use crate::trade::permit::sealed::write_permit;
use crate::trade::permit::token_answers::{TokenAnswers, refused};
use crate::trade::quote::request::open_quote;
use crate::wallet::account::ready;
use crate::wallet::reads::{Batch, Chain, Read};
use crate::wallet::signing::{ToSign, forget, signature};
use crate::wallet::transaction::Message;
use alloy_primitives::{Address, U256};

/// How long a permit is good for, unless said otherwise.
const VALID_FOR_SECS: u64 = 1_800;
/// How long one transfer by the router is good for at most, and unless said otherwise.
const TRANSFER_VALID_FOR_SECS: u64 = 1_200;

/// Has the owner sign a permit. Returns the `Permit`, sealed.
///
/// # Errors
/// INVALID_INPUT, also where the token takes no such permit; VERIFY_MISMATCH where an OTC order's hash is not that of
/// its members; UNSUPPORTED_ACCOUNT where the owner's account can not give one; INSUFFICIENT_ALLOWANCE where Permit2
/// may not take the token; SIGNATURE_MISMATCH; the wallet's and the RPC's failures.
pub async fn sign_permit<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (shared, signal) = (&client.shared, call.signal);
    let options = JsonAt::input(call.options, "options");
    let mut request = PermitRequest::read(call.data, &options, &client.defaults())?;
    (call.progress)(Progress::step("checking"));
    if request.protocol != Protocol::Otc && open_quote(client, call.data, signal).await?.doubt.is_some() {
        let expected = "a quote of this client (after a reload, quote again)";
        return Err(Error::input("quote", expected, "one of another client, or an edited one"));
    }
    let deployment = find_deployment(shared, request.grant.chain_id, request.protocol, signal).await?;
    if deployment.source == Source::Service {
        // An approval can be seen and taken back; a permit is out with its signature.
        let field = ["contracts.", &request.grant.chain_id.text(), ".", request.protocol.member()].concat();
        let expected =
            "the contract, passed to createClient: no permit is signed for one that only the service vouches for";
        return Err(Error::input(&field, expected, "nothing"));
    }
    match call.data.get("kind").and_then(Json::as_text) {
        Some("otc") => otc::check_own_build(client, &JsonAt::input(call.data, "build"), &deployment)?,
        _ if request.protocol == Protocol::Otc => {
            // A fill is held to it, too; but the permit is signed before there is one.
            let order = otc::SignedOtcOrder::read(
                &JsonAt::input(call.data, "order"),
                request.grant.chain_id,
                deployment.contracts.rfq,
            )?;
            order.check_hash()?;
        }
        _ => {}
    }
    if request.grant.owner.is_zero() {
        request.grant.owner = find_account(client, &options.get("account"), signal).await?;
    }
    request.grant.spender = deployment.contracts.of(request.protocol).unwrap_or_default();
    request.grant.nonce = U256::from_be_bytes(shared.host.random());
    let chain = Chain::need(client, request.grant.chain_id, signal).await?;
    let (mut batch, grant) = (Batch::default(), &request.grant);
    let time = batch.add(Read::time());
    let code = batch.add(Read::code_size(&grant.owner));
    let decimals = batch.add(Read::decimals(&grant.token));
    let by_permit2 = grant.kind.by_permit2();
    let may_take = by_permit2.then(|| batch.add(Read::allowance(&grant.token, &grant.owner, &PERMIT2)));
    let answers = chain.ask(batch).await?;
    let (time, code, decimals) = (answers.get(time)?, answers.get(code)?, answers.get(decimals)?);
    let now = settle(&mut request, &options, time, &decimals, shared.host.unix_ms() / 1_000)?;
    if let Some(may_take) = may_take {
        let current = answers.get(may_take)?;
        if current < request.grant.amount {
            return Err(permit2_may_not_take(&chain, &request, &current).await?);
        }
    }
    let grant = &mut request.grant;
    let token = TokenAnswers::read(&chain, grant).await?;
    token.settle_nonce(grant, now)?;
    // An allowance that is there: nothing to sign.
    let Some(message) = typed::message(grant) else {
        let bytes = layout::bytes(grant, &[0; 64], request.protocol);
        return Ok(write_permit(&Permit { grant: request.grant, bytes }, &shared.secret));
    };
    if code != 0 && code != DELEGATION_CODE_SIZE {
        return Err(unsupported(&grant.owner));
    }
    let (digest, text) = message.to_sign(&token.prove_domain(grant)?)?;
    let digest = digest.digest;
    ready(client, grant.owner, grant.chain_id, signal).await?;
    let asked = ToSign { signer: grant.owner, digest, typed_data: &text };
    let signed = signature(client, &asked, true, signal, &|| (call.progress)(Progress::step("signing"))).await?;
    forget(client, digest);
    let compact = verify_key_signature(grant.owner, digest, &signed.unwrap_or_default())?;
    let bytes = layout::bytes(grant, &compact, request.protocol);
    // In the form in which it goes out: an account that delegates may take one only.
    let whole = plain(&compact);
    let form = if request.protocol == Protocol::Market { &whole[..] } else { &compact };
    if let Some((data, by_spender)) = calls::using(grant, &bytes, form) {
        // Without sending anything: the contract that takes it has the last word.
        let from = if by_spender { grant.spender } else { grant.owner };
        let message = Message { from, to: contract(grant.kind, grant.token), value: U256::ZERO, data: &data };
        message.simulate(&chain).await.map_err(|error| not_taken(grant, code, error))?;
    }
    (call.progress)(Progress::step("signed"));
    Ok(write_permit(&Permit { grant: request.grant, bytes }, &shared.secret))
}

/// Settles the deadline, and holds the stated decimals against the token's own. Returns the chain's time, unix seconds.
fn settle(request: &mut PermitRequest, options: &JsonAt<'_>, time: u64, decimals: &U256, machine: u64) -> Result<u64> {
    if let Some(stated) = request.decimals {
        own_decimals("request.srcDecimals", stated, decimals)?;
    }
    let now = checked_chain_time(request.grant.chain_id, time, machine)?;
    let named = options.get("deadline");
    // One transfer by the router is made at once, and no order's end bounds it.
    let transfer = request.protocol == Protocol::Market && request.grant.kind == PermitKind::Permit2Transfer;
    let valid = if transfer { TRANSFER_VALID_FOR_SECS } else { VALID_FOR_SECS };
    if named.is_absent() {
        // There is no report of a permit in which to say so.
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

fn unsupported(owner: &Address) -> Error {
    let message = [&owner.text(), " has code, and no permit of it would be taken: approve instead"].concat();
    Error::new(ErrorCode::UnsupportedAccount, &message)
}

/// What to approve first: Permit2's own permits only say who may have it take.
async fn permit2_may_not_take<H: Host>(chain: &Chain<'_, H>, request: &PermitRequest, current: &U256) -> Result<Error> {
    let Grant { chain_id, token, owner, amount, .. } = &request.grant;
    let need = ApprovalNeed::new(request.protocol, *chain_id, token, owner, &PERMIT2, amount, Some(current));
    let (needed, found) = (amount.text(), current.text());
    let request = "Permit2 may not take that much: ";
    let mut error = Error::at(ErrorCode::InsufficientAllowance, request, "allowance", &needed, &found);
    error.approval = Some(write_missing_approval(chain.client, Some(chain), need).await?);
    Ok(error)
}

/// Why the contract does not take what was signed.
fn not_taken(grant: &Grant, code: u64, error: Error) -> Error {
    match error.reverted {
        false => error,
        true if code != 0 => unsupported(&grant.owner).caused_by(error.cause.clone()),
        true => refused(error.actual.as_deref().unwrap_or(&error.message)),
    }
}
