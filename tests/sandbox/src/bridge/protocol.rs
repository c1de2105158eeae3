//! The two bridges.

use alloy_primitives::{Bytes, FixedBytes, U256};
use alloy_sol_types::SolValue;

/// A bridge, as the service names it and as orders do.
#[derive(Debug)]
pub struct Protocol {
    pub slug: &'static str,
    pub name: &'static str,
    /// `bridge.protocolSelector` of an order.
    pub selector: FixedBytes<4>,
    /// The fee in bps of what is sent, rounded up.
    pub fee_bps: u64,
    pub estimated_ms: u64,
    /// Symbols of the tokens it carries; empty means all.
    carries: &'static [&'static str],
}

/// The first is the one that is recommended where it can be used.
pub const PROTOCOLS: [Protocol; 2] = [
    Protocol {
        slug: "sandbox-fast",
        name: "Sandbox Fast",
        selector: FixedBytes([0xfa, 0x57, 0x00, 0x01]),
        fee_bps: 8,
        estimated_ms: 2_000,
        carries: &[],
    },
    Protocol {
        slug: "sandbox-slow",
        name: "Sandbox Slow",
        selector: FixedBytes([0x51, 0x00, 0x00, 0x02]),
        fee_bps: 3,
        estimated_ms: 60_000,
        carries: &["USDC", "USDB", "DAI"],
    },
];

impl Protocol {
    pub fn of(selector: FixedBytes<4>) -> Option<&'static Self> {
        PROTOCOLS.iter().find(|protocol| protocol.selector == selector)
    }

    pub fn carries(&self, symbol: &str) -> bool {
        self.carries.is_empty() || self.carries.contains(&symbol)
    }

    /// `bridge.protocolData` of an order: the fee, and for a purchase the amount that must arrive.
    pub fn data(&self, exact: U256) -> Bytes {
        (U256::from(self.fee_bps), exact).abi_encode_params().into()
    }

    /// Reads it.
    pub fn read_data(data: &[u8]) -> Option<(U256, U256)> {
        <(U256, U256)>::abi_decode_params(data).ok()
    }
}
