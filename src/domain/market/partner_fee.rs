//! `partnerAndFee`: who shares in a Market trade, and how much. (A Delta order has another layout.)

use alloy_primitives::{Address, U256};

/// What is done with the partner's share, and which bit says so.
pub const FLAGS: [(&str, u8); 6] = [
    ("surplusToUser", 90),
    ("directTransfer", 91),
    ("capSurplus", 92),
    ("skipBlacklist", 93),
    ("referral", 94),
    ("takeSurplus", 95),
];

/// The parts of the packed word: partner in bits 96 to 255, [`FLAGS`], fee in bits 0 to 13.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouterFee {
    /// Who receives the fee; zero for nobody.
    pub partner: Address,
    /// The fee in bps, as it stands there. The router takes at most 200.
    pub fee_bps: u16,
    low: u128,
}

impl RouterFee {
    /// Takes the word apart.
    pub fn unpack(word: U256) -> RouterFee {
        let [a, b, ..] = *word.as_limbs();
        // The low 96 bits.
        let low = u128::from(a) | (u128::from(b & 0xFFFF_FFFF) << 64);
        let bytes = word.to_be_bytes::<32>();
        let partner = Address::from_slice(bytes.get(..20).unwrap_or(&[0; 20]));
        RouterFee { partner, fee_bps: u16::try_from(low & 0x3FFF).unwrap_or_default(), low }
    }

    /// Whether that bit is set.
    pub fn has(&self, bit: u8) -> bool {
        self.low.checked_shr(bit.into()).unwrap_or_default() & 1 == 1
    }

    /// Bits that have no known meaning.
    pub fn unknown(&self) -> U256 {
        U256::from(self.low & !0x3FFF & !(0x3F << 90))
    }
}
