//! The lens's view: one call to a node, without a contract there.

use alloy_primitives::{Address, I256, U256, hex};
use serde_json::{Value, json};

use crate::started::{Sandbox, artifacts};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// 1 if it shows no past; then it has no ticks.
    pub window: u64,
    /// At this moment.
    pub tick: i64,
    ticks: [i64; 3],
    seconds_per_liquidity: [U256; 3],
    /// The liquidity within 2 % of the price, on the side where there is less.
    pub around: U256,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub decimals: u64,
    pub answer: i128,
    pub updated_at: u64,
}

pub struct Reading {
    /// The block's timestamp, and its number.
    pub at: u64,
    pub number: u64,
    pub pools: Vec<Option<Seen>>,
    pub feeds: Vec<Option<Answer>>,
}

impl Seen {
    /// The mean tick of the whole window.
    pub fn mean(&self) -> i64 {
        (self.ticks[2] - self.ticks[0]).div_euclid(i64::try_from(self.window).unwrap())
    }

    pub fn mean_of_5_minutes(&self) -> i64 {
        (self.ticks[2] - self.ticks[1]).div_euclid(300)
    }

    /// The harmonic mean of the window.
    pub fn mean_liquidity(&self) -> f64 {
        let sum = self.seconds_per_liquidity[2] - self.seconds_per_liquidity[0];
        f64::from(U256::from(self.window) << 128) / f64::from(sum)
    }
}

pub fn look(sandbox: &Sandbox, pools: &[Address], feeds: &[Address]) -> Reading {
    look_on(sandbox, 31337, pools, feeds)
}

pub fn look_on(sandbox: &Sandbox, chain_id: u64, pools: &[Address], feeds: &[Address]) -> Reading {
    look_at(sandbox, chain_id, pools, feeds, &json!("latest")).unwrap()
}

/// On the state after a block; the node's words where the call fails.
pub fn look_at(
    sandbox: &Sandbox,
    chain_id: u64,
    pools: &[Address],
    feeds: &[Address],
    block: &Value,
) -> Result<Reading, Value> {
    let artifact = std::fs::read_to_string(artifacts().join("Lens.json")).unwrap();
    let artifact: Value = serde_json::from_str(&artifact).unwrap();
    let mut data = hex::decode(artifact["bytecode"].as_str().unwrap()).unwrap();
    data.push(pools.len().try_into().unwrap());
    data.extend(pools.iter().chain(feeds).flat_map(|address| address.into_array()));
    let call = json!([{"data": hex::encode_prefixed(data)}, block]);
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "eth_call", "params": call});
    let reply = sandbox.post(&format!("/rpc/{chain_id}"), &request).ok();
    let Some(answer) = reply["result"].as_str() else { return Err(reply) };
    let answer = hex::decode(answer).unwrap();
    let mut words = answer.chunks_exact(32).map(U256::from_be_slice);
    let mut next = || words.next().unwrap();
    let signed = |word: U256| i64::try_from(I256::from_raw(word)).unwrap();
    let (at, number) = (next().to(), next().to());
    let pools = pools.iter().map(|_| {
        let window: u64 = next().to();
        (window > 0).then(|| {
            let (tick, around) = (signed(next()), next());
            let mut told = || if window > 1 { [(); 3].map(|()| next()) } else { [U256::ZERO; 3] };
            Seen { window, tick, around, ticks: told().map(signed), seconds_per_liquidity: told() }
        })
    });
    let pools = pools.collect();
    let feeds = feeds.iter().map(|_| {
        let decimals: u64 = next().to();
        let mut read = || next();
        (decimals > 0).then(|| Answer {
            decimals: decimals - 1,
            answer: i128::try_from(I256::from_raw(read())).unwrap(),
            updated_at: read().to(),
        })
    });
    let feeds = feeds.collect();
    assert!(
        words.next().is_none() && answer.len().is_multiple_of(32),
        "there is more in the answer than was asked for"
    );
    Ok(Reading { at, number, pools, feeds })
}
