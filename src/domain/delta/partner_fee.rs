//! `partnerAndFee`: who shares in a Delta order, and how much. (The Market router has another layout.)

use alloy_primitives::{Address, U256};

/// The highest fee the contract takes, in bps.
pub const CAP_BPS: u16 = 200;

/// The parts of the packed word: partner in bits 96 to 255, `capSurplus` bit 9, `takeSurplus` bit 8, fee bits 0 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartnerFee {
    /// Who receives the fee; zero for nobody.
    pub partner: Address,
    /// The fee in bps, as it stands in the order. The contract caps it at [`CAP_BPS`].
    pub fee_bps: u16,
    /// The partner takes half of what exceeds the expected amount.
    pub take_surplus: bool,
    /// The surplus taken is capped.
    pub cap_surplus: bool,
    /// Bits that have no known meaning.
    pub unknown: U256,
}

impl PartnerFee {
    /// Takes the word apart.
    pub fn unpack(word: U256) -> PartnerFee {
        let bytes = word.to_be_bytes::<32>();
        let partner = bytes.first_chunk::<20>().map_or(Address::ZERO, Address::from);
        let [low, flags] = [bytes.last(), bytes.get(30)].map(|byte| byte.copied().unwrap_or_default());
        let known = U256::MAX.wrapping_shl(96) | U256::from(0x3FF);
        PartnerFee {
            partner,
            fee_bps: u16::from(low),
            take_surplus: flags & 1 != 0,
            cap_surplus: flags & 2 != 0,
            unknown: word & !known,
        }
    }
}
