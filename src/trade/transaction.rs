//! A transaction for the user's wallet: checked, tried on the chain without being sent, sent once, told by its hash.
//!
//! What is sent was verified when it was built, by whoever built it here; the seal is what says so.

use super::approve::{ApprovalNeed, missing};
use super::calls::Call;
use super::follow_transaction::Sent;
use super::permit::unused;
use super::preflight::enough;
use super::seal::{Parts, open, seal, unedited};
use super::submit::Progress;
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::input::optional;
use crate::domain::token::{NATIVE, own_decimals};
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Json, Out, array};
use crate::wallet::account::ready;
use crate::wallet::prompt::{Question, forget, is_asked, once};
use crate::wallet::reads::{Chain, Read};
use crate::wallet::transaction::{Message, SEND, sent_hash};
use alloy_primitives::{Address, B256, U256, hex, keccak256};

/// A transaction that says what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The chain.
    pub chain_id: u64,
    /// Who sends it.
    pub owner: Address,
    /// The contract that is called; the spender of what is paid, too.
    pub to: Address,
    /// Wei.
    pub value: U256,
    /// Calldata.
    pub data: Vec<u8>,
    /// The tokens it takes from the owner; none where it takes only coins.
    pub pays: Option<Payment>,
    /// Decimals that the caller stated, by token, with the input they stand in: held against the tokens' own.
    pub decimals: Vec<(Address, u8, String)>,
}

/// Tokens that a contract takes from the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payment {
    /// Whose contract takes them.
    pub path: Path,
    /// The token, never the native coin.
    pub token: Address,
    /// The most that is taken, raw units.
    pub amount: U256,
    /// The hash of the permit in the calldata, where there is one: then no allowance is needed.
    pub permit: Option<B256>,
}

impl Transaction {
    /// As JavaScript sees it.
    pub fn write(&self) -> String {
        let mut out = Out::object();
        out.value("from", &self.owner);
        out.value("to", &self.to);
        out.value("value", &self.value);
        out.bytes("data", &self.data);
        out.number("chainId", self.chain_id);
        out.close()
    }

    fn message(&self) -> Message<'_> {
        Message { from: self.owner, to: self.to, value: self.value, data: &self.data }
    }

    /// What has to be approved first, as JavaScript sees it; `null` where nothing has, as far as it was read.
    ///
    /// # Errors
    /// INVALID_INPUT where stated decimals are not the token's own; the RPC's failure.
    pub async fn approval<H: Host>(&self, client: &Client<H>, signal: &H::Signal) -> Result<String> {
        let chain = Chain::find(client, self.chain_id, signal).await?;
        let mut current = None;
        if let Some(chain) = &chain {
            let found = chain.read_all(&self.reads()).await?;
            self.check_decimals(&found)?;
            current = found.last().copied().filter(|_| self.pays.is_some());
        }
        let Some(pays) = self.pays.filter(|pays| pays.permit.is_none()) else { return Ok("null".into()) };
        let need = ApprovalNeed {
            path: pays.path,
            chain_id: self.chain_id,
            token: pays.token,
            owner: self.owner,
            spender: self.to,
            amount: pays.amount,
            current,
            reset_first: false,
        };
        missing(client, chain.as_ref(), need).await
    }

    /// Decimals first, in their order; the allowance last.
    fn reads(&self) -> Vec<Read<'_>> {
        let mut reads: Vec<Read<'_>> = self.decimals.iter().map(|(token, ..)| Read::Decimals(token)).collect();
        reads.push(Read::Balance(&NATIVE, &self.owner));
        if let Some(pays) = &self.pays {
            reads.push(Read::Balance(&pays.token, &self.owner));
            reads.push(Read::Allowance(&pays.token, &self.owner, &self.to));
        }
        reads
    }

    fn check_decimals(&self, found: &[U256]) -> Result<()> {
        for ((_, stated, field), own) in self.decimals.iter().zip(found) {
            own_decimals(field, *stated, own)?;
        }
        Ok(())
    }

    /// Whether what was read lets it go through.
    fn check(&self, found: &[U256]) -> Result<()> {
        self.check_decimals(found)?;
        let Some([coins, rest @ ..]) = found.get(self.decimals.len()..) else { return Err(Error::unread()) };
        enough(ErrorCode::InsufficientBalance, "balance", &self.value, coins)?;
        if let (Some(pays), [balance, allowance]) = (&self.pays, rest) {
            enough(ErrorCode::InsufficientBalance, "balance", &pays.amount, balance)?;
            if pays.permit.is_none() {
                enough(ErrorCode::InsufficientAllowance, "allowance", &pays.amount, allowance)?;
            }
        }
        Ok(())
    }
}

/// A transaction that was built here, as JavaScript sees it: a `TransactionBuild`. `report` is JSON text.
///
/// # Errors
/// Those of [`Transaction::approval`].
pub async fn transaction_build<H: Host>(
    client: &Client<H>,
    purpose: &str,
    transaction: &Transaction,
    report: &str,
    signal: &H::Signal,
) -> Result<String> {
    let approval = transaction.approval(client, signal).await?;
    let mut view = Out::object();
    view.text("kind", "transaction");
    view.text("purpose", purpose);
    view.number("chainId", transaction.chain_id);
    view.value("owner", &transaction.owner);
    view.raw("transaction", &transaction.write());
    view.raw("report", report);
    view.raw("approval", &approval);
    let mut inside = Out::object();
    // Two builds of the same call are two transactions: without it the second would be taken for the first.
    inside.text("id", &hex::encode(client.shared.host.random()));
    inside.raw("view", &view.closed());
    inside.raw("pays", &transaction.pays.map_or_else(|| "null".into(), |pays| write_payment(&pays)));
    let stated = transaction.decimals.iter().map(|(token, decimals, field)| {
        let mut out = Out::object();
        out.value("token", token);
        out.number("decimals", (*decimals).into());
        out.text("field", field);
        out.close()
    });
    inside.raw("decimals", &array(&stated.collect::<Vec<_>>()));
    view.text("sealed", &seal(&client.shared.secret, &inside.close()));
    Ok(view.close())
}

fn write_payment(pays: &Payment) -> String {
    let mut out = Out::object();
    out.text("path", pays.path.label());
    out.value("token", &pays.token);
    out.value("amount", &pays.amount);
    out.value_or_null("permit", pays.permit.as_ref());
    out.close()
}

/// Opens a `TransactionBuild` that the application passed back.
fn opened(secret: &[u8; 32], at: &At<'_>) -> Result<Transaction> {
    let (text, own) = open(secret, &at.get("sealed"))?;
    if !own {
        let expected = "a build of this client (after a reload, build again)";
        return Err(Error::input("build", expected, "one of another client, or an edited one"));
    }
    let parts = Parts::of(text)?;
    unedited(at, parts.raw("view")?)?;
    let (view, pays, decimals) = (parts.json("view")?, parts.json("pays")?, parts.json("decimals")?);
    let call = At::input(&view, "build").get("transaction");
    let payment = |at: At<'_>| {
        Ok(Payment {
            path: Path::read(&at.get("path"))?,
            token: at.get("token").address()?,
            amount: at.get("amount").uint()?,
            permit: optional(&at.get("permit"), |at| at.fixed::<32>())?.map(B256::from),
        })
    };
    let stated = |at: At<'_>| {
        let decimals = u8::try_from(at.get("decimals").integer(255)?).unwrap_or(u8::MAX);
        Ok((at.get("token").address()?, decimals, at.get("field").text()?.into()))
    };
    Ok(Transaction {
        chain_id: call.get("chainId").integer(u64::MAX)?,
        owner: call.get("from").address()?,
        to: call.get("to").address()?,
        value: call.get("value").uint()?,
        data: call.get("data").bytes()?,
        pays: At::input(&pays, "pays").some().map(payment).transpose()?,
        decimals: At::input(&decimals, "decimals").items()?.map(stated).collect::<Result<_>>()?,
    })
}

/// Sends a build of any purpose. Returns the `SentTransaction`; the same one for a build that was sent already.
///
/// # Errors
/// INVALID_INPUT, INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE; WALLET_FAILED where it would revert; the wallet's failures.
pub async fn submit<H: Host>(client: &Client<H>, call: &Call<'_, H>) -> Result<String> {
    let at = At::input(call.data, "build");
    let transaction = opened(&client.shared.secret, &at)?;
    let sealed = at.get("sealed").text()?;
    // Another build with the same permit may have been sent since this one was made.
    if let Some(permit) = transaction.pays.and_then(|pays| pays.permit)
        && client.shared.sent(keccak256(sealed)).is_none()
    {
        unused(&client.shared, &permit, "build.permit")?;
    }
    send_once(client, &transaction, sealed, call).await
}

/// Sends it, unless what is sealed in that text was sent already: then that is what is told.
///
/// # Errors
/// As [`submit`].
pub(super) async fn send_once<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    sealed: &str,
    call: &Call<'_, H>,
) -> Result<String> {
    let key = keccak256(sealed);
    let known = client.shared.sent(key);
    if let Some(known) = known {
        return Ok(known);
    }
    let answer = ask_to_send(client, transaction, key, call).await?;
    forget(client, key);
    let hash = sent_hash(&answer)?;
    (call.posting)();
    if let Some(permit) = transaction.pays.and_then(|pays| pays.permit) {
        client.shared.use_permit(permit);
    }
    let mut sent = Sent::new(transaction.chain_id, transaction.owner, hash);
    client.shared.remember_sent(key, sent.write());
    // Only for telling a replacement later: what it can not tell now, it tells then.
    let mut looked = sent.clone();
    if let Ok(Some(chain)) = Chain::find(client, transaction.chain_id, &H::Signal::never()).await
        && looked.look(&chain).await.is_ok()
    {
        sent.nonce = looked.nonce;
        client.shared.remember_sent(key, sent.write());
    }
    (call.progress)(Progress { step: "sent", transaction: Some(hash), signed_order: None });
    Ok(sent.write())
}

/// Opens the wallet's prompt, or joins the one that is open for this very transaction.
async fn ask_to_send<H: Host>(
    client: &Client<H>,
    transaction: &Transaction,
    key: B256,
    call: &Call<'_, H>,
) -> Result<Json> {
    let tell = |step| (call.progress)(Progress::step(step));
    let (owner, chain_id, signal) = (transaction.owner, transaction.chain_id, call.signal);
    if !is_asked(client, key) {
        tell("checking");
        ready(client, owner, chain_id, signal).await?;
        let chain = Chain::need(client, chain_id, signal).await?;
        transaction.check(&chain.read_all(&transaction.reads()).await?)?;
        tell("simulating");
        transaction.message().simulate(&chain).await?;
        // Read again: the checks took their time, and wallets change account and chain at a click.
        ready(client, owner, chain_id, signal).await?;
    }
    let params = transaction.message().params(chain_id);
    let question = Question { key, method: SEND, params: &params };
    once(client, &question, signal, &|| tell("sending")).await
}
