//! A permit: its domain proved against the contract that takes it, signed once, and tried on the chain before anybody
//! relies on it.

use super::sealed::write_permit;
use super::subject::Subject;
use super::told::{Told, questions};
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::permit::domain::contract;
use crate::domain::permit::{Grant, PERMIT2, Permit, calls, layout, typed};
use crate::domain::text::ToText;
use crate::domain::token::own_decimals;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::At;
use crate::trade::approve::{ApprovalNeed, missing};
use crate::trade::build::chain_clock;
use crate::trade::calls::Call;
use crate::trade::contracts::contracts;
use crate::trade::orders::who;
use crate::trade::otc;
use crate::trade::owner::{DELEGATION, by_key};
use crate::trade::quote::recognised;
use crate::trade::submit::Progress;
use crate::wallet::account::ready;
use crate::wallet::reads::{Chain, Read};
use crate::wallet::signing::{ToSign, forget, signature};
use crate::wallet::transaction::Message;
use alloy_primitives::{Address, U256};

/// How long a permit is good for, unless said otherwise.
const VALID_FOR_SECS: u64 = 1_200;

/// Has the owner sign a permit. Returns the `Permit`, sealed.
///
/// # Errors
/// INVALID_INPUT, also where the token takes no such permit; UNSUPPORTED_ACCOUNT where the owner's account can not give
/// one; INSUFFICIENT_ALLOWANCE where Permit2 may not take the token; SIGNATURE_MISMATCH; the wallet's and the RPC's failures.
pub async fn sign_permit<H: Host>(client: &Client<H>, call: &Call<'_, H>) -> Result<String> {
    let (shared, signal) = (&client.shared, call.signal);
    let options = At::input(call.options, "options");
    let subject = Subject::read(call.data, &options, &client.defaults())?;
    (call.progress)(Progress::step("checking"));
    if subject.decimals.is_some() && !recognised(client, call.data, signal).await?.own {
        let expected = "a quote of this client (after a reload, quote again)";
        return Err(Error::input("quote", expected, "one of another client, or an edited one"));
    }
    let known = contracts(shared, subject.chain_id, subject.path, signal).await?;
    if otc::is_otc(call.data) {
        otc::recognised(client, &At::input(call.data, "build"), &known)?;
    }
    let owner = match subject.owner {
        Some(owner) => owner,
        None => who(client, &options.get("account"), signal).await?,
    };
    let chain = Chain::need(client, subject.chain_id, signal).await?;
    let mut grant = Grant {
        kind: subject.kind,
        chain_id: subject.chain_id,
        token: subject.token,
        owner,
        spender: known.0.of(subject.path).unwrap_or_default(),
        amount: subject.amount,
        deadline: 0,
        nonce: U256::from_be_bytes(shared.host.random()),
    };
    let mut reads = vec![Read::Time, Read::CodeSize(&owner), Read::Decimals(&subject.token)];
    if grant.kind.by_permit2() {
        reads.push(Read::Allowance(&subject.token, &owner, &PERMIT2));
    }
    let found = chain.read_all(&reads).await?;
    let [now, code, decimals, may_take @ ..] = found.as_slice() else { return Err(Error::unread()) };
    if let Some(stated) = subject.decimals {
        own_decimals("request.srcDecimals", stated, decimals)?;
    }
    let now = chain_clock(subject.chain_id, now, shared.host.unix_ms() / 1_000)?;
    grant.deadline = subject.deadline.unwrap_or_else(|| now.saturating_add(VALID_FOR_SECS));
    if grant.deadline <= now {
        return Err(options.get("deadline").fault(&["unix seconds after ", &now.text()].concat()));
    }
    if let Some(current) = may_take.first().filter(|current| **current < grant.amount) {
        return Err(permit2_may_not_take(&chain, &grant, subject.path, *current).await?);
    }
    let told = Told(chain.views(&questions(&grant)).await?);
    told.number(&mut grant, now)?;
    let Some(message) = typed::message(&grant) else {
        // An allowance that is there: nothing to sign.
        let bytes = layout::bytes(&grant, &[0; 64]);
        return Ok(write_permit(&Permit { grant, bytes }, &shared.secret));
    };
    if !code.is_zero() && *code != U256::from(DELEGATION) {
        return Err(unsupported(owner));
    }
    let domain = told.domain(&grant)?;
    let (digest, text) = message.to_sign(&domain)?;
    ready(client, owner, grant.chain_id, signal).await?;
    let asked = ToSign { signer: owner, digest: digest.digest, typed_data: &text };
    let signed = signature(client, &asked, signal, &|| (call.progress)(Progress::step("signing"))).await?;
    forget(client, digest.digest);
    let compact = by_key(owner, digest.digest, &signed)?;
    let bytes = layout::bytes(&grant, &compact);
    tried(&chain, &grant, &bytes, &compact, !code.is_zero()).await?;
    (call.progress)(Progress::step("signed"));
    Ok(write_permit(&Permit { grant, bytes }, &shared.secret))
}

/// The token takes no such permit, or can not be shown to.
pub(super) fn refused(why: &str) -> Error {
    Error::input("options.kind", "a permit that the token can be shown to take: approve instead", why)
}

fn unsupported(owner: Address) -> Error {
    let message = [&owner.text(), " has code, and no permit of it would be taken: approve instead"].concat();
    Error::new(ErrorCode::UnsupportedAccount, &message)
}

/// What to approve first: Permit2's own permits only say who may have it take.
async fn permit2_may_not_take<H: Host>(
    chain: &Chain<'_, H>,
    grant: &Grant,
    path: Path,
    current: U256,
) -> Result<Error> {
    let need = ApprovalNeed {
        path,
        chain_id: grant.chain_id,
        token: grant.token,
        owner: grant.owner,
        spender: PERMIT2,
        amount: grant.amount,
        current: Some(current),
        reset_first: false,
    };
    let (needed, found) = (grant.amount.text(), current.text());
    let subject = "Permit2 may not take that much: ";
    let mut error = Error::at(ErrorCode::InsufficientAllowance, subject, "allowance", &needed, &found);
    error.approval = Some(missing(chain.client, Some(chain), need).await?);
    Ok(error)
}

/// Uses the permit without sending anything: the contract that takes it has the last word.
async fn tried<H: Host>(
    chain: &Chain<'_, H>,
    grant: &Grant,
    bytes: &[u8],
    compact: &[u8; 64],
    has_code: bool,
) -> Result<()> {
    let Some((data, by_spender)) = calls::using(grant, bytes, compact) else { return Ok(()) };
    let from = if by_spender { grant.spender } else { grant.owner };
    let to = contract(grant.kind, grant.token);
    let message = Message { from, to, value: U256::ZERO, data: &data };
    message.simulate(chain).await.map_err(|error| match error.code {
        ErrorCode::WalletFailed if has_code => unsupported(grant.owner).caused_by(error.cause.clone()),
        ErrorCode::WalletFailed => refused(error.actual.as_deref().unwrap_or(&error.message)),
        _ => error,
    })
}
