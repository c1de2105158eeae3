//! The gas that may explain a worse price, at the door without a chain: no more than is stated, and no more than it may
//! cost. Generated over every kind of order, each way to state gas, each accepted loss, and what the caller brings.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use verified_swap_verify::internal::error::ErrorCode;
use verified_swap_verify::internal::json::parse;
use verified_swap_verify::internal::verifiers::VERIFIERS;

const USDT: &str = "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2";
const WETH: &str = "0x4200000000000000000000000000000000000006";
/// A token that is no native one: its gas is valued by `nativePrice` alone.
const DAI: &str = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";
const NATIVE: &str = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/// The part of the worth that a price may lie below the reference: 5 %, and 0.5 % of slippage.
const LIMIT: f64 = 0.055;
/// The fee.
const FEE: f64 = 0.000_1;

/// A way to state gas: its token, and how much of the trade it is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Absent,
    Src,
    Dest,
    Native,
    Foreign,
}
const FORMS: [(Token, f64); 10] = [
    (Token::Absent, 0.0),
    (Token::Src, 0.0),
    // One raw unit.
    (Token::Dest, 1e-30),
    (Token::Src, 0.000_2),
    (Token::Foreign, 0.000_2),
    (Token::Src, 0.1),
    (Token::Dest, 0.1),
    (Token::Native, 0.1),
    (Token::Foreign, 0.1),
    (Token::Foreign, 9.0),
];

/// The readings of the gas: none, or that it takes that part of the trade.
const READINGS: [Option<f64>; 3] = [None, Some(0.000_2), Some(0.2)];

/// Whether it is the native token, or its wrapped form.
fn is_native(token: &Value) -> bool {
    [NATIVE, WETH].iter().any(|native| token.as_str().unwrap().eq_ignore_ascii_case(native))
}

/// An order that somebody else built honestly, at the price of its reference.
struct Honest {
    name: String,
    input: Value,
    now: u64,
    /// Whether the other token is no native one.
    is_alien: bool,
}

/// Every kind of order whose price the service states.
fn honest() -> Vec<Honest> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pkg-template/vectors.json");
    let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut found = Vec::new();
    for vector in all["vectors"].as_array().unwrap() {
        let (name, input) = (vector["name"].as_str().unwrap(), &vector["input"]);
        let is_priced = input["request"].get("slippageBps").is_some() && input["toSign"].is_object();
        // The same order in other words.
        let is_again = ["JSON text", "another receiver", "a partner's fee"].iter().any(|what| name.contains(what));
        if vector["verifier"] != "verifyOrder" || vector["expected"]["verdict"] != "ok" || !is_priced || is_again {
            continue;
        }
        let now = all["now"].as_u64().unwrap();
        let mut of = |is_alien: bool, input: Value| {
            found.push(Honest { name: format!("{name}{}", if is_alien { ", DAI" } else { "" }), input, now, is_alien });
        };
        of(false, input.clone());
        if input["request"]["destToken"].as_str().is_some_and(|token| token.eq_ignore_ascii_case(WETH)) {
            let text = input.to_string();
            let text = text.replace("0x4200000000000000000000000000000000000006", DAI);
            let mut alien: Value = serde_json::from_str(&text).unwrap();
            alien.as_object_mut().unwrap().remove("orderHash");
            of(true, alien);
        }
    }
    found
}

/// The amounts of a price: what is given and got, of one slice.
fn amounts(quote: &Value) -> [f64; 2] {
    let places = match quote.get("route") {
        Some(_) => ["/route/origin/input/amount", "/route/destination/output/amount"],
        None => ["/srcAmount", "/destAmount"],
    };
    places.map(|place| quote.pointer(place).unwrap().as_str().unwrap().parse().unwrap())
}

/// A case: an honest order, and what is said of price and gas.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// How much less than the reference the order gives.
    off: f64,
    gas: (Token, f64),
    max_loss_bps: u64,
    readings: Option<f64>,
    /// Whether the caller states dollar prices, in place of a reference.
    is_own: bool,
}

/// The outcome of a case: a code, `gasUnjudged`, or the verdict of the price.
fn outcome(honest: &Honest, case: &Case) -> String {
    let mut input = honest.input.clone();
    let [given, got] = amounts(&input["quote"]);
    let is_native_given = is_native(&input["request"]["srcToken"]);
    let reference: f64 = input["reference"]["price"].as_str().unwrap().parse::<f64>().unwrap() / (1.0 - case.off);
    input["reference"]["price"] = json!(format!("{reference:.18}"));
    input["request"]["maxLossBps"] = json!(case.max_loss_bps);
    if case.is_own {
        input.as_object_mut().unwrap().remove("reference");
        input["request"]["advanced"]["srcPriceUsd"] = json!(format!("{reference:.18}"));
        input["request"]["advanced"]["destPriceUsd"] = json!("1");
    }
    let (token, part) = case.gas;
    let (chain, there) = (input["request"]["chainId"].clone(), input["request"].get("destChainId").cloned());
    let whole = |amount: f64| if part == 0.0 { json!("0") } else { json!(format!("{:.0}", amount.max(1.0))) };
    let (token_address, token_chain, amount) = match token {
        Token::Src => (input["request"]["srcToken"].clone(), &chain, given * part),
        Token::Dest => (input["request"]["destToken"].clone(), there.as_ref().unwrap_or(&chain), got * part),
        Token::Native => (json!(NATIVE), &chain, if is_native_given { given * part } else { got * part }),
        Token::Foreign | Token::Absent => (json!(USDT), &chain, got * part),
    };
    let usd = json!(format!("{:.4}", 100.0 * part));
    if input["quote"].get("route").is_some() {
        let gas = json!({ "token": { "chainId": token_chain, "address": token_address }, "amount": whole(amount), "amountUSD": usd });
        match token {
            Token::Absent => drop(input["quote"]["route"]["fees"].as_object_mut().unwrap().remove("gas")),
            _ => input["quote"]["route"]["fees"]["gas"] = gas,
        }
    } else if token == Token::Absent {
        input["quote"].as_object_mut().unwrap().remove("gasCostUSD");
    } else {
        input["quote"]["gasCostUSD"] = usd;
    }
    if let Some(part) = case.readings {
        let price = format!("{:.0}", if is_native_given { given } else { got } * part / 1e6);
        input["readings"]["gasPrice"] = json!(price);
        if honest.is_alien {
            input["readings"]["nativePrice"] = json!({ "src": NATIVE, "dest": DAI, "price": "1" });
        }
        if there.is_some() {
            input["readings"]["destGasPrice"] = json!("0");
            let dest = input["request"]["destToken"].clone();
            input["readings"]["destNativePrice"] = json!({ "src": NATIVE, "dest": dest, "price": "1" });
        }
    }
    let (_, verify) = VERIFIERS.iter().find(|(name, _)| *name == "verifyOrder").unwrap();
    let report: Value = match verify(&parse(&input.to_string()).unwrap(), honest.now) {
        Ok(report) => serde_json::from_str(&report).unwrap(),
        Err(error) => {
            let refused = [ErrorCode::VerifyMismatch, ErrorCode::LossTooHigh].contains(&error.code);
            assert!(refused, "{} {case:?}: {error:?}", honest.name);
            return error.code.name().into();
        }
    };
    let questions = report["questions"].as_array().unwrap();
    match questions.iter().map(|question| question["reason"].as_str().unwrap()).collect::<Vec<_>>()[..] {
        [] => report["price"]["verdict"].as_str().unwrap().into(),
        [reason] => reason.into(),
        ref more => panic!("{} {case:?}: {more:?}", honest.name),
    }
}

/// The outcome that a case has to have, by the rule as it is written.
fn expected(honest: &Honest, case: &Case) -> &'static str {
    let is_buy = honest.input["request"]["side"] == "BUY";
    // The amount that is guaranteed, as a part of what is given.
    let guaranteed = if is_buy { (1.0 - case.off) / 1.005 } else { (1.0 - case.off) * 0.995 };
    let misses = |gas: f64| {
        let due = (1.0 - FEE - gas) * (1.0 - LIMIT);
        assert!((guaranteed - due).abs() > 0.001, "{} {case:?}: too near to the bound", honest.name);
        guaranteed < due
    };
    let (token, part) = case.gas;
    let is_flat = honest.input["quote"].get("route").is_none();
    let is_native_given = is_native(&honest.input["request"]["srcToken"]);
    let (by_src, by_dest) = (part, part * (1.0 - case.off));
    let stated = match token {
        Token::Absent => Some(0.0),
        // Its dollars are a part of those of what is given.
        _ if is_flat => Some(by_src),
        Token::Src => Some(by_src),
        Token::Dest => Some(by_dest),
        Token::Native if is_native_given => Some(by_src),
        Token::Native if honest.is_alien && case.readings.is_none() => None,
        Token::Native => Some(by_dest),
        Token::Foreign => None,
    };
    let plausible = case.readings.map(|part| if is_native_given { part } else { part * (1.0 - case.off) });
    let proven = stated.zip(plausible).map_or(0.0, |(stated, plausible)| stated.min(plausible));
    let max_loss = case.max_loss_bps as f64 / 10_000.0;
    let may_be = plausible.is_none() && stated.is_none_or(|stated| !misses(stated));
    match () {
        () if case.is_own && case.off > max_loss => "refused",
        () if !misses(0.0) => "ok",
        () if !misses(proven) && case.off < max_loss => "unusual",
        () if may_be && case.off < max_loss.min(0.15) => "gasUnjudged",
        () => "refused",
    }
}

#[test]
fn nothing_but_proven_gas_goes_beyond_the_bound_in_any_way_to_state_it() {
    let mut seen = BTreeMap::<&str, usize>::new();
    for honest in honest() {
        for off in [0.0, 0.06, 0.1, 0.14, 0.2, 0.29, 0.89] {
            for gas in FORMS {
                for max_loss_bps in [1_500, 3_000, 9_000] {
                    for readings in READINGS {
                        for is_own in [false, readings.is_none()] {
                            let case = Case { off, gas, max_loss_bps, readings, is_own };
                            let (found, expected) = (outcome(&honest, &case), expected(&honest, &case));
                            let is_error = found.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                            let found = if is_error { "refused" } else { &*found };
                            assert_eq!(found, expected, "{} {case:?}", honest.name);
                            *seen.entry(expected).or_default() += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(["ok", "unusual", "gasUnjudged", "refused"].iter().all(|one| seen.get(one) > Some(&100)), "{seen:?}");
}

#[test]
fn an_honest_trade_whose_gas_is_stated_is_never_accused() {
    let mut seen = BTreeMap::<String, usize>::new();
    for honest in honest() {
        for part in [0.000_2, 0.01, 0.03, 0.06, 0.09, 0.12, 0.18, 0.3, 0.6] {
            for token in [Token::Src, Token::Dest, Token::Native, Token::Foreign] {
                for readings in [None, Some(part * 3.0)] {
                    for max_loss_bps in [1_500, 9_000] {
                        // The price is worse by the gas that is stated, and by nothing else.
                        let stated = if token == Token::Dest { part / (1.0 - part) } else { part };
                        let case = Case { off: part, gas: (token, stated), max_loss_bps, readings, is_own: false };
                        let found = outcome(&honest, &case);
                        assert_ne!(found, "VERIFY_MISMATCH", "{} {case:?}", honest.name);
                        *seen.entry(found).or_default() += 1;
                    }
                }
            }
        }
    }
    assert_eq!(seen.keys().collect::<Vec<_>>(), ["LOSS_TOO_HIGH", "gasUnjudged", "ok", "unusual"]);
}

/// The sale of a token for one that is no native one.
fn sale() -> Honest {
    honest().into_iter().find(|honest| honest.name.ends_with("the price less slippage, DAI")).unwrap()
}

/// The outcomes with each accepted loss: one, if they are the same.
fn outcomes(honest: &Honest, case: &Case) -> String {
    let all = [1_500, 3_000, 9_000].map(|max_loss_bps| outcome(honest, &Case { max_loss_bps, ..*case }));
    let mut all = all.map(|one| if one == "VERIFY_MISMATCH" { "refused".into() } else { one }).to_vec();
    all.dedup();
    all.join(", ")
}

#[test]
fn the_table_has_what_comes_of_each_way_to_state_gas() {
    let sale = sale();
    let forms = [
        ("none", (Token::Absent, 0.0)),
        ("0", (Token::Src, 0.0)),
        ("one raw unit", (Token::Dest, 1e-30)),
        ("0.02 $", (Token::Src, 0.000_2)),
        ("10 $, in the token that is sold", (Token::Src, 0.1)),
        ("10 $, in the one that is bought", (Token::Dest, 0.1)),
        ("10 $, in the native token", (Token::Native, 0.1)),
        ("10 $, in another token", (Token::Foreign, 0.1)),
        ("900 $, in another token", (Token::Foreign, 9.0)),
    ];
    let offs = [0.06, 0.14, 0.2, 0.89];
    let mut head = vec!["the gas that is stated, at a price that is worse by".to_owned()];
    for what in ["a reference alone", "gas may take 0.02 $", "gas may take 20 $"] {
        let name = |(place, off): (usize, &f64)| {
            let off = format!("{:.0} %", off * 100.0);
            if place == 0 { format!("{what}: {off}") } else { off }
        };
        head.extend(offs.iter().enumerate().map(name));
    }
    let mut rows = vec![head];
    for (name, gas) in forms {
        let mut row = vec![name.to_owned()];
        for readings in READINGS {
            let case = Case { off: 0.0, gas, max_loss_bps: 0, readings, is_own: false };
            row.extend(offs.map(|off| outcomes(&sale, &Case { off, ..case })));
        }
        rows.push(row);
    }
    crate::held::hold("stated-gas", &rows);
}

#[test]
fn the_table_has_honest_trades_beside_them() {
    let sale = sale();
    let parts = [0.01, 0.03, 0.09, 0.12, 0.18, 0.6];
    let mut rows = vec![vec!["an honest sale of 100 $, whose gas takes".to_owned()]];
    rows[0].extend(parts.map(|part| format!("{:.0} $", part * 100.0)));
    for (name, token, is_read) in [
        ("stated in the token that is sold", Token::Src, false),
        ("stated in the native token", Token::Native, false),
        ("stated in another token", Token::Foreign, false),
        ("stated in the token that is sold, with the readings", Token::Src, true),
        ("stated in the native token, with the readings", Token::Native, true),
        ("stated in another token, with the readings", Token::Foreign, true),
    ] {
        let mut row = vec![name.to_owned()];
        for part in parts {
            let stated = if token == Token::Native { part / (1.0 - part) } else { part };
            let readings = is_read.then_some(part * 3.0);
            let case = Case { off: part, gas: (token, stated), max_loss_bps: 0, readings, is_own: false };
            row.push(outcomes(&sale, &case));
        }
        assert!(row.iter().all(|cell| !cell.contains("refused")), "{row:?}");
        rows.push(row);
    }
    crate::held::hold("honest-gas", &rows);
}

/// The decimals of a token that no table has are only the caller's: no price judges it, and the caller's own prices answer
/// for what meets them alone, however much may be lost.
#[test]
fn the_callers_own_prices_answer_for_nothing_in_units_that_only_the_caller_states() {
    let unknown = "0x00000000000000000000000000000000000000aa";
    for honest in honest().into_iter().filter(|honest| honest.is_alien) {
        let text = honest.input.to_string().replace(DAI, unknown);
        let honest = Honest { input: serde_json::from_str(&text).unwrap(), ..honest };
        for (off, expected) in [0.0, 0.03, 0.06, 0.14].map(|off| (off, "noReference")) {
            for max_loss_bps in [1_500, 9_000] {
                for gas in [(Token::Absent, 0.0), (Token::Src, 0.1), (Token::Foreign, 0.1)] {
                    let case = Case { off, gas, max_loss_bps, readings: None, is_own: true };
                    assert_eq!(outcome(&honest, &case), expected, "{} {case:?}", honest.name);
                }
            }
        }
    }
}
