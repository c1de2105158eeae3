//! A taker's fill of one or several OTC orders: whether each can be filled as it was shown, and the transaction that does it.
//!
//! The calldata is written here from the orders. `verifyFill` compares a transaction from another source with it.

use super::given::Given;
use super::orders::{OrdersInput, SignedOtcOrder, chain_of, places};
use super::transaction::{Expected, check_sent};
use crate::domain::bps::Bps;
use crate::domain::chain::Protocol;
use crate::domain::input::{account, amount_input, known, known_in, optional, short_text, slippage};
use crate::domain::intent::{Intent, MAX_PRICE_DEVIATION_BPS, Token};
use crate::domain::member::{Members, member};
use crate::domain::otc::calls::{self, Fill};
use crate::domain::permit::{Permit, Spending};
use crate::domain::pricing::{Mode, Pricing};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::sentence::otc as sentence;
use crate::domain::token::NATIVE;
use crate::domain::transaction::{Payment, StatedDecimals, Transaction};
use crate::domain::verify::market_transaction::Envelope;
use crate::domain::verify::otc_fill::{NO_LONGER_SIGNED, Offered, Signature};
use crate::domain::verify::outcome::Trial;
use crate::domain::verify::price::{Deal, PRICE, note_price};
use crate::domain::verify::question::{unread_signatures, write_questions};
use crate::domain::verify::{Checks, Priced, report_of_trade};
use crate::error::{Error, Result};
use crate::json::{Json, JsonAt};
use crate::value::text::ToText;
use alloy_primitives::{Address, U256, keccak256};

/// The plain options of `otc.buildFill`.
pub const FILL_OPTIONS: [&str; 12] = [
    "takerAmount",
    "minMakerAmount",
    "receiver",
    "account",
    "permit",
    "makerDecimals",
    "takerDecimals",
    "makerSymbol",
    "takerSymbol",
    "maxPriceDeviationBps",
    "requireReference",
    "tryOutcome",
];

/// The options of a fill, read.
pub struct FillOptions {
    /// The most that the taker pays, in raw units; `None` for everything left of the orders.
    pub taker_amount: Option<U256>,
    /// The least that the taker gets, in raw units.
    pub min_maker_amount: Option<U256>,
    /// The account that gets it; `None` for the taker.
    pub receiver: Option<Address>,
    /// The trade, for its reference prices: the token that the taker pays and the one it gets, with the caller's
    /// decimals and symbols.
    pub intent: Intent,
    /// Whether the transaction is tried once it is built, and what it does to balances noted.
    pub try_outcome: bool,
}

/// Notes how these fills compare with something.
type Compare<'a> = dyn Fn(&mut Checks, &[Fill<'_>]) + 'a;

/// Adds the findings of a trial.
type NoteOutcome<'a> = dyn Fn(&mut Checks, &Trial) + 'a;

/// The input that a fill is computed from.
pub struct FillBuilder<'a> {
    /// The orders, with their state on the chain.
    pub input: &'a OrdersInput,
    /// The caller's options.
    pub options: &'a FillOptions,
    /// The makers' signatures, one per order, in the form that the contract accepts, and their signers. For an order
    /// that is partly filled the signature is as it came, because the contract does not check it again.
    pub signatures: &'a [(Vec<u8>, Signature)],
    /// The taker's permit, in place of an approval.
    pub permit: Option<&'a Permit>,
    /// The account that sends the transaction, and pays.
    pub taker: Address,
    /// Unix seconds by the chain's clock.
    pub now: u64,
    /// Checks whether a transaction that this package did not build makes these fills; `None` if there is none.
    pub compare: Option<&'a Compare<'a>>,
    /// Adds the findings of a trial of the transaction; `None` if it was not tried.
    pub outcome: Option<&'a NoteOutcome<'a>>,
}

/// The transaction that a [`FillBuilder`] makes, with its report.
pub struct BuiltFill {
    /// The transaction of the taker.
    pub transaction: Transaction,
    /// Its report, as JSON text.
    pub report: String,
    /// How the transaction can be tried.
    pub trial: Trial,
}

impl<'a> FillBuilder<'a> {
    /// The transaction, and its report as JSON text. Every order has to be fillable as it was shown.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the member; INVALID_INPUT with `options.takerAmount` if it is more than the remaining
    /// amount.
    pub fn build_transaction(&self, references: &TradeReferences) -> Result<BuiltFill> {
        let FillBuilder { input, options, permit, taker, .. } = *self;
        let (rfq, chain_id) = (input.deployment.contracts.rfq, input.chain_id);
        let mut checks = Checks::default();
        checks.holds("transaction.to", true, &input.deployment.describe(Protocol::Otc), &rfq.text());
        let fills = self.fills(&mut checks);
        let (mut give, mut get) = (U256::ZERO, U256::ZERO);
        let mut makers: Vec<Address> = Vec::new();
        for fill in &fills {
            (give, get) = (give.saturating_add(fill.share.give), get.saturating_add(fill.share.get));
            let maker = fill.order.address(member!("maker"));
            if !makers.contains(&maker) {
                makers.push(maker);
            }
        }
        checks.at_least("fill.makerAmount", &options.min_maker_amount.unwrap_or(get).max(U256::from(1)), &get);
        let (gives, gets) = (&options.intent.src, &options.intent.dest);
        let receiver = options.receiver.unwrap_or(taker);
        let (data, method) = calls::fill(&fills, taker, receiver);
        let transaction = Transaction {
            chain_id,
            owner: taker,
            to: rfq,
            value: U256::ZERO,
            data,
            pays: Some(Payment {
                protocol: Protocol::Otc,
                token: gives.address,
                amount: give,
                permit: permit.map(Permit::in_use),
            }),
            decimals: vec![stated(gets, "options.makerDecimals"), stated(gives, "options.takerDecimals")],
        };
        if let Some(permit) = permit {
            let spending = Spending {
                chain_id,
                token: gives.address,
                owner: taker,
                spender: rfq,
                amount: give,
                deadline: None,
                now: self.now,
            };
            permit.verify_by_token(&mut checks, &spending);
        }
        match self.compare {
            Some(compare) => compare(&mut checks, &fills),
            None => checks.same("transaction.data", &method, &method),
        }
        let deal =
            Deal { is_bound: options.min_maker_amount.is_some(), ..Deal::of(&options.intent, (give, get), None) };
        let judgement = note_price(&mut checks, PRICE, &references.price, &deal);
        let (src, dest) = (gives.address, gets.address);
        let trial = Trial { owner: taker, receiver, src, dest, spender: rfq, most: give, least: get };
        if let Some(note) = self.outcome {
            note(&mut checks, &trial);
        }
        let checks = checks.finish()?;
        if let Some(most) = options.taker_amount.filter(|most| *most > give) {
            let expected = ["at most ", &give.text(), ", which is left"].concat();
            let field = if self.compare.is_some() { "request.takerAmount" } else { "options.takerAmount" };
            return Err(Error::input(field, &expected, &most.text()));
        }
        let sentence = sentence::fill(chain_id, (give, gives), (get, gets), &makers, receiver);
        let made = || input.orders.iter().zip(self.signatures).take(fills.len());
        let is_unsure = made().any(|(_, (_, whose))| *whose == Signature::AcceptedBefore);
        let unsigned = if is_unsure { NO_LONGER_SIGNED } else { "" };
        let sentence = [&*sentence, input.deployment.source.caveat(), unsigned, &judgement.caveat()].concat();
        let mut questions: Vec<_> = judgement.question.into_iter().collect();
        let unread = made().filter(|(_, (_, whose))| *whose == Signature::Unread);
        questions.extend(unread_signatures(unread.map(|(one, _)| one.maker.text()).collect()));
        let priced = Priced {
            questions: Some(write_questions(&questions, &keccak256(&transaction.data))),
            judged: Some(judgement.json),
            ..Priced::default()
        };
        Ok(BuiltFill { transaction, report: report_of_trade(&sentence, &checks, None, &priced), trial })
    }

    /// The amount taken from each order, in turn, until `takerAmount` is paid. Notes for each whether it can be filled
    /// so.
    fn fills(&self, checks: &mut Checks) -> Vec<Fill<'a>> {
        let mut fills: Vec<Fill<'a>> = Vec::new();
        let mut left = self.options.taker_amount;
        for (one, (signature, whose)) in self.input.orders.iter().zip(self.signatures) {
            if left == Some(U256::ZERO) {
                break;
            }
            // Amounts that earlier fills of this transaction take from the same maker are not available to this one.
            let mut promised = U256::ZERO;
            for fill in &fills {
                if fill.order.address(member!("maker")) == one.maker {
                    promised = promised.saturating_add(fill.share.get);
                }
            }
            let mut offered = Offered {
                name: &one.name,
                order: &one.signed.order,
                stated_hash: one.signed.hash,
                hash: one.hash,
                signature: *whose,
                remaining: one.remaining,
                balance: one.maker_funds.0.saturating_sub(promised),
                allowance: one.maker_funds.1.saturating_sub(promised),
                is_read: one.is_read,
            };
            let share = offered.share(left);
            let mut maker_permit: &[u8] = &[];
            // The lengths of EIP-2612's and DAI's permits: the contract ignores other lengths.
            let is_permit = matches!(one.signed.maker_permit.len(), 224 | 256);
            if offered.allowance < share.get && is_permit {
                maker_permit = &one.signed.maker_permit;
                offered.allowance = offered.balance;
            }
            let (maker_asset, taker_asset) = self.input.pair;
            for (asset, token) in [(member!("makerAsset"), maker_asset), (member!("takerAsset"), taker_asset)] {
                checks.same(&[&one.name, ".", asset.path()].concat(), &token, &one.signed.order.address(asset));
            }
            offered.verify(checks, &share, self.taker, U256::from(self.now));
            left = left.map(|left| left.saturating_sub(share.give));
            fills.push(Fill {
                order: &one.signed.order,
                signature,
                share,
                is_whole: offered.is_whole(&share),
                // With the first fill only: a permit that is used twice would be refused.
                taker_permit: self.permit.filter(|_| fills.is_empty()).map_or(&[], |permit| &permit.bytes),
                maker_permit,
            });
        }
        fills
    }
}

/// The tokens that the taker gets and pays, which `verifyFill` takes beside the client's options, and needs for a price.
const PAIR: [&str; 2] = ["makerAsset", "takerAsset"];

/// The readings that `verifyFill` takes beside `time`.
const FILL_READINGS: [&str; 3] = ["orders", "makerDecimals", "takerDecimals"];

/// `verifyFill`: `{ request, orders, transaction, reference?, readings? }`. The request has the members of the
/// client's options for a fill, with `account`, and with `makerAsset` and `takerAsset` if there is a reference.
/// `readings.orders` has by order hash the reads of the chain: `remaining` (the contract's answer), the maker's
/// `balance` and `allowance`, and `accepted`, if the maker's code accepts the signature. `machine` is unix seconds by
/// this machine's clock. Returns the report as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member; VERIFY_MISMATCH with the first that differs; SERVICE_MALFORMED; UNSUPPORTED_CHAIN.
pub fn verify_fill(input: &Json, machine: u64) -> Result<String> {
    let mut given = Given::read(input, &["orders", "transaction", "reference"], &FILL_READINGS, machine)?;
    let at = given.request();
    known_in(&at, &[&FILL_OPTIONS, &PAIR])?;
    let orders = given.payload("orders", "the signed orders: a list, or one of them")?;
    let all = places(&orders, "orders")?;
    let chain_id = chain_of(&all)?;
    let mut input = OrdersInput::read(&all, chain_id, given.deployment(chain_id, Protocol::Otc)?, true)?;
    let [maker_asset, taker_asset] = PAIR.map(|name| at.get(name));
    // A price is one of a pair: an order of any other token with the same figures would be as good.
    if maker_asset.some().or(taker_asset.some()).or(given.at.get("reference").some()).is_some() {
        input.pair = (account(&maker_asset)?, account(&taker_asset)?);
    }
    let mut signatures = Vec::new();
    for one in &mut input.orders {
        signatures.push(settle_order(&mut given, one)?);
    }
    let mut options = read_options(&at, &input)?;
    options.intent.note_unread(vec![chain_id]);
    given.settle_token("takerDecimals", "request.takerDecimals", &mut options.intent.src)?;
    given.settle_token("makerDecimals", "request.makerDecimals", &mut options.intent.dest)?;
    // Without one, the price is a question.
    options.intent.require_reference = false;
    let references = given.references(&options.intent)?;
    let permit = optional(&at.get("permit"), Permit::read)?;
    let taker = account(&at.get("account"))?;
    let envelope = given.envelope()?;
    let receiver = options.receiver.unwrap_or(taker);
    let fill = FillBuilder {
        input: &input,
        options: &options,
        signatures: &signatures,
        permit: permit.as_ref(),
        taker,
        now: given.now,
        compare: Some(&|checks, fills| check_fills(checks, &envelope, &input, taker, receiver, fills)),
        outcome: None,
    };
    let report = fill.build_transaction(&references)?.report;
    if options.try_outcome {
        given.leave_unread("outcome");
    }
    for name in ["balance", "allowance"] {
        given.leave_unread(name);
    }
    Ok(given.finish(&report))
}

/// Notes whether a transaction makes these fills, in any of the contract's forms, with each signature as it was stated or in
/// the form of a key.
fn check_fills(
    checks: &mut Checks,
    sent: &Envelope,
    input: &OrdersInput,
    taker: Address,
    receiver: Address,
    fills: &[Fill<'_>],
) {
    let mut data = calls::fill_forms(fills, taker, receiver);
    let by_key: Vec<_> = input.orders.iter().map(SignedOtcOrder::key_signature).collect();
    let mut others = fills.to_vec();
    for (fill, by_key) in others.iter_mut().zip(&by_key).filter(|(_, by_key)| !by_key.is_empty()) {
        fill.signature = by_key;
    }
    data.extend(calls::fill_forms(&others, taker, receiver));
    let (chain_id, to) = (input.chain_id, input.deployment.contracts.rfq);
    let expected = Expected { chain_id, owner: taker, to, value: U256::ZERO, data, sentence: String::new() };
    check_sent(checks, sent, &expected);
}

/// Takes over the readings of an order. Returns its signature, and what is known of its signer.
///
/// # Errors
/// INVALID_INPUT with the reading.
fn settle_order(given: &mut Given<'_>, one: &mut SignedOtcOrder) -> Result<(Vec<u8>, Signature)> {
    let (hash, readings) = (one.hash.text(), given.at.get("readings").get("orders"));
    let (mut is_accepted, found) = (None, readings.get(&hash).some());
    if let Some(found) = &found {
        known(found, &["remaining", "balance", "allowance", "accepted"])?;
        one.remaining = found.get("remaining").uint()?;
        one.maker_funds = (found.get("balance").uint()?, found.get("allowance").uint()?);
        is_accepted = optional(&found.get("accepted"), JsonAt::bool)?;
    } else {
        one.is_read = false;
        one.maker_funds = (U256::MAX, U256::MAX);
        given.leave_unread("orders");
    }
    let (stated, by_key) = (one.signed.signature.clone(), !one.key_signature().is_empty());
    let whose = match (by_key, is_accepted) {
        (true, _) | (false, Some(true)) => Signature::Makers,
        // The contract has accepted it before.
        (false, _) if one.is_read && one.is_partly_filled() => Signature::AcceptedBefore,
        (false, Some(false)) => Signature::Anothers,
        (false, None) => Signature::Unread,
    };
    Ok((stated, whose))
}

/// The decimals that an option states for a token.
fn stated(token: &Token, field: &str) -> StatedDecimals {
    (token.clone(), field.into())
}

/// Reads the options of a fill. Refuses a receiver that cannot use the tokens: a token, the contract, the placeholder
/// of the native token.
///
/// # Errors
/// INVALID_INPUT with the option.
pub fn read_options(at: &JsonAt<'_>, input: &OrdersInput) -> Result<FillOptions> {
    let token = |address: Address, places: &'static str, symbol: &'static str| -> Result<Token> {
        let symbol = optional(&at.get(symbol), short_text)?;
        let mut token = Token { chain_id: input.chain_id, address, symbol, ..Token::default() };
        token.settle_decimals(&at.get(places)).map(|()| token)
    };
    let (maker_asset, taker_asset) = input.pair;
    let receiver = optional(&at.get("receiver"), account)?;
    if receiver.is_some_and(|who| [maker_asset, taker_asset, input.deployment.contracts.rfq, NATIVE].contains(&who)) {
        return Err(at.get("receiver").fault("an account that can receive, not a token or the contract"));
    }
    Ok(FillOptions {
        taker_amount: optional(&at.get("takerAmount"), amount_input)?,
        min_maker_amount: optional(&at.get("minMakerAmount"), amount_input)?,
        receiver,
        intent: Intent {
            chain_id: input.chain_id,
            dest_chain_id: input.chain_id,
            src: token(taker_asset, "takerDecimals", "takerSymbol")?,
            dest: token(maker_asset, "makerDecimals", "makerSymbol")?,
            amount: optional(&at.get("takerAmount"), amount_input)?.unwrap_or_default(),
            max_price_deviation_bps: optional(&at.get("maxPriceDeviationBps"), slippage)?
                .map_or(MAX_PRICE_DEVIATION_BPS, Bps::get),
            require_reference: optional(&at.get("requireReference"), |at| at.bool())?.unwrap_or(false),
            // The owner pays the gas, as for a Market trade.
            pricing: Pricing { mode: Mode::Market, ..Pricing::default() },
            ..Intent::default()
        },
        try_outcome: optional(&at.get("tryOutcome"), |at| at.bool())?.unwrap_or(false),
    })
}
