//! The oracles' states on the chains.

use std::sync::Arc;

use alloy_primitives::Address;
use serde::Deserialize;
use serde_json::{Value, json};

use super::actions::{chain, known_token};
use crate::app::App;
use crate::chain::{Chain, HEARTBEAT_SECS, MEMORY_SECS, NATIVE, Saying, Which};
use crate::service::Refusal;

/// How far a manipulated price is off, in ticks: tenfold.
const FAR_TICKS: i32 = 23_027;
/// One block.
const BLOCK_SECS: u32 = 12;
/// Too shallow for a reference.
const THIN_DOLLARS: u64 = 1_000_000;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum State {
    Fresh,
    Stale,
    Thin,
    Manipulated,
    Moved,
    Missing,
    WrongDecimals,
    NoHistory,
    Narrow,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum Kind {
    Pools,
    Feeds,
}

/// `docs/sandbox.md` has the meaning of each.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Reference {
    chain_id: Option<u64>,
    state: State,
    token: Option<Address>,
    only: Option<Kind>,
    age_secs: Option<u64>,
    dollars: Option<u64>,
    ticks: Option<i32>,
    secs: Option<u32>,
    ago: Option<u32>,
    bps: Option<i64>,
    decimals: Option<u8>,
    fee: Option<u16>,
    #[serde(default)]
    sudden: bool,
}

/// Sets the oracles' state.
pub async fn tell(app: &App, reference: Reference) -> Result<Value, Refusal> {
    let saying = reference.saying()?;
    let chains: Vec<&Arc<Chain>> = match reference.chain_id {
        Some(id) => vec![chain(app, id)?],
        None => app.chains.iter().collect(),
    };
    for chain in chains {
        let token = reference.token(chain)?;
        let (pools, feeds) = match reference.state {
            State::Stale | State::WrongDecimals => (false, true),
            State::Thin | State::Narrow | State::Manipulated | State::NoHistory => (true, false),
            _ => (true, true),
        };
        let takes = |kind: Kind| reference.only.is_none_or(|only| only == kind);
        let Reference { fee, sudden, .. } = reference;
        let (pools, feeds) = (pools && takes(Kind::Pools), feeds && takes(Kind::Feeds));
        let which = Which { token, pools, feeds, fee, sudden };
        chain.tell_oracles(saying, which).await?;
    }
    Ok(json!({}))
}

impl Reference {
    fn saying(&self) -> Result<Saying, Refusal> {
        let within = |name: &str, secs: Option<u32>, usual: u32| match secs.unwrap_or(usual) {
            secs if secs <= MEMORY_SECS => Ok(secs),
            _ => Err(Refusal::invalid(format!("{name} must be at most {MEMORY_SECS}"))),
        };
        Ok(match self.state {
            State::Fresh => Saying::Fresh,
            State::Stale => Saying::Stale { age_secs: self.age_secs.unwrap_or(2 * HEARTBEAT_SECS) },
            State::Thin => Saying::Thin { dollars: self.dollars.unwrap_or(THIN_DOLLARS) },
            State::Manipulated => {
                let (secs, ago) = (within("secs", self.secs, BLOCK_SECS)?, within("ago", self.ago, BLOCK_SECS)?);
                within("secs and ago together", Some(secs + ago), 0)?;
                Saying::Manipulated { ticks: self.ticks.unwrap_or(FAR_TICKS), secs, ago }
            }
            State::Moved => {
                let bps = self.bps.filter(|bps| (-9_999..=1_000_000).contains(bps));
                let bps = bps.ok_or_else(|| Refusal::invalid("bps must be from -9999 to 1000000"))?;
                let secs = within("secs", self.secs, MEMORY_SECS)?;
                Saying::Moved { bps, secs, lies: self.only.is_some() }
            }
            State::Narrow => Saying::Narrow,
            State::Missing => Saying::Missing,
            State::WrongDecimals => Saying::WrongDecimals { decimals: self.decimals.unwrap_or(18) },
            State::NoHistory => Saying::NoHistory { secs: within("secs", self.secs, 300)? },
        })
    }

    /// The token that is meant, if it is one only; of a price that moves it is the native token by default.
    fn token(&self, chain: &Chain) -> Result<Option<Address>, Refusal> {
        let moves = matches!(self.state, State::Moved | State::Manipulated);
        let Some(token) = self.token.or(moves.then_some(NATIVE)) else { return Ok(None) };
        known_token(chain, token)?;
        Ok(Some(if token == NATIVE { chain.wrapped_native } else { token }))
    }
}
