//! Several calls in one prompt (EIP-5792, <https://eips.ethereum.org/EIPS/eip-5792>): whether a wallet takes them, the
//! request for them, and their status.
//!
//! Version 2.0.0 lets the application choose the id of the calls. It is noted before the prompt opens, so that a page
//! that was reloaded can ask for their status. Version 1.0 is for wallets that report `atomicBatch` in place of
//! `atomic`.

use super::account::{await_answer, hex_quantity, quantity, wallet};
use super::transaction::Message;
use crate::client::Client;
use crate::host::Host;
use alloy_primitives::{Address, B256, U256};
use verify::internal::domain::input::{one_of, optional};
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, quoted};
use verify::internal::value::text::ToText;

/// How long to wait for a wallet's capabilities after the request, in milliseconds. Some wallets never answer methods
/// that are new to them.
const PATIENCE_MS: u64 = 2_000;
/// The wallet has no calls of that id.
const UNKNOWN_ID: i64 = 5730;
/// Nothing was sent, and each call may be sent alone: the wallet does not support the method, the parameters (-32602),
/// a capability, the chain, so many calls, or atomicity, or the user did not want the account upgraded (5750).
const CANNOT: [i64; 8] = [-32601, -32602, 4200, 5700, 5710, 5740, 5750, 5760];
/// The wallet does not support the method.
const UNKNOWN_METHOD: [i64; 2] = [-32601, 4200];

/// Reads the option: whether calls are never sent together.
///
/// # Errors
/// INVALID_INPUT for anything but `auto` and `never`.
pub fn never_batches(at: &JsonAt<'_>) -> Result<bool> {
    one_of(at, &[(false, "auto"), (true, "never")], "auto or never")
}

/// Whether a wallet sends several calls for an account, all or none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    /// It does not, or does not report it.
    Unsupported,
    /// It does, by version 1.0.
    SupportedV1,
    /// It does once the user agrees to upgrade the account, which the wallet asks itself.
    Ready,
    /// It does, by version 2.0.0.
    Supported,
}

impl Atomic {
    /// Its name in JavaScript, as in version 2.0.0.
    pub fn name(self) -> &'static str {
        match self {
            Atomic::Unsupported => "unsupported",
            Atomic::Ready => "ready",
            Atomic::Supported | Atomic::SupportedV1 => "supported",
        }
    }

    /// Reads the answer to `wallet_getCapabilities` for a chain; its entry for chain 0 holds for every other.
    fn read(answer: &Json, chain_id: u64) -> Atomic {
        for said in entries(answer, chain_id) {
            match said.get("atomic").and_then(|atomic| atomic.get("status")).and_then(Json::as_text) {
                Some("supported") => return Atomic::Supported,
                Some("ready") => return Atomic::Ready,
                Some(_) => return Atomic::Unsupported,
                None => {}
            }
            if said.get("atomicBatch").and_then(|batch| batch.get("supported")) == Some(&Json::Bool(true)) {
                return Atomic::SupportedV1;
            }
        }
        Atomic::Unsupported
    }
}

/// The entries of an answer to `wallet_getCapabilities` that hold for a chain, its own first.
fn entries(answer: &Json, chain_id: u64) -> impl Iterator<Item = &Json> {
    let members = if let Json::Object(members) = answer { &members[..] } else { &[] };
    let is_of = |name: &str, id| quantity(&Json::String(name.into())) == Some(id);
    [chain_id, 0].into_iter().filter_map(move |id| Some(&members.iter().find(|(name, _)| is_of(name, id))?.1))
}

/// The form in which a wallet takes calls.
#[derive(Clone, Copy, Debug)]
pub struct Together<'a> {
    /// Whether it takes several at once.
    pub atomic: Atomic,
    /// The service that it is asked to have pay for their gas: one that the application named, and the wallet takes.
    pub paymaster: Option<&'a Paymaster>,
}

impl Together<'_> {
    /// One transaction at a time.
    pub const NEVER: Together<'static> = Together { atomic: Atomic::Unsupported, paymaster: None };

    /// Whether several calls go in one prompt.
    pub fn is_possible(self) -> bool {
        self.atomic != Atomic::Unsupported
    }

    /// The parameters of `wallet_sendCalls` for calls of one account. `id` is left out if the wallet chooses it.
    pub fn params(self, chain_id: u64, id: &str, calls: &[Message<'_>]) -> String {
        let is_first = self.atomic == Atomic::SupportedV1;
        let mut out = ObjectWriter::object();
        out.text("version", if is_first { "1.0" } else { "2.0.0" });
        if !is_first {
            out.text("id", id);
            out.flag("atomicRequired", true);
        }
        if let Some(call) = calls.first() {
            out.value("from", &call.from);
        }
        out.text("chainId", &hex_quantity(U256::from(chain_id)));
        let mut items = Vec::new();
        for call in calls {
            let mut item = ObjectWriter::object();
            item.value("to", &call.to);
            item.bytes("data", call.data);
            item.text("value", &hex_quantity(call.value));
            items.push(item.close());
        }
        out.raw("calls", &array(&items));
        if let Some(paymaster) = self.paymaster {
            out.raw("capabilities", &paymaster.capabilities);
        }
        array(&[&out.close()])
    }
}

/// Requests the wallet's capabilities for an account on a chain, unless this was done before, and awaits nothing.
/// Returns when it was asked, and the handle for its answer; `None` for a local account, which takes one transaction at
/// a time, and for a wallet that refused such calls.
pub fn ask_early<H: Host>(client: &Client<H>, account: Address, chain_id: u64) -> Option<(u64, H::Prompt)> {
    let (shared, binding) = (&client.shared, &client.binding);
    let wallet = binding.wallet.as_ref().filter(|_| !binding.local)?;
    let (known, key) = (&shared.nodes.capabilities, (wallet.clone(), account, chain_id));
    let (at, prompt) = known.find(&key).unwrap_or_else(|| {
        let chain = quoted(&hex_quantity(U256::from(chain_id)));
        let params = array(&[&quoted(&account.text()), &array(&[&chain])]);
        let prompt = shared.host.ask(wallet, "wallet_getCapabilities", &params);
        let now = shared.host.monotonic_ms();
        (now, known.add(key, now, Some(prompt)))
    });
    Some((at, prompt?))
}

/// `find_atomic`, unless the option `batch` of the call, or of the client, forbids sending together. `at` are the
/// call's options.
///
/// # Errors
/// INVALID_INPUT with the option.
pub async fn find_allowed<'a, H: Host>(
    client: &'a Client<H>,
    at: &JsonAt<'_>,
    (account, chain_id): (Address, u64),
    signal: &H::Signal,
) -> Result<Together<'a>> {
    let stated = optional(&at.get("batch"), never_batches)?;
    match stated.unwrap_or(client.shared.settings.never_batches) {
        true => Ok(Together::NEVER),
        false => Ok(find_together(client, account, chain_id, signal).await),
    }
}

/// How the wallet takes calls of an account on a chain. No answer within 2 s after the request means one by one.
async fn find_together<'a, H: Host>(
    client: &'a Client<H>,
    account: Address,
    chain_id: u64,
    signal: &H::Signal,
) -> Together<'a> {
    let shared = &client.shared;
    let Some((put_at, prompt)) = ask_early(client, account, chain_id) else { return Together::NEVER };
    let waited = shared.host.monotonic_ms().saturating_sub(put_at);
    let limit = u32::try_from(PATIENCE_MS.saturating_sub(waited)).unwrap_or_default();
    match shared.host.answer(&prompt, Some(limit), signal).await {
        Ok(answer) => {
            let atomic = Atomic::read(&answer, chain_id);
            let known = &shared.settings.paymasters;
            let paymaster = known.iter().find(|(id, _)| *id == chain_id).map(|(_, paymaster)| paymaster);
            let takes = || entries(&answer, chain_id).find_map(|said| said.get("paymasterService")?.get("supported"));
            let is_taken = atomic != Atomic::Unsupported && takes() == Some(&Json::Bool(true));
            Together { atomic, paymaster: paymaster.filter(|_| is_taken) }
        }
        Err(failure) => {
            // A wallet that was not connected yet is asked again.
            if matches!(failure.code, Some(4100 | 4900 | 4901)) {
                let own = client.binding.wallet.clone().map(|wallet| (wallet, account, chain_id));
                shared.nodes.capabilities.forget(|known, _| Some(known) == own.as_ref());
            }
            Together::NEVER
        }
    }
}

/// Whether a failure of `wallet_sendCalls` means that nothing was sent, and that the wallet takes no calls together:
/// from then on it counts as one that does not.
pub(super) fn has_refused<H: Host>(client: &Client<H>, error: &Error, account: Address, chain_id: u64) -> bool {
    let refused = error.code == ErrorCode::WalletFailed && error.wallet_code.is_some_and(|code| CANNOT.contains(&code));
    if let Some(wallet) = client.binding.wallet.as_ref().filter(|_| refused) {
        client.shared.nodes.capabilities.add((wallet.clone(), account, chain_id), 0, None);
    }
    refused
}

/// The wallet's report about calls that it was asked to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallsStatus {
    /// `PENDING`, `COMPLETED`, `FAILED` (nothing went through, or nothing was sent), `PARTIAL`.
    pub status: &'static str,
    /// The transactions of the calls, each once.
    pub hashes: Vec<B256>,
}

impl CallsStatus {
    /// Reads the answer to `wallet_getCallsStatus`; `None` if it has no status. The content of the receipts is not
    /// used: they are read from the chain.
    ///
    /// ```
    /// use verified_swap_trade::wallet::batch::CallsStatus;
    /// use verify::internal::json::parse;
    /// let status = |text| CallsStatus::read(&parse(text).unwrap()).map(|read| read.status);
    /// assert_eq!(status(r#"{"status":100}"#), Some("PENDING"));
    /// assert_eq!(status(r#"{"status":400}"#), Some("FAILED"));
    /// assert_eq!(status(r#"{"status":600}"#), Some("PARTIAL"));
    /// assert_eq!(status(r#"{"status":"CONFIRMED"}"#), Some("COMPLETED"));
    /// assert_eq!(status("null"), None);
    /// ```
    pub fn read(answer: &Json) -> Option<CallsStatus> {
        let said = answer.get("status")?;
        let status = match (said.as_text(), quantity(said)) {
            (_, Some(200..=299)) | (Some("CONFIRMED"), _) => "COMPLETED",
            (_, Some(400..=599)) => "FAILED",
            (_, Some(600..=699)) => "PARTIAL",
            (_, Some(_)) | (Some("PENDING"), _) => "PENDING",
            _ => return None,
        };
        let mut hashes = Vec::new();
        for receipt in JsonAt::input(answer, "status").get("receipts").items().into_iter().flatten() {
            if let Ok(hash) = receipt.get("transactionHash").fixed::<32>().map(B256::from)
                && !hashes.contains(&hash)
            {
                hashes.push(hash);
            }
        }
        Some(CallsStatus { status, hashes })
    }
}

/// Asks the wallet for the status of the calls of that id; `None` if it does not have them, as another wallet would
/// not.
///
/// # Errors
/// INVALID_INPUT without a wallet; the wallet's failure, also if it does not answer within the client's timeout.
pub async fn read_status<H: Host>(client: &Client<H>, id: &str, signal: &H::Signal) -> Result<Option<CallsStatus>> {
    const METHOD: &str = "wallet_getCallsStatus";
    let prompt = client.shared.host.ask(wallet(client)?, METHOD, &array(&[&quoted(id)]));
    match await_answer(client, "rpc", METHOD, &prompt, signal).await {
        Ok(answer) => Ok(CallsStatus::read(&answer)),
        Err(error) if error.wallet_code.is_some_and(|code| code == UNKNOWN_ID || UNKNOWN_METHOD.contains(&code)) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
