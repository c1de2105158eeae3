//! Verify once more, have it signed, check the signature, post; and lose nothing on the way.

use super::approve::chain;
use super::build::{check_code, check_decimals};
use super::client::Client;
use super::contracts::contracts;
use super::seal::{open, same_request, unedited};
use super::sealed_build::{OpenBuild, open_build};
use crate::domain::address::checksummed;
use crate::domain::intent::{Intent, amount_input, known, optional};
use crate::domain::signature::{self, SignatureError};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::join::join;
use crate::json::{At, Fault, Json, Read, object, parse};
use crate::service::orders::{self, OrderKey};
use crate::wallet::account::{answered, ready, wallet};
use crate::wire;
use alloy_primitives::{B256, U256, hex};

/// How often an unanswered post is sent again.
const TRIES: u32 = 5;
/// The first pause between two of them.
const PAUSE_MS: u32 = 1_000;
/// A build that was not made here is good for this long ahead, unless the caller names its deadline.
const MAX_FOREIGN_SECS: u64 = 86_400;

/// A step on the way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Which.
    pub step: &'static str,
    /// What was sent.
    pub transaction: Option<B256>,
    /// What was signed.
    pub signed_order: Option<Json>,
}

impl Progress {
    /// A step with nothing to show.
    pub fn step(step: &'static str) -> Progress {
        Progress { step, transaction: None, signed_order: None }
    }
}

/// What `submit` may be told besides.
#[derive(Clone, Debug, Default)]
pub struct SubmitOptions {
    /// A signature made elsewhere.
    pub signature: Option<Vec<u8>>,
    /// The request of a foreign build, with its bounds.
    pub request: Option<Json>,
}

impl SubmitOptions {
    /// Reads the options.
    ///
    /// # Errors
    /// Names the member that is unknown or not as it must be.
    pub fn read(at: At<'_>) -> Read<SubmitOptions> {
        known(at, &["signature", "request"])?;
        let signature = optional(at.get("signature"), |at| at.bytes().map(|bytes| bytes.to_vec()))?;
        Ok(SubmitOptions { signature, request: at.get("request").json().cloned() })
    }
}

/// A build ready to be signed, or signed already.
pub struct Submission {
    build: OpenBuild,
    sealed: String,
    signature: Option<Vec<u8>>,
}

impl Submission {
    /// What it is known by.
    pub fn order_hash(&self) -> B256 {
        self.build.verified.digest.digest
    }

    /// What is signed, in a form that `submit` takes back.
    fn signed_order(&self, compact: &[u8; 64]) -> Json {
        object([
            ("kind", Json::text("signedOrder")),
            ("chainId", Json::number(self.build.intent.chain_id)),
            ("owner", Json::text(checksummed(self.build.verified.order.owner))),
            ("orderHash", Json::text(self.order_hash().text())),
            ("deadline", Json::number(self.build.terms.deadline)),
            ("signature", Json::text(hex::encode_prefixed(compact))),
            ("sealed", Json::text(self.sealed.as_str())),
        ])
    }
}

/// Opens a build or a signed order that the application passes in, and verifies all of it again.
///
/// # Errors
/// INVALID_INPUT, VERIFY_MISMATCH.
pub async fn prepare<H: Host>(
    client: &Client<H>,
    passed: &Json,
    options: &SubmitOptions,
    signal: &H::Signal,
) -> Result<Submission> {
    let shared = &client.shared;
    let is_signed = passed.get("kind").and_then(Json::as_text) == Some("signedOrder");
    let at = At::root(passed, if is_signed { "signedOrder" } else { "build" });
    let sealed = at.get("sealed").text().map_err(Error::input)?;
    let (text, own) = open(&shared.secret, sealed, "build.sealed")?;
    let chain_id = at.get("chainId").integer(u64::MAX).map_err(Error::input)?;
    let known = contracts(shared, chain_id, signal).await?;
    let build = open_build(text, &known)?;
    let mut submission = Submission { build, sealed: sealed.into(), signature: options.signature.clone() };
    if is_signed {
        // The owner has signed it: what is left to check is that.
        let signature = at.get("signature").fixed::<64>().map_err(Error::input)?;
        unedited(at, &submission.signed_order(&signature))?;
        submission.signature = Some(signature.to_vec());
        return Ok(submission);
    }
    unedited(at, &submission.build.view)?;
    if !own {
        stated_again(client, &submission.build, options.request.as_ref())?;
    }
    Ok(submission)
}

/// A build that was not made here carries its own idea of price, slippage and deadline. The caller says again what was
/// asked for, and how little it may come to.
fn stated_again<H: Host>(client: &Client<H>, build: &OpenBuild, request: Option<&Json>) -> Result<()> {
    let inside = build.intent.write();
    let Some(request) = request else { return same_request(None, &inside) };
    let at = At::root(request, "request");
    let mut names = Intent::MEMBERS.to_vec();
    names.extend(["minReceived", "maxSpent", "deadline"]);
    known(at, &names).map_err(Error::input)?;
    let intent = Intent::read_known(at, &client.defaults()).map_err(Error::input)?;
    same_request(Some(&intent.write()), &inside)?;
    let verified = &build.verified;
    let least = amount_input(at.get("minReceived")).map_err(Error::input)?;
    let most = optional(at.get("maxSpent"), amount_input).map_err(Error::input)?.unwrap_or(intent.amount);
    let latest = optional(at.get("deadline"), |at| at.integer(u64::MAX)).map_err(Error::input)?;
    let unix = client.shared.host.unix_ms().saturating_div(1_000);
    let latest = latest.unwrap_or_else(|| unix.saturating_add(MAX_FOREIGN_SECS));
    let mut checks = crate::domain::verify::Checks::default();
    checks.at_least("order.minReceived", least, verified.min_received);
    checks.at_most("order.maxSpent", most, verified.order.srcAmount);
    checks.at_most("order.deadline", U256::from(latest), verified.order.deadline);
    checks.finish()?;
    Ok(())
}

/// Has it signed unless it is, and posts it. Returns the order as the service reports it.
///
/// `posting` is called at the point from which an abort no longer ends it.
///
/// # Errors
/// Before a signature: those of the checks and of the wallet. After it, every error carries `signedOrder`.
pub async fn submit<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
    posting: &dyn Fn(),
) -> Result<Json> {
    let build = &submission.build;
    let owner = build.verified.order.owner;
    progress(Progress::step("checking"));
    let bytes = match &submission.signature {
        Some(bytes) => bytes.clone(),
        None => {
            ready(client, owner, build.intent.chain_id, signal).await?;
            preflight(client, build, signal).await?;
            ask_to_sign(client, submission, signal, progress).await?
        }
    };
    let compact = match checked(&bytes, submission) {
        Ok(compact) => compact,
        Err(error) => {
            // Not this owner's signature: the next attempt asks again.
            client.shared.prompts.borrow_mut().retain(|(hash, _)| *hash != submission.order_hash());
            return Err(error);
        }
    };
    let signed = submission.signed_order(&compact);
    progress(Progress { step: "signed", transaction: None, signed_order: Some(signed.clone()) });
    let with_signed = |mut error: Error| {
        error.signed_order = Some(signed.clone());
        error
    };
    if signal.is_aborted() {
        return Err(with_signed(Error::aborted()));
    }
    posting();
    progress(Progress { step: "posting", transaction: None, signed_order: Some(signed.clone()) });
    let order = post(client, submission, &compact).await.map_err(with_signed)?;
    if let Some(nonce) = build.terms.nonce {
        client.shared.posted(nonce, submission.order_hash());
    }
    progress(Progress { step: "posted", transaction: None, signed_order: Some(signed) });
    Ok(order)
}

/// What can be read before anybody is asked to sign.
async fn preflight<H: Host>(client: &Client<H>, build: &OpenBuild, signal: &H::Signal) -> Result<()> {
    let (intent, order) = (&build.intent, &build.verified.order);
    let chain = chain(client, intent.chain_id, signal).await?;
    let token = intent.src.address;
    let accounts = join(check_code(&chain, order.owner), check_decimals(&chain, intent));
    let funds = join(chain.balance(token, order.owner), chain.allowance(token, order.owner, build.spender));
    let ((accounts, funds), time) = join(join(accounts, funds), chain.time()).await;
    accounts.0?;
    accounts.1?;
    let now = time?;
    if order.deadline <= U256::from(now) {
        let message = "the order's deadline has passed by the chain's clock";
        return Err(Error::new(ErrorCode::QuoteExpired, message));
    }
    covers(ErrorCode::InsufficientBalance, "balance", order.srcAmount, funds.0?)?;
    covers(ErrorCode::InsufficientAllowance, "allowance", order.srcAmount, funds.1?)
}

fn covers(code: ErrorCode, field: &str, needed: U256, found: U256) -> Result<()> {
    if found >= needed {
        return Ok(());
    }
    Err(Error::at(code, "not enough: ", Fault::new(field, needed.text(), found.text())))
}

/// Opens the wallet's prompt, or joins the one that is open for this very order.
async fn ask_to_sign<H: Host>(
    client: &Client<H>,
    submission: &Submission,
    signal: &H::Signal,
    progress: &dyn Fn(Progress),
) -> Result<Vec<u8>> {
    const METHOD: &str = "eth_signTypedData_v4";
    let build = &submission.build;
    let owner = build.verified.order.owner;
    let hash = submission.order_hash();
    let prompts = &client.shared.prompts;
    let open = prompts.borrow().iter().find(|(known, _)| *known == hash).map(|(_, prompt)| prompt.clone());
    let prompt = match open {
        Some(prompt) => prompt,
        None => {
            ready(client, owner, build.intent.chain_id, signal).await?;
            if signal.is_aborted() || client.shared.closed.get() {
                return Err(Error::aborted());
            }
            let params = Json::Array(vec![Json::text(owner.text()), Json::text(build.typed_data.as_str())]);
            let prompt = client.shared.host.ask(wallet(client)?, METHOD, &params);
            prompts.borrow_mut().push((hash, prompt.clone()));
            prompt
        }
    };
    progress(Progress::step("signing"));
    let outcome = answered(client, METHOD, &prompt, signal).await;
    let error = match outcome {
        Ok(answer) => return wallet_bytes(&answer).inspect_err(|_| forget(client, hash)),
        Err(error) => error,
    };
    // An aborted wait leaves the prompt open: what is signed there is kept for the next attempt.
    if error.code != ErrorCode::Aborted {
        forget(client, hash);
    }
    Err(error)
}

fn forget<H: Host>(client: &Client<H>, hash: B256) {
    client.shared.prompts.borrow_mut().retain(|(known, _)| *known != hash);
}

fn wallet_bytes(answer: &Json) -> Result<Vec<u8>> {
    if *answer == Json::Null || answer.as_text().is_some_and(|text| text.is_empty() || text == "0x") {
        return Err(signature_error(SignatureError::Empty));
    }
    let bytes = At::root(answer, "signature").bytes();
    bytes.map(|bytes| bytes.to_vec()).map_err(|fault| Error::at(ErrorCode::SignatureMismatch, "the wallet's ", fault))
}

fn signature_error(why: SignatureError) -> Error {
    let fault = Fault::new("signature", why.expected(), "another");
    Error::at(ErrorCode::SignatureMismatch, "the wallet's ", fault)
}

/// The compact form of a signature that is the owner's.
fn checked(bytes: &[u8], submission: &Submission) -> Result<[u8; 64]> {
    let compact = signature::compact(bytes).map_err(signature_error)?;
    let signer = signature::recover(&compact, submission.order_hash()).map_err(signature_error)?;
    let owner = submission.build.verified.order.owner;
    if signer != owner {
        let fault = Fault::new(
            "signature",
            ["one by ", &checksummed(owner)].concat(),
            ["one by ", &checksummed(signer)].concat(),
        );
        return Err(Error::at(ErrorCode::SignatureMismatch, "the wallet's ", fault));
    }
    Ok(compact)
}

/// Posts until it is known whether the service has the order. The same bytes each time: never another signature.
async fn post<H: Host>(client: &Client<H>, submission: &Submission, compact: &[u8; 64]) -> Result<Json> {
    let shared = &client.shared;
    let build = &submission.build;
    let mut pause = PAUSE_MS;
    let mut tries: u32 = 0;
    loop {
        tries = tries.saturating_add(1);
        let failed = match orders::post(shared, &build.value, &build.intent, compact).await {
            Ok(text) => match ours(&text, submission) {
                Ok(order) => return Ok(order),
                Err(error) => error,
            },
            Err(error) => error,
        };
        // Whatever the answer was, the order may be there: accepted before the connection broke, or a duplicate.
        if failed.code != ErrorCode::RateLimited
            && let Some(order) = by_hash(client, submission).await
        {
            return Ok(order);
        }
        let refused =
            failed.status.is_some_and(|status| (400..500).contains(&status) && status != 429 && status != 408);
        if refused || tries >= TRIES {
            return Err(explained(failed, refused, submission));
        }
        let wait = failed.retry_after_secs.and_then(|secs| u32::try_from(secs.saturating_mul(1_000)).ok());
        shared.host.sleep(wait.unwrap_or(pause).clamp(pause, 30_000), &H::Signal::never()).await;
        pause = pause.saturating_mul(2);
    }
}

/// What the owner has to know about a signed order that was not accepted.
fn explained(mut error: Error, refused: bool, submission: &Submission) -> Error {
    let deadline = submission.build.terms.deadline.text();
    let advice: [&str; 3] = if refused {
        ["; the order is signed and could still be filled until ", &deadline, ": do not sign this trade again before"]
    } else {
        [
            "; the order is signed and may have arrived, good until ",
            &deadline,
            ": submit the signed order again, sign no other",
        ]
    };
    error.message.push_str(&advice.concat());
    error
}

async fn by_hash<H: Host>(client: &Client<H>, submission: &Submission) -> Option<Json> {
    let key = OrderKey::Hash(submission.order_hash());
    let text = orders::one(&client.shared, &key, &H::Signal::never()).await.ok()?;
    ours(&text, submission).ok()
}

/// The order in an answer, if it is the one that was posted.
fn ours(text: &str, submission: &Submission) -> Result<Json> {
    let json = parse(text).map_err(Error::not_json)?;
    let (order, view) = wire::order::order(&json).map_err(Error::malformed)?;
    let mismatch = |field: &str, expected: String, actual: String| {
        Err(Error::malformed(Fault::new(["order.", field].concat(), expected, actual)))
    };
    let (hash, owner) = (submission.order_hash(), submission.build.verified.order.owner);
    if view.order_hash != Some(hash) {
        let actual = view.order_hash.map_or("nothing".into(), |hash| hash.text());
        return mismatch("orderHash", hash.text(), actual);
    }
    if view.owner != Some(owner) {
        return mismatch("owner", checksummed(owner), view.owner.map_or("nothing".into(), checksummed));
    }
    Ok(order.clone())
}
