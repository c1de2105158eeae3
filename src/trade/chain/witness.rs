//! The witnesses of a price: asked with the price itself, and answered when it is built.
//!
//! Everything is read of the application's or the wallet's node, or told by the application; nothing of the service. An
//! answer counts for a minute. What is asked is `domain/witness`, what follows from it `domain/verify/price.rs`.

use crate::client::{Client, Shared};
use crate::domain::chain::{Protocol, pinned};
use crate::domain::input::optional;
use crate::domain::intent::{Intent, Token};
use crate::domain::token::NATIVE;
use crate::domain::verify::price::decimal_price;
use crate::domain::witness::lens::Question;
use crate::domain::witness::pools::RECENT_SECS;
use crate::domain::witness::reading::Reading;
use crate::domain::witness::real::Real;
use crate::domain::witness::sources::Sources;
use crate::domain::witness::testimony::{By, Testimony, Vote, gas_allowance};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{JsonAt, ObjectWriter, array};
use crate::trade::chain::clock::CLOCK_SLACK_SECS;
use crate::wallet::chain::{Chain, forget_recent};
use crate::wallet::reads::{Answers, Batch, Pending, Read};
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

/// What the witnesses of one chain are asked in a batch.
pub struct AskedWitnesses {
    question: Rc<Question>,
    said: Pending<Option<Vec<u8>>>,
    /// `None` if the owner pays the gas besides, so that its price does not matter.
    gas_price: Option<Pending<Option<U256>>>,
}

/// What the witnesses of one chain said.
#[derive(Default)]
pub struct Heard {
    reading: Option<Reading>,
    /// Wei for a unit of gas.
    gas_price: Option<U256>,
}

/// What is asked of the witnesses of a chain about these tokens, which is the same for a minute; `None` if it has none, or
/// none are wanted.
fn question<H: Host>(shared: &Shared<H>, chain_id: u64, tokens: [Address; 2]) -> Option<Rc<Question>> {
    if shared.is_unwitnessed {
        return None;
    }
    let mut known = shared.witness_questions.borrow_mut();
    if let Some((.., question)) = known.iter().find(|(id, pair, _)| (*id, *pair) == (chain_id, tokens)) {
        return Some(question.clone());
    }
    let given = shared.given_sources.iter().find(|(id, _)| *id == chain_id).map(|(_, sources)| sources.clone());
    let question = Rc::new(Question::of(given.or_else(|| Sources::pinned(chain_id))?, &tokens));
    known.truncate(KEPT.saturating_sub(1));
    known.insert(0, (chain_id, tokens, question.clone()));
    Some(question)
}

impl AskedWitnesses {
    /// Adds to a batch what the witnesses of a trade's source chain are asked; `None` if it has none.
    pub fn add<H: Host>(shared: &Shared<H>, intent: &Intent, batch: &mut Batch) -> Option<AskedWitnesses> {
        let (src, dest) = (intent.src.address, intent.dest.address);
        let tokens = if intent.is_crosschain() { [src, src] } else { [src, dest] };
        AskedWitnesses::add_about(shared, intent.chain_id, tokens, intent.pricing.mode.protocol(), batch)
    }

    /// As [`AskedWitnesses::add`], of the chain where it arrives, for a trade across chains.
    pub fn add_there<H: Host>(shared: &Shared<H>, intent: &Intent, batch: &mut Batch) -> Option<AskedWitnesses> {
        let tokens = [intent.dest.address; 2];
        AskedWitnesses::add_about(shared, intent.dest_chain_id, tokens, intent.pricing.mode.protocol(), batch)
    }

    /// Adds what a chain's witnesses are asked about two tokens, for a trade by that protocol, if it is known.
    pub fn add_about<H: Host>(
        shared: &Shared<H>,
        chain_id: u64,
        tokens: [Address; 2],
        protocol: Option<Protocol>,
        batch: &mut Batch,
    ) -> Option<AskedWitnesses> {
        let question = question(shared, chain_id, tokens)?;
        let said = batch.add(Read::creation(&question.data()).within(KEPT_MS));
        let is_gasless = protocol.is_none_or(|protocol| protocol == Protocol::Delta);
        let gas_price = is_gasless.then(|| batch.add(Read::gas_price().within(KEPT_MS)));
        Some(AskedWitnesses { question, said, gas_price })
    }

    /// What they said. A node of a pinned chain that is minutes behind says what was.
    ///
    /// # Errors
    /// WALLET_FAILED if the node's answer has another form.
    pub fn hear<H: Host>(self, shared: &Shared<H>, chain_id: u64, answers: &Answers) -> Result<Heard> {
        let machine = shared.host.unix_ms() / 1_000;
        let is_behind = |time: u64| {
            let behind = machine.saturating_sub(time);
            pinned(chain_id).is_some() && (RECENT_SECS..=CLOCK_SLACK_SECS).contains(&behind)
        };
        let said = answers.get(self.said)?;
        let reading = said.and_then(|said| self.question.read(&said)).filter(|reading| !is_behind(reading.time));
        Ok(Heard { reading, gas_price: answers.get_if_asked(self.gas_price)?.flatten() })
    }
}

impl Heard {
    /// Asks the witnesses of the chain where a trade arrives, if that can be read.
    ///
    /// # Errors
    /// The failure of [`Chain::find`]; ABORTED.
    pub async fn read<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<Heard> {
        let (mut batch, chain_id) = (Batch::default(), intent.dest_chain_id);
        let Some(asked) = AskedWitnesses::add_there(&client.shared, intent, &mut batch) else {
            return Ok(Heard::default());
        };
        let Some(chain) = Chain::find(client, chain_id, signal).await? else { return Ok(Heard::default()) };
        asked.hear(&client.shared, chain_id, &chain.ask(batch).await?)
    }

    /// The most that gas may take, in raw units of a token; `None` if it is not known.
    fn gas_in(&self, chain_id: u64, (dest_chain_id, dest, there): (u64, &Token, &Heard)) -> Option<Real> {
        let native = Token { address: NATIVE, decimals: 18, ..Token::default() };
        let native =
            Testimony::of((chain_id, &native, self.reading.as_ref()), (dest_chain_id, dest, there.reading.as_ref()));
        gas_allowance(GAS_UNITS, self.gas_price?, &native)
    }
}

/// What the witnesses say of a trade: of what arrives, and of what enters a bridge.
#[derive(Default)]
pub struct Testimonies {
    /// Of what is asked for; `None` if no witnesses are wanted.
    pub price: Option<Testimony>,
    /// Of what enters the bridge.
    pub entering: Option<Testimony>,
}

impl Testimonies {
    /// Writes them into what is sealed.
    pub fn write(&self, out: &mut ObjectWriter) {
        for (name, testimony) in [("witness", &self.price), ("entering", &self.entering)] {
            if let Some(testimony) = testimony {
                out.raw(name, &testimony.write());
            }
        }
    }
}

/// Brings together what was heard about a trade, and asks the application, unless the caller stated prices: these go before
/// all others. `here` is the source chain, `there` the one where it arrives, the same without a bridge; `entering` is what
/// enters a bridge.
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
    if client.shared.is_unwitnessed {
        return Ok(Testimonies::default());
    }
    let Intent { chain_id, dest_chain_id, src, dest, pricing, .. } = intent;
    let there = there.unwrap_or(here);
    let of = |dest_chain_id: u64, dest: &Token, there: &Heard| {
        let given = (*chain_id, src, here.reading.as_ref());
        let mut testimony = Testimony::of(given, (dest_chain_id, dest, there.reading.as_ref()));
        testimony.gas = here.gas_in(*chain_id, (dest_chain_id, dest, there));
        if dest_chain_id != *chain_id {
            let arriving = there.gas_in(dest_chain_id, (dest_chain_id, dest, there));
            testimony.gas = testimony.gas.zip(arriving).map(|(here, there)| here.plus(there));
        }
        testimony
    };
    let mut price = of(*dest_chain_id, dest, there);
    let own = pricing.src_price_usd.as_deref().zip(pricing.dest_price_usd.as_deref());
    let own = own.and_then(|(src, dest)| Some(decimal_price(src)?.over(decimal_price(dest)?)));
    match own {
        Some(own) => price.votes = vec![Vote::whole(By::Prices, own, src, dest)],
        None => price.votes.extend(ask_application(client, intent, signal).await?),
    }
    let entering = entering.filter(|_| intent.is_crosschain() && own.is_none()).map(|token| of(*chain_id, token, here));
    Ok(Testimonies { price: Some(price), entering })
}

/// The price by the application's `witness`, if there is one, and it answers.
async fn ask_application<H: Host>(client: &Client<H>, intent: &Intent, signal: &H::Signal) -> Result<Option<Vote>> {
    let Some(prompt) = put_to_application(client, intent) else { return Ok(None) };
    let answer = match client.shared.host.answer(&prompt, Some(APP_LIMIT_MS), signal).await {
        Ok(answer) => answer,
        Err(failure) if failure.aborted => return Err(Error::aborted()),
        Err(_) => {
            // It may answer the next time.
            client.shared.app_answers.borrow_mut().clear();
            return Ok(None);
        }
    };
    let price = optional(&JsonAt::input(&answer, "witness"), |at| {
        let price = at.number_or_text().and_then(decimal_price).filter(|price| !price.is_zero());
        price.ok_or_else(|| at.fault("the price of one srcToken in destToken, a decimal as text, or null"))
    })?;
    Ok(price.map(|price| Vote::whole(By::App, price, &intent.src, &intent.dest)))
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
    let is_asked = intent.pricing.src_price_usd.is_none();
    let (provider, now) = (shared.app_witness.as_ref().filter(|_| is_asked)?, shared.host.monotonic_ms());
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
        let mut batch = Batch::default();
        let add = if is_there { AskedWitnesses::add_there } else { AskedWitnesses::add };
        let Some(asked) = add(&client.shared, intent, &mut batch) else { return Ok(Heard::default()) };
        let chain = Chain::given(client, chain_id, signal).ok_or_else(Error::unreachable)?;
        asked.hear(&client.shared, chain_id, &chain.ask(batch).await?)
    };
    let here = hear(intent.chain_id, false).await?;
    let there = if intent.is_crosschain() { Some(hear(intent.dest_chain_id, true).await?) } else { None };
    testify(client, intent, (&here, there.as_ref()), None, signal).await
}
