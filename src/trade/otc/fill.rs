//! A taker fills an order on chain: held against what was shown, and against the chain, before there is a transaction.

use super::maker::accepted;
use super::passed::{Passed, passed};
use super::sentence;
use crate::client::Client;
use crate::domain::chain::{Path, named};
use crate::domain::input::{account, amount_input, decimals_input, known, optional, short_text};
use crate::domain::intent::Token;
use crate::domain::otc::calls::{self, Fill};
use crate::domain::permit::{Permit, Spending};
use crate::domain::text::ToText;
use crate::domain::token::NATIVE;
use crate::domain::verify::otc_fill::Offered;
use crate::domain::verify::{Checks, report};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{At, Json};
use crate::trade::orders::who;
use crate::trade::permit::open_permit;
use crate::trade::transaction::{Payment, Transaction, transaction_build};
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, U256};

/// The plain members the options of a fill may have.
pub const FILL_OPTIONS: [&str; 9] = [
    "takerAmount",
    "minMakerAmount",
    "receiver",
    "account",
    "permit",
    "makerDecimals",
    "takerDecimals",
    "makerSymbol",
    "takerSymbol",
];

/// The options as the caller gave them.
struct Options {
    taker_amount: Option<U256>,
    min_maker_amount: Option<U256>,
    receiver: Option<Address>,
    maker_asset: Token,
    taker_asset: Token,
}

/// Builds the transaction that fills an order, or several of one pair. Returns the `TransactionBuild`.
///
/// # Errors
/// INVALID_INPUT; VERIFY_MISMATCH with the first member that is not as it must be; UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_fill<H: Host>(
    client: &Client<H>,
    orders: &Json,
    options: &Json,
    signal: &H::Signal,
) -> Result<String> {
    let at = At::input(options, "options");
    known(&at, &FILL_OPTIONS)?;
    let passed = passed(client, orders, true, signal).await?;
    let (rfq, chain_id) = (passed.known.0.rfq, passed.chain_id);
    let options = options_of(&at, &passed, rfq)?;
    let taker = who(client, &at.get("account"), signal).await?;
    let permit = at.get("permit").some().map(|at| open_permit(&client.shared, &at)).transpose()?;
    let chain = Chain::need(client, chain_id, signal).await?;
    let started = client.shared.host.monotonic_ms();
    let mut standing = standing(&chain, &passed, rfq).await?;
    for (one, found) in passed.orders.iter().zip(&mut standing.each) {
        let maker = one.signed.order.address("maker");
        match accepted(client, chain_id, maker, one.hash, &one.signed.signature, signal).await {
            Ok(form) => found.signature = Some(form),
            Err(error) if error.code == ErrorCode::SignatureMismatch => {}
            Err(error) => return Err(error),
        }
    }
    let plan = Plan { passed: &passed, options: &options, standing: &standing, permit: permit.as_ref(), taker };
    let made = plan.made();
    client.shared.checked("fill", started, &made);
    let (transaction, report) = made?;
    transaction_build(client, "fill", &transaction, &report, signal).await
}

/// All that a fill is made of.
struct Plan<'a> {
    passed: &'a Passed,
    options: &'a Options,
    standing: &'a Standing,
    permit: Option<&'a Permit>,
    taker: Address,
}

impl Plan<'_> {
    /// The transaction and its report, as JSON text, if every order can be filled as it was shown.
    fn made(&self) -> Result<(Transaction, String)> {
        let Plan { passed, options, standing, permit, taker } = *self;
        let (rfq, chain_id) = (passed.known.0.rfq, passed.chain_id);
        let mut checks = Checks::default();
        checks.holds("transaction.to", true, &named(&passed.known, Path::Otc), &rfq.text());
        let (mut give, mut get) = (U256::ZERO, U256::ZERO);
        let mut fills: Vec<Fill<'_>> = Vec::new();
        let mut makers: Vec<Address> = Vec::new();
        for (one, found) in passed.orders.iter().zip(&standing.each) {
            let most = options.taker_amount.map(|most| most.saturating_sub(give));
            if most == Some(U256::ZERO) {
                break;
            }
            let order = &one.signed.order;
            let maker = order.address("maker");
            // What earlier fills of this transaction take of the same maker is not there for this one.
            let mut promised = U256::ZERO;
            for fill in &fills {
                if fill.order.address("maker") == maker {
                    promised = promised.saturating_add(fill.share.get);
                }
            }
            let mut offered = Offered {
                name: &one.name,
                order,
                stated_hash: one.signed.hash,
                hash: one.hash,
                is_signed: found.signature.is_some(),
                remaining: found.remaining,
                balance: found.balance.saturating_sub(promised),
                allowance: found.allowance.saturating_sub(promised),
            };
            let share = offered.share(most);
            let mut maker_permit: &[u8] = &[];
            if offered.allowance < share.get && !one.signed.maker_permit.is_empty() {
                maker_permit = &one.signed.maker_permit;
                offered.allowance = offered.balance;
            }
            offered.verify(&mut checks, &share, taker, standing.now);
            give = give.saturating_add(share.give);
            get = get.saturating_add(share.get);
            fills.push(Fill {
                order,
                signature: found.signature.as_deref().unwrap_or_default(),
                share,
                is_whole: offered.is_whole(&share),
                // Used twice it would be refused.
                taker_permit: permit.filter(|_| fills.is_empty()).map_or(&[], |permit| &permit.bytes),
                maker_permit,
            });
            if !makers.contains(&maker) {
                makers.push(maker);
            }
        }
        checks.at_least("fill.makerAmount", &options.min_maker_amount.unwrap_or(get).max(U256::from(1)), &get);
        let (gives, gets) = (&options.taker_asset, &options.maker_asset);
        if let Some(permit) = permit {
            let spending = Spending {
                chain_id,
                token: gives.address,
                owner: taker,
                spender: rfq,
                amount: give,
                deadline: None,
                now: u64::try_from(standing.now).unwrap_or(u64::MAX),
            };
            permit.verify_by_token(&mut checks, &spending);
        }
        let receiver = options.receiver.unwrap_or(taker);
        let (data, method) = calls::fill(&fills, taker, receiver);
        checks.holds("transaction.data", true, method, method);
        let checks = checks.finish()?;
        if let Some(most) = options.taker_amount.filter(|most| *most > give) {
            let expected = ["at most ", &give.text(), ", which is left"].concat();
            return Err(Error::input("options.takerAmount", &expected, &most.text()));
        }
        let payment = Payment { path: Path::Otc, token: gives.address, amount: give, permit: permit.map(Permit::hash) };
        let sentence = sentence::fill(chain_id, (give, gives), (get, gets), &makers, receiver);
        let transaction = Transaction {
            chain_id,
            owner: taker,
            to: rfq,
            value: U256::ZERO,
            data,
            pays: Some(payment),
            decimals: vec![stated(gets, "options.makerDecimals"), stated(gives, "options.takerDecimals")],
        };
        Ok((transaction, report(&sentence, &checks, None)))
    }
}

fn stated(token: &Token, field: &str) -> (Address, u8, String) {
    (token.address, token.decimals, field.into())
}

fn options_of(at: &At<'_>, passed: &Passed, rfq: Address) -> Result<Options> {
    let token = |address: Address, places: &'static str, symbol: &'static str| -> Result<Token> {
        Ok(Token {
            address,
            decimals: decimals_input(&at.get(places))?,
            symbol: optional(&at.get(symbol), short_text)?,
        })
    };
    let (maker_asset, taker_asset) = passed.pair;
    let receiver = optional(&at.get("receiver"), account)?;
    if receiver.is_some_and(|who| [maker_asset, taker_asset, rfq, NATIVE].contains(&who)) {
        return Err(at.get("receiver").fault("somebody who can receive, not a token or the contract"));
    }
    Ok(Options {
        taker_amount: optional(&at.get("takerAmount"), amount_input)?,
        min_maker_amount: optional(&at.get("minMakerAmount"), amount_input)?,
        receiver,
        maker_asset: token(maker_asset, "makerDecimals", "makerSymbol")?,
        taker_asset: token(taker_asset, "takerDecimals", "takerSymbol")?,
    })
}

/// What the chain says of the orders.
struct Standing {
    now: U256,
    each: Vec<Of>,
}

/// What the chain says of one.
struct Of {
    remaining: U256,
    balance: U256,
    allowance: U256,
    /// The maker's, in the form to be passed on; none where it is not the maker's.
    signature: Option<Vec<u8>>,
}

async fn standing<H: Host>(chain: &Chain<'_, H>, passed: &Passed, rfq: Address) -> Result<Standing> {
    let mut makers = Vec::new();
    for one in &passed.orders {
        makers.push(one.signed.order.address("maker"));
    }
    let asset = &passed.pair.0;
    let mut reads = vec![Read::Time];
    for (one, maker) in passed.orders.iter().zip(&makers) {
        reads.push(Read::Word(&rfq, &one.remaining));
        reads.push(Read::Balance(asset, maker));
        reads.push(Read::Allowance(asset, maker, &rfq));
    }
    let found = chain.read_all(&reads).await?;
    let [now, rest @ ..] = found.as_slice() else { return Err(Error::unread()) };
    let mut each = Vec::new();
    for three in rest.chunks_exact(3) {
        if let [remaining, balance, allowance] = *three {
            each.push(Of { remaining, balance, allowance, signature: None });
        }
    }
    Ok(Standing { now: *now, each })
}
