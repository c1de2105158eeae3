//! `otc.buildFill`: a taker fills one or several orders on chain.
//!
//! Orders come from anybody. Before there is a transaction, each is compared with its hash, its maker's signature, and
//! the chain: its remaining amount, and its maker's balance and allowance. The calldata is written here.

use crate::client::Client;
use crate::domain::bps::Bps;
use crate::domain::chain::Protocol;
use crate::domain::input::{account, amount_input, known, optional, short_text, slippage};
use crate::domain::intent::{Intent, MAX_PRICE_DEVIATION_BPS, Token};
use crate::domain::member::{Members, member};
use crate::domain::otc::calls::{self, Fill};
use crate::domain::permit::Permit;
use crate::domain::pricing::{Mode, Pricing};
use crate::domain::reference::trade_references::TradeReferences;
use crate::domain::sentence::otc as sentence;
use crate::domain::token::{NATIVE, own_decimals};
use crate::domain::transaction::StatedDecimals;
use crate::domain::transaction::{Payment, Transaction};
use crate::domain::verify::otc_fill::{NO_LONGER_SIGNED, Offered, Signature};
use crate::domain::verify::price::{Deal, PRICE, is_about_price, note_price};
use crate::domain::verify::question::write_questions;
use crate::domain::verify::{Checks, Priced, report_of_trade};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::JsonAt;
use crate::trade::call::CallArgs;
use crate::trade::chain::balances::find_account;
use crate::trade::chain::funding::Funding;
use crate::trade::chain::lens::{PendingPrices, PriceReads};
use crate::trade::chain::reference::read_references;
use crate::trade::chain::signature_check::accepted_form;
use crate::trade::otc::orders_input::{OrdersInput, SignedOtcOrder, check_are_tokens, code_questions, read_orders};
use crate::trade::permit::open_permit;
use crate::trade::transaction::send::{check_early, transaction_build};
use crate::value::text::ToText;
use crate::wallet::chain::{Chain, retry_fresh};
use crate::wallet::reads::{Batch, Read};
use alloy_primitives::{Address, U256, keccak256};

/// The plain options of `otc.buildFill`.
pub const FILL_OPTIONS: [&str; 11] = [
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
];

/// The options of a fill, read.
struct Options {
    /// The most that the taker pays, in raw units; `None` for everything left of the orders.
    taker_amount: Option<U256>,
    /// The least that the taker gets, in raw units.
    min_maker_amount: Option<U256>,
    /// The account that gets it; `None` for the taker.
    receiver: Option<Address>,
    /// The trade, for its reference prices: the token that the taker pays and the one it gets, with the caller's
    /// decimals and symbols.
    intent: Intent,
}

/// Builds the transaction that fills an order, or several of one pair. Returns the `TransactionBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member or option; VERIFY_MISMATCH with the first member that has the wrong value;
/// UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_fill<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (at, signal) = (JsonAt::input(call.options, "options"), call.signal);
    known(&at, &FILL_OPTIONS)?;
    let mut input = read_orders(client, call.data, true, signal).await?;
    let options = read_options(&at, &input)?;
    let taker = find_account(client, &at.get("account"), signal).await?;
    let permit = at.get("permit").some().map(|at| open_permit(&client.shared, &at)).transpose()?;
    let (shared, chain_id) = (&client.shared, input.chain_id);
    let name = input.orders.first().map_or_else(String::new, |first| first.name.clone());
    let [gets, gives] = ["makerAsset", "takerAsset"].map(|member| [&name, ".", member].concat());
    let (maker_asset, taker_asset) = input.pair;
    let assets = [(&*gets, &maker_asset), (&*gives, &taker_asset)];
    let by_key: Vec<Vec<u8>> = input.orders.iter().map(SignedOtcOrder::key_signature).collect();
    let supposed = |bytes: &Vec<u8>| match bytes.is_empty() {
        true => (vec![], Signature::Anothers),
        false => (bytes.clone(), Signature::Makers),
    };
    let supposed: Vec<_> = by_key.iter().map(supposed).collect();
    // Everything is read in one round, with the simulation: as if the orders were whole and funded, as they mostly are.
    for one in &mut input.orders {
        one.maker_funds = (U256::MAX, U256::MAX);
    }
    let (permit, now) = (permit.as_ref(), shared.host.unix_ms() / 1_000);
    let plan = Plan { input: &input, options: &options, signatures: &supposed, permit, taker, now };
    let whole = plan.build_transaction(&TradeReferences::default());
    let questions = || {
        let mut batch = Batch::default();
        let asking = PendingPrices::add(shared, &options.intent, None, &mut batch);
        let tokens = [&options.intent.dest, &options.intent.src];
        (asking, tokens.map(|token| batch.add(Read::decimals(token.chain_id, &token.address))), batch)
    };
    let ask_early = |chain: &Chain<'_, H>| {
        chain.put_early(code_questions(&assets).0);
        input.read_early(chain);
        if let Ok((transaction, _)) = &whole {
            check_early(transaction, chain);
        }
        chain.put_early(questions().2);
    };
    if let Some(chain) = Chain::given(client, chain_id, signal) {
        ask_early(&chain);
    }
    let chain = Chain::need(client, chain_id, signal).await?;
    ask_early(&chain);
    let (transaction, report) = retry_fresh(shared, chain_id, signal, async || {
        check_are_tokens(&chain, &assets).await?;
        let started = shared.host.monotonic_ms();
        let now = input.read_for_fill(&chain).await?;
        let mut signatures = Vec::new();
        for (one, by_key) in input.orders.iter().zip(&by_key) {
            signatures.push(find_signature(client, chain_id, one, by_key, signal).await?);
        }
        let (asking, [maker_decimals, taker_decimals], batch) = questions();
        let answers = chain.ask(batch).await?;
        let Intent { src, dest, .. } = &options.intent;
        let makers = own_decimals("options.makerDecimals", dest.decimals, &answers.get(maker_decimals)?);
        let takers = own_decimals("options.takerDecimals", src.decimals, &answers.get(taker_decimals)?);
        let price_reads = match asking {
            Some(asking) => asking.finish(&chain, &answers).await?,
            None => PriceReads::default(),
        };
        let references = read_references(client, &options.intent, (&price_reads, None), None, signal).await?;
        let plan = Plan { input: &input, options: &options, signatures: &signatures, permit, taker, now };
        let built = plan.build_transaction(&references);
        shared.checked("fill", started, &built);
        // With wrong decimals a good price looks bad.
        if built.as_ref().err().is_none_or(is_about_price) {
            makers.and(takers)?;
        }
        built
    })
    .await?;
    transaction_build(client, "fill", &transaction, &report, None, signal).await
}

/// The signature of an order in the form that the contract accepts, and its signer. `by_key` is
/// [`SignedOtcOrder::key_signature`]. A signature that the contract accepted before stays as it came.
///
/// # Errors
/// The RPC's failure, if only the chain could decide, and the contract has not accepted it before; ABORTED.
async fn find_signature<H: Host>(
    client: &Client<H>,
    chain_id: u64,
    one: &SignedOtcOrder,
    by_key: &[u8],
    signal: &H::Signal,
) -> Result<(Vec<u8>, Signature)> {
    let bytes = &one.signed.signature;
    let was_accepted = one.is_partly_filled();
    if !by_key.is_empty() {
        return Ok((if was_accepted { bytes.clone() } else { by_key.to_vec() }, Signature::Makers));
    }
    match accepted_form(client, chain_id, one.maker, one.hash, bytes, true, signal).await {
        Ok(form) => Ok((if was_accepted { bytes.clone() } else { form }, Signature::Makers)),
        // No check depends on the signature any more: the answer of the maker's code does not matter.
        Err(error) if was_accepted && error.code != ErrorCode::Aborted => {
            Ok((bytes.clone(), Signature::AcceptedBefore))
        }
        Err(error) if [ErrorCode::SignatureMismatch, ErrorCode::UnsupportedAccount].contains(&error.code) => {
            Ok((vec![], Signature::Anothers))
        }
        Err(error) => Err(error),
    }
}

/// The input that a fill is computed from.
struct Plan<'a> {
    /// The orders, with their state on the chain.
    input: &'a OrdersInput,
    options: &'a Options,
    /// The makers' signatures, one per order, in the form that the contract accepts, and their signers. For an order
    /// that is partly filled the signature is as it came, because the contract does not check it again.
    signatures: &'a [(Vec<u8>, Signature)],
    /// The taker's permit, in place of an approval.
    permit: Option<&'a Permit>,
    /// The account that sends the transaction, and pays.
    taker: Address,
    /// Unix seconds by the chain's clock.
    now: u64,
}

impl<'a> Plan<'a> {
    /// The transaction, and its report as JSON text. Every order has to be fillable as it was shown.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the member; INVALID_INPUT with `options.takerAmount` if it is more than the remaining
    /// amount.
    fn build_transaction(&self, references: &TradeReferences) -> Result<(Transaction, String)> {
        let Plan { input, options, permit, taker, .. } = *self;
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
                permit: permit.map(Permit::hash),
            }),
            decimals: vec![stated(gets, "options.makerDecimals"), stated(gives, "options.takerDecimals")],
        };
        if let Some(permit) = permit {
            Funding::of(&transaction).verify_permit(permit, self.now, &mut checks);
        }
        checks.same("transaction.data", &method, &method);
        let deal =
            Deal { is_bound: options.min_maker_amount.is_some(), ..Deal::of(&options.intent, (give, get), None) };
        let judgement = note_price(&mut checks, PRICE, &references.price, &deal);
        let checks = checks.finish()?;
        if let Some(most) = options.taker_amount.filter(|most| *most > give) {
            let expected = ["at most ", &give.text(), ", which is left"].concat();
            return Err(Error::input("options.takerAmount", &expected, &most.text()));
        }
        let sentence = sentence::fill(chain_id, (give, gives), (get, gets), &makers, receiver);
        let is_unsure = self.signatures.iter().take(fills.len()).any(|(_, whose)| *whose == Signature::AcceptedBefore);
        let unsigned = if is_unsure { NO_LONGER_SIGNED } else { "" };
        let sentence = [&*sentence, input.deployment.source.caveat(), unsigned, &judgement.caveat()].concat();
        let questions: Vec<_> = judgement.question.into_iter().collect();
        let priced = Priced {
            questions: Some(write_questions(&questions, &keccak256(&transaction.data))),
            judged: Some(judgement.json),
            ..Priced::default()
        };
        Ok((transaction, report_of_trade(&sentence, &checks, None, &priced)))
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

/// The decimals that an option states for a token.
fn stated(token: &Token, field: &str) -> StatedDecimals {
    (token.clone(), field.into())
}

/// Reads the options of a fill. Refuses a receiver that cannot use the tokens: a token, the contract, the placeholder
/// of the native token.
///
/// # Errors
/// INVALID_INPUT with the option.
fn read_options(at: &JsonAt<'_>, input: &OrdersInput) -> Result<Options> {
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
    Ok(Options {
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
    })
}
