//! The effect of a transaction on the balances of its owner and its receiver, when it is tried before it is sent.
//!
//! [`Trial::calls`] are the calls tried as one, and [`Trial::note`] adds the findings of the answer. Nothing here
//! refuses: the trial runs on the state of one node's latest block, with other code in the place of both accounts, and
//! a token keeps its own books. Less than was promised is [`Verdict::Unusual`]; a transaction that was not tried is
//! [`Verdict::Unknown`], never `ok`. A contract that can distinguish a trial from a transaction can behave in it.

use crate::domain::erc20;
use crate::domain::revert::reason;
use crate::domain::together::{Call, Tried, done, number, pack, read};
use crate::domain::token::{NATIVE, is_native};
use crate::domain::verify::report::{Checks, Verdict};
use crate::value::text::{Concat, ToText};
use alloy_primitives::{Address, U256};

/// A trial: a transaction between reads of balances, and a transfer onwards of the tokens that the receiver got.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The account that sends it.
    pub owner: Address,
    /// The account that is paid.
    pub receiver: Address,
    /// The token that is sold; the placeholder for the native one.
    pub src: Address,
    /// The token that arrives; the placeholder for the native one.
    pub dest: Address,
    /// The contract that takes the sold token.
    pub spender: Address,
    /// The most that leaves the owner, raw units.
    pub most: U256,
    /// The least that arrives, raw units; zero if it is not known.
    pub least: U256,
}

/// A call with data of its own.
struct Step(Address, U256, Vec<u8>);

impl Step {
    fn read(token: Address, data: Vec<u8>) -> Step {
        Step(token, U256::ZERO, data)
    }

    fn balance((account, token): (Address, Address)) -> Step {
        match is_native(token) {
            true => Step::read(Address::ZERO, account.into_word().to_vec()),
            false => Step::read(token, erc20::balance_of(account)),
        }
    }
}

/// The accounts' balance of a token before and after, as it was read.
struct Change {
    account: Address,
    token: Address,
    before: Option<U256>,
    after: Option<U256>,
}

impl Change {
    /// How much more and how much less it is; `None` if it was not read twice.
    fn amounts(&self) -> Option<(U256, U256)> {
        let (before, after) = (self.before?, self.after?);
        Some((after.saturating_sub(before), before.saturating_sub(after)))
    }
}

impl Trial {
    /// The balances that are read: each account's of each token, once.
    fn watched(&self) -> Vec<(Address, Address)> {
        let mut all = Vec::new();
        for account in [self.owner, self.receiver] {
            for token in [self.src, self.dest, NATIVE] {
                if !all.contains(&(account, token)) {
                    all.push((account, token));
                }
            }
        }
        all
    }

    fn allowance(&self) -> Option<Step> {
        (!is_native(self.src)).then(|| Step::read(self.src, erc20::allowance(self.owner, self.spender)))
    }

    /// The calls as the contract reads them: balances; so many approvals (the first of two takes the old one back); the transaction;
    /// balances; and the least that has arrived, sent on by the receiver to `stranger`.
    pub fn calls(&self, (approvals, transaction, stranger): (usize, Call<'_>, Address)) -> Vec<u8> {
        let reads = || self.watched().into_iter().map(Step::balance).chain(self.allowance());
        let approve = |amount| Step::read(self.src, erc20::approve(self.spender, amount));
        let mut steps: Vec<Step> = reads().collect();
        // Some tokens replace no allowance that is not zero.
        steps.extend((approvals > 1).then(|| approve(U256::ZERO)));
        steps.extend((approvals > 0).then(|| approve(self.most)));
        steps.push(Step(transaction.to, transaction.value, transaction.data.to_vec()));
        steps.extend(reads());
        let (to, value, data) = match is_native(self.dest) {
            true => (stranger, self.least, vec![]),
            false => (self.dest, U256::ZERO, erc20::transfer(stranger, self.least)),
        };
        steps.push(Step::read(self.receiver, pack([Call { to, value, data: &data }])));
        steps.push(Step::balance((stranger, self.dest)));
        pack(steps.iter().map(|Step(to, value, data)| Call { to: *to, value: *value, data }))
    }

    /// Adds the findings of the answer to [`Trial::calls`], with so many approvals; `None` if there is none.
    pub fn note(&self, checks: &mut Checks, approvals: usize, answer: Option<&[u8]>) {
        checks.set_prefix("outcome.");
        let watched = self.watched();
        let reads = watched.len().saturating_add(usize::from(!is_native(self.src)));
        let first = reads.saturating_add(approvals);
        let all = first.saturating_add(reads).saturating_add(3);
        let why = match answer.map_or(Tried::Untried, |answer| read(answer, all)) {
            Tried::All(words) if words.len() == all => return self.note_words(checks, &words, (first, watched)),
            Tried::Stopped(at, why) if at == first => {
                Concat(&[&"not tried: it reverted: ", &reason(why).unwrap_or_else(|| "no reason".into())]).text()
            }
            Tried::Stopped(..) => "not tried: an approval, or the read of a balance, reverted".into(),
            _ => "not tried, or the node does not say".into(),
        };
        checks.note("trial", &"tried in one call", &why, Verdict::Unknown);
    }

    /// Adds the findings of the words. The transaction is the call at `first`.
    fn note_words(&self, checks: &mut Checks, words: &[[u8; 32]], (first, watched): (usize, Vec<(Address, Address)>)) {
        let told = |at: usize| words.get(at).and_then(number);
        let behind = first.saturating_add(1);
        let change = |(at, (account, token)): (usize, &(Address, Address))| {
            let (before, after) = (told(at), told(behind.saturating_add(at)));
            Change { account: *account, token: *token, before, after }
        };
        let changes: Vec<Change> = watched.iter().enumerate().map(change).collect();
        let find = |account: Address, token: Address| {
            changes.iter().find(|change| (change.account, change.token) == (account, token))
        };
        let (gained, spent) = (find(self.receiver, self.dest), find(self.owner, self.src));
        note_amount(
            checks,
            "received",
            &Concat(&[&"at least ", &self.least]),
            gained.and_then(Change::amounts).map(|(more, _)| (more, more >= self.least)),
            !self.least.is_zero(),
        );
        note_amount(
            checks,
            "spent",
            &Concat(&[&"at most ", &self.most]),
            spent.and_then(Change::amounts).map(|(_, less)| (less, less <= self.most)),
            true,
        );
        let is_other = |change: &&Change| {
            ![(self.receiver, self.dest), (self.owner, self.src)].contains(&(change.account, change.token))
        };
        note_kept(checks, changes.iter().filter(is_other));
        if !is_native(self.src) {
            let (before, after) = (told(watched.len()), told(behind.saturating_add(watched.len())));
            let shown = before.map_or_else(|| NOT_READ.into(), |before| Concat(&[&"at most ", &before]).text());
            let left = before.zip(after).map(|(before, after)| (after, after <= before));
            note_amount(checks, "allowanceLeft", &shown, left, true);
        }
        let held = gained.and_then(|change| change.after);
        let is_there = held.is_some_and(|held| held >= self.least) && !self.least.is_zero();
        let (sent, arrived) = match words {
            [.., sent, arrived] => (done(sent), number(arrived)),
            _ => (None, None),
        };
        let expected = "what has arrived can be sent on";
        let (actual, verdict) = match (sent, arrived) {
            _ if !is_there => ("not tried: less than the least amount is there", Verdict::Unknown),
            (Some(0), _) => ("it cannot be moved on: the transfer reverts", Verdict::Unusual),
            (Some(1), Some(arrived)) if arrived.is_zero() => {
                ("it cannot be moved on: the transfer moves nothing", Verdict::Unusual)
            }
            (Some(1), Some(_)) => ("it can", Verdict::Ok),
            _ => (NOT_READ, Verdict::Unknown),
        };
        checks.note("movedOn", &expected, &actual, verdict);
        if let (Verdict::Ok, Some(arrived)) = (verdict, arrived) {
            let expected = Concat(&[&"all of ", &self.least, &" sent on"]);
            note_amount(checks, "transferTax", &expected, Some((arrived, arrived >= self.least)), true);
        }
    }
}

const NOT_READ: &str = "not read";

/// Notes an amount, and whether it is as promised: unusual if not, unknown if it was not read or nothing was promised.
fn note_amount(
    checks: &mut Checks,
    field: &str,
    expected: &dyn ToText,
    found: Option<(U256, bool)>,
    is_promised: bool,
) {
    match found {
        None => checks.note(field, expected, &NOT_READ, Verdict::Unknown),
        Some((amount, _)) if !is_promised => checks.note(field, &"no amount is known", &amount, Verdict::Unknown),
        Some((amount, true)) => checks.note(field, expected, &amount, Verdict::Ok),
        Some((amount, false)) => checks.note(field, expected, &amount, Verdict::Unusual),
    }
}

/// Notes whether of all other balances nothing is taken.
fn note_kept<'a>(checks: &mut Checks, others: impl Iterator<Item = &'a Change>) {
    let (mut taken, mut is_read) = (vec![], true);
    for change in others {
        match change.amounts() {
            None => is_read = false,
            Some((_, less)) if less.is_zero() => {}
            Some((_, less)) => {
                taken.push(Concat(&[&less, &" of ", &change.token, &" of ", &change.account]).text());
            }
        }
    }
    let (actual, verdict) = match (taken.is_empty(), is_read) {
        (false, _) => (taken.join(", "), Verdict::Unusual),
        (true, true) => ("nothing".into(), Verdict::Ok),
        (true, false) => (NOT_READ.into(), Verdict::Unknown),
    };
    checks.note("otherwiseTaken", &"nothing", &actual, verdict);
}
