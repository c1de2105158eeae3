//! The scope of one place in a payload: the context, the chain, the actor, and how deep it is nested.

use super::answer::{Answer, Kept, NEVER, teller};
use super::context::Context;
use super::payload_fields::{Call, PayloadFields};
use super::services;
use super::words::*;
use alloy_primitives::{Address, B256, U256, address};
use core::cell::Cell;
use verify::internal::domain::asset::{self, ASSETS};
use verify::internal::domain::chain::{self, Contracts, pinned, pinned_chains};
use verify::internal::domain::display::unit;
use verify::internal::domain::intent::Token;
use verify::internal::domain::permit::PERMIT2;
use verify::internal::domain::product::product;
use verify::internal::domain::sentence;
use verify::internal::domain::sentence::part::{Raw, Sink, account, amount, time};
use verify::internal::domain::spenders;
use verify::internal::domain::token::{NATIVE, is_native};
use verify::internal::json::Json;
use verify::internal::value::amount::parse_units;
use verify::internal::value::text::{ToText, replace};
use verify::internal::value::visible;

/// The deepest nesting that is read.
pub const MAX_DEPTH: usize = 8;
/// The most payloads inside of others, in all.
pub const MAX_INNER: usize = 128;
/// How far ahead a deadline may be without a word about it, in seconds: 30 days.
const FAR_SECS: u64 = 2_592_000;
/// A token has so many parts that are worth nothing, whatever it is worth.
const DUST: u64 = 100_000;
/// The share of the given value below which a price is called poor, in percent.
const POOR_PERCENT: u64 = 85;

/// Contracts of others that wrap calls: the same addresses on every chain that has them (the deployments published by
/// Safe, by the authors of ERC-4337 and of Multicall3).
const WRAPPERS: [(Address, &str); 10] = [
    (address!("0xA238CBeb142c10Ef7Ad8442C6D1f9E89e07e7761"), "MultiSend"),
    (address!("0x998739BFdAAdde7C933B942a68053933098f9EDa"), "MultiSend"),
    (address!("0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526"), "MultiSend"),
    (address!("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D"), "MultiSendCallOnly"),
    (address!("0xA1dabEF33b3B82c7814B6D82A79e50F4AC44102B"), "MultiSendCallOnly"),
    (address!("0x9641d764fc13c8B624c04430C7356C1C7C8102e2"), "MultiSendCallOnly"),
    (address!("0xcA11bde05977b3631167028862bE2a173976CA11"), "Multicall3"),
    (address!("0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789"), "EntryPoint"),
    (address!("0x0000000071727De22E5E9d8BAf0edAc6f37da032"), "EntryPoint"),
    (address!("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"), "EntryPoint"),
];

/// The controllers by which names of ENS are bought, on chain 1 (<https://docs.ens.domains/learn/deployments>), and the one
/// before them.
const REGISTRARS: [Address; 3] = [
    address!("0x59E16fcCd424Cc24e280Be16E11Bcd56fb0CE547"),
    address!("0x253553366Da8546fC250F225fe3d25d0C782303b"),
    address!("0x283Af0B28c62C092C9727F1Ee09c02CA627EB7F5"),
];

/// The data that all places of one payload share.
pub struct Shared<'a> {
    /// The caller's context.
    pub context: &'a Context,
    /// The selectors of the known methods, in the order of their tables.
    pub selectors: Vec<[u8; 4]>,
    /// How many more payloads inside may be read.
    pub room: Cell<usize>,
    /// The native token that came along with a batch, and that none of its calls took yet.
    pub purse: Cell<U256>,
    /// Explains a call: here, because calls contain calls.
    pub read_call: fn(&Scope<'_>, &Call<'_>) -> Answer,
    /// Explains typed data.
    pub read_typed: fn(&Scope<'_>, &Json) -> Answer,
}

/// One place of a payload.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The data that all places share.
    pub shared: &'a Shared<'a>,
    /// The chain of this payload.
    pub chain_id: u64,
    /// The actor: the sender, signer, Safe or account.
    pub actor: Option<Address>,
    /// The Safe whose owner signs: what is run here gives away what is that Safe's.
    pub safe: Option<Address>,
    /// How many payloads this one is inside of.
    pub depth: usize,
}

impl<'a> Scope<'a> {
    /// The caller's context.
    pub fn context(&self) -> &'a Context {
        self.shared.context
    }

    /// The scope of what is inside, where `actor` acts; `None` if too much is nested: the answer states that.
    pub fn inside(&self, answer: &mut Answer, actor: Option<Address>) -> Option<Scope<'a>> {
        let room = self.shared.room.get().checked_sub(1).filter(|_| self.depth < MAX_DEPTH);
        let Some(room) = room else {
            answer.find(INNER_TOO_MANY, "inner", &[]);
            return None;
        };
        self.shared.room.set(room);
        Some(Scope { depth: self.depth.saturating_add(1), actor: actor.or(self.actor), ..*self })
    }

    /// Whether an account is the user's. The actor is untrusted: the payload can name any account.
    pub fn is_own(&self, account: Address) -> bool {
        let context = self.context();
        context.accounts.contains(&account) || context.safe.as_ref().is_some_and(|safe| safe.address == account)
    }

    /// Whether any account of the user's is known. Without one no other is a stranger.
    pub fn has_accounts(&self) -> bool {
        !self.context().accounts.is_empty() || self.context().safe.is_some()
    }

    /// Notes an account that is none of the user's, or, where none of those is known, that it is not judged.
    pub fn note_stranger(&self, answer: &mut Answer, warning: &Warning, field: &str, account: Address) {
        if !self.is_own(account) {
            answer.find(if self.has_accounts() { warning } else { ACCOUNT_UNJUDGED }, field, &[self.who(account)]);
        }
    }

    /// The caller's name for an address.
    pub fn book(&self, address: Address) -> Option<&'a str> {
        let found = self.context().address_book.iter().find(|(known, _)| *known == address);
        found.map(|(_, name)| name.as_str())
    }

    /// A token of this chain as the table or the caller has it.
    pub fn token(&self, address: Address) -> Token {
        self.token_on(self.chain_id, address)
    }

    /// A token of some chain. The zero address stands for the native token.
    pub fn token_on(&self, chain_id: u64, address: Address) -> Token {
        let address = if address.is_zero() { NATIVE } else { address };
        let mut known = self.context().tokens.iter();
        let stated = known.find(|token| (token.chain_id, token.address) == (chain_id, address)).cloned();
        let decimals = asset::decimals(chain_id, address).unwrap_or(u8::MAX);
        stated.unwrap_or(Token { chain_id, address, decimals, ..Token::default() })
    }

    /// The tokens of this chain that the table or the caller has.
    pub fn tokens(&self) -> impl Iterator<Item = Token> {
        let listed = ASSETS.iter().flat_map(|asset| asset.tokens).map(|(chain, token, _)| (*chain, *token));
        let stated = self.context().tokens.iter().map(|token| (token.chain_id, token.address));
        listed.chain(stated).filter(|(chain, _)| *chain == self.chain_id).map(|(_, token)| self.token(token))
    }

    /// The service's contracts here, and who names them.
    pub fn contracts(&self) -> Option<(Contracts, &'static str)> {
        self.context().contracts(self.chain_id)
    }

    /// The name of a contract that is known on this chain, and who names it.
    pub fn contract_name(&self, address: Address) -> Option<(&'static str, &'static str)> {
        let (here, by) = self.contracts().unwrap_or_default();
        let own = [
            (here.delta, "the Delta contract"),
            (here.router, "the Market router"),
            (here.rfq, "the RFQ contract"),
            (here.wrapped_native.unwrap_or_default(), "the Delta contract's wrapped native token"),
        ];
        if self.is_registrar(address) {
            return Some(("the ENS controller", "table"));
        }
        let others = [(PERMIT2, "Permit2")];
        let named = |by| move |(known, name): &(Address, &'static str)| (*known, (*name, by));
        let mut all = own.iter().map(named(by)).chain(others.iter().chain(&WRAPPERS).map(named("table")));
        let found = all.find(|(known, _)| *known == address && !address.is_zero()).map(|(_, name)| name);
        found.or_else(|| self.service(address).map(|(name, _)| (name, "table")))
    }

    /// The name of another service's contract on this chain, and whether users let it take tokens.
    pub fn service(&self, address: Address) -> Option<(&'static str, bool)> {
        services::here(self.chain_id).find(|(.., known)| *known == address).map(|(name, takes, ..)| (*name, *takes))
    }

    /// Whether a contract is that of another service whose name begins so.
    pub fn is_service(&self, address: Address, name: &str) -> bool {
        self.service(address).is_some_and(|(known, _)| known.starts_with(name))
    }

    /// Whether a contract is where names are bought.
    pub fn is_registrar(&self, address: Address) -> bool {
        self.chain_id == 1 && REGISTRARS.contains(&address)
    }

    /// Whether a contract is the wrapped native token of this chain, by the table or by the caller.
    pub fn is_wrapped_native(&self, address: Address) -> bool {
        let stated = self.contracts().filter(|(_, by)| *by == "caller").and_then(|(here, _)| here.wrapped_native);
        [asset::wrapped_native(self.chain_id), stated].contains(&Some(address))
    }

    /// Whether a contract only runs the calls inside of it (Safe's MultiSend).
    pub fn is_multi_send(&self, address: Address) -> bool {
        self.contract_name(address).is_some_and(|(name, _)| name.starts_with("MultiSend"))
    }

    /// An account or contract with its name: the table's, or the caller's; the address whole.
    pub fn who(&self, address: Address) -> Kept {
        let whole = address.text();
        let (name, by) = match (self.contract_name(address), self.book(address)) {
            (Some((name, by)), _) => (name.into(), by),
            (None, Some(name)) => (visible::name(name), "caller"),
            _ => return Kept::new("address", whole.clone(), whole, ""),
        };
        Kept::new("address", whole.clone(), [&name, " (", &*whole, ")"].concat(), by)
    }

    /// A token by its name, without an amount.
    pub fn token_name(&self, token: &Token) -> Kept {
        let text = unit(token);
        let display = text.strip_prefix("of ").unwrap_or(&text).to_owned();
        Kept::new("token", token.address.text(), display, teller(token))
    }

    /// The chain of this place.
    pub fn chain(&self) -> Kept {
        self.chain_of(self.chain_id)
    }

    /// A chain by its name.
    pub fn chain_of(&self, chain_id: u64) -> Kept {
        Kept::new("chain", chain_id.text(), chain::name(chain_id), "")
    }

    /// An amount of the native token of this chain, in wei.
    pub fn native(&self, wei: U256) -> Kept {
        amount::<Answer>(wei, &self.token(NATIVE))
    }

    /// Notes an address that looks like a known one without being it.
    pub fn look(&self, answer: &mut Answer, field: &str, address: Address) {
        let context = self.context();
        let ends = |address: &Address| {
            let bytes = address.0.0;
            let [a, b, .., y, z] = bytes;
            [a, b, y, z]
        };
        let tokens = ASSETS.iter().flat_map(|asset| asset.tokens.iter().map(|(_, token, _)| *token));
        let contracts = pinned_chains().filter_map(pinned).flat_map(|here| [here.delta, here.router, here.rfq]);
        let known = (context.accounts.iter().copied())
            .chain(context.address_book.iter().map(|(known, _)| *known))
            .chain(context.tokens.iter().map(|token| token.address))
            .chain(WRAPPERS.iter().map(|(known, _)| *known))
            .chain(REGISTRARS)
            .chain(tokens)
            .chain(contracts)
            .chain(services::here(self.chain_id).map(|(.., known)| *known))
            .chain([PERMIT2, Address::ZERO]);
        let mut similar = None;
        for one in known {
            if one == address {
                return;
            }
            if ends(&one) == ends(&address) {
                similar = Some(one);
            }
        }
        if let Some(one) = similar {
            let whole = |address: Address| Kept::new("address", address.text(), address.text(), "");
            answer.find(RESEMBLES, field, &[whole(address), whole(one)]);
        }
    }

    /// Judges who receives what a trade pays out; without a receiver that is the sender, of whom nothing is known.
    pub fn check_receiver(&self, answer: &mut Answer, field: &str, receiver: impl Into<Option<Address>>) {
        let Some(receiver) = receiver.into() else { return };
        answer.fact("to", &receiver);
        self.look(answer, field, receiver);
        if self.book(receiver).is_some() && !self.is_own(receiver) {
            return answer.find(RECEIVER_NAMED, field, &[self.who(receiver)]);
        }
        let warning = if self.safe == Some(receiver) { SENT_AWAY } else { RECEIVER_OTHER };
        self.note_stranger(answer, warning, field, receiver);
    }

    /// The receiver in a sentence: the sender where that is all that is known of it.
    pub fn receiver(receiver: Option<Address>) -> Kept {
        receiver.map_or_else(|| Kept::word("the sender"), account::<Answer>)
    }

    /// An amount that a spender may take: without a bound in practice it is any amount.
    pub fn allowed(&self, raw: U256, token: &Token) -> Kept {
        match is_any(raw) {
            true => {
                Answer::keep(["any amount of ", self.token_name(token).display()].concat(), Raw::Amount(raw, token))
            }
            false => amount::<Answer>(raw, token),
        }
    }

    /// Judges who acts here, where that is who receives what comes out.
    pub fn check_actor(&self, answer: &mut Answer) {
        if let Some(actor) = self.actor.filter(|actor| !self.is_own(*actor)) {
            self.check_receiver(answer, "to", actor);
        }
    }

    /// Judges the account that a payload is of.
    pub fn check_owner(&self, answer: &mut Answer, field: &str, owner: Address) {
        answer.fact("owner", &owner);
        self.look(answer, field, owner);
        self.note_stranger(answer, SENDER_OTHER, field, owner);
    }

    /// Judges the sender or signer, if it is stated.
    pub fn check_sender(&self, answer: &mut Answer, from: Option<Address>) {
        let Some(from) = from else { return };
        answer.fact("from", &from);
        self.note_stranger(answer, SENDER_OTHER, "from", from);
    }

    /// States which account runs the inner calls. Unless it is the user's, the kind of contract is unknown.
    pub fn say_runs(&self, answer: &mut Answer, account: Address) {
        let part = match self.is_own(account) {
            true => ACCOUNT,
            false if self.has_accounts() => ACCOUNT_OTHER,
            false => CONTRACT_RUNS,
        };
        answer.say(part, &[self.who(account), self.chain()]);
    }

    /// States that so many payloads are run together.
    pub fn say_batch(&self, answer: &mut Answer, count: usize) {
        let count = sentence::part::count::<Answer>(u64::try_from(count).unwrap_or(u64::MAX));
        answer.say(BATCH, &[count, self.chain()]);
    }

    /// Judges a contract that is called, or whose domain is signed.
    pub fn check_contract(&self, answer: &mut Answer, field: &str, contract: Address) {
        self.look(answer, field, contract);
        let is_token = asset::of(self.chain_id, contract).is_some()
            || self.context().tokens.iter().any(|token| (token.chain_id, token.address) == (self.chain_id, contract));
        if (!is_token || is_native(contract))
            && self.contract_name(contract).is_none()
            && self.book(contract).is_none()
            && !self.is_own(contract)
        {
            answer.find(CONTRACT_UNKNOWN, field, &[self.who(contract), self.chain()]);
        }
    }

    /// Judges the spender of an allowance and its amount: `is_signed` if it needs no transaction of the owner's. The
    /// fields are the spender's and the amount's.
    pub fn check_spender(
        &self,
        answer: &mut Answer,
        (field, amount_field): (&str, &str),
        (spender, token): (Address, &Token),
        (is_unlimited, is_signed): (bool, bool),
    ) {
        answer.fact("spender", &spender);
        // The zero address takes nothing: an approval of it is how that of an item is taken back.
        if spender.is_zero() {
            return;
        }
        self.look(answer, field, spender);
        if spenders::old(self.chain_id).any(|(old, _)| old == spender) {
            return answer.find(SPENDER_OLD, field, &[self.who(spender)]);
        }
        // A contract that executes arbitrary calls for anyone, as MultiSend does, is no safe spender.
        let is_wrapper = WRAPPERS.iter().any(|(known, _)| *known == spender);
        let service = self.service(spender);
        let is_named = self.contract_name(spender).is_some() && !is_wrapper && service.is_none();
        let is_known = is_named || self.book(spender).is_some() || self.context().accounts.contains(&spender);
        if is_unlimited {
            let warning = if is_known { UNLIMITED } else { UNLIMITED_UNKNOWN };
            answer.find(warning, amount_field, &[self.who(spender), self.token_name(token)]);
        }
        let warning = match service {
            _ if is_known => return,
            Some((_, true)) => SPENDER_SERVICE,
            _ if is_signed => SPENDER_SIGNED,
            _ => SPENDER_UNKNOWN,
        };
        answer.find(warning, field, &[self.who(spender)]);
    }

    /// Judges a deadline, unix seconds; `None` if there is none.
    pub fn check_deadline(&self, answer: &mut Answer, field: &str, deadline: Option<U256>) {
        let deadline = deadline.and_then(|deadline| u64::try_from(deadline).ok()).unwrap_or(NEVER);
        answer.until(deadline);
        if deadline >= NEVER {
            return answer.find(DEADLINE_NONE, field, &[]);
        }
        match self.context().now {
            None => answer.find(DEADLINE_UNJUDGED, field, &[]),
            Some(now) if deadline < now => answer.find(DEADLINE_PASSED, field, &[time::<Answer>(deadline)]),
            Some(now) if deadline > now.saturating_add(FAR_SECS) => {
                answer.find(DEADLINE_FAR, field, &[time::<Answer>(deadline)]);
            }
            _ => {}
        }
    }

    /// Judges what is given for what is received by the caller's prices, and adds both to the facts.
    pub fn check_price(&self, answer: &mut Answer, field: &str, given: (U256, &Token), got: (U256, &Token)) {
        let shown = [amount::<Answer>(given.0, given.1), amount::<Answer>(got.0, got.1)];
        let [gives, gets] = &shown;
        answer.gives(gives);
        answer.gets(gets);
        let price = |token: &Token| {
            let known = |(id, known, _): &&(u64, Address, U256)| (*id, *known) == (token.chain_id, token.address);
            let unit = parse_units("1", token.decimals).ok()?;
            self.context().references.iter().find(known).map(|(_, _, dollars)| (*dollars, unit))
        };
        let native = Token { chain_id: self.chain_id, address: NATIVE, decimals: 18, ..Token::default() };
        if let (Some((gives, one)), Some((coin, unit))) = (price(given.1), price(&native)) {
            let dollars = given.0.checked_mul(gives).and_then(|dollars| dollars.checked_mul(unit));
            let wei = dollars.zip(one.checked_mul(coin)).and_then(|(dollars, all)| dollars.checked_div(all));
            answer.given_wei = wei.unwrap_or_default();
        }
        // An asset is worth what it is on another chain.
        let is_same = asset::is_same((given.1.chain_id, given.1.address), (got.1.chain_id, got.1.address));
        let whole = |token: &Token| parse_units("1", token.decimals).ok();
        let worth = |token: &Token| if is_same { whole(token).map(|unit| (U256::from(1), unit)) } else { price(token) };
        let is_dust = |(raw, token): (U256, &Token)| {
            raw <= whole(token).unwrap_or_default().wrapping_div(U256::from(DUST)).max(U256::from(1))
        };
        match (worth(given.1), worth(got.1)) {
            (Some((gives, one)), Some((gets, other))) => {
                let worth = product(&[&got.0, &gets, &one, &U256::from(100)]);
                if worth < product(&[&given.0, &gives, &other, &U256::from(POOR_PERCENT)]) {
                    answer.find(PRICE_POOR, field, &shown);
                }
            }
            _ if is_dust(got) && !is_dust(given) => answer.find(PRICE_NONE, field, &shown),
            _ => answer.find(PRICE_UNJUDGED, field, &[]),
        }
    }
}

/// The number of items of an array to read: at most `most`. The answer states if there are more.
pub fn at_most(answer: &mut Answer, fields: &PayloadFields<'_>, path: &str, most: usize) -> usize {
    let count = fields.count(path);
    if count > most {
        answer.find(INNER_TOO_MANY, &fields.field(path), &[]);
        answer.unread(&fields.field(path), 0);
    }
    count.min(most)
}

/// A hash, or other bytes, in hex.
pub fn hex_value(kind: &'static str, bytes: &[u8]) -> Kept {
    let text = alloy_primitives::hex::encode_prefixed(bytes);
    Kept::new(kind, text.clone(), text, "")
}

/// A hash as a value of the answer.
pub fn hash_value(hash: B256) -> Kept {
    hex_value("hash", hash.as_slice())
}

/// Text of the payload's: quoted, hidden characters as escapes, cut off after 1,000 characters.
pub fn text_value(kind: &'static str, text: &str) -> Kept {
    let cut = text.char_indices().nth(1_000).map_or(text.len(), |(end, _)| end);
    let escaped = text.get(..cut).unwrap_or_default().replace('\\', "\\\\");
    let mut shown = replace(&visible::visible(&escaped).replace('"', "\\\""), "\\u{a}", "\\n");
    shown.insert(0, '"');
    shown.push_str(if cut < text.len() { "\" ..." } else { "\"" });
    Kept::new(kind, visible::visible(text), shown, "payload")
}

/// Whether an amount has no bound in practice: 2^95 raw units and more, 39.6 billion whole units of 18 decimals, more than most tokens have.
pub fn is_unlimited(amount: U256) -> bool {
    amount.bit_len() > 95
}

/// Whether an amount without a bound in practice is meant as any: the highest of a type, or close to it.
pub fn is_any(amount: U256) -> bool {
    is_unlimited(amount) && (amount.bit_len() > 159 || (amount & amount.wrapping_add(U256::from(1))).is_zero())
}

/// Whether a token is the native one, by either spelling.
pub fn is_native_or_zero(token: Address) -> bool {
    token.is_zero() || is_native(token)
}
