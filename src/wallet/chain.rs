//! Reading a chain: through the application's RPC for it, or through the wallet while it is on that chain. Where a node
//! fails, the next one is asked.

use super::account::await_answer;
use super::reads::{Answers, Batch, RECENT_MS, Read, Request, is_answer_to, number, unlike};
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
    /// The chain's id, by which the application's nodes are checked; `None` if the wallet reads, which was checked.
    checked_by: Option<u64>,
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
        let given = client.shared.rpc.iter().filter(|(id, _)| *id == chain_id);
        let mut given = given.map(|(_, provider)| provider.clone());
        if let Some(first) = given.next() {
            let chain = Chain { client, first, others: given.collect(), checked_by: Some(chain_id), signal };
            if chain.in_use().is_none() {
                let started = client.shared.host.monotonic_ms();
                if let Err(failed) = chain.ask_at(0, None).await {
                    chain.try_others(0, None, failed, started).await?;
                }
            }
            return Ok(Some(chain));
        }
        let Some(first) = client.binding.wallet.clone().filter(|_| !client.binding.local) else { return Ok(None) };
        let chain = Chain { client, first, others: vec![], checked_by: None, signal };
        Ok((chain.read(Read::chain_id()).await? == chain_id).then_some(chain))
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

    /// Asks all reads of a batch at once, then awaits the answers. Where the node fails, the next one is asked, and all
    /// of them once more after a pause.
    ///
    /// # Errors
    /// The failure of the first read that failed: WALLET_FAILED with `reverted` if its call reverts, else the RPC's
    /// failure.
    pub async fn ask(&self, batch: Batch) -> Result<Answers> {
        let place = self.in_use().unwrap_or_default();
        let started = self.client.shared.host.monotonic_ms();
        let mut asked = Vec::with_capacity(batch.0.len());
        for request in batch.0 {
            let prompt = self.put(place, &request);
            asked.push((request, prompt));
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (request, prompt) in asked {
            answers.push(match self.await_answer(place, &request, prompt).await {
                Err(failed) if request.may_fail && failed.code != ErrorCode::Aborted => Json::Null,
                Err(failed) => self.try_others(place, Some(&request), failed, started).await?,
                Ok(answer) => answer,
            });
        }
        Ok(Answers(answers))
    }

    /// Which of the application's nodes is in use; `None` as long as none was checked.
    fn in_use(&self) -> Option<usize> {
        let checked = self.client.shared.checked_rpc.borrow();
        checked.iter().find(|(chain, _)| Some(*chain) == self.checked_by).map(|(_, place)| *place)
    }

    /// Puts questions whose answers are soon wanted, and awaits none. Only to the application's nodes: a wallet may
    /// change its chain between two questions, so nothing of its is kept.
    pub fn put_early(client: &Client<H>, chain_id: u64, batch: Batch) {
        let given = client.shared.rpc.iter().filter(|(id, _)| *id == chain_id);
        let mut given = given.map(|(_, provider)| provider.clone());
        let Some(first) = given.next() else { return };
        let signal = &H::Signal::never();
        let chain = Chain { client, first, others: given.collect(), checked_by: Some(chain_id), signal };
        let place = chain.in_use();
        if place.is_none() {
            chain.put(0, &chain_id_request());
        }
        for request in batch.0 {
            chain.put(place.unwrap_or_default(), &request);
        }
    }

    /// Puts a question to the provider at that place, unless it was put so lately that its answer still counts.
    fn put(&self, place: usize, request: &Request) -> H::Prompt {
        let shared = &self.client.shared;
        let provider = place.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first);
        let Some(chain_id) = self.checked_by.filter(|_| request.max_age_ms > 0) else {
            return shared.host.ask(provider, request.method, &request.params);
        };
        let put_at = shared.host.monotonic_ms();
        if let Some(known) = shared.questions.borrow().iter().find(|known| self.is_same(known, place, request))
            && put_at.saturating_sub(known.put_at) <= request.max_age_ms
        {
            return known.prompt.clone();
        }
        let prompt = shared.host.ask(provider, request.method, &request.params);
        let question = (request.method, request.params.clone());
        self.forget(place, request);
        let mut known = shared.questions.borrow_mut();
        known.truncate(MAX_QUESTIONS.saturating_sub(1));
        let is_passing = request.max_age_ms < u64::MAX;
        let number = shared.questions_put.replace(shared.questions_put.get().saturating_add(1));
        known.insert(0, PutQuestion { chain_id, place, question, put_at, number, is_passing, prompt: prompt.clone() });
        prompt
    }

    /// Forgets that this question was put to the provider at that place.
    fn forget(&self, place: usize, request: &Request) {
        self.client.shared.questions.borrow_mut().retain(|known| !self.is_same(known, place, request));
    }

    /// Whether that is this very question, put to the provider at that place.
    fn is_same(&self, known: &PutQuestion<H>, place: usize, request: &Request) -> bool {
        let (method, params) = &known.question;
        (Some(known.chain_id), known.place) == (self.checked_by, place)
            && (*method, params) == (request.method, &request.params)
    }

    /// Asks the provider at that place, once it is known to be one of this chain. Without a request, only makes that
    /// known.
    ///
    /// # Errors
    /// INVALID_INPUT if it is one of another chain; its failure.
    async fn ask_at(&self, place: usize, request: Option<&Request>) -> Result<Json> {
        let (shared, mut answer) = (&self.client.shared, Json::Null);
        let is_checked = |chain_id| shared.checked_rpc.borrow().contains(&(chain_id, place));
        if let Some(chain_id) = self.checked_by.filter(|chain_id| !is_checked(*chain_id)) {
            let question = chain_id_request();
            let seen = number(&self.await_answer(place, &question, self.put(place, &question)).await?)?;
            if seen != chain_id {
                return Err(wrong_rpc(chain_id, &["an RPC of chain ", &chain_id.text()].concat(), &seen.text()));
            }
        }
        if let Some(request) = request {
            answer = self.await_answer(place, request, self.put(place, request)).await?;
        }
        // What answered last is in use.
        if let Some(chain_id) = self.checked_by {
            let mut checked = shared.checked_rpc.borrow_mut();
            checked.retain(|known| *known != (chain_id, place));
            checked.insert(0, (chain_id, place));
        }
        Ok(answer)
    }

    /// Awaits the answer of the provider at that place to a request. One that is no answer is forgotten.
    ///
    /// # Errors
    /// The provider's failure; WALLET_FAILED for an answer of another form.
    async fn await_answer(&self, place: usize, request: &Request, prompt: H::Prompt) -> Result<Json> {
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

    /// After the provider at `place` `failed`, asks the others, and all of them once more after a pause. `started` is
    /// when it was asked, by [`Host::monotonic_ms`].
    ///
    /// # Errors
    /// What it failed with, if that is not the node's fault or no other does better; ABORTED.
    async fn try_others(&self, place: usize, request: Option<&Request>, failed: Error, started: u64) -> Result<Json> {
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
            match self.ask_at(next, request).await {
                Err(error) if is_fault_of_node(&error) => {}
                outcome => return outcome,
            }
        }
        Err(failed)
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
