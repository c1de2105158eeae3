//! Routes of a token from one chain to another.

use alloy_primitives::{Address, U256};

use super::{PROTOCOLS, Protocol};
use crate::chain::{Bridge, Chain, Token};

/// The token that enters the bridge in place of one that no bridge carries.
const CARRIER: &str = "USDC";

/// One route to a token of another chain.
#[derive(Clone, Copy, Debug)]
pub struct Passage {
    pub protocol: &'static Protocol,
    /// The token that enters the bridge: the destination token of the order.
    pub token: Address,
    /// The token that arrives: the one that was asked for, or one that is swapped into it on the destination chain.
    pub arrives: Address,
    /// The token that was asked for.
    pub output: Address,
    /// From units of `token` to units of `output`, as a power of ten.
    pub factor: i8,
}

impl Passage {
    pub fn swaps(&self) -> bool {
        self.arrives != self.output
    }

    /// The struct of the order.
    pub fn bridge(&self, destination_chain_id: u64, exact: U256) -> Bridge {
        Bridge {
            protocolSelector: self.protocol.selector,
            destinationChainId: U256::from(destination_chain_id),
            outputToken: self.output,
            scalingFactor: self.factor,
            protocolData: self.protocol.data(exact),
        }
    }
}

/// Every route to `output` on the other chain, by the bridges that `takes` accepts; `src` is what the order sells.
pub fn passages(
    from: &Chain,
    to: &Chain,
    src: Address,
    output: Address,
    swaps: bool,
    takes: impl Fn(&Protocol) -> bool,
) -> Vec<Passage> {
    let Some(output) = to.delta_token(output) else { return Vec::new() };
    let src = from.delta_token(src).map_or("", |token| token.symbol);
    let Some((carried, arrives)) = carried_as(src, output.symbol) else { return Vec::new() };
    if arrives != output.symbol && !swaps {
        return Vec::new();
    }
    let (Some(token), Some(arrives)) = (by_symbol(from, carried), by_symbol(to, arrives)) else { return Vec::new() };
    let way = |protocol: &'static Protocol| Passage {
        protocol,
        token: token.address,
        arrives: arrives.address,
        output: output.address,
        factor: factor(token, output),
    };
    PROTOCOLS.iter().filter(|protocol| protocol.carries(carried) && takes(protocol)).map(way).collect()
}

/// The tokens of two chains that are one asset: what enters a bridge on `from`, what it brings on `to`.
pub fn same_assets<'a>(from: &'a Chain, to: &'a Chain) -> impl Iterator<Item = (&'a Token, &'a Token)> {
    let pairs = from.tokens.iter().flat_map(|token| to.tokens.iter().map(move |output| (token, output)));
    // A bridge delivers the asset that enters it, maybe as another token. One bought with it is another asset.
    pairs.filter(|(token, output)| carried_as(token.symbol, output.symbol) == Some((token.symbol, output.symbol)))
}

/// The passage of `token` of one chain to the other when `output` was asked for; none if no bridge carries it.
pub fn arrives_as(from: &Chain, to: &Chain, token: Address, output: Address) -> Option<Passage> {
    let carried = from.token(token)?;
    let output = to.delta_token(output)?;
    let (needed, arrives) = carried_as(carried.symbol, output.symbol)?;
    let protocol = PROTOCOLS.first()?;
    (needed == carried.symbol).then_some(Passage {
        protocol,
        token,
        arrives: by_symbol(to, arrives)?.address,
        output: output.address,
        factor: factor(carried, output),
    })
}

/// (token that enters the bridge, token that arrives) for a requested token, by symbol.
fn carried_as(src: &str, wanted: &'static str) -> Option<(&'static str, &'static str)> {
    Some(match wanted {
        "USDC" if src == "USDB" => ("USDB", "USDC"),
        "USDC" | "USDB" => ("USDC", wanted),
        "DAI" => ("DAI", "DAI"),
        "WETH" | "ETH" => ("WETH", wanted),
        "USDT" | "PUSD" => (CARRIER, CARRIER),
        _ => return None,
    })
}

fn by_symbol<'a>(chain: &'a Chain, symbol: &str) -> Option<&'a Token> {
    chain.tokens.iter().find(|token| token.symbol == symbol)
}

fn factor(from: &Token, to: &Token) -> i8 {
    let decimals = |token: &Token| i16::from(token.decimals);
    (decimals(to) - decimals(from)).try_into().unwrap_or(0)
}
