//! The witnesses of a price: asked with the price itself, and answered when it is built.
//!
//! Everything is read of the application's or the wallet's node, or told by the application; nothing of the service. An
//! answer counts for a minute. What is asked is `domain/witness`, what follows from it `domain/verify/price.rs`.

use crate::client::{Client, Shared};
use crate::domain::chain::{Protocol, pinned};
use crate::domain::input::optional;
use crate::domain::intent::{Intent, Token};
use crate::domain::text::ToText;
use crate::domain::token::NATIVE;
use crate::domain::verify::price::decimal_price;
use crate::domain::witness::lens::Question;
use crate::domain::witness::pools::RECENT_SECS;
use crate::domain::witness::reading::Reading;
use crate::domain::witness::real::Real;
use crate::domain::witness::sources::{Feed, Sources, Why};
use crate::domain::witness::testimony::{By, Testimonies, Testimony, Vote};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{JsonAt, array};
use crate::trade::chain::clock::CLOCK_SLACK_SECS;
use crate::wallet::chain::{Chain, forget_recent};
use crate::wallet::reads::{Answers, Batch, Pending, Read, Said, is_passing};
use alloy_primitives::{Address, U256};
use std::rc::Rc;

/// The most gas that settling an order may take, in units: several times what an order over a few pools takes.
const GAS_UNITS: u64 = 1_000_000;
/// For how many milliseconds an answer counts, of the nodes and of the application.
pub const KEPT_MS: u64 = 60_000;
/// How long the application's witness may take, in milliseconds.
const APP_LIMIT_MS: u32 = 5_000;
/// How many questions, and answers of the application, are remembered.
const KEPT: usize = 16;

/// What the references of one chain are asked in a batch.
pub struct Asking {
    question: Rc<Question>,
    /// What has to be known for the trade.
    tokens: [Address; 2],
    said: Pending<Said>,
    /// `None` if the owner pays the gas besides, so that its price does not matter.
    gas_price: Option<Pending<Option<U256>>>,
}

/// What the references of one chain said.
#[derive(Default)]
pub struct Heard {
    /// `None` if it has none.
    reading: Option<Reading>,
    /// Wei for a unit of gas.
    gas_price: Option<U256>,
}

/// Who may say what a price is worth on a chain; `None` if nobody may, or nobody is asked.
fn sources<H: Host>(shared: &Shared<H>, chain_id: u64) -> Option<Sources> {
    let given = shared.given_sources.iter().find(|(id, _)| *id == chain_id).map(|(_, sources)| sources.clone());
    given.or_else(|| Sources::pinned(chain_id)).filter(|_| !shared.is_unwitnessed)
}

/// What the references of a chain are asked about these tokens, which is the same for a minute; `None` if it has none, or
/// none are wanted.
fn question<H: Host>(shared: &Shared<H>, chain_id: u64, tokens: [Address; 2]) -> Option<Rc<Question>> {
    let mut known = shared.witness_questions.borrow_mut();
    if let Some((.., question)) = known.iter().find(|(id, pair, _)| (*id, *pair) == (chain_id, tokens)) {
        return Some(question.clone());
    }
    let question = Rc::new(Question::of(sources(shared, chain_id)?, &tokens));
    known.truncate(KEPT.saturating_sub(1));
    known.insert(0, (chain_id, tokens, question.clone()));
    Some(question)
}

impl Asking {
    /// Adds to a batch what the references of a trade's source chain are asked; `None` if it has none. `out` is what comes
    /// out there, if that is known: across chains what enters the bridge.
    pub fn add<H: Host>(
        shared: &Shared<H>,
        intent: &Intent,
        out: Option<&Address>,
        batch: &mut Batch,
    ) -> Option<Asking> {
        let src = intent.src.address;
        let dest = match intent.is_crosschain() {
            false => intent.dest.address,
            // The hubs are asked about with every token.
            true => *out.filter(|out| !is_hub(shared, intent.chain_id, **out)).unwrap_or(&src),
        };
        let mut asking =
            Asking::add_about(shared, intent.chain_id, [src, dest], intent.pricing.mode.protocol(), batch)?;
        if let Some(out) = out.filter(|_| intent.is_crosschain()) {
            asking.tokens = [src, *out];
        }
        Some(asking)
    }

    /// As [`Asking::add`], of the chain where it arrives, for a trade across chains.
    pub fn add_there<H: Host>(shared: &Shared<H>, intent: &Intent, batch: &mut Batch) -> Option<Asking> {
        let tokens = [intent.dest.address; 2];
        Asking::add_about(shared, intent.dest_chain_id, tokens, intent.pricing.mode.protocol(), batch)
    }

    /// Adds what a chain's references are asked about two tokens, for a trade by that protocol, if it is known.
    pub fn add_about<H: Host>(
        shared: &Shared<H>,
        chain_id: u64,
        tokens: [Address; 2],
        protocol: Option<Protocol>,
        batch: &mut Batch,
    ) -> Option<Asking> {
        let question = question(shared, chain_id, tokens)?;
        let said = batch.add(Read::creation(&question.data()).within(KEPT_MS));
        let is_gasless = protocol.is_none_or(|protocol| protocol == Protocol::Delta);
        let gas_price = is_gasless.then(|| batch.add(Read::gas_price().within(KEPT_MS)));
        Some(Asking { question, tokens, said, gas_price })
    }

    /// What they said. Where a node does not answer for all of them, the feeds are asked by plain calls. A node of a pinned
    /// chain that is minutes behind says what was.
    ///
    /// # Errors
    /// NETWORK if the node may answer another time, and nobody else knows the price; ABORTED.
    pub async fn hear<H: Host>(self, chain: &Chain<'_, H>, answers: &Answers) -> Result<Heard> {
        let (shared, question) = (&chain.client.shared, &self.question);
        let gas_price = answers.get_if_asked(self.gas_price)?.flatten();
        let said = answers.get(self.said)?;
        let read = |said: &Said| match said {
            Said::Bytes(bytes) => question.read(bytes),
            _ => None,
        };
        let mut reading = read(&said);
        if reading.is_none() {
            reading = Some(ask_feeds(chain, question, self.tokens).await?.without_pools());
            let is_known = self.tokens.iter().all(|token| reading.as_ref().is_some_and(|known| known.has_feed(*token)));
            // No bytes are how a node answers that runs nothing that is not there.
            let may_answer = match &said {
                Said::Bytes(bytes) => !bytes.is_empty(),
                said => *said == Said::Failed,
            };
            if !is_known && may_answer {
                let mut batch = Batch::default();
                let again = batch.add(Read::creation(&question.data()));
                let said = chain.ask(batch).await.and_then(|answers| answers.get(again));
                reading = match said.map(|said| read(&said)) {
                    Ok(None) => return Err(unread(chain.id(), None)),
                    Err(error) if is_passing(&error) => return Err(unread(chain.id(), Some(error))),
                    Err(error) if error.code == ErrorCode::Aborted => return Err(error),
                    Err(_) => reading,
                    Ok(found) => found,
                };
            }
        }
        let machine = shared.host.unix_ms() / 1_000;
        let is_behind = |time: u64| {
            let behind = machine.saturating_sub(time);
            pinned(chain.id()).is_some() && (RECENT_SECS..=CLOCK_SLACK_SECS).contains(&behind)
        };
        let behind = reading.as_ref().is_some_and(|reading| is_behind(reading.time));
        let silent = || Reading::unheard(&question.sources, Why::Silent);
        Ok(Heard { reading: Some(reading.filter(|_| !behind).unwrap_or_else(silent)), gas_price })
    }
}

/// Whether a token of a chain is asked about with every other one.
fn is_hub<H: Host>(shared: &Shared<H>, chain_id: u64, token: Address) -> bool {
    sources(shared, chain_id).is_none_or(|sources| sources.hubs().contains(&sources.token(token)))
}

/// What the feeds of these tokens, and of the native one, say by plain calls; a reading without any if the node refuses
/// these, too.
///
/// # Errors
/// NETWORK if the node may answer another time; ABORTED.
async fn ask_feeds<H: Host>(chain: &Chain<'_, H>, question: &Question, tokens: [Address; 2]) -> Result<Reading> {
    let sources = &question.sources;
    let [one, other] = tokens.map(|token| sources.token(token));
    let is_asked = |feed: &&Feed| [one, other, sources.wrapped].contains(&feed.token);
    let feeds: Vec<&Feed> = question.feeds.iter().filter(is_asked).collect();
    let silent = || Reading::unheard(sources, Why::Silent);
    if feeds.is_empty() {
        return Ok(silent());
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
        Err(_) => return Ok(silent()),
        Ok(answers) => answers,
    };
    let mut reading = Reading::new(sources, answers.get(time)?);
    for (feed, [decimals, round]) in feeds.into_iter().zip(calls) {
        let word = |bytes: &[u8], index: usize| {
            bytes.as_chunks::<32>().0.get(index).map(|word| U256::from_be_bytes(*word)).unwrap_or_default()
        };
        let (decimals, round) = (answers.get(decimals)?, answers.get(round)?);
        // As the lens says it: one more than they are, so that none is none.
        let decimals = decimals.first().map(|_| word(&decimals, 0).saturating_add(U256::from(1)));
        reading.hear_feed(feed, decimals.unwrap_or_default(), word(&round, 1), word(&round, 3));
    }
    Ok(reading)
}

/// `decimals()` and `latestRoundData()` of a feed, <https://docs.chain.link/data-feeds/api-reference>.
const FEED_CALLS: [[u8; 4]; 2] = [[0x31, 0x3c, 0xe5, 0x67], [0xfe, 0xaf, 0x96, 0x8c]];

/// NETWORK: what a price is worth could be read another time.
fn unread(chain_id: u64, cause: Option<Error>) -> Error {
    let why = cause.as_ref().map_or("the answer was cut", |error| &error.message);
    let message = ["the reference prices of chain ", &*chain_id.text(), " could not be read: ", why].concat();
    Error::new(ErrorCode::Network, &message).caused_by(cause.and_then(|error| error.cause.clone()))
}

impl Heard {
    /// Nobody could read that chain.
    pub fn unread<H: Host>(shared: &Shared<H>, chain_id: u64) -> Heard {
        let reading = sources(shared, chain_id).map(|sources| Reading::unheard(&sources, Why::Unread));
        Heard { reading, gas_price: None }
    }

    /// Asks the references of the chain where a trade arrives, if that can be read.
    ///
    /// # Errors
    /// The failure of [`Chain::find`]; those of [`Asking::hear`].
    pub async fn read<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<Heard> {
        let (mut batch, chain_id, shared) = (Batch::default(), intent.dest_chain_id, &client.shared);
        let Some(asking) = Asking::add_there(shared, intent, &mut batch) else { return Ok(Heard::default()) };
        let Some(chain) = Chain::find(client, chain_id, signal).await? else {
            return Ok(Heard::unread(shared, chain_id));
        };
        asking.hear(&chain, &chain.ask(batch).await?).await
    }

    /// As [`Heard::read`], of the source chain, where `out` comes out.
    ///
    /// # Errors
    /// As [`Heard::read`].
    pub async fn read_here<H: Host>(
        client: &Client<H>,
        intent: &Intent,
        out: &Address,
        signal: &H::Signal,
    ) -> Result<Heard> {
        let (mut batch, chain_id, shared) = (Batch::default(), intent.chain_id, &client.shared);
        let Some(asking) = Asking::add(shared, intent, Some(out), &mut batch) else { return Ok(Heard::default()) };
        let Some(chain) = Chain::find(client, chain_id, signal).await? else {
            return Ok(Heard::unread(shared, chain_id));
        };
        asking.hear(&chain, &chain.ask(batch).await?).await
    }

    /// What one wei of the chain's native token is worth, in raw units of a token; `None` if that is not known.
    fn wei_in(&self, chain_id: u64, (dest_chain_id, dest, there): (u64, &Token, &Heard)) -> Option<Real> {
        let native = Token { address: NATIVE, decimals: 18, ..Token::default() };
        Testimony::of((chain_id, &native, self.reading.as_ref()), (dest_chain_id, dest, there.reading.as_ref())).price()
    }

    /// What the gas of one transaction costs in wei; `None` if the node does not say.
    fn gas_wei(&self) -> Option<Real> {
        Some(Real::of(self.gas_price?).times(Real::of(U256::from(GAS_UNITS))))
    }
}

/// Brings together what was heard about a trade, asks the application, and adds the prices that the caller stated. `here`
/// is the source chain, `there` the one where it arrives, the same without a bridge; `entering` is what enters a bridge.
///
/// # Errors
/// INVALID_INPUT if the application's witness answers with another thing than a price; ABORTED.
pub async fn testify<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    (here, there): (&Heard, Option<&Heard>),
    entering: Option<&Token>,
    signal: &H::Signal,
) -> Result<Testimonies> {
    let Intent { chain_id, dest_chain_id, src, dest, pricing, .. } = intent;
    let there = there.unwrap_or(here);
    let of = |dest_chain_id: u64, dest: &Token, there: &Heard| {
        let got = (dest_chain_id, dest, there);
        let given = (*chain_id, src, here.reading.as_ref());
        let mut testimony = Testimony::of(given, (dest_chain_id, dest, there.reading.as_ref()));
        let gas = |heard: &Heard, chain_id: u64| Some(heard.gas_wei()?.times(heard.wei_in(chain_id, got)?));
        testimony.wei = here.wei_in(*chain_id, got);
        testimony.gas = gas(here, *chain_id);
        if dest_chain_id != *chain_id {
            testimony.gas = testimony.gas.zip(gas(there, dest_chain_id)).map(|(here, there)| here.plus(there));
        }
        testimony
    };
    let is_unasked = client.shared.is_unwitnessed;
    let mut price = if is_unasked { Testimony::unasked() } else { of(*dest_chain_id, dest, there) };
    if !is_unasked && let Some(by_app) = ask_application(client, intent, signal).await? {
        match by_app {
            Ok(vote) => price.votes.push(vote),
            Err(why) => price.unheard.push((By::App, why)),
        }
    }
    let own = pricing.src_price_usd.as_deref().zip(pricing.dest_price_usd.as_deref());
    let own = own.and_then(|(src, dest)| Some(decimal_price(src)?.over(decimal_price(dest)?)));
    price.votes.extend(own.map(|own| Vote::whole(By::Prices, own, src, dest)));
    let entering = entering.filter(|_| intent.is_crosschain() && !is_unasked).map(|token| of(*chain_id, token, here));
    Ok(Testimonies { price, entering })
}

/// What the application's `witness` says: a price, or why there is none. `None` if there is no such function.
async fn ask_application<H: Host>(
    client: &Client<H>,
    intent: &Intent,
    signal: &H::Signal,
) -> Result<Option<core::result::Result<Vote, Why>>> {
    let Some(prompt) = put_to_application(client, intent) else { return Ok(None) };
    let answer = match client.shared.host.answer(&prompt, Some(APP_LIMIT_MS), signal).await {
        Ok(answer) => answer,
        Err(failure) if failure.aborted => return Err(Error::aborted()),
        Err(_) => {
            // It may answer the next time.
            client.shared.app_answers.borrow_mut().clear();
            return Ok(Some(Err(Why::Silent)));
        }
    };
    let price = optional(&JsonAt::input(&answer, "witness"), |at| {
        let price = at.number_or_text().and_then(decimal_price).filter(|price| !price.is_zero());
        price.ok_or_else(|| at.fault("the price of one srcToken in destToken, a decimal as text, or null"))
    })?;
    Ok(Some(price.map(|price| Vote::whole(By::App, price, &intent.src, &intent.dest)).ok_or(Why::None)))
}

/// Forgets what witnesses were asked before that question, by its number, on any chain, and what the application said.
/// Returns whether that was anything.
pub fn forget_heard<H: Host>(shared: &Shared<H>, number: u64) -> bool {
    shared.app_answers.borrow_mut().clear();
    let chains: Vec<u64> = shared.questions.borrow().iter().map(|known| known.chain_id).collect();
    let mut is_any = false;
    for chain_id in chains {
        is_any |= forget_recent(shared, chain_id, number);
    }
    is_any
}

/// Asks the application's `witness` about a request, once in a minute. `None` if it has none.
pub fn put_to_application<H: Host>(client: &Client<H>, intent: &Intent) -> Option<H::Prompt> {
    let shared = &client.shared;
    let (provider, now) = (shared.app_witness.as_ref()?, shared.host.monotonic_ms());
    let asked = Intent { account: None, ..intent.clone() }.write();
    let mut known = shared.app_answers.borrow_mut();
    known.retain(|(_, at, _)| now.saturating_sub(*at) <= KEPT_MS);
    if let Some((.., prompt)) = known.iter().find(|(request, ..)| *request == asked) {
        return Some(prompt.clone());
    }
    let prompt = shared.host.ask(provider, "witness", &array(&[&asked]));
    known.truncate(KEPT.saturating_sub(1));
    known.insert(0, (asked, now, prompt.clone()));
    Some(prompt)
}

/// What the witnesses of a trade say, if the application's nodes tell it before the price comes.
///
/// # Errors
/// Whatever fails: `build` asks again.
pub async fn hear_early<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<Testimonies> {
    let hear = async |chain_id: u64, is_there: bool| -> Result<Heard> {
        let (mut batch, shared) = (Batch::default(), &client.shared);
        let asking = match is_there {
            true => Asking::add_there(shared, intent, &mut batch),
            false => Asking::add(shared, intent, None, &mut batch),
        };
        let Some(asking) = asking else { return Ok(Heard::default()) };
        let chain = Chain::given(client, chain_id, signal).ok_or_else(Error::unreachable)?;
        asking.hear(&chain, &chain.ask(batch).await?).await
    };
    let here = hear(intent.chain_id, false).await?;
    let there = if intent.is_crosschain() { Some(hear(intent.dest_chain_id, true).await?) } else { None };
    testify(client, intent, (&here, there.as_ref()), None, signal).await
}
