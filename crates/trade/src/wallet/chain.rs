//! Reads a chain: through the application's RPC for it, or through the wallet while it is on that chain. If a node
//! fails, the next one is asked. With `rpcQuorum` several get the same request, and have to agree.

use super::account::await_answer;
use super::reads::{
    Answers, Batch, LASTING_MS, RECENT_MS, Read, Request, SIMULATION, is_answer_to, no_answer, number, unlike,
};
use super::together::{Work, all_of};
use crate::client::nodes::{ReadKey, SentRead};
use crate::client::{Client, Shared};
use crate::host::{Host, Signal};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::json::Json;
use verify::internal::value::text::ToText;

/// INVALID_INPUT at `rpc.<chainId>`: the application has to name another node, or one at all.
fn wrong_rpc(chain_id: u64, expected: &str, actual: &str) -> Error {
    Error::input(&["rpc.", &chain_id.text()].concat(), expected, actual)
}

/// A request and its answer; `None` before it was sent.
pub(super) type RequestAnswer = (Request, Option<Result<Json>>);

/// One of several nodes, and its requests.
pub(super) struct Node {
    /// Its place in the application's list for the chain.
    pub(super) place: usize,
    /// The same requests for all nodes.
    pub(super) asked: Vec<RequestAnswer>,
}

impl Node {
    /// A node before its first request.
    pub(super) fn new(place: usize, requests: &[Request]) -> Node {
        Node { place, asked: requests.iter().map(|request| (request.clone(), None)).collect() }
    }

    /// Its answer to one of the requests.
    pub(super) fn answer(&self, index: usize) -> Option<&Result<Json>> {
        self.asked.get(index).and_then(|(_, answer)| answer.as_ref())
    }
}

/// The code that compares the answers of several nodes. Most apps name one: it is behind a table, as all
/// that seldom is used.
pub struct Quorum<H: Host> {
    pub(super) agree: Agree<H>,
}

/// The common answers of nodes that were all sent the same requests.
type Agree<H> = for<'a> fn(&'a Chain<'a, H>, Vec<Node>) -> Work<'a, Result<Vec<RequestAnswer>>>;

/// A chain with a provider that can read it.
pub struct Chain<'a, H: Host> {
    /// The client for which it is read.
    pub client: &'a Client<H>,
    /// The application's first node for the chain, else the wallet.
    first: H::Provider,
    /// The application's other nodes for it.
    others: Vec<H::Provider>,
    /// The chain's id.
    id: u64,
    /// Whether the wallet alone reads it. Its chain is checked each time; that of the application's nodes once, except
    /// for a wallet that is one of several nodes.
    is_wallet: bool,
    /// The caller's signal, which ends every read.
    pub signal: &'a H::Signal,
}

/// The pause before a node is asked once more, in milliseconds, and at most half as much more.
pub(super) const PAUSE_MS: u32 = 1_000;
/// How long to wait for a node that is behind a receipt that was shown, in milliseconds.
const LAG_MS: u64 = 30_000;
/// A node that took longer than this to fail is not asked again, in milliseconds: it does not work at all.
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
            if !chain.in_turn(1).iter().all(|place| chain.is_checked(*place)) {
                chain.put_early(Batch::default());
                chain.ask_nodes(1, &[]).await?;
            }
            return Ok(Some(chain));
        }
        let Some(first) = client.binding.wallet.clone().filter(|_| !client.binding.local) else { return Ok(None) };
        let chain = Chain { client, first, others: vec![], id: chain_id, is_wallet: true, signal };
        Ok((chain.read(Read::chain_id()).await? == chain_id).then_some(chain))
    }

    /// The chain by the application's nodes, which are still to be checked; `None` if it names none.
    pub fn given(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Option<Chain<'a, H>> {
        let nodes = client.shared.settings.rpc.iter().filter(|(id, _)| *id == chain_id);
        let mut nodes = nodes.map(|(_, provider)| provider.clone());
        let first = nodes.next()?;
        Some(Chain { client, first, others: nodes.collect(), id: chain_id, is_wallet: false, signal })
    }

    /// The chain of that id, for calls that cannot do without it.
    ///
    /// # Errors
    /// The errors of [`Chain::find`]; INVALID_INPUT if nothing can read it.
    pub async fn need(client: &'a Client<H>, chain_id: u64, signal: &'a H::Signal) -> Result<Chain<'a, H>> {
        let found = Chain::find(client, chain_id, signal).await?;
        let expected = "a URL or provider: without one the chain cannot be read";
        found.ok_or_else(|| wrong_rpc(chain_id, expected, "nothing"))
    }

    /// The chain's id.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Sends one read, and awaits its answer.
    ///
    /// # Errors
    /// The errors of [`Chain::ask`] and [`Answers::get`].
    pub async fn read<T>(&self, what: Read<T>) -> Result<T> {
        let mut batch = Batch::default();
        let read = batch.add(what);
        self.ask(batch).await?.get(read)
    }

    /// Sends all reads of a batch at once, then awaits the answers. Reads that the node fails to answer go to the next
    /// one, and to all nodes once more after a pause. With `rpcQuorum` that many nodes are asked, unless no check
    /// depends on the answer; if they differ, all of them are asked again at one block
    /// ([`super::quorum`]), by code that is awaited before the first of them is asked.
    ///
    /// # Errors
    /// The failure of the first read that failed: WALLET_FAILED with `reverted` if its call reverts, else the RPC's
    /// failure; NODES_DISAGREE; those of [`Host::quorum`].
    pub async fn ask(&self, batch: Batch) -> Result<Answers> {
        let informs = batch.0.iter().all(|request| request.informs);
        if informs || !self.has_quorum() {
            let nodes = self.ask_nodes(1, &batch.0).await?;
            return answers_of(nodes.into_iter().next().map_or_else(Vec::new, |first| first.asked));
        }
        let quorum = self.client.shared.host.quorum(self.signal).await?.downcast_ref::<Quorum<H>>();
        let agree = quorum.ok_or_else(Error::unreachable)?.agree;
        answers_of(agree(self, self.ask_nodes(self.quorum(), &batch.0).await?).await?)
    }

    /// Asks each of the chain's nodes, and returns the answers of each. A node that cannot be reached is left out, as
    /// long as enough others answer for the quorum.
    ///
    /// # Errors
    /// The failure of a node; also for an answer of another form.
    pub async fn ask_everywhere<T>(&self, reads: impl Fn() -> Vec<Read<T>>) -> Result<Vec<Vec<T>>> {
        let (mut nodes, mut pending) = (Vec::new(), Vec::new());
        for place in 0..=self.others.len() {
            let mut batch = Batch::default();
            pending.push(batch.add_all(reads().into_iter()));
            nodes.push(Node::new(place, &batch.0));
        }
        let work = nodes.iter_mut().map(|node| -> Work<'_, _> { Box::pin(self.ask_at(node.place, &mut node.asked)) });
        let outcomes = all_of(work.collect()).await;
        let (mut answered, mut failed) = (Vec::new(), Error::unreachable());
        for ((node, pending), outcome) in nodes.into_iter().zip(pending).zip(outcomes) {
            match outcome.err().or_else(|| first_fault(&node.asked)) {
                Some(error) => failed = error,
                None => answered.push(answers_of(node.asked)?.get_all(pending)?),
            }
        }
        if answered.len() < self.quorum() { Err(failed) } else { Ok(answered) }
    }

    /// Sends all requests to `count` of the application's nodes. A node that fails is replaced by the next one that is
    /// not among them; so each answers all of the requests, or none.
    ///
    /// # Errors
    /// The failure of a node, if no other does better.
    pub(super) async fn ask_nodes(&self, count: usize, requests: &[Request]) -> Result<Vec<Node>> {
        let shared = &self.client.shared;
        let started = shared.host.monotonic_ms();
        let mut busy = self.in_turn(count);
        let mut nodes: Vec<Node> = busy.iter().map(|place| Node::new(*place, requests)).collect();
        let work = nodes.iter_mut().map(|node| -> Work<'_, _> { Box::pin(self.ask_at(node.place, &mut node.asked)) });
        let outcomes = all_of(work.collect()).await;
        for (node, outcome) in nodes.iter_mut().zip(outcomes) {
            if let Some(failed) = outcome.err().or_else(|| first_fault(&node.asked)) {
                let place = node.place;
                self.try_others(node, &busy, failed, started).await?;
                busy.iter_mut().filter(|busy| **busy == place).for_each(|busy| *busy = node.place);
            }
        }
        // The nodes that answered last are in use.
        for node in nodes.iter().rev().filter(|_| !self.is_wallet) {
            let mut checked = shared.nodes.checked_rpc.borrow_mut();
            checked.retain(|known| *known != (self.id, node.place));
            checked.insert(0, (self.id, node.place));
        }
        Ok(nodes)
    }

    /// The number of its nodes.
    pub(super) fn count(&self) -> usize {
        self.others.len().saturating_add(1)
    }

    /// Whether several nodes have to agree before a refusal or a prompt depends on their answer.
    pub fn has_quorum(&self) -> bool {
        self.quorum() > 1
    }

    /// How many nodes have to agree. A wallet in place of the application's nodes is alone.
    fn quorum(&self) -> usize {
        if self.is_wallet { 1 } else { self.client.shared.settings.rpc_quorum }
    }

    /// The places of the nodes to ask: those in use first, then in the application's order.
    fn in_turn(&self, count: usize) -> Vec<usize> {
        let checked = self.client.shared.nodes.checked_rpc.borrow();
        let in_use = checked.iter().filter(|(chain, _)| *chain == self.id && !self.is_wallet).map(|(_, place)| *place);
        let mut places = Vec::new();
        for place in in_use.chain(0..=self.others.len()) {
            if places.len() < count && !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }

    /// Sends reads whose answers are needed soon, and awaits none. Reads whose answers are not kept are left out. A
    /// wallet among several nodes is left out too: it may be on another chain.
    pub fn put_early(&self, batch: Batch) {
        for place in self.in_turn(self.quorum()) {
            if self.has_to_say_where(place) {
                continue;
            }
            if !self.is_wallet && !self.is_checked(place) {
                self.put(place, &chain_id_request());
            }
            for request in batch.0.iter().filter(|request| request.max_age_ms > 0) {
                self.put(place, request);
            }
        }
    }

    /// Starts reads whose answers are kept, anew unless they were sent after so many others
    /// ([`Nodes::questions_put`](crate::client::nodes::Nodes::questions_put)), and awaits none.
    pub fn renew(&self, batch: Batch, since: u64) {
        let nodes = &self.client.shared.nodes;
        for (request, place) in
            batch.0.iter().flat_map(|request| (0..=self.others.len()).map(move |place| (request, place)))
        {
            let key = self.key(place, request);
            nodes.questions.forget(|known, sent| *known == key && sent.number < since);
        }
        self.put_early(batch);
    }

    /// Whether the node at that place reported before that it is on this chain.
    fn is_checked(&self, place: usize) -> bool {
        self.client.shared.nodes.checked_rpc.borrow().contains(&(self.id, place))
    }

    /// Whether the node at that place has to report its chain each time: a wallet that is one of several nodes.
    fn has_to_say_where(&self, place: usize) -> bool {
        self.has_quorum() && self.client.shared.host.may_switch(self.provider(place))
    }

    /// The provider at that place.
    fn provider(&self, place: usize) -> &H::Provider {
        place.checked_sub(1).and_then(|other| self.others.get(other)).unwrap_or(&self.first)
    }

    /// How many milliseconds ago that was read, if its answer is kept and too old to count as it is. With several
    /// nodes, the oldest read counts.
    pub fn stale_for<T>(&self, what: &Read<T>) -> Option<u64> {
        let request = what.request.as_ref()?;
        let mut oldest = 0;
        for place in self.in_turn(self.quorum()) {
            let (put_at, _) = self.client.shared.nodes.questions.find(&self.key(place, request))?;
            let age = self.client.shared.host.monotonic_ms().saturating_sub(put_at);
            oldest = oldest.max(Some(age).filter(|age| *age > RECENT_MS && *age <= LASTING_MS)?);
        }
        Some(oldest)
    }

    /// How many milliseconds ago that was read from the node in use; 0 if its answer is not kept.
    pub fn age_ms<T>(&self, what: &Read<T>) -> u64 {
        let (Some(request), place) = (&what.request, self.in_turn(1).first().copied().unwrap_or_default()) else {
            return 0;
        };
        let put = self.client.shared.nodes.questions.find(&self.key(place, request));
        put.map_or(0, |(put_at, _)| self.client.shared.host.monotonic_ms().saturating_sub(put_at))
    }

    /// Whether that was read so recently that no request is needed.
    pub fn is_known<T>(&self, what: &Read<T>) -> bool {
        let (known, now) = (&self.client.shared.nodes.questions, self.client.shared.host.monotonic_ms());
        let is_known = |request: &Request, place| known.find_recent(&self.key(place, request), now, request.max_age_ms);
        what.request.as_ref().is_none_or(|request| {
            self.in_turn(self.quorum()).into_iter().all(|place| is_known(request, place).is_some())
        })
    }

    /// Sends a read to the provider at that place, unless it was sent so recently that its answer still counts. Returns
    /// the handle for the answer, and whether it was sent before.
    fn put(&self, place: usize, request: &Request) -> (H::Prompt, bool) {
        let shared = &self.client.shared;
        let provider = self.provider(place);
        if request.max_age_ms == 0 {
            return (shared.host.ask(provider, request.method, &request.params), false);
        }
        let put_at = shared.host.monotonic_ms();
        // A wallet may have changed its chain between that read and this one.
        let max_age_ms = if self.is_wallet { request.max_age_ms.min(LASTING_MS) } else { request.max_age_ms };
        let (known, key) = (&shared.nodes.questions, self.key(place, request));
        if let Some(known) = known.find_recent(&key, put_at, max_age_ms) {
            return (known.prompt, true);
        }
        let prompt = shared.host.ask(provider, request.method, &request.params);
        let is_passing = max_age_ms < u64::MAX;
        let number = shared.nodes.questions_put.replace(shared.nodes.questions_put.get().saturating_add(1));
        (known.add(key, put_at, SentRead { number, is_passing, prompt }).prompt, false)
    }

    /// Forgets that this read was sent to the provider at that place.
    pub(super) fn forget(&self, place: usize, request: &Request) {
        let key = self.key(place, request);
        self.client.shared.nodes.questions.forget(|known, _| *known == key);
    }

    /// The key of a read by the provider at that place.
    fn key(&self, place: usize, request: &Request) -> ReadKey {
        let (method, params) = (request.method, request.params.clone());
        ReadKey { chain_id: self.id, by_wallet: self.is_wallet, place, method, params }
    }

    /// Sends the unanswered requests to the provider at that place, once it is known to be on this chain. Without a
    /// request, only checks its chain.
    ///
    /// # Errors
    /// INVALID_INPUT if it is on another chain, or its failure to report its chain.
    async fn ask_at(&self, place: usize, asked: &mut [RequestAnswer]) -> Result<()> {
        let moves = self.has_to_say_where(place);
        if moves || !(self.is_wallet || self.is_checked(place)) {
            let mut question = chain_id_request();
            if moves {
                question.max_age_ms = 0;
            }
            let seen = number(&self.await_answer(place, &question, self.put(place, &question)).await?)?;
            if seen != self.id {
                return Err(wrong_rpc(self.id, &["an RPC of chain ", &self.id.text()].concat(), &seen.text()));
            }
        }
        // All are sent before one is awaited, so that they travel together.
        let mut put = Vec::with_capacity(asked.len());
        for (request, answer) in &*asked {
            put.push(is_open(answer).then(|| self.put(place, request)));
        }
        for ((request, answer), put) in asked.iter_mut().zip(put) {
            let Some(put) = put else { continue };
            *answer = Some(match self.await_answer(place, request, put).await {
                Err(failed) if request.may_fail && failed.code != ErrorCode::Aborted => Ok(no_answer(&failed)),
                answer => answer,
            });
        }
        Ok(())
    }

    /// Awaits the answer of the provider at that place to a request that was `put`. An older failure refuses nothing:
    /// the request is then sent once more.
    ///
    /// # Errors
    /// The provider's failure; NETWORK for an answer of another form.
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

    /// Awaits the answer to a read, and forgets the read if there is none.
    ///
    /// # Errors
    /// Same as [`Chain::await_answer`].
    async fn await_prompt(&self, place: usize, request: &Request, prompt: H::Prompt) -> Result<Json> {
        let outcome = match await_answer(self.client, "rpc", request.method, &prompt, self.signal).await {
            Err(error) if error.reverted && request.may_revert => Ok(Json::String("0x".into())),
            Ok(answer) if !is_answer_to(request, &answer) => Err(unlike(&answer)),
            outcome => outcome,
        };
        // Empty bytes are no answer, either: they come from an address without a token yet. A call that is tried may
        // return none.
        let is_of_token = request.method == "eth_call" && request.name != SIMULATION;
        let is_answer = |answer: &Json| !is_of_token || answer.as_text() != Some("0x");
        if !outcome.as_ref().is_ok_and(is_answer) {
            self.forget(place, request);
        }
        outcome
    }

    /// After a node `failed`, sends the unanswered requests to the others, and to all of them once more after a pause,
    /// but to none that is `busy` as another node of the quorum. Leaves in `node` the one that answered. `started` is
    /// when it was asked, by [`Host::monotonic_ms`].
    ///
    /// # Errors
    /// Its failure, if that is not the node's fault or no other does better; ABORTED.
    async fn try_others(&self, node: &mut Node, busy: &[usize], failed: Error, started: u64) -> Result<()> {
        let shared = &self.client.shared;
        let place = node.place;
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
            } else if busy.contains(&next) {
                continue;
            }
            if self.signal.is_aborted() {
                return Err(Error::aborted());
            }
            // In a quorum each node answers all requests itself: two answers that are compared must not come from one
            // node.
            if busy.len() > 1 && next != node.place {
                node.asked.iter_mut().for_each(|(_, answer)| *answer = None);
            }
            node.place = next;
            match self.ask_at(next, &mut node.asked).await {
                Err(error) if is_fault_of_node(&error) => {}
                Ok(()) if first_fault(&node.asked).is_some() => {}
                outcome => return outcome,
            }
        }
        Err(failed)
    }
}

/// The answers to the requests.
///
/// # Errors
/// The first failure.
fn answers_of(asked: Vec<RequestAnswer>) -> Result<Answers> {
    let mut answers = Vec::with_capacity(asked.len());
    for (_, answer) in asked {
        answers.push(answer.unwrap_or(Ok(Json::Null))?);
    }
    Ok(Answers(answers))
}

/// Whether another node may be asked for it: it was not sent yet, or the node failed.
fn is_open(answer: &Option<Result<Json>>) -> bool {
    answer.as_ref().is_none_or(|answer| answer.as_ref().is_err_and(is_fault_of_node))
}

/// The first failure for which a node is to blame.
fn first_fault(asked: &[RequestAnswer]) -> Option<Error> {
    let faults = asked.iter().filter(|(_, answer)| answer.is_some() && is_open(answer));
    faults.filter_map(|(_, answer)| answer.as_ref()?.as_ref().err()).next().cloned()
}

/// Does work that reads that chain. If it refuses because of kept answers, it runs once more with new ones: the state
/// may have changed since. If it refuses because of a state from before a receipt that was shown
/// ([`Facts::as_of`](verify::internal::error::Facts::as_of)), it is repeated until a node has that receipt's block.
///
/// # Errors
/// The errors of the work; NETWORK with `block` if the node is still behind after 30 s.
pub async fn retry_fresh<H: Host, T>(
    shared: &Shared<H>,
    chain_id: u64,
    signal: &H::Signal,
    mut work: impl AsyncFnMut() -> Result<T>,
) -> Result<T> {
    let (number, started) = (shared.nodes.questions_put.get(), shared.host.monotonic_ms());
    let mut is_second = false;
    // Only one place awaits the work: its code is large.
    loop {
        let outcome = work().await;
        let Err(error) = &outcome else { return outcome };
        // Nodes that differ were asked again already.
        let refuses = error.code == ErrorCode::InvalidInput
            || !(is_fault_of_node(error) || error.code == ErrorCode::NodesDisagree);
        if !refuses || signal.is_aborted() {
            return outcome;
        }
        if is_second || !shared.nodes.forget_before(Some(chain_id), number) {
            let Some((shown, head)) = shared.nodes.shown_after(chain_id, error.as_of).zip(error.as_of) else {
                return outcome;
            };
            if shared.host.monotonic_ms().saturating_sub(started) > LAG_MS {
                let expected = [&*shown.text(), " or later"].concat();
                return Err(Error::at(ErrorCode::Network, "the node lags behind: ", "block", &expected, &head.text()));
            }
            shared.host.sleep(shared.jittered(PAUSE_MS), signal).await;
            shared.nodes.forget_state(chain_id);
        }
        is_second = true;
    }
}

/// The read that checks a node's chain.
fn chain_id_request() -> Request {
    Request { max_age_ms: RECENT_MS, ..Request::new("eth_chainId", &[]) }
}

/// Whether another node may answer instead: this one gave no answer, or one of another form, takes no more requests,
/// failed in another way than by the call's own revert, or is on another chain.
fn is_fault_of_node(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::InvalidInput => true,
        code => code == ErrorCode::WalletFailed && !error.reverted,
    }
}
