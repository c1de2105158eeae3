//! Ready-made lies, as a malicious service would tell them.

use serde::Deserialize;

use super::market_lie;
use super::tamper::rehash;
use crate::json::{Json, Operation, apply};
use crate::service::Endpoint;

/// The address that the lies insert.
pub const THIEF: &str = "0xBaD0000000000000000000000000000000000BAD";
/// Ten years.
const FAR_SECS: u64 = 315_360_000;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// The order pays somebody else.
    Receiver,
    /// The order guarantees a tenth (a purchase: may spend ten times as much).
    Minimum,
    /// The quote names another contract to approve.
    Spender,
    /// The order is good for ten years more.
    Deadline,
    /// The quote is a hundred times worse, and the service builds by it.
    Price,
    /// The router's call pays somebody else.
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
}

fn until_cleared() -> i64 {
    -1
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
        if market_lie::apply(lie.kind, endpoint, answer) {
            return self.told();
        }
        let patch = match endpoint {
            Endpoint::Build => order_patch(lie.kind, answer),
            Endpoint::Quote => quote_patch(lie.kind, answer, "/delta"),
            Endpoint::Prices => quote_patch(lie.kind, answer, ""),
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

fn quote_patch(kind: Kind, answer: &Json, block: &str) -> Vec<Operation> {
    let is_sell = answer.at(&format!("{block}/side")).and_then(Json::as_str).as_deref() == Some("SELL");
    match kind {
        Kind::Spender => vec![Operation::Replace { path: format!("{block}/spender"), value: THIEF.into() }],
        Kind::Price => {
            let worse = |step: &str| {
                let (num, den) = if is_sell { (1, 100) } else { (100, 1) };
                ["amount", "amountUSD"].map(|member| scale(format!("{block}/route/{step}/{member}"), num, den))
            };
            let sale = ["origin/output", "destination/input", "destination/output"];
            let steps: &[&str] = if is_sell { &sale } else { &["origin/input"] };
            steps.iter().flat_map(|step| worse(step)).collect()
        }
        _ => Vec::new(),
    }
}

pub fn scale(path: String, num: u64, den: u64) -> Operation {
    Operation::Scale { path, num, den }
}
