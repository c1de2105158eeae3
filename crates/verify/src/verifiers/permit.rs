//! `verifyPermit`: a permit from another source, against the amount and the spender that the owner accepts.

use super::given::Given;
use super::typed_data::{Field, View};
use crate::domain::chain::{Protocol, name as chain_name};
use crate::domain::input::{account, amount_input, chain_id, known, one_of, optional, unix_secs};
use crate::domain::permit::domain::contract;
use crate::domain::permit::{PermitKind, typed};
use crate::domain::typed_struct::TypedStruct;
use crate::domain::verify::question::{Question, Reason, chain_unbound, unlimited, write_questions};
use crate::domain::verify::{Checks, Priced, Verdict, report_of_trade};
use crate::error::Result;
use crate::json::{Json, JsonAt};
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, B256, U256, keccak256};

/// The members of a request.
const REQUEST: [&str; 8] = ["kind", "path", "chainId", "token", "owner", "amount", "deadline", "nonce"];
/// The domain that Permit2 hashes.
const PERMIT2_DOMAIN: &str = "EIP712Domain(string name,uint256 chainId,address verifyingContract)";
/// The most seconds that a deadline that the request does not name may lie ahead: a day, as for orders.
const MAX_UNNAMED_SECS: u64 = 86_400;

/// The kind of a permit that a wallet is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// One that this package signs, too.
    Own(PermitKind),
    /// DAI's: it has no amount, and allows everything.
    Dai,
}

impl Kind {
    /// Each with its name in JavaScript.
    const ALL: [(Kind, &str); 5] = [
        (Kind::Own(PermitKind::Eip2612), "eip2612"),
        (Kind::Dai, "dai"),
        (Kind::Own(PermitKind::Permit2Transfer), "permit2Transfer"),
        (Kind::Own(PermitKind::Permit2Allowance), "permit2Allowance"),
        (Kind::Own(PermitKind::Permit2Existing), "permit2Existing"),
    ];

    /// Reads a kind by its name. Refuses one that the protocol's contract does not take: a token's own is taken by all.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    fn read(at: &JsonAt<'_>, protocol: Protocol) -> Result<Kind> {
        let expected = "one of eip2612, dai, permit2Transfer, permit2Allowance, permit2Existing";
        let kind = one_of(at, &Kind::ALL, expected)?;
        match kind {
            Kind::Own(own) => own.instead_on(protocol).map_or(Ok(kind), |kinds| Err(at.fault(kinds))),
            Kind::Dai => Ok(kind),
        }
    }

    /// The `encodeType` text that is signed; `None` if nothing is signed.
    fn type_text(self) -> Option<&'static str> {
        match self {
            Kind::Own(own) => typed::type_text(own),
            Kind::Dai => Some(typed::DAI),
        }
    }

    /// The contract that verifies it, in whose domain it is signed.
    fn contract(self, token: Address) -> Address {
        match self {
            Kind::Own(own) => contract(own, token),
            Kind::Dai => token,
        }
    }
}

/// The permission that the owner is ready to give.
struct Request {
    kind: Kind,
    chain_id: u64,
    token: Address,
    owner: Address,
    /// The contract of the protocol that the permit is for.
    spender: Address,
    amount: U256,
    deadline: Option<u64>,
    nonce: Option<U256>,
}

/// Verifies `{ request, toSign, readings? }`. `machine` is unix seconds by this machine's clock. Returns the report as JSON
/// text.
///
/// The nonce is that of the request or of the readings, else `unknown`. A token's own permit is signed in the domain whose
/// hash the token states as `DOMAIN_SEPARATOR()`: without that reading the domain's name and version are `unknown`.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH with the first that differs; SERVICE_MALFORMED; UNSUPPORTED_CHAIN.
pub fn verify_permit(input: &Json, machine: u64) -> Result<String> {
    let mut given = Given::read(input, &["toSign"], &["nonce", "domainSeparator"], machine)?;
    let request = read_request(&mut given)?;
    let to_sign = given.to_sign()?;
    let payload = View::of(&to_sign)?;
    let mut checks = Checks::default();
    checks.same("types", &request.kind.type_text().unwrap_or("nothing is signed for this kind"), &payload.encoded);
    check_domain(&mut checks, &mut given, &request, &payload)?;
    for field in &payload.fields {
        check_field(&mut checks, &request, field, given.now);
    }
    let checks = checks.finish()?;
    let amount = match request.kind {
        Kind::Dai => "any amount".into(),
        Kind::Own(_) => [&request.amount.text(), " raw units"].concat(),
    };
    let (spender, token) = (request.spender.text(), request.token.text());
    let sentence =
        ["Let ", &spender, " take ", &amount, " of ", &token, " on ", &chain_name(request.chain_id)].concat();
    let mut questions = Vec::new();
    if request.kind == Kind::Dai {
        let text = unlimited(&request.token, &request.owner, &request.spender);
        questions.push(Question { reason: Reason::UnlimitedPermit, field: "permit", text, below_bps: None });
    }
    // As `chainId`, which was compared, or as the salt.
    let salt = B256::from(U256::from(request.chain_id)).text();
    let is_salt = payload.value("domain.salt").is_some_and(|stated| stated.eq_ignore_ascii_case(&salt));
    if payload.value("domain.chainId").is_none() && !is_salt {
        let (reason, text) = (Reason::PermitChainUnbound, chain_unbound(&request.token));
        questions.push(Question { reason, field: "domain.chainId", text, below_bps: None });
    }
    let subject = keccak256(&payload.digest);
    let priced = Priced { questions: Some(write_questions(&questions, &subject)), ..Priced::default() };
    Ok(given.finish_signed(&report_of_trade(&sentence, &checks, None, &priced), &payload.text))
}

/// Reads the request.
///
/// # Errors
/// INVALID_INPUT with the member; UNSUPPORTED_CHAIN.
fn read_request(given: &mut Given<'_>) -> Result<Request> {
    let at = given.request();
    known(&at, &REQUEST)?;
    let (chain_id, protocol) = (chain_id(&at.get("chainId"))?, Protocol::read(&at.get("path"))?);
    let kind = Kind::read(&at.get("kind"), protocol)?;
    let deployment = given.deployment(chain_id, protocol)?;
    let nonce = optional(&at.get("nonce"), JsonAt::uint)?;
    // A transfer by Permit2 takes any nonce that was not used.
    let is_random = kind == Kind::Own(PermitKind::Permit2Transfer);
    let nonce = if nonce.is_some() || is_random { nonce } else { given.reading("nonce", JsonAt::uint)? };
    Ok(Request {
        kind,
        chain_id,
        token: account(&at.get("token"))?,
        owner: account(&at.get("owner"))?,
        spender: deployment.contracts.of(protocol).unwrap_or_default(),
        amount: amount_input(&at.get("amount"))?,
        deadline: optional(&at.get("deadline"), unix_secs)?,
        nonce,
    })
}

/// Notes whether the permit is signed for the contract that takes it, on the request's chain.
///
/// # Errors
/// INVALID_INPUT with the reading.
fn check_domain(checks: &mut Checks, given: &mut Given<'_>, request: &Request, payload: &View) -> Result<()> {
    let verifier = request.kind.contract(request.token);
    let stated = |path| payload.value(path).unwrap_or("nothing");
    checks.same("domain.verifyingContract", &verifier, &stated("domain.verifyingContract"));
    // A domain without the chain counts on every chain, unless it has it as salt: that is a question.
    if let Some(chain_id) = payload.value("domain.chainId") {
        checks.same("domain.chainId", &request.chain_id, &chain_id);
    }
    if matches!(request.kind, Kind::Own(own) if own.by_permit2()) {
        let own = TypedStruct::made(PERMIT2_DOMAIN, &|member, _| match member {
            "name" => "Permit2".into(),
            "verifyingContract" => verifier.into(),
            _ => request.chain_id.into(),
        });
        checks.same("domain.name", &"Permit2", &stated("domain.name"));
        checks.same("domain", &own.hash(), &payload.domain_hash);
        return Ok(());
    }
    match given.reading("domainSeparator", JsonAt::fixed::<32>)? {
        Some(own) => checks.same("domain", &B256::from(own), &payload.domain_hash),
        None => {
            let expected = "the token's DOMAIN_SEPARATOR(), which was not brought";
            checks.note("domain", &expected, &payload.domain_hash, Verdict::Unknown);
        }
    }
    Ok(())
}

/// Notes whether a member of the signed struct is what the request allows. The types were compared, so these are all names.
fn check_field(checks: &mut Checks, request: &Request, field: &Field, now: u64) {
    let Field { path, value } = field;
    if path.starts_with("domain.") {
        return;
    }
    let (label, leaf) = (["permit.", path].concat(), path.rsplit('.').next().unwrap_or_default());
    match leaf {
        "owner" | "holder" => checks.same(&label, &request.owner, value),
        "spender" => checks.same(&label, &request.spender, value),
        "token" => checks.same(&label, &request.token, value),
        "value" | "amount" => checks.same(&label, &request.amount, value),
        "allowed" => checks.same(&label, &"true", value),
        "nonce" => match (&request.nonce, request.kind) {
            (Some(nonce), _) => checks.same(&label, nonce, value),
            (None, Kind::Own(PermitKind::Permit2Transfer)) => {
                checks.holds(&label, true, &"any that was not used", value)
            }
            (None, _) => checks.note(&label, &"the token's own, which was not brought", value, Verdict::Unknown),
        },
        "deadline" | "expiry" | "sigDeadline" | "expiration" => match request.deadline {
            Some(deadline) => checks.same(&label, &deadline, value),
            None => {
                let latest = now.saturating_add(MAX_UNNAMED_SECS);
                let ends = value.parse::<u64>().unwrap_or(u64::MAX);
                let expected = Concat(&[&"after ", &now, &", at most ", &latest]);
                checks.holds(&label, ends > now && ends <= latest, &expected, value);
            }
        },
        _ => checks.same(&label, &"nothing", value),
    }
}
