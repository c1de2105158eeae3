//! A permit: its domain proved against the contract that takes it, signed once, and tried on the chain before anybody
//! relies on it.

use super::sealed::write_permit;
use super::subject::Subject;
use crate::domain::amount::text;
use crate::domain::chain::Path;
use crate::domain::eip712;
use crate::domain::erc20::word;
use crate::domain::permit::domain::{Said, contract, proved};
use crate::domain::permit::{Grant, PERMIT2, Permit, PermitKind, calls, layout, typed};
use crate::domain::text::ToText;
use crate::domain::typed_struct::TypedStruct;
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{At, parse};
use crate::trade::approve::{ApprovalNeed, missing};
use crate::trade::calls::Call;
use crate::trade::client::Client;
use crate::trade::contracts::contracts;
use crate::trade::orders::who;
use crate::trade::owner::by_key;
use crate::trade::submit::Progress;
use crate::wallet::account::ready;
use crate::wallet::reads::{Chain, Read};
use crate::wallet::signing::{ToSign, forget, signature};
use crate::wallet::transaction::Message;
use alloy_primitives::{Address, B256, U256, keccak256};

/// How long a permit is good for, unless said otherwise.
const VALID_FOR_SECS: u64 = 1_200;
/// Bytes of code of a key's account that delegates (EIP-7702): its key still signs.
const DELEGATION: u64 = 23;

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
    let known = contracts(shared, subject.chain_id, subject.path, signal).await?;
    let spender = known.0.of(subject.path).unwrap_or_default();
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
        spender,
        amount: subject.amount,
        deadline: 0,
        nonce: U256::from_be_bytes(shared.host.random()),
    };
    let found = chain.read_all(&[Read::Time, Read::CodeSize(&owner)]).await?;
    let [now, code] = found.as_slice() else { return Err(Error::unread()) };
    let now = u64::try_from(*now).unwrap_or(u64::MAX);
    grant.deadline = subject.deadline.unwrap_or_else(|| now.saturating_add(VALID_FOR_SECS));
    if grant.deadline <= now {
        return Err(options.get("deadline").fault(&["unix seconds after ", &now.text()].concat()));
    }
    if subject.kind.by_permit2() {
        permit2_may_take(&chain, &grant, subject.path).await?;
    }
    numbered(&chain, &mut grant, now).await?;
    let Some(message) = typed::message(&grant) else {
        // An allowance that is there: nothing to sign.
        let bytes = layout::bytes(&grant, &[0; 64]);
        return Ok(write_permit(&Permit { grant, bytes }, &shared.secret));
    };
    if !code.is_zero() && *code != U256::from(DELEGATION) {
        return Err(unsupported(owner));
    }
    let domain = domain(&chain, &grant).await?;
    let (digest, text) = (message.digest(&domain), message.typed_data(&domain));
    if eip712::digest(&parse(&text).map_err(Error::not_json)?)? != digest {
        return Err(Error::new(ErrorCode::Internal, "the text for the wallet does not hash to the permit"));
    }
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
fn refused(why: &str) -> Error {
    Error::input("options.kind", "a permit that the token can be shown to take: approve instead", why)
}

fn unsupported(owner: Address) -> Error {
    let message = [&owner.text(), " has code, and no permit of it would be taken: approve instead"].concat();
    Error::new(ErrorCode::UnsupportedAccount, &message)
}

/// Whether Permit2 may take the token at all: its own permits only say who may have it take.
async fn permit2_may_take<H: Host>(chain: &Chain<'_, H>, grant: &Grant, path: Path) -> Result<()> {
    let current = chain.read(Read::Allowance(&grant.token, &grant.owner, &PERMIT2)).await?;
    if current >= grant.amount {
        return Ok(());
    }
    let mut need = ApprovalNeed {
        path,
        chain_id: grant.chain_id,
        token: grant.token,
        owner: grant.owner,
        spender: PERMIT2,
        amount: grant.amount,
        current: Some(current),
        reset_first: false,
    };
    missing(chain, &mut need).await?;
    let subject = "Permit2 may not take that much: ";
    let (needed, found) = (text(grant.amount), text(current));
    let mut error = Error::at(ErrorCode::InsufficientAllowance, subject, "allowance", &needed, &found);
    error.approval = Some(need.write(&chain.client.shared.secret));
    Err(error)
}

/// Fills in the number that the contract expects next; of an allowance that is there, how far it goes.
async fn numbered<H: Host>(chain: &Chain<'_, H>, grant: &mut Grant, now: u64) -> Result<()> {
    match grant.kind {
        // Drawn at random: any number that was not used will do.
        PermitKind::Permit2Transfer => {}
        PermitKind::Eip2612 | PermitKind::Dai => {
            let answer = chain.views(&[(grant.token, calls::nonces(grant.owner))]).await?.concat();
            grant.nonce = word(&answer).ok_or_else(|| refused("it has no nonces()"))?;
        }
        PermitKind::Permit2Allowance | PermitKind::Permit2Existing => {
            let data = calls::allowance(grant.owner, grant.token, grant.spender);
            let answer = chain.views(&[(PERMIT2, data)]).await?.concat();
            let part = |index: usize| answer.get(index.saturating_mul(32)..).and_then(word);
            let (Some(amount), Some(expiration), Some(nonce)) = (part(0), part(1), part(2)) else {
                return Err(Error::input("options.kind", "a chain that has Permit2", "none at its address"));
            };
            if grant.kind == PermitKind::Permit2Allowance {
                grant.nonce = nonce;
                return Ok(());
            }
            let expiration = u64::try_from(expiration).unwrap_or(u64::MAX);
            if amount < grant.amount || expiration < now {
                let expected = [&text(grant.amount), " until after ", &now.text()].concat();
                let actual = [&text(amount), " until ", &expiration.text()].concat();
                let subject = "Permit2 has no such allowance: ";
                return Err(Error::at(ErrorCode::InsufficientAllowance, subject, "allowance", &expected, &actual));
            }
            (grant.amount, grant.deadline, grant.nonce) = (amount, expiration, U256::ZERO);
        }
    }
    if grant.kind == PermitKind::Dai {
        // It knows all or nothing.
        grant.amount = U256::MAX;
    }
    Ok(())
}

/// The domain, proved; and that the contract takes that kind of permit, where it says so.
async fn domain<H: Host>(chain: &Chain<'_, H>, grant: &Grant) -> Result<TypedStruct> {
    let contract = contract(grant.kind, grant.token);
    let names = [calls::DOMAIN_SEPARATOR, calls::PERMIT_TYPEHASH, calls::EIP712_DOMAIN, calls::NAME, calls::VERSION];
    let reads: Vec<(Address, Vec<u8>)> = names.iter().map(|name| (contract, name.to_vec())).collect();
    let answers = chain.views(&reads).await?;
    let [separator, type_hash, domain, name, version] = answers.as_slice() else { return Err(Error::unread()) };
    let expected = typed::encoded(grant.kind).map(keccak256);
    let said = match grant.kind.by_permit2() {
        true => Said::permit2(),
        false if type_hash.len() == 32 && Some(B256::from_slice(type_hash)) != expected => {
            return Err(refused("it signs another kind"));
        }
        false => Said::of([domain, name, version]),
    };
    let separator = B256::try_from(separator.as_slice()).map_err(|_| refused("it has no DOMAIN_SEPARATOR()"))?;
    proved(separator, &said, grant.chain_id, contract)
        .ok_or_else(|| refused("its DOMAIN_SEPARATOR() is of no known domain"))
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
        ErrorCode::WalletFailed => {
            let why = error.actual.as_deref().unwrap_or(&error.message);
            refused(why)
        }
        _ => error,
    })
}
