//! Ready-made lies, as of a malicious service.

use serde::Deserialize;

use super::market_lie;
use super::tamper::rehash;
use crate::json::{Json, Operation, apply};
use crate::service::Endpoint;

/// The address that the lies insert.
pub const THIEF: &str = "0xBaD0000000000000000000000000000000000BAD";
/// How much worse a price is, unless stated.
const USUAL_BPS: u64 = 2_000;
/// Ten years.
const FAR_SECS: u64 = 315_360_000;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// The order pays a stranger.
    Receiver,
    /// The order guarantees a tenth (a purchase: may spend ten times as much).
    Minimum,
    /// The quote names another contract to approve.
    Spender,
    /// The order is good for ten years more.
    Deadline,
    /// The price is worse, and all that the service states and builds fits it.
    Price,
    /// The router's call pays a stranger.
    MarketReceiver,
    /// The router's call guarantees a tenth (a purchase: may spend ten times as much).
    MarketMinimum,
    /// The transaction goes to another contract.
    MarketTo,
    None,
}

/// A lie, and for how many answers.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lie {
    kind: Kind,
    #[serde(default = "until_cleared")]
    times: i64,
    /// For a price: by how many bps less is received for what is spent.
    #[serde(default = "usual_bps")]
    bps: u64,
}

/// How much less is received: `num / den`.
#[derive(Clone, Copy, Debug)]
pub struct Worse {
    pub num: u64,
    pub den: u64,
}

fn until_cleared() -> i64 {
    -1
}

fn usual_bps() -> u64 {
    USUAL_BPS
}

impl Lie {
    /// # Errors
    /// A sentence that names the member that cannot be.
    pub fn checked(self) -> Result<Self, String> {
        let is_possible = (1..10_000).contains(&self.bps);
        Some(self).filter(|_| is_possible).ok_or_else(|| "bps must be from 1 to 9999".into())
    }

    fn worse(self) -> Worse {
        Worse { num: 10_000 - self.bps, den: 10_000 }
    }
}

impl Worse {
    pub fn less(self, path: String) -> Operation {
        scale(path, self.num, self.den)
    }

    pub fn more(self, path: String) -> Operation {
        scale(path, self.den, self.num)
    }
}

/// The active lie; a new one replaces it.
#[derive(Debug, Default)]
pub struct CurrentLie(Option<Lie>);

impl CurrentLie {
    pub fn tell(&mut self, lie: Lie) {
        self.0 = Some(lie).filter(|lie| lie.kind != Kind::None && lie.times != 0);
    }

    pub fn apply(&mut self, endpoint: Endpoint, answer: &mut Json) {
        let Some(lie) = self.0.as_mut() else { return };
        if market_lie::apply(lie.kind, lie.worse(), endpoint, answer) {
            return self.told();
        }
        let patch = match endpoint {
            Endpoint::Build => order_patch(lie.kind, answer),
            Endpoint::Quote => quote_patch(*lie, answer, "/delta"),
            Endpoint::Prices => quote_patch(*lie, answer, ""),
            Endpoint::OlderPrices => older_patch(*lie, answer),
            _ => Vec::new(),
        };
        if patch.is_empty() {
            return;
        }
        apply(answer, &patch);
        if endpoint == Endpoint::Build {
            rehash(answer);
        }
        self.told();
    }

    /// Worsens a price route that a transaction is made of in the same answer.
    pub fn worsen(&self, route: &mut Json) {
        if let Some(lie) = self.0.filter(|lie| lie.kind == Kind::Price) {
            market_lie::worsen(lie.worse(), route, "");
        }
    }

    fn told(&mut self) {
        let Some(lie) = self.0.as_mut() else { return };
        lie.times -= i64::from(lie.times > 0);
        if lie.times == 0 {
            self.0 = None;
        }
    }
}

fn order_patch(kind: Kind, answer: &Json) -> Vec<Operation> {
    let path = |member: &str| format!("/toSign/value/{member}");
    let number = |member: &str| answer.at(&path(member)).and_then(Json::as_u64);
    match kind {
        // Members that an order of this kind does not have are skipped.
        Kind::Receiver => {
            let replace = |member: &str| Operation::Replace { path: path(member), value: THIEF.into() };
            vec![replace("beneficiary"), replace("handler")]
        }
        Kind::Minimum if number("kind") == Some(1) => vec![scale(path("srcAmount"), 10, 1)],
        Kind::Minimum => {
            vec![
                scale(path("destAmount"), 1, 10),
                scale(path("destAmountPerSlice"), 1, 10),
                scale(path("maxSrcAmount"), 10, 1),
            ]
        }
        Kind::Deadline => {
            let later = number("deadline").unwrap_or_default().saturating_add(FAR_SECS);
            vec![Operation::Replace { path: path("deadline"), value: later.into() }]
        }
        _ => Vec::new(),
    }
}

fn quote_patch(lie: Lie, answer: &Json, block: &str) -> Vec<Operation> {
    let is_sell = answer.at(&format!("{block}/side")).and_then(Json::as_str).as_deref() == Some("SELL");
    match lie.kind {
        Kind::Spender => vec![Operation::Replace { path: format!("{block}/spender"), value: THIEF.into() }],
        Kind::Price => {
            let others = (0..).map(|index| format!("{block}/alternatives/{index}"));
            let others = others.take_while(|path| answer.at(path).is_some());
            let routes = std::iter::once(format!("{block}/route")).chain(others);
            routes.flat_map(|route| route_patch(lie.worse(), is_sell, &route)).collect()
        }
        _ => Vec::new(),
    }
}

/// Less is received, or more is spent. The dollars fit: those of the source token are true, those of what it is sold
/// for are so many more for each unit.
fn route_patch(worse: Worse, is_sell: bool, route: &str) -> Vec<Operation> {
    let bought = ["origin/output", "destination/input", "destination/output", "fees/bridge/0"];
    let at = |step: &str, member: &str| format!("{route}/{step}/{member}");
    if is_sell {
        // Gas comes out of what is received.
        let steps = bought.into_iter().chain(["fees/gas"]);
        return steps.map(|step| worse.less(at(step, "amount"))).collect();
    }
    let spent = ["amount", "amountUSD"].map(|member| worse.more(at("origin/input", member)));
    spent.into_iter().chain(bought.map(|step| worse.more(at(step, "amountUSD")))).collect()
}

/// The same of a price in one level, which has amounts with the fee and before it.
fn older_patch(lie: Lie, answer: &Json) -> Vec<Operation> {
    let is_sell = answer.at("/price/destAmountBeforeFee").is_some();
    // Members that a price of the other side does not have are skipped.
    let all = |names: &[&str]| -> Vec<String> {
        names.iter().flat_map(|name| [format!("/price/{name}"), format!("/price/{name}BeforeFee")]).collect()
    };
    match lie.kind {
        Kind::Spender => vec![Operation::Replace { path: "/deltaAddress".into(), value: THIEF.into() }],
        Kind::Price if is_sell => {
            let names = all(&["destAmount", "receivedDestAmount", "gasCost"]);
            names.into_iter().map(|path| lie.worse().less(path)).collect()
        }
        Kind::Price => {
            let names = all(&["srcAmount", "srcUSD", "destUSD", "receivedDestUSD"]);
            names.into_iter().map(|path| lie.worse().more(path)).collect()
        }
        _ => Vec::new(),
    }
}

pub fn scale(path: String, num: u64, den: u64) -> Operation {
    Operation::Scale { path, num, den }
}
