//! `allowances` and `buildRevoke`: what an account has allowed the service's contracts to take, the operator's old ones
//! among them, and the transaction that takes one back.
//!
//! There is no list of a chain's allowances. What is read is what somebody knows to look for: the tokens that the app
//! names, or those that this package and the journal know, and those for which the chain's logs have an approval. The
//! answer says how far back the logs were read. Anybody can make a token that logs approvals of others. What only logs
//! name is therefore marked, and can hide nothing that is known otherwise.

use crate::client::{Client, Shared};
use crate::domain::abi::word_at;
use crate::domain::asset::{self, ASSETS, wrapped_native};
use crate::domain::chain::{Protocol, name as chain_name};
use crate::domain::erc20;
use crate::domain::input::{account, chain_id, known, one_of, optional};
use crate::domain::permit::{PERMIT2, calls};
use crate::domain::spenders::old;
use crate::domain::text::ToText;
use crate::domain::token::is_native;
use crate::domain::verify::{Checks, report};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{Json, JsonAt, ObjectWriter, array, parse, quoted};
use crate::trade::call::CallArgs;
use crate::trade::chain::balances::find_account;
use crate::trade::chain::clock::chain_time;
use crate::trade::chain::deployment::{find_deployment, find_known, known_contracts};
use crate::trade::journal::sync::sync;
use crate::trade::transaction::send::{Transaction, transaction_build};
use crate::wallet::chain::Chain;
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, B256, U256, b256};

/// How many tokens are read at most. Each takes two reads for each contract.
const MAX_TOKENS: usize = 64;
/// For how many milliseconds ever shorter ranges of logs are asked for.
const LOGS_LIMIT_MS: u64 = 20_000;
/// A range of logs that is shorter than that, in blocks, says too little to be asked for.
const FEWEST_BLOCKS: u64 = 1_000;

/// `Approval(address,address,uint256)` of ERC-20. ERC-721 has an event of the same name with another topic.
const APPROVAL: B256 = b256!("0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925");
/// `Approval(address,address,address,uint160,uint48)` of Permit2.
const PERMIT2_APPROVAL: B256 = b256!("0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b");
/// `Permit(address,address,address,uint160,uint48,uint48)` of Permit2.
const PERMIT2_PERMIT: B256 = b256!("0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec");

/// Who keeps an allowance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeper {
    /// The token itself.
    Token,
    /// Permit2, which the token was approved for; it lets others take it until a time.
    Permit2,
}

impl Keeper {
    const ALL: [(Keeper, &str); 2] = [(Keeper::Token, "erc20"), (Keeper::Permit2, "permit2")];

    /// Its name in JavaScript.
    fn label(self) -> &'static str {
        Keeper::ALL.iter().find(|(keeper, _)| *keeper == self).map_or("", |(_, label)| label)
    }

    /// Reads one by its name in JavaScript.
    ///
    /// # Errors
    /// INVALID_INPUT for any other text.
    fn read(at: &JsonAt<'_>) -> Result<Keeper> {
        one_of(at, &Keeper::ALL, "erc20 or permit2")
    }

    /// The contract that keeps allowances of a token.
    fn contract(self, token: Address) -> Address {
        if self == Keeper::Token { token } else { PERMIT2 }
    }

    /// The question what `spender` may take of `owner`'s.
    fn question(self, token: Address, owner: Address, spender: Address) -> Read<Option<Vec<u8>>> {
        let data = match self {
            Keeper::Token => erc20::allowance(owner, spender),
            Keeper::Permit2 => calls::allowance(owner, token, spender),
        };
        Read::view_if_any(&self.contract(token), &data).named("allowance")
    }

    /// What may be taken by that answer, and until when (unix seconds; `None` for ever). No answer that can be read, or
    /// one that is over by `now`, is nothing.
    fn amount(self, answer: &[u8], now: u64) -> (U256, Option<u64>) {
        let amount = word_at(answer, 0).unwrap_or_default();
        if self == Keeper::Token {
            return (amount, None);
        }
        let until = word_at(answer, 32).and_then(|until| u64::try_from(until).ok()).unwrap_or_default();
        (if until < now { U256::ZERO } else { amount }, Some(until))
    }

    /// Whether that is what wallets approve as unlimited. Most tokens count it down, some have only 96 bits for it.
    fn is_unlimited(self, amount: U256) -> bool {
        match self {
            Keeper::Token => amount.bit_len() == 256 || amount == U256::MAX.wrapping_shr(160),
            Keeper::Permit2 => amount == U256::MAX.wrapping_shr(96),
        }
    }
}

/// A contract that takes, or took, tokens for the service.
struct Spender {
    address: Address,
    protocol: Protocol,
    /// What sentences call it, behind "the".
    name: String,
    /// Whether trades of today need it.
    is_current: bool,
}

/// The contracts of a chain: those of today, others that the application or this package names, old ones.
///
/// # Errors
/// Those of [`find_deployment`], if none is known.
async fn find_spenders<H: Host>(client: &Client<H>, chain_id: u64, signal: &H::Signal) -> Result<Vec<Spender>> {
    let mut found = spenders(&client.shared, chain_id);
    if found.is_empty() {
        find_deployment(&client.shared, chain_id, Protocol::Market, signal).await?;
        found = spenders(&client.shared, chain_id);
    }
    Ok(found)
}

/// As [`find_spenders`], of what is known without asking.
fn spenders<H: Host>(shared: &Shared<H>, chain_id: u64) -> Vec<Spender> {
    let mut all: Vec<Spender> = Vec::new();
    let mut add = |address: Address, protocol: Protocol, name: String, is_current: bool| {
        if !all.iter().any(|known| known.address == address) {
            all.push(Spender { address, protocol, name, is_current });
        }
    };
    for (protocol, _) in Protocol::ALL {
        if let Some(address) = find_known(shared, chain_id, protocol).and_then(|found| found.contracts.of(protocol)) {
            add(address, protocol, protocol.name().into(), true);
        }
    }
    for (protocol, _) in Protocol::ALL {
        for address in known_contracts(shared, chain_id).iter().filter_map(|contracts| contracts.of(protocol)) {
            add(address, protocol, ["other ", protocol.name()].concat(), false);
        }
    }
    for (address, name) in old(chain_id) {
        add(address, Protocol::Market, ["old Market router (", name, ")"].concat(), false);
    }
    all
}

/// What is to be read: one allowance.
struct Wanted {
    keeper: Keeper,
    token: Address,
    /// Its place among the spenders.
    spender: usize,
    /// Whether somebody else than the logs names the token.
    is_known: bool,
}

/// What is to be read, without repetitions and not too much of it.
#[derive(Default)]
struct List {
    tokens: Vec<Address>,
    wanted: Vec<Wanted>,
    /// Tokens that were found, and are not read.
    unread: Vec<Address>,
}

impl List {
    /// Adds one, unless there is no room for another token.
    fn add(&mut self, wanted: Wanted) {
        let (keeper, token, spender) = (wanted.keeper, wanted.token, wanted.spender);
        if is_native(token)
            || self.wanted.iter().any(|known| (known.keeper, known.token, known.spender) == (keeper, token, spender))
        {
            return;
        }
        if !self.tokens.contains(&token) {
            if self.tokens.len() >= MAX_TOKENS {
                return self.skip(token);
            }
            self.tokens.push(token);
        }
        self.wanted.push(wanted);
    }

    /// Adds all of a token that somebody names.
    fn add_token(&mut self, token: Address, spenders: usize) {
        for spender in 0..spenders {
            for (keeper, _) in Keeper::ALL {
                self.add(Wanted { keeper, token, spender, is_known: true });
            }
        }
    }

    /// Notes that a token was not read.
    fn skip(&mut self, token: Address) {
        if !self.unread.contains(&token) {
            self.unread.push(token);
        }
    }
}

/// The call `allowances`: what an account has allowed the service's contracts, old ones too. Returns the `Allowances`
/// as JSON text.
///
/// # Errors
/// INVALID_INPUT with the query's member, or if the chain cannot be read; UNSUPPORTED_CHAIN if no contract of it is
/// known; the RPC's failure.
pub async fn allowances<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "query"), call.signal);
    known(&at, &["chainId", "account", "tokens"])?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let given = optional(&at.get("tokens"), tokens)?;
    let owner = find_account(client, &at.get("account"), signal).await?;
    let spenders = find_spenders(client, chain_id, signal).await?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let (mut list, mut from) = (List::default(), None);
    match given {
        Some(given) => given.into_iter().for_each(|token| list.add_token(token, spenders.len())),
        None => {
            sync(client, signal).await;
            let mut known: Vec<Address> = tokens_of_table(chain_id).collect();
            known.extend(tokens_of_journal(&client.shared, chain_id, owner));
            known.into_iter().for_each(|token| list.add_token(token, spenders.len()));
            from = add_logged(&chain, owner, &spenders, &mut list).await?;
        }
    }
    let found = read_all(&chain, chain_id, owner, &spenders, &mut list).await?;
    let mut out = ObjectWriter::object();
    out.number("chainId", chain_id);
    out.value("account", &owner);
    out.number_or_null("fromBlock", from);
    out.raw("allowances", &array(&found));
    let unread: Vec<String> = list.unread.iter().map(|token| quoted(&token.text())).collect();
    out.raw("unread", &array(&unread));
    Ok(out.close())
}

/// The tokens that a query names.
///
/// # Errors
/// INVALID_INPUT for what is no list of addresses, or too long a one.
fn tokens(at: &JsonAt<'_>) -> Result<Vec<Address>> {
    let items = at.items()?;
    if items.len() > MAX_TOKENS {
        return Err(at.fault(&["at most ", &MAX_TOKENS.text(), " tokens"].concat()));
    }
    items.map(|item| account(&item)).collect()
}

/// The tokens of a chain that this package knows by itself.
fn tokens_of_table(chain_id: u64) -> impl Iterator<Item = Address> {
    let all = ASSETS.iter().flat_map(|asset| asset.tokens);
    all.filter(move |(chain, ..)| *chain == chain_id).map(|(_, token, _)| *token).chain(wrapped_native(chain_id))
}

/// The tokens that the owner's trades of the journal gave, or approved, on a chain.
fn tokens_of_journal<H: Host>(shared: &Shared<H>, chain_id: u64, owner: Address) -> Vec<Address> {
    let mut tokens = Vec::new();
    for entry in shared.trades.borrow().iter().filter(|entry| (entry.chain_id, entry.owner) == (chain_id, owner)) {
        let Ok(summary) = parse(&entry.summary) else { continue };
        let at = JsonAt::input(&summary, "summary");
        let (request, approval) = (at.get("request"), at.get("approval"));
        let named = [request.get("srcToken"), request.get("makerAsset"), approval.get("token")];
        tokens.extend(named.iter().filter_map(|token| token.address().ok()));
    }
    tokens
}

/// Adds what the chain's logs have of the owner's approvals, the latest first. Returns from which block on they were
/// read: the node is asked for all of them, then for ever fewer, until it answers; `None` if it never does.
///
/// # Errors
/// The RPC's failure to tell its latest block; ABORTED.
async fn add_logged<H: Host>(
    chain: &Chain<'_, H>,
    owner: Address,
    spenders: &[Spender],
    list: &mut List,
) -> Result<Option<u64>> {
    let host = &chain.client.shared.host;
    let (started, latest) = (host.monotonic_ms(), chain.read(Read::block_number().informing()).await?);
    let mut blocks = latest.saturating_add(1);
    loop {
        let (mut batch, from) = (Batch::default(), latest.saturating_add(1).saturating_sub(blocks));
        let asked =
            Keeper::ALL.map(|(keeper, _)| (keeper, batch.add(Read::logs(filter(keeper, owner, spenders), from))));
        let answers = chain.ask(batch.informing()).await?;
        let mut said = Vec::new();
        for (keeper, asked) in asked {
            said.extend(answers.get(asked)?.map(|logs| (keeper, logs)));
        }
        if said.len() == Keeper::ALL.len() {
            said.iter().for_each(|(keeper, logs)| add_logs(*keeper, logs, spenders, list));
            return Ok(Some(from));
        }
        blocks /= 2;
        if blocks < FEWEST_BLOCKS || host.monotonic_ms().saturating_sub(started) > LOGS_LIMIT_MS {
            return Ok(None);
        }
    }
}

/// The filter of the owner's approvals for these spenders.
fn filter(keeper: Keeper, owner: Address, spenders: &[Spender]) -> ObjectWriter {
    let word = |word: &B256| quoted(&word.text());
    let (owner, spenders) = (word(&owner.into_word()), spenders.iter().map(|one| word(&one.address.into_word())));
    let spenders = array(&spenders.collect::<Vec<_>>());
    let mut out = ObjectWriter::object();
    let topics = match keeper {
        Keeper::Token => array(&[word(&APPROVAL), owner, spenders]),
        Keeper::Permit2 => {
            out.value("address", &PERMIT2);
            let events = array(&[word(&PERMIT2_APPROVAL), word(&PERMIT2_PERMIT)]);
            array(&[events, owner, "null".into(), spenders])
        }
    };
    out.raw("topics", &topics);
    out
}

/// Adds the allowances that logs tell of. The node's filter is not relied on: a log of another spender is passed over.
fn add_logs(keeper: Keeper, logs: &Json, spenders: &[Spender], list: &mut List) {
    let Json::Array(logs) = logs else { return };
    for log in logs.iter().rev() {
        let at = JsonAt::input(log, "log");
        let topics = at.get("topics").items().into_iter().flatten();
        let topics: Vec<B256> = topics.filter_map(|topic| topic.fixed::<32>().ok().map(Into::into)).collect();
        let (token, spender) = match (keeper, topics.as_slice()) {
            (Keeper::Token, [_, _, spender]) => (at.get("address").address().ok(), spender),
            (Keeper::Permit2, [_, _, token, spender]) => (Some(Address::from_word(*token)), spender),
            _ => continue,
        };
        let place = spenders.iter().position(|one| one.address == Address::from_word(*spender));
        if let (Some(token), Some(spender)) = (token, place) {
            let is_known = list.wanted.iter().any(|known| known.token == token && known.is_known);
            list.add(Wanted { keeper, token, spender, is_known });
        }
    }
}

/// Reads all that is wanted. Returns the `Allowance`s that are not over, as JSON texts. A token that gives no answer is
/// noted as unread: one that was made to fail must not hide the others.
///
/// # Errors
/// The RPC's failure to tell the time; ABORTED.
async fn read_all<H: Host>(
    chain: &Chain<'_, H>,
    chain_id: u64,
    owner: Address,
    spenders: &[Spender],
    list: &mut List,
) -> Result<Vec<String>> {
    let mut batch = Batch::default();
    let time = batch.add(Read::time());
    let wanted: Vec<Wanted> = core::mem::take(&mut list.wanted);
    let wanted: Vec<(Wanted, &Spender)> =
        wanted.into_iter().filter_map(|wanted| spenders.get(wanted.spender).map(|spender| (wanted, spender))).collect();
    let question =
        |(wanted, spender): &(Wanted, &Spender)| wanted.keeper.question(wanted.token, owner, spender.address);
    let asked = batch.add_all(wanted.iter().map(question));
    let answers = chain.ask(batch.informing()).await?;
    let now = chain_time(chain_id, answers.get(time)?, chain.client.shared.host.unix_ms() / 1_000);
    let mut found = Vec::new();
    for ((wanted, spender), answer) in wanted.into_iter().zip(answers.get_all(asked)?) {
        match answer {
            None => list.skip(wanted.token),
            Some(answer) => {
                let (amount, until) = wanted.keeper.amount(&answer, now);
                if !amount.is_zero() {
                    found.push((wanted, spender, amount, until));
                }
            }
        }
    }
    let mut batch = Batch::default();
    let decimals = |wanted: &Wanted| Read::view_if_any(&wanted.token, &erc20::decimals()).named("decimals");
    let asked = batch.add_all(found.iter().map(|(wanted, ..)| decimals(wanted)));
    let answers = chain.ask(batch.informing()).await?.get_all(asked)?;
    let mut all = Vec::with_capacity(found.len());
    for ((wanted, spender, amount, until), decimals) in found.into_iter().zip(answers) {
        let decimals = decimals.and_then(|answer| u8::try_from(erc20::word(&answer)?).ok());
        let mut out = ObjectWriter::object();
        out.number("chainId", chain_id);
        out.value("account", &owner);
        out.value("token", &wanted.token);
        out.number_or_null("decimals", decimals);
        out.value("spender", &spender.address);
        out.text("contract", spender.protocol.label());
        out.text("name", &spender.name);
        out.flag("isCurrent", spender.is_current);
        out.flag("isKnown", wanted.is_known);
        out.text("kind", wanted.keeper.label());
        out.value("amount", &amount);
        out.flag("isUnlimited", wanted.keeper.is_unlimited(amount));
        out.number_or_null("expiration", until);
        all.push(out.close());
    }
    Ok(all)
}

/// What `buildRevoke` takes: the members of an `Allowance`, of which it goes by the first five.
const REVOKED: [&str; 13] = [
    "chainId",
    "account",
    "token",
    "spender",
    "kind",
    "decimals",
    "contract",
    "name",
    "isCurrent",
    "isKnown",
    "amount",
    "isUnlimited",
    "expiration",
];

/// The call `buildRevoke`: the transaction that takes an allowance back. Returns the `TransactionBuild` as JSON text.
/// What it does follows from token and spender alone, and the spender is looked up again: an edited allowance can at
/// most take back another one of the same contracts.
///
/// # Errors
/// INVALID_INPUT with the member, also if the spender is no contract of the service, or nothing is allowed;
/// UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_revoke<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.data, "allowance"), call.signal);
    known(&at, &REVOKED)?;
    let chain_id = chain_id(&at.get("chainId"))?;
    let token = account(&at.get("token"))?;
    if is_native(token) {
        return Err(at.get("token").fault("an ERC-20 token: the native token has no allowance"));
    }
    let address = account(&at.get("spender"))?;
    let keeper = optional(&at.get("kind"), Keeper::read)?.unwrap_or(Keeper::Token);
    let owner = find_account(client, &at.get("account"), signal).await?;
    let spenders = find_spenders(client, chain_id, signal).await?;
    let unknown = || at.get("spender").fault("a contract of the service on this chain, of today or an old one");
    let spender = spenders.iter().find(|one| one.address == address).ok_or_else(unknown)?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let mut batch = Batch::default();
    let read = batch.add(keeper.question(token, owner, address));
    let answer = chain.ask(batch).await?.get(read)?;
    // What is over is taken back, too: it may come to life again.
    let amount = answer.map(|answer| keeper.amount(&answer, 0).0);
    if amount.is_some_and(|amount| amount.is_zero()) {
        let expected = "an allowance that is still there (it is zero now)";
        return Err(Error::input("allowance.amount", expected, at.get("amount").text().unwrap_or("nothing")));
    }
    let data = match keeper {
        Keeper::Token => erc20::approve(address, U256::ZERO),
        Keeper::Permit2 => calls::revoke(token, address),
    };
    let to = keeper.contract(token);
    let mut checks = Checks::default();
    checks.same("transaction.to", &to, &to);
    checks.same("transaction.spender", &spender.text(), &spender.text());
    checks.same("transaction.amount", &U256::ZERO, &U256::ZERO);
    let symbol = asset::of(chain_id, token).map_or("", |(asset, _)| asset.symbol);
    let named = [symbol, if symbol.is_empty() { "" } else { " " }, &token.text()].concat();
    let through = if keeper == Keeper::Permit2 { " through Permit2" } else { "" };
    let what =
        ["Take back what the ", &spender.text(), " may take of ", &named, through, " on ", &chain_name(chain_id)];
    let report = report(&what.concat(), &checks.finish()?, None);
    let transaction = Transaction { chain_id, owner, to, value: U256::ZERO, data, pays: None, decimals: vec![] };
    transaction_build(client, "revoke", &transaction, &report, None, signal).await
}

impl Spender {
    /// Name and address, as sentences have them.
    fn text(&self) -> String {
        [&self.name, " ", &self.address.text()].concat()
    }
}
