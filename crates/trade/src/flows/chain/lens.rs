//! Reads the reference prices of a chain's pools and feeds through the lens (`domain/reference/lens.rs`), at the time
//! of the quote, so that the answers are there for the build. They count for a minute.
//!
//! Feeds have a call of their own, so that a failing pool does not affect them. Deep pools are also read at two older
//! blocks: only the depth that lasted counts.

use crate::client::nodes::ReferenceQuery;
use crate::client::{Client, Shared};
use crate::flows::chain::clock::CLOCK_SLACK_SECS;
use crate::host::Host;
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Answers, Batch, CallOutcome, Pending, Read, is_passing};
use alloy_primitives::{Address, U256};
use std::cell::RefCell;
use std::rc::Rc;
use verify::internal::domain::chain::{Protocol, pinned};
use verify::internal::domain::intent::Intent;
use verify::internal::domain::reference::chain_prices::ChainPrices;
use verify::internal::domain::reference::lens::LensCall;
use verify::internal::domain::reference::past::{Past, PastState, SAME_MS};
use verify::internal::domain::reference::pools::{Block, HELD_BLOCKS, Place, RECENT_SECS};
use verify::internal::domain::reference::sources::{Feed, Sources, Why};
use verify::internal::error::{Error, ErrorCode, Result};
use verify::internal::value::text::ToText;

/// How long an answer counts, in milliseconds.
pub const KEPT_MS: u64 = SAME_MS;
/// The number of pools in a call that takes less than 12 million units of gas, whichever pools they are.
const PAIR: usize = 2;

/// The reference reads of one chain in a batch.
pub struct PendingPrices {
    asked: Rc<ReferenceQuery>,
    /// The tokens of the trade.
    tokens: [Address; 2],
    /// The answers of pools and of feeds; `None` if there are none.
    pools: Option<Pending<CallOutcome>>,
    feeds: Option<Pending<CallOutcome>>,
    /// The answers of pools at older blocks, if it is known which.
    past: Option<(Past, [Pending<CallOutcome>; HELD_BLOCKS])>,
    /// `None` if the owner pays the gas separately, so that its price does not matter.
    gas_price: Option<Pending<Option<U256>>>,
}

/// The reference prices of one chain.
#[derive(Default)]
pub struct PriceReads {
    /// `None` if the chain has none.
    pub reading: Option<ChainPrices>,
    /// Wei for a unit of gas.
    pub gas_price: Option<U256>,
    /// The reads of older blocks that are still unanswered.
    open: Option<(Rc<ReferenceQuery>, Past)>,
    /// The chain whose node did not answer those reads, and may another time.
    pub late: Option<u64>,
}

impl PriceReads {
    /// The reading of a chain that could not be read.
    pub fn unread<H: Host>(shared: &Shared<H>, chain_id: u64) -> PriceReads {
        let reading = sources(shared, chain_id).map(|sources| ChainPrices::unanswered(&sources, Why::Unread));
        PriceReads { reading, ..PriceReads::default() }
    }

    /// Reads the reference prices of the destination chain, if it can be read.
    ///
    /// # Errors
    /// The failure of [`Chain::find`]; those of [`PendingPrices::finish`].
    pub async fn read<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<PriceReads> {
        let (mut price_reads, chain) = PriceReads::read_latest(client, intent, signal).await?;
        if let Some(chain) = chain {
            price_reads.finish_older(&chain).await?;
        }
        Ok(price_reads)
    }

    /// [`PriceReads::read`] without awaiting the answers about older blocks; and the chain that will give them.
    ///
    /// # Errors
    /// Same as [`PriceReads::read`].
    pub async fn read_latest<'a, H: Host>(
        client: &'a Client<H>,
        intent: &Intent,
        signal: &'a H::Signal,
    ) -> Result<(PriceReads, Option<Chain<'a, H>>)> {
        let (mut batch, chain_id, shared) = (Batch::default(), intent.dest_chain_id, &client.shared);
        let Some(asking) = PendingPrices::add_there(shared, intent, &mut batch) else {
            return Ok((PriceReads::default(), None));
        };
        let Some(chain) = Chain::find(client, chain_id, signal).await? else {
            return Ok((PriceReads::unread(shared, chain_id), None));
        };
        let price_reads = asking.finish_latest(&chain, &chain.ask(batch).await?).await?;
        Ok((price_reads, Some(chain)))
    }

    /// [`PriceReads::read`] for the source chain, where `out` comes out.
    ///
    /// # Errors
    /// Same as [`PriceReads::read`].
    pub async fn read_here<H: Host>(
        client: &Client<H>,
        intent: &Intent,
        out: &Address,
        signal: &H::Signal,
    ) -> Result<PriceReads> {
        let (mut batch, chain_id, shared) = (Batch::default(), intent.chain_id, &client.shared);
        let Some(asking) = PendingPrices::add(shared, intent, Some(out), &mut batch) else {
            return Ok(PriceReads::default());
        };
        let Some(chain) = Chain::find(client, chain_id, signal).await? else {
            return Ok(PriceReads::unread(shared, chain_id));
        };
        asking.finish(&chain, &chain.ask(batch).await?).await
    }
}

/// The sources of reference prices on a chain; `None` if it has none, or references are switched off.
fn sources<H: Host>(shared: &Shared<H>, chain_id: u64) -> Option<Sources> {
    let given =
        shared.settings.given_sources.iter().find(|(id, _)| *id == chain_id).map(|(_, sources)| sources.clone());
    given.or_else(|| Sources::pinned(chain_id)).filter(|_| !shared.settings.has_no_references)
}

/// The query to the references of a chain for these tokens, always the same; `None` if the chain has none, or none are
/// wanted.
fn question<H: Host>(shared: &Shared<H>, chain_id: u64, tokens: [Address; 2]) -> Option<Rc<ReferenceQuery>> {
    let known = &shared.nodes.reference_queries;
    if let Some((_, asked)) = known.find(&(chain_id, tokens)) {
        return Some(asked);
    }
    let question = LensCall::of(sources(shared, chain_id)?, &tokens);
    let asked = Rc::new(ReferenceQuery { question, past: RefCell::default() });
    Some(known.add((chain_id, tokens), shared.host.monotonic_ms(), asked))
}

impl PriceReads {
    /// Awaits the answers about older blocks. If a node does not answer, pools count as they are now.
    ///
    /// # Errors
    /// ABORTED, if the signal aborts first.
    pub async fn finish_older<H: Host>(&mut self, chain: &Chain<'_, H>) -> Result<()> {
        let Some((asked, past)) = self.open.take() else { return Ok(()) };
        match (ask_past(chain, &past).await?, &mut self.reading) {
            (Ok(blocks), Some(reading)) => {
                asked.hold(reading, past, blocks, read_ms(chain, &asked));
            }
            (Err(answer), _) if answer.may_change() => self.late = Some(chain.id()),
            _ => asked.refuse(past),
        }
        Ok(())
    }
}

impl PendingPrices {
    /// Adds the reference reads of a trade's source chain to a batch; `None` if it has none. `out` is the token that
    /// comes out there, if it is known: across chains the bridge input.
    pub fn add<H: Host>(
        shared: &Shared<H>,
        intent: &Intent,
        out: Option<&Address>,
        batch: &mut Batch,
    ) -> Option<PendingPrices> {
        let src = intent.src.address;
        let dest = match intent.is_crosschain() {
            false => intent.dest.address,
            // The hubs are read with every token.
            true => *out.filter(|out| !is_hub(shared, intent.chain_id, **out)).unwrap_or(&src),
        };
        let mut asking =
            PendingPrices::add_about(shared, intent.chain_id, [src, dest], intent.pricing.mode.protocol(), batch)?;
        if let Some(out) = out.filter(|_| intent.is_crosschain()) {
            asking.tokens = [src, *out];
        }
        Some(asking)
    }

    /// [`PendingPrices::add`] for the destination chain of a trade across chains.
    pub fn add_there<H: Host>(shared: &Shared<H>, intent: &Intent, batch: &mut Batch) -> Option<PendingPrices> {
        let tokens = [intent.dest.address; 2];
        PendingPrices::add_about(shared, intent.dest_chain_id, tokens, intent.pricing.mode.protocol(), batch)
    }

    /// Adds a chain's reference reads for two tokens, for a trade by that protocol, if it is known.
    pub fn add_about<H: Host>(
        shared: &Shared<H>,
        chain_id: u64,
        tokens: [Address; 2],
        protocol: Option<Protocol>,
        batch: &mut Batch,
    ) -> Option<PendingPrices> {
        let asked = question(shared, chain_id, tokens)?;
        let LensCall { pools, feeds, .. } = &asked.question;
        let mut ask = |read: Read<CallOutcome>| batch.add(read.within(KEPT_MS));
        let pools = (!pools.is_empty()).then(|| ask(Read::creation(&LensCall::pool_data(pools))));
        let feeds = (!feeds.is_empty()).then(|| ask(Read::creation(&asked.question.feed_data())));
        let past = asked.past.take().and_then(|past| past.at_time(shared.host.monotonic_ms()));
        *asked.past.borrow_mut() = past.clone();
        // A read under way is awaited later, and an answer counts for a minute.
        let past = past.filter(|past| past.known == PastState::Expected);
        let past = past.map(|past| (past.clone(), past_reads(&past).map(ask)));
        let is_gasless = protocol.is_none_or(|protocol| protocol == Protocol::Delta);
        let gas_price = is_gasless.then(|| batch.add(Read::gas_price().within(KEPT_MS)));
        Some(PendingPrices { asked, tokens, pools, feeds, past, gas_price })
    }

    /// The reference prices, with those of older blocks.
    ///
    /// # Errors
    /// Same as [`PendingPrices::finish_latest`].
    pub async fn finish<H: Host>(self, chain: &Chain<'_, H>, answers: &Answers) -> Result<PriceReads> {
        let mut price_reads = self.finish_latest(chain, answers).await?;
        price_reads.finish_older(chain).await?;
        Ok(price_reads)
    }

    /// The reference prices of the latest block. Reads of older blocks are started, and not awaited
    /// ([`PriceReads::finish_older`]). If a node does not answer for the feeds, they are read by plain calls; if it
    /// does not answer for all pools, but runs the lens, they are read two at a time. The answers of a node of a pinned
    /// chain that is minutes behind are out of date and not used.
    ///
    /// # Errors
    /// NETWORK if the node may answer another time, and no other source has the price; ABORTED.
    pub async fn finish_latest<H: Host>(self, chain: &Chain<'_, H>, answers: &Answers) -> Result<PriceReads> {
        let PendingPrices { asked, tokens, pools, feeds, past, gas_price } = self;
        let (shared, question) = (&chain.client.shared, &asked.question);
        let gas_price = answers.get_if_asked(gas_price)?.flatten();
        let mut reading = ChainPrices::new(&question.sources);
        let feeds = answers.get_if_asked(feeds)?;
        let runs_lens = match &feeds {
            Some(CallOutcome::Bytes(bytes)) => question.read_feeds(bytes, &mut reading),
            _ => false,
        };
        if !runs_lens {
            ask_feeds(chain, question, tokens, &mut reading).await?;
        }
        let is_known = tokens.iter().all(|token| reading.has_feed(*token));
        let mut may_answer = !runs_lens && feeds.as_ref().is_some_and(CallOutcome::may_change);
        if let Some(answer) = answers.get_if_asked(pools)? {
            let is_apart = (runs_lens || feeds.is_none()) && question.pools.len() > PAIR;
            let mut blocks = vec![read_pools(&question.pools, &answer)];
            if blocks == [None] && (is_apart || answer.may_change() && !is_known) {
                (blocks, may_answer) = match ask_again(chain, &question.pools, None, is_apart).await {
                    Err(error) if error.code == ErrorCode::Aborted => return Err(error),
                    Err(error) if is_passing(&error) && !is_known => return Err(unread(chain.id(), Some(error))),
                    Err(_) => (blocks, false),
                    Ok(found) => found,
                };
            }
            // Some of the pools may be a liar's: without the others, they prove nothing.
            match blocks.into_iter().collect::<Option<Vec<Block>>>().and_then(Block::joined) {
                Some(block) => reading.add_pools(block),
                None => reading.miss_pools(),
            }
        }
        if reading.pools_read.is_none() && may_answer && !is_known {
            return Err(unread(chain.id(), None));
        }
        let past = match past {
            Some((past, [oldest, between])) => Some((past, [answers.get(oldest)?, answers.get(between)?])),
            None => None,
        };
        let open = ask_older(chain, &asked, &mut reading, past);
        let machine = shared.host.unix_ms() / 1_000;
        let is_behind = |time: u64| {
            let behind = machine.saturating_sub(time);
            pinned(chain.id()).is_some() && (RECENT_SECS..=CLOCK_SLACK_SECS).contains(&behind)
        };
        if is_behind(reading.time) {
            reading = ChainPrices::unanswered(&question.sources, Why::Silent);
        }
        let open = open.map(|past| (asked.clone(), past));
        Ok(PriceReads { reading: Some(reading), gas_price, open, late: None })
    }
}

/// Looks at older blocks for the deep pools of a reading. `past` has the answers for the blocks that were expected;
/// reads that are still unanswered are started and returned.
fn ask_older<H: Host>(
    chain: &Chain<'_, H>,
    asked: &ReferenceQuery,
    reading: &mut ChainPrices,
    past: Option<(Past, [CallOutcome; HELD_BLOCKS])>,
) -> Option<Past> {
    let (deep, shared) = (reading.deep_pools(), &chain.client.shared);
    let (_, number) = reading.pools_read.filter(|_| !deep.is_empty())?;
    let now_ms = shared.host.monotonic_ms();
    let known = asked.past.borrow().clone().filter(|past| past.fits(&deep, number));
    match (known, past.filter(|(past, _)| past.fits(&deep, number))) {
        (Some(Past { places, known: PastState::Blocks(blocks), .. }), _) => {
            reading.hold(&places, &blocks);
            return None;
        }
        (_, Some((mut past, answer))) => {
            let may_answer = past.places.len() > PAIR || answer.iter().any(CallOutcome::may_change);
            let blocks: Option<Vec<Block>> = answer.iter().map(|answer| read_pools(&past.places, answer)).collect();
            // All pools may have been read, before it was known which are deep.
            past.places = deep;
            match blocks.and_then(|blocks| blocks.try_into().ok()) {
                Some(blocks) => asked.hold(reading, past, blocks, read_ms(chain, asked)),
                None if may_answer => return Some(past),
                None => asked.refuse(past),
            }
            return None;
        }
        (Some(past), None) if past.known == PastState::Refused => return None,
        (Some(past), None) if past.known == PastState::Asked => return Some(past),
        _ => {}
    }
    let past = choose_blocks(chain, asked, deep, (number, now_ms.saturating_sub(read_ms(chain, asked))))?;
    let mut batch = Batch::default();
    for read in past_reads(&past) {
        batch.add(read.within(KEPT_MS));
    }
    chain.put_early(batch);
    // Requests of the next minute ask for the same blocks.
    *asked.past.borrow_mut() = Some(past.clone());
    Some(past)
}

/// Chooses the older blocks at which these pools are read, `age_ms` milliseconds after the latest block had that number.
fn choose_blocks<H: Host>(
    chain: &Chain<'_, H>,
    asked: &ReferenceQuery,
    places: Vec<Place>,
    (number, age_ms): (u64, u64),
) -> Option<Past> {
    let (host, Sources { blocks_back, block_ms, .. }) = (&chain.client.shared.host, &asked.question.sources);
    let block_ms = asked.past.borrow().as_ref().and_then(|past| past.block_ms).or(*block_ms);
    let number = number.saturating_add(block_ms.and_then(|ms| age_ms.checked_div(ms)).unwrap_or_default());
    let [high, low, ..] = host.random();
    Past::settle((*blocks_back, block_ms), places, number, u16::from_be_bytes([high, low]), host.monotonic_ms())
}

/// Starts to read the latest block of the chain on which the next trade most likely is, and awaits nothing: the one that
/// was read last, else the only one with nodes.
pub fn expect_head<H: Host>(client: &Client<H>, signal: &H::Signal) {
    let (shared, mut batch) = (&client.shared, Batch::default());
    let last = shared.nodes.checked_rpc.borrow().first().map(|(chain_id, _)| *chain_id);
    let mut all = shared.settings.rpc.iter().map(|(chain_id, _)| *chain_id);
    let only = all.next().filter(|first| all.all(|other| other == *first));
    batch.add(Read::head().recent());
    if let Some(chain) = last.or(only).and_then(|chain_id| Chain::given(client, chain_id, signal)) {
        chain.put_early(batch);
    }
}

/// If the latest block is known and nothing yet of the pools of these tokens, has all of them read at older blocks, too,
/// with the next read of the latest one: which are deep is seen later, and nothing more is read then.
pub async fn expect_older<H: Host>(chain: &Chain<'_, H>, tokens: [Address; 2]) {
    let head = Read::head().recent();
    let (age_ms, is_known) = (chain.age_ms(&head), chain.is_known(&head));
    let asked = question(&chain.client.shared, chain.id(), tokens).filter(|asked| asked.past.borrow().is_none());
    if let Some(asked) = asked.filter(|_| is_known)
        && let Some(number) = chain.read(head).await.ok().and_then(|head| head.number)
        && let Some(mut past) = choose_blocks(chain, &asked, asked.question.pools.clone(), (number, age_ms))
    {
        past.known = PastState::Expected;
        *asked.past.borrow_mut() = Some(past);
    }
}

/// When the pools were read at the then latest block, in milliseconds by the monotonic clock.
fn read_ms<H: Host>(chain: &Chain<'_, H>, asked: &ReferenceQuery) -> u64 {
    let read = Read::creation(&LensCall::pool_data(&asked.question.pools));
    chain.client.shared.host.monotonic_ms().saturating_sub(chain.age_ms(&read))
}

/// The reads of older blocks.
fn past_reads(past: &Past) -> [Read<CallOutcome>; HELD_BLOCKS] {
    let data = LensCall::pool_data(&past.places);
    past.blocks.map(|block| Read::creation_at(&data, block))
}

/// The state of these pools in an answer; `None` if it cannot be read.
fn read_pools(places: &[Place], answer: &CallOutcome) -> Option<Block> {
    match answer {
        CallOutcome::Bytes(bytes) => LensCall::read_pools(places, bytes),
        _ => None,
    }
}

/// Reads pools again that gave no answer: two at a time if `apart`, because all of them may take more gas than the node
/// has for a call. With every tick in use, one takes 4.3 million units; 12 million are granted everywhere (EIP-7825,
/// <https://eips.ethereum.org/EIPS/eip-7825>, which some nodes apply to calls, caps at 16.7). Also returns
/// whether the node may answer another time for the missing ones.
///
/// # Errors
/// The node's failures; ABORTED.
async fn ask_again<H: Host>(
    chain: &Chain<'_, H>,
    places: &[Place],
    block: Option<u64>,
    apart: bool,
) -> Result<(Vec<Option<Block>>, bool)> {
    let (mut batch, mut pending) = (Batch::default(), Vec::new());
    for places in places.chunks(if apart { PAIR } else { usize::MAX }) {
        let data = LensCall::pool_data(places);
        let read = block.map_or_else(|| Read::creation(&data), |block| Read::creation_at(&data, block));
        // For all pools at once, an unusable answer would be kept.
        pending.push((places, batch.add(if apart { read.within(KEPT_MS) } else { read.or_nothing() })));
    }
    let answers = chain.ask(batch).await?;
    let (mut blocks, mut may_answer) = (Vec::new(), false);
    for (places, pending) in pending {
        let answer = answers.get(pending)?;
        let found = read_pools(places, &answer);
        may_answer |= found.is_none() && answer.may_change();
        blocks.push(found);
    }
    Ok((blocks, may_answer))
}

/// The state of pools in older blocks; the node's answer instead if it is unusable for one of them.
///
/// # Errors
/// ABORTED, if the signal aborts first.
async fn ask_past<H: Host>(
    chain: &Chain<'_, H>,
    past: &Past,
) -> Result<core::result::Result<[Block; HELD_BLOCKS], CallOutcome>> {
    let mut batch = Batch::default();
    let pending = past_reads(past).map(|read| batch.add(read.within(KEPT_MS)));
    let answers = match chain.ask(batch).await {
        Err(error) if error.code == ErrorCode::Aborted => return Err(error),
        Err(_) => return Ok(Err(CallOutcome::Failed)),
        Ok(answers) => answers,
    };
    let mut blocks = Vec::new();
    for (number, pending) in past.blocks.into_iter().zip(pending) {
        let answer = answers.get(pending)?;
        let mut found = read_pools(&past.places, &answer);
        let is_large = past.places.len() > PAIR;
        if found.is_none() && (is_large || answer.may_change()) {
            found = match ask_again(chain, &past.places, Some(number), is_large).await {
                Err(error) if error.code == ErrorCode::Aborted => return Err(error),
                Err(_) => None,
                Ok((parts, _)) => parts.into_iter().collect::<Option<Vec<Block>>>().and_then(Block::joined),
            };
        }
        let Some(found) = found else { return Ok(Err(answer)) };
        blocks.push(found);
    }
    Ok(blocks.try_into().map_err(|_| CallOutcome::Failed))
}

/// Whether a token of a chain is read with every other one.
fn is_hub<H: Host>(shared: &Shared<H>, chain_id: u64, token: Address) -> bool {
    sources(shared, chain_id).is_none_or(|sources| sources.hubs().contains(&sources.token(token)))
}

/// Reads the feeds of these tokens, and of the native one, by plain calls; adds nothing if the node refuses these, too.
///
/// # Errors
/// NETWORK if the node may answer another time; ABORTED.
async fn ask_feeds<H: Host>(
    chain: &Chain<'_, H>,
    question: &LensCall,
    tokens: [Address; 2],
    reading: &mut ChainPrices,
) -> Result<()> {
    let sources = &question.sources;
    let [one, other] = tokens.map(|token| sources.token(token));
    let is_asked = |feed: &&Feed| [one, other, sources.wrapped].contains(&feed.token);
    let feeds: Vec<&Feed> = question.feeds.iter().filter(is_asked).collect();
    if feeds.is_empty() {
        return Ok(());
    }
    let mut batch = Batch::default();
    let time = batch.add(Read::time().recent());
    let mut calls = Vec::new();
    for feed in &feeds {
        calls.push(FEED_CALLS.map(|selector| batch.add(Read::view(&feed.feed, &selector).recent())));
    }
    let answers = match chain.ask(batch).await {
        Err(error) if error.code == ErrorCode::Aborted => return Err(error),
        Err(error) if is_passing(&error) => return Err(unread(chain.id(), Some(error))),
        Err(_) => return Ok(()),
        Ok(answers) => answers,
    };
    let mut price_reads = ChainPrices::new(sources);
    price_reads.time = answers.get(time)?;
    for (feed, [decimals, round]) in feeds.into_iter().zip(calls) {
        let word = |bytes: &[u8], index: usize| {
            bytes.as_chunks::<32>().0.get(index).map(|word| U256::from_be_bytes(*word)).unwrap_or_default()
        };
        let (decimals, round) = (answers.get(decimals)?, answers.get(round)?);
        // In the form of the lens: the decimals plus one, so that zero means none.
        let decimals = decimals.first().map(|_| word(&decimals, 0).saturating_add(U256::from(1)));
        price_reads.read_feed(feed, decimals.unwrap_or_default(), word(&round, 1), word(&round, 3));
    }
    reading.add_feeds(price_reads);
    Ok(())
}

/// `decimals()` and `latestRoundData()` of a feed, <https://docs.chain.link/data-feeds/api-reference>.
const FEED_CALLS: [[u8; 4]; 2] = [[0x31, 0x3c, 0xe5, 0x67], [0xfe, 0xaf, 0x96, 0x8c]];

/// NETWORK: the reference prices may be readable another time.
pub fn unread(chain_id: u64, cause: Option<Error>) -> Error {
    let why = cause.as_ref().map_or("the answer was cut", |error| &error.message);
    let message = ["the reference prices of chain ", &*chain_id.text(), " could not be read: ", why].concat();
    Error::new(ErrorCode::Network, &message).caused_by(cause.and_then(|error| error.cause.clone()))
}
