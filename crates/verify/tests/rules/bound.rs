//! Why the default bound of a price is one number (docs/attacks.md, "Why the bound follows from no references"): a bound that follows from two
//! references that agree, tried on honest trades.

use std::collections::BTreeMap;

/// The bound of today, in bps: the default of `maxPriceDeviationBps`.
const TODAY: u64 = 500;
/// The fee tier of the way over pools, in bps: that of most deep pools is 5 or 30.
const FEE: u64 = 30;
/// The deviation of a feed of ETH and one of a dollar, as Ethereum's are documented (docs/references.md), in bps.
const DEVIATIONS: u64 = 50 + 25;
/// The dollars that move the shallowest reference pool by 2 %.
const DEPTH_USD: u64 = 50_000;
/// Margins to try, in bps.
const MARGINS: [u64; 4] = [50, 100, 200, 300];

/// An honest trade: its name, dollars, how many bps it lies below the lower of two references, slippage, fee and gas aside,
/// and how far these are apart in bps.
type Honest = (&'static str, u64, u64, u64);

/// The rows of docs/attacks.md that two references judge, by how the sandbox makes them: it gives so much less for 3,000
/// dollars, or moves one of the references.
const OF_THE_SANDBOX: [Honest; 9] = [
    ("impact of 0 %", 3_000, 0, 0),
    ("impact of 1 %", 3_000, 100, 0),
    ("impact of 2 %", 3_000, 200, 0),
    ("impact of 3 %", 3_000, 300, 0),
    ("impact of 4 %", 3_000, 400, 0),
    ("pools that are 1 % off", 3_000, 0, 100),
    ("pools that are -1 % off", 3_000, 0, 100),
    ("feeds 2 % off", 3_000, 0, 200),
    ("feeds -2 % off", 3_000, 0, 200),
];

/// Prices that the operator's router gave on Ethereum for pairs with feeds and deep pools, below the dollar values that stood
/// beside them: of VeloraDEX/paraswap-dex-lib, `src/executor/fixtures` at aa9c75fc, with their blocks. Two independent
/// references of these blocks are not recorded, so they count as agreeing.
const RECORDED: [Honest; 16] = [
    ("USDC to USDT, block 18812722", 1, 0, 0),
    ("USDC to ETH, block 18812722", 1, 19, 0),
    ("USDC to WBTC, block 18813003", 10, 48, 0),
    ("USDT to DAI, block 18813004", 100, 9, 0),
    ("USDC to USDT, block 18812948", 100, 0, 0),
    ("ETH to DAI, block 18813004", 213, 0, 0),
    ("DAI to ETH, block 18813003", 998, 154, 0),
    ("ETH to USDC, block 18812721", 2_137, 2, 0),
    ("USDC to ETH, block 18812876", 3_333, 262, 0),
    ("USDC to WBTC, block 18812928", 3_333, 1_082, 0),
    ("ETH to USDC, block 18812876", 6_407, 376, 0),
    ("USDC to ETH, block 18813358", 20_000, 470, 0),
    ("ETH to USDC, block 18813344", 21_543, 572, 0),
    ("USDT to ETH, block 19040457", 998_440, 688, 0),
    ("USDT to DAI, block 18813366", 9_991_540, 6, 0),
    ("DAI to ETH, block 19040473", 99_966_100, 4_226, 0),
];

/// The bound that would follow, in bps: what a fill in the reference pool itself may take, and a margin. A trade that is
/// larger than the pool's depth keeps the bound of today.
fn derived((_, dollars, _, apart): Honest, margin: u64) -> u64 {
    let impact = 200 * dollars / DEPTH_USD;
    if dollars > DEPTH_USD { TODAY } else { TODAY.min(apart + FEE + DEVIATIONS + impact + margin) }
}

#[test]
fn the_table_has_whom_a_bound_that_follows_from_references_would_accuse() {
    let mut rows = vec![vec!["an honest trade".into(), "dollars".into(), "below the references".into()]];
    rows[0].extend(MARGINS.map(|margin| format!("margin {} %", margin as f64 / 100.0)));
    rows[0].push("5 %".into());
    let mut accused = BTreeMap::<usize, u64>::new();
    for honest in OF_THE_SANDBOX.into_iter().chain(RECORDED) {
        let (name, dollars, below, _) = honest;
        let mut row = vec![name.into(), dollars.to_string(), format!("{} %", below as f64 / 100.0)];
        for (place, bound) in MARGINS.map(|margin| derived(honest, margin)).into_iter().chain([TODAY]).enumerate() {
            *accused.entry(place).or_default() += u64::from(below > bound);
            row.push(if below > bound { "accused".into() } else { format!("within {} %", bound as f64 / 100.0) });
        }
        rows.push(row);
    }
    let mut total = vec!["accused in all".into(), String::new(), String::new()];
    total.extend(accused.values().map(u64::to_string));
    rows.push(total);
    let today = accused[&MARGINS.len()];
    // A bound that follows from references is only harmless where hardly anything is left of it.
    let least = MARGINS.iter().enumerate().find(|(place, _)| accused[place] == today).map(|(_, margin)| *margin);
    assert_eq!(least, Some(300), "{accused:?}");
    crate::held::hold("bound", &rows);
}
