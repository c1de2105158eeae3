//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain. Where a node
//! fails, the next one is asked.

use super::account::await_answer;
use super::reads::{Answers, Batch, LASTING_MS, RECENT_MS, Read, Request, is_answer_to, number, unlike};
use crate::client::{Client, PutQuestion, Shared};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::Json;

/// INVALID_INPUT at `rpc.<chainId>`: the application has to name another node, or one at all.
fn wrong_rpc(chain_id: u64, expected: &str, actual: &str) -> Error {
    Error::input(&["rpc.", &chain_id.text()].concat(), expected, actual)
}

/// A chain, with something that can read it.
pub struct Chain<'a, H: Host> {
    /// The client for which it is read.
    pub client: &'a Client<H>,
    /// The application's first node for the chain, else the wallet.
    first: H::Provider,
    /// The application's other nodes for it.
    others: Vec<H::Provider>,
    /// The chain's id.
    id: u64,
    /// Whether the wallet reads it. Its chain is checked each time, that of the application's nodes once.
    is_wallet: bool,
    /// The caller's signal, which ends every read.
    pub signal: &'a H::Signal,
}

/// How many questions whose answers still count are kept; the oldest is dropped first.
const MAX_QUESTIONS: usize = 256;
/// The pause before a node is asked once more, in milliseconds, and at most half as much more.
const PAUSE_MS: u32 = 1_000;
/// A node that took longer than that to fail is not asked again, in milliseconds: it does not work at all.
const HICCUP_MS: u64 = 5_000;

impl<'a, H: Host> Chain<'a, H> {
    /// The chain of that id; `None` if the application names no RPC for it and the wallet is on another one, or is a
    /// local account. The RPC's chain id is read once, the wallet's each time: the user may switch.
    ///
    /// # Errors
    /// INVALID_INPUT if the application's RPC is on another chain; else the failure of RPC or wallet. If there are
    /// several RPCs, one that works is enough.
    pub async fn find(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Option<Chain<'a, H>>> {
        if let Some(chain) = Chain::given(client, chain_id, signal) {
            if chain.in_use().is_none() {
                let started = client.shared.host.monotonic_ms();
                if let Err(failed) = chain.ask_at(0, &mut []).await {
                    chain.try_others(0, &mut [], failed, started).await?;
                }
            }
            return Ok(Some(chain));
        }
        let Some(first) = client.binding.wallet.clone().filter(|_| !client.binding.local) else { return Ok(None) };
        let chain = Chain { client, first, others: vec![], id: chain_id, is_wallet: true, signal };
        Ok((chain.read(Read::chain_id()).await? == chain_id).then_some(chain))
    }

    /// The chain by the application's nodes, which are still to be checked; `None` if it names none.
    pub fn given(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Option<Chain<'a, H>> {
        let nodes = client.shared.rpc.iter().filter(|(id, _)| *id == chain_id);
        let mut nodes = nodes.map(|(_, provider)| provider.clone());
        let first = nodes.next()?;
        Some(Chain { client, first, others: nodes.collect(), id: chain_id, is_wallet: false, signal })
    }

    /// The chain of that id, for calls that cannot do without it.
    ///
    /// # Errors
    /// Those of [`Chain::find`]; INVALID_INPUT if nothing can read it.
    pub async fn need(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Chain<'a, H>> {
        let found = Chain::find(client, chain_id, signal).await?;
        let expected = "a URL or provider: without one the chain cannot be read";
        found.ok_or_else(|| wrong_rpc(chain_id, expected, "nothing"))
    }

    /// Asks one read, and awaits its answer.
    ///
    /// # Errors
    /// Those of [`Chain::ask`] and [`Answers::get`].
    pub async fn read<T>(&self, what: Read<T>) -> Result<T> {
        let mut batch = Batch::default();
        let read = batch.add(what);
        self.ask(batch).await?.get(read)
    }

    /// Asks all reads of a batch at once, then awaits the answers. What the node fails to answer, the next one is asked,
    /// and all of them once more after a pause.
    ///
    /// # Errors
    /// The failure of the first read that failed: WALLET_FAILED with `reverted` if its call reverts, else the RPC's
    /// failure.
    pub async fn ask(&self, batch: Batch) -> Result<Answers> {
        let place = self.in_use().unwrap_or_default();
        let started = self.client.shared.host.monotonic_ms();
        let mut asked: Vec<Asked> = batch.0.into_iter().map(|request| (request, None)).collect();
        self.ask_at(place, &mut asked).await?;
        if let Some(failed) = first_fault(&asked) {
            self.try_others(place, &mut asked, failed, started).await?;
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (_, answer) in asked {
            answers.push(answer.unwrap_or(Ok(Json::Null))?);
        }
        Ok(Answers(answers))
    }

    /// Which of the application's nodes is in use; `None` as long as none was checked.
    fn in_use(&self) -> Option<usize> {
        let checked = self.client.shared.checked_rpc.borrow();
        checked.iter().find(|(chain, _)| *chain == self.id && !self.is_wallet).map(|(_, place)| *place)
    }

    /// Puts questions whose answers are soon wanted, and awaits none. Those that count for no time are left out.
    pub fn put_early(&self, batch: Batch) {
        let place = self.in_use();
        if place.is_none() && !self.is_wallet {
            self.put(0, &chain_id_request());
        }
        for request in batch.0.iter().filter(|request| request.max_age_ms > 0) {
            self.put(place.unwrap_or_default(), request);
        }
    }

    /// How many milliseconds ago that was asked, if its answer is kept and too old to count as it is.
    pub fn stale_for<T>(&self, what: &Read<T>) -> Option<u64> {
        let (request, place) = (what.request.as_ref()?, self.in_use().unwrap_or_default());
        let known = self.client.shared.questions.borrow();
        let put_at = known.iter().find(|known| self.is_same(known, place, request))?.put_at;
        let age = self.client.shared.host.monotonic_ms().saturating_sub(put_at);
        (age > RECENT_MS && age <= LASTING_MS).then_some(age)
    }

    /// Puts a question to the provider at that place, unless it was put so lately that its answer still counts. Returns
    /// what waits for the answer, and whether it was put before.
    fn put(&self, place: usize, request: &Request) -> (H::Prompt, bool) {
        let shared = &self.client.shared;
        let provider = place.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first);
        if request.max_age_ms == 0 {
            return (shared.host.ask(provider, request.method, &request.params), false);
        }
        let put_at = shared.host.monotonic_ms();
        // A wallet may have changed its chain between that question and this one.
        let max_age_ms = if self.is_wallet { request.max_age_ms.min(LASTING_MS) } else { request.max_age_ms };
        if let Some(known) = shared.questions.borrow().iter().find(|known| self.is_same(known, place, request))
            && put_at.saturating_sub(known.put_at) <= max_age_ms
        {
            return (known.prompt.clone(), true);
        }
        let prompt = shared.host.ask(provider, request.method, &request.params);
        let question = (request.method, request.params.clone());
        self.forget(place, request);
        let mut known = shared.questions.borrow_mut();
        known.truncate(MAX_QUESTIONS.saturating_sub(1));
        let is_passing = max_age_ms < u64::MAX;
        let number = shared.questions_put.replace(shared.questions_put.get().saturating_add(1));
        let (chain_id, by_wallet) = (self.id, self.is_wallet);
        let put =
            PutQuestion { chain_id, by_wallet, place, question, put_at, number, is_passing, prompt: prompt.clone() };
        known.insert(0, put);
        (prompt, false)
    }

    /// Forgets that this question was put to the provider at that place.
    fn forget(&self, place: usize, request: &Request) {
        self.client.shared.questions.borrow_mut().retain(|known| !self.is_same(known, place, request));
    }

    /// Whether that is this very question, put to the provider at that place.
    fn is_same(&self, known: &PutQuestion<H>, place: usize, request: &Request) -> bool {
        let (method, params) = &known.question;
        (known.chain_id, known.by_wallet, known.place) == (self.id, self.is_wallet, place)
            && (*method, params) == (request.method, &request.params)
    }

    /// Asks the provider at that place what has no answer yet, once it is known to be one of this chain. Without a
    /// request, only makes that known.
    ///
    /// # Errors
    /// INVALID_INPUT if it is one of another chain, or why it does not say which.
    async fn ask_at(&self, place: usize, asked: &mut [Asked]) -> Result<()> {
        let shared = &self.client.shared;
        let is_checked = self.is_wallet || shared.checked_rpc.borrow().contains(&(self.id, place));
        if !is_checked {
            let question = chain_id_request();
            let seen = number(&self.await_answer(place, &question, self.put(place, &question)).await?)?;
            if seen != self.id {
                return Err(wrong_rpc(self.id, &["an RPC of chain ", &self.id.text()].concat(), &seen.text()));
            }
        }
        // All are put before one is awaited, so that they travel together.
        let mut put = Vec::with_capacity(asked.len());
        for (request, answer) in &*asked {
            put.push(is_open(answer).then(|| self.put(place, request)));
        }
        for ((request, answer), put) in asked.iter_mut().zip(put) {
            let Some(put) = put else { continue };
            *answer = Some(match self.await_answer(place, request, put).await {
                Err(failed) if request.may_fail && failed.code != ErrorCode::Aborted => Ok(Json::Null),
                answer => answer,
            });
        }
        // What answered last is in use.
        if !self.is_wallet && first_fault(asked).is_none() {
            let mut checked = shared.checked_rpc.borrow_mut();
            checked.retain(|known| *known != (self.id, place));
            checked.insert(0, (self.id, place));
        }
        Ok(())
    }

    /// Awaits the answer of the provider at that place to a request that was `put`. Nobody is refused by what failed a
    /// while ago: then it is put once more.
    ///
    /// # Errors
    /// The provider's failure; WALLET_FAILED for an answer of another form.
    async fn await_answer(&self, place: usize, request: &Request, put: (H::Prompt, bool)) -> Result<Json> {
        let (mut prompt, mut was_put_before) = put;
        loop {
            let answer = self.await_prompt(place, request, prompt).await;
            if !was_put_before || !answer.as_ref().is_err_and(|error| error.reverted) {
                return answer;
            }
            (prompt, was_put_before) = (self.put(place, request).0, false);
        }
    }

    /// Awaits the answer to a question, and forgets the question if there is none.
    ///
    /// # Errors
    /// As [`Chain::await_answer`].
    async fn await_prompt(&self, place: usize, request: &Request, prompt: H::Prompt) -> Result<Json> {
        let outcome = match await_answer(self.client, "rpc", request.method, &prompt, self.signal).await {
            Err(error) if error.reverted && request.may_revert => Ok(Json::String("0x".into())),
            Ok(answer) if !is_answer_to(request.method, &answer) => Err(unlike(&answer)),
            outcome => outcome,
        };
        // Nor are no bytes an answer: they come from where no token is yet.
        let is_answer = |answer: &Json| request.method != "eth_call" || answer.as_text() != Some("0x");
        if !outcome.as_ref().is_ok_and(is_answer) {
            self.forget(place, request);
        }
        outcome
    }

    /// After the provider at `place` `failed`, asks the others what has no answer yet, and all of them once more after a
    /// pause. `started` is when it was asked, by [`Host::monotonic_ms`].
    ///
    /// # Errors
    /// What it failed with, if that is not the node's fault or no other does better; ABORTED.
    async fn try_others(&self, place: usize, asked: &mut [Asked], failed: Error, started: u64) -> Result<()> {
        let shared = &self.client.shared;
        let count = self.others.len().saturating_add(1);
        let all = || (0..count).cycle().skip(place.saturating_add(1));
        let is_lasting = failed.code == ErrorCode::InvalidInput;
        if !is_fault_of_node(&failed) {
            return Err(failed);
        }
        for next in all().take(count.saturating_mul(2).saturating_sub(1)) {
            if next == place {
                if is_lasting || shared.host.monotonic_ms().saturating_sub(started) > HICCUP_MS {
                    break;
                }
                shared.host.sleep(shared.jittered(PAUSE_MS), self.signal).await;
            }
            if self.signal.is_aborted() {
                return Err(Error::aborted());
            }
            match self.ask_at(next, asked).await {
                Err(error) if is_fault_of_node(&error) => {}
                Ok(()) if first_fault(asked).is_some() => {}
                outcome => return outcome,
            }
        }
        Err(failed)
    }
}

/// A request, and what it was answered with; `None` before it was asked.
type Asked = (Request, Option<Result<Json>>);

/// Whether somebody else may be asked for it: it was not asked yet, or the node failed.
fn is_open(answer: &Option<Result<Json>>) -> bool {
    answer.as_ref().is_none_or(|answer| answer.as_ref().is_err_and(is_fault_of_node))
}

/// The first failure for which a node is to blame.
fn first_fault(asked: &[Asked]) -> Option<Error> {
    let faults = asked.iter().filter(|(_, answer)| answer.is_some() && is_open(answer));
    faults.filter_map(|(_, answer)| answer.as_ref()?.as_ref().err()).next().cloned()
}

/// Does work that reads that chain. What it refuses by answers that were kept, it does once more with new ones: nobody is
/// refused by what has changed since.
///
/// # Errors
/// Those of the work.
pub async fn retry_fresh<H: Host, T>(
    shared: &Shared<H>,
    chain_id: u64,
    signal: &H::Signal,
    mut work: impl AsyncFnMut() -> Result<T>,
) -> Result<T> {
    let number = shared.questions_put.get();
    let mut is_second = false;
    // One place that awaits it: the work is large code.
    loop {
        let outcome = work().await;
        let Err(error) = &outcome else { return outcome };
        let refuses = error.code == ErrorCode::InvalidInput || !is_fault_of_node(error);
        if is_second || !refuses || signal.is_aborted() || !forget_recent(shared, chain_id, number) {
            return outcome;
        }
        is_second = true;
    }
}

/// Forgets what the nodes of that chain were asked before that question, by its number: it may have changed since.
/// Returns whether that was anything.
pub fn forget_recent<H: Host>(shared: &Shared<H>, chain_id: u64, number: u64) -> bool {
    let mut known = shared.questions.borrow_mut();
    let before = known.len();
    known.retain(|known| known.chain_id != chain_id || known.number >= number || !known.is_passing);
    known.len() < before
}

/// The question by which a node is checked to be the right one.
fn chain_id_request() -> Request {
    Request { max_age_ms: RECENT_MS, ..Request::new("eth_chainId", &[]) }
}

/// Whether another node may answer what this one did not: it gave no answer, or one of another form, takes no more
/// requests, failed in another way than by the call's own revert, or is of another chain.
fn is_fault_of_node(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::InvalidInput => true,
        code => code == ErrorCode::WalletFailed && !error.reverted,
    }
}
