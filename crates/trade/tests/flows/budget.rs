//! How many of honest trades ask the user: the table of docs/attacks.md, "How often an honest user is asked".
//!
//! `WRITE=1 cargo test --test flows budget` writes its figures. The reasons beside them are written by hand: a row on one
//! chain in which one of a hundred trades asks fails without them.

use super::fake_host::{BUY, DELTA, DEST, Place, ROUTER, Rig, SELL, SRC, at, json, merge, raw, set, text, with};
use super::market::{market, prepare};
use super::otc::desk_in;
use super::reference::{DEEP, pool_says};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;
use std::path::Path;
use verify::internal::domain::asset::ASSETS;
use verify::internal::domain::reference::sources::Sources;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;
use verify::internal::verifiers::VERIFIERS;

const NOW: u64 = 1_800_000_000;
/// Dollars that are given.
const SIZES: [u64; 4] = [5, 50, 1_000, 100_000];
/// The chains with an own contract and pinned references where a dollar has six decimals, as the service here assumes; with
/// wei for a unit of gas.
const CHAINS: [(u64, u64); 6] = [
    (1, 1_000_000_000),
    (10, 10_000_000),
    (130, 10_000_000),
    (137, 50_000_000_000),
    (8453, 10_000_000),
    (42161, 10_000_000),
];
/// The gas of a settlement, and what the service states for it.
const GAS_UNITS: u64 = 200_000;
/// The ways in which pools and feeds are honest.
const STATES: [State; 5] = [State::Both, State::PoolsAlone, State::FeedsAlone, State::NewPools, State::Apart];

#[derive(Clone, Copy, PartialEq)]
enum State {
    Both,
    PoolsAlone,
    FeedsAlone,
    /// Pools with a history of five minutes.
    NewPools,
    /// Feeds 1 % above, pools 1 % below.
    Apart,
}

/// A kind of trade: its name, the request and the options for an amount of dollars.
struct Kind {
    name: &'static str,
    request: String,
    options: &'static str,
    /// Transactions that settle it, each of which pays gas out of the price.
    fills: u64,
}

fn kinds() -> Vec<Kind> {
    let kind = |name, request: String, options| Kind { name, request, options, fills: 1 };
    let slices = r#""numSlices":3,"intervalSecs":600"#;
    let pair = r#"[{"from":{"chainId":8453,"token":"0x3333333333333333333333333333333333333333"},"to":{"chainId":10,"token":"0x2222222222222222222222222222222222222222"}}]"#;
    let over = |pairs: &str| with(SELL, &format!(r#""destChainId":10,"advanced":{{"bridgeTokens":{pairs}}}"#));
    let slippage = r#"{"slippageBps":50}"#;
    vec![
        kind("gasless sale", SELL.into(), slippage),
        kind("gasless purchase", BUY.into(), slippage),
        Kind { fills: 3, ..kind("gasless, in slices", with(SELL, slices), slippage) },
        kind("gasless, at a limit", SELL.into(), r#"{"limitAmount":"LIMIT"}"#),
        kind(
            "gasless, for another contract",
            SELL.into(),
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}}"#,
        ),
        Kind { fills: 0, ..kind("Market sale", market(SELL), slippage) },
        Kind { fills: 0, ..kind("Market purchase", market(BUY), slippage) },
        Kind { fills: 0, ..kind("OTC fill", String::new(), "") },
        kind("across chains, guaranteed", over(pair), slippage),
        kind("across chains, by data that is not read", over(pair), slippage),
        kind("across chains, promised", over("[]"), r#"{"slippageBps":50,"acceptUnguaranteedArrival":true}"#),
    ]
}

impl Kind {
    fn is_across(&self) -> bool {
        self.name.starts_with("across")
    }

    fn is_otc(&self) -> bool {
        self.name.starts_with("OTC")
    }

    fn buys(&self) -> bool {
        self.request.contains("BUY")
    }

    /// The request and the options for that many dollars.
    fn of(&self, dollars: u64) -> (String, String) {
        let (src, dest) = (dollars * 1_000_000, U256::from(dollars) * U256::from(400_000_000_000_000_u64));
        let amounts = (r#""100000000""#, r#""40000000000000000""#);
        let request = self.request.replace(amounts.0, &format!(r#""{src}""#));
        let limit = dest * U256::from(1_025) / U256::from(1_000);
        (request.replace(amounts.1, &format!(r#""{dest}""#)), self.options.replace("LIMIT", &limit.to_string()))
    }
}

/// An honest trade.
#[derive(Clone, Copy)]
struct Trade {
    dollars: u64,
    state: State,
    /// How far the price lies below the references, in percent, gas apart.
    impact: u64,
    chain: u64,
    /// Wei for a unit of gas.
    gas_price: u64,
    /// A plain account, one that delegates to code, or a contract.
    wallet: usize,
}

impl Trade {
    /// Dollars of the gas of a settlement.
    fn gas(&self) -> f64 {
        (GAS_UNITS * self.gas_price) as f64 / 1e18 * if self.chain == 137 { 0.5 } else { 2_500.0 }
    }

    /// How many times as much as the service gives the references ask for, when gas is paid out of the price.
    fn asked(&self, kind: &Kind) -> f64 {
        (1.0 + self.gas() * kind.fills as f64 / self.dollars as f64) / (1.0 - self.impact as f64 / 100.0)
    }
}

/// All of them: each size in each state on each chain, with impacts and wallets in turn.
fn trades() -> Vec<Trade> {
    let mut all: Vec<Trade> = Vec::new();
    for dollars in SIZES {
        for state in STATES {
            for (chain, gas_price) in CHAINS {
                let count = all.len();
                all.push(Trade { dollars, state, impact: count as u64 % 5, chain, gas_price, wallet: count % 3 });
            }
        }
    }
    all
}

/// USDC and ether of a chain.
fn tokens(chain: u64) -> [Address; 2] {
    let on = |symbol: &str| {
        let asset = ASSETS.iter().find(|asset| asset.symbol == symbol).unwrap();
        let is_own =
            |token: &&(u64, Address, u8)| token.0 == chain && token.1 != verify::internal::domain::token::NATIVE;
        asset.tokens.iter().find(is_own).unwrap().1
    };
    [on("USDC"), on("ETH")]
}

/// A world in which pools and feeds ask for so many times what the service gives.
fn world(kind: &Kind, trade: &Trade) -> Rig {
    let times = trade.asked(kind);
    let is_pinned = !kind.is_across() && !kind.is_otc();
    let rig = Rig::with(|shared, _| {
        if is_pinned {
            shared.settings.given_sources.clear();
            shared.settings.rpc = vec![(trade.chain, Place::Node(trade.chain))];
        }
    });
    rig.world.signer.borrow_mut().chain_id = if is_pinned { trade.chain } else { 8453 };
    let mut chains = rig.world.chain.borrow_mut();
    let price = |dollars: f64| U256::from((dollars * 1e8).round() as u64);
    if !is_pinned {
        // The amount that the maker gives is worth less then.
        let times = if kind.is_otc() { 1.0 / times } else { times };
        let src = U256::from_be_bytes(SRC.parse::<Address>().unwrap().into_word().0);
        let feed = Address::from_word((src - U256::from(1)).into());
        for id in [8453, 10] {
            chains.node(id).told.get_mut(&feed).unwrap()[1] = price(times);
        }
    }
    let owner = rig.owner();
    let node = chains.node(if is_pinned { trade.chain } else { 8453 });
    match trade.wallet {
        0 => {}
        1 => drop(node.code.insert(owner, [&[0xef, 1, 0][..], &[7; 20]].concat())),
        _ => drop(node.code.insert(owner, vec![0x60; 40])),
    }
    if is_pinned {
        let sources = Sources::pinned(trade.chain).unwrap();
        let [src, dest] = tokens(trade.chain);
        node.gas_price = trade.gas_price;
        node.told.clear();
        node.balance = U256::MAX >> 1;
        for (token, decimals) in [(src, 6), (dest, 18)] {
            node.decimals.insert(token, decimals);
            for spender in [DELTA, ROUTER] {
                node.allowances.insert((token, spender.parse().unwrap()), U256::MAX);
            }
        }
        let (above, below) = if trade.state == State::Apart { (times * 1.01, times * 0.99) } else { (times, times) };
        for feed in &sources.feeds {
            let dollars = match feed.token {
                token if token == src => above,
                token if token == dest => 2_500.0,
                // The native token of chain 137.
                token if token == sources.wrapped => 0.5,
                _ => continue,
            };
            let ago = if trade.state == State::PoolsAlone { 1_000_000 } else { 0 };
            let more = U256::from(10).pow(U256::from(feed.decimals - 8));
            let said = vec![U256::from(feed.decimals + 1), price(dollars) * more, U256::from(NOW - ago)];
            node.told.insert(feed.feed, said);
        }
        let tick = ((400_000_000.0 * below).ln() / 1.0001_f64.ln()).round() as i64;
        let tick = if src < dest { tick } else { -tick };
        let pool = sources.pool(src.min(dest), src.max(dest), 500);
        match trade.state {
            State::FeedsAlone => {}
            State::NewPools => drop(node.told.insert(pool, pool_says(300, tick, tick, DEEP))),
            _ => drop(node.told.insert(pool, pool_says(1_800, tick, tick, DEEP))),
        }
    }
    drop(chains);
    if kind.is_across() {
        let data = if kind.name.contains("data") { r#""0xbeef""# } else { r#""0x""# };
        rig.world.service.borrow_mut().quote_lie =
            Some(Box::new(move |quote| set(quote, "delta.route.bridge.contractParams.protocolData", data)));
    }
    if is_pinned {
        prepare(&rig, trade.chain, &tokens(trade.chain)[0].to_string(), u64::MAX);
        rig.world.service.borrow_mut().market.method = kind.buys().into();
        let wei = (trade.gas() / 2_500.0 * 1e18) as u64;
        let [_, dest] = tokens(trade.chain);
        let gas = format!(
            r#"{{"token":{{"chainId":{},"address":"{dest}"}},"amount":"{wei}","amountUSD":"{:.4}"}}"#,
            trade.chain,
            trade.gas()
        );
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |quote| {
            if quote.get("delta").is_some() {
                set(quote, "delta.route.fees.gas", &gas);
            }
        }));
    }
    rig
}

/// The questions of a trade at each door; `None` where the trade itself is stopped by its costs.
type Asked = [Option<Vec<String>>; 3];

fn questions(report: &Json) -> Vec<String> {
    let Json::Array(all) = at(report, "questions") else { panic!("{}", report.write()) };
    all.iter().map(|question| text(question, "reason").to_owned()).collect()
}

fn asked(kind: &Kind, trade: &Trade) -> Asked {
    let what = format!("{}: {} $ on {}, {} % of impact", kind.name, trade.dollars, trade.chain, trade.impact);
    let heard = |outcome: Result<Json, Error>| match outcome {
        Ok(report) => Some(questions(&report)),
        // Costs are no accusation, and ask nothing.
        Err(error) if error.code == ErrorCode::LossTooHigh => None,
        Err(error) => panic!("{what}: {error:?}"),
    };
    let (request, options) = kind.of(trade.dollars);
    let rig = world(kind, trade);
    if kind.is_otc() {
        let desk = desk_in(rig);
        let (give, get) = (U256::from(trade.dollars) * U256::from(400_000_000_000_000_u64), trade.dollars * 1_000_000);
        let order = desk.order(&[("makerAmount", &format!(r#""{get}""#)), ("takerAmount", &format!(r#""{give}""#))]);
        let built = desk.fill(&order, "").map(|build| at(&build, "report").clone());
        return [heard(built), None, None];
    }
    let on = |text: &str| match kind.is_across() {
        true => text.to_owned(),
        false => {
            let [src, dest] = tokens(trade.chain).map(|token| token.to_string());
            text.replace(SRC, &src).replace(DEST, &dest).replace("8453", &trade.chain.to_string())
        }
    };
    let request = on(&request);
    let built = rig.built_as(&request, &options);
    let client = heard(built.clone().map(|build| at(&build, "report").clone()));
    let (Ok(build), Some(_)) = (built, &client) else { return [None, None, None] };
    // Another SDK has the same in hand, and its caller knows what both tokens are worth.
    let is_market = kind.name.starts_with("Market");
    let quote = rig.world.said("quote");
    let mut stated = json(&request);
    merge(&mut stated, json(&options));
    set(&mut stated, "account", &format!("\"{}\"", rig.owner()));
    if kind.is_across() {
        merge(&mut stated, json(r#"{"advanced":{"bridgeInputDecimals":24}}"#));
    }
    let dollars = format!("{:.12}", trade.asked(kind));
    merge(&mut stated, json(&format!(r#"{{"advanced":{{"srcPriceUsd":"{dollars}","destPriceUsd":"2500"}}}}"#)));
    let mut input = Json::Object(vec![("request".into(), stated.clone())]);
    let verifier = if is_market {
        set(&mut input, "kind", r#""swap""#);
        set(&mut input, "quote", raw(&quote, "market"));
        set(&mut input, "transaction", &at(&build, "transaction").write());
        "verifyTransaction"
    } else {
        set(&mut input, "quote", raw(&quote, "delta"));
        set(&mut input, "toSign", &at(&build, "typedData").write());
        "verifyOrder"
    };
    let (_, verify) = VERIFIERS.iter().find(|(name, _)| *name == verifier).unwrap();
    let verified = |input: &Json| heard(verify(input, NOW).map(|report| json(&report)));
    // The tokens of a trade across chains stand in no table here.
    let decimals = if kind.is_across() { r#""srcDecimals":6,"destDecimals":18"# } else { "" };
    set(&mut input, "readings", &format!("{{{decimals}}}"));
    let without = verified(&input);
    if is_market {
        return [client, without.clone(), without];
    }
    // The price of gas by a node.
    let native = if trade.chain == 137 && !kind.is_across() { "0.0002" } else { "1" };
    let dest = text(&stated, "destToken");
    let price = format!(r#"{{"src":"0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE","dest":"{dest}","price":"{native}"}}"#);
    let on = |names: [&str; 2]| format!(r#"{{"{}":"{}","{}":{price}}}"#, names[0], trade.gas_price, names[1]);
    merge(&mut input, json(&format!(r#"{{"readings":{}}}"#, on(["gasPrice", "nativePrice"]))));
    if kind.is_across() {
        merge(&mut input, json(&format!(r#"{{"readings":{}}}"#, on(["destGasPrice", "destNativePrice"]))));
    }
    [client, without, verified(&input)]
}

/// A row of the table.
struct Row {
    name: String,
    /// By door: how many ask, of how many; `None` where none of them gets there.
    counts: [Option<(usize, usize)>; 3],
    reasons: BTreeSet<String>,
    /// Why one of a hundred may ask all the same.
    why: String,
}

/// The rows as they are: on one chain, and across.
fn made() -> Vec<(Row, bool)> {
    let mut rows = Vec::new();
    for kind in kinds() {
        let (name, why) = (kind.name.to_owned(), String::new());
        let mut row = Row { name, counts: [None; 3], reasons: BTreeSet::new(), why };
        // The references of the other worlds do not depend on the chain.
        let is_another = |trade: &Trade| trade.chain != 8453 && (kind.is_across() || kind.is_otc());
        for trade in trades().into_iter().filter(|trade| !is_another(trade)) {
            for (count, asked) in row.counts.iter_mut().zip(asked(&kind, &trade)) {
                let Some(asked) = asked else { continue };
                let (asking, all) = count.get_or_insert((0, 0));
                *all += 1;
                *asking += usize::from(!asked.is_empty());
                row.reasons.extend(asked);
            }
        }
        rows.push((row, kind.is_across()));
    }
    rows
}

const BEGIN: &str = "<!-- questions -->\n";

impl Row {
    fn read(line: &str) -> Row {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let count =
            |cell: &str| cell.split_once(" of ").map(|(asking, all)| (asking.parse().unwrap(), all.parse().unwrap()));
        let counts = [2, 3, 4].map(|at: usize| count(cells[at]));
        let reasons = cells[5].split(", ").map(|reason| reason.trim_matches('`').to_owned());
        let reasons = reasons.filter(|reason| !reason.is_empty()).collect();
        Row { name: cells[1].into(), counts, reasons, why: cells[6].into() }
    }

    fn write(&self) -> String {
        let counts = self.counts.map(|count| count.map_or("-".into(), |(asking, all)| format!("{asking} of {all}")));
        let reasons: Vec<_> = self.reasons.iter().map(|reason| format!("`{reason}`")).collect();
        format!("| {} | {} | {} | {} |\n", self.name, counts.join(" | "), reasons.join(", "), self.why)
            .replace("  ", " ")
    }
}

#[test]
fn honest_trades_ask_no_more_than_the_table_of_questions_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/attacks.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, after) = page.split_once(BEGIN).unwrap();
    let (table, rest) = after.split_once("\n\n").unwrap_or((after.trim_end(), ""));
    let said: Vec<_> = table.lines().skip(2).map(Row::read).collect();
    let mut text =
        String::from("| honest trades | client | verify, guard | the same, with readings of gas | reasons | why |\n");
    text += "| --- | -- | -- | -- | -- | -- |\n";
    let mut wrong = Vec::new();
    for (mut row, is_across) in made() {
        let recorded = said.iter().find(|said| said.name == row.name);
        row.why = recorded.map(|said| said.why.clone()).unwrap_or_default();
        let many = row.counts.iter().flatten().any(|(asking, all)| asking * 100 >= *all && *asking > 0);
        if many && !is_across && !row.reasons.iter().all(|reason| row.why.contains(&format!("`{reason}`"))) {
            wrong.push(format!(
                "{}: one of a hundred asks, and the last column does not say why: {:?}",
                row.name, row.reasons
            ));
        }
        let is_held = recorded.is_some_and(|said| {
            let counts = row.counts.iter().zip(&said.counts);
            counts.into_iter().all(|(now, then)| now.unwrap_or_default().0 <= then.unwrap_or_default().0)
                && row.reasons.is_subset(&said.reasons)
        });
        if !is_held && std::env::var_os("WRITE").is_none() {
            wrong.push(format!("more than was recorded: {}", row.write().trim()));
        }
        text += &row.write();
    }
    if std::env::var_os("WRITE").is_some() {
        let rest = if rest.is_empty() { String::new() } else { format!("\n{rest}") };
        std::fs::write(&path, format!("{before}{BEGIN}{text}{rest}")).unwrap();
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
