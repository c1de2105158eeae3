//! `partnerAndFee`: who shares in a Delta order, and how much. (The Market router has another layout.)

use alloy_primitives::{Address, U256};

/// The parts of the packed word: partner in bits 96 to 255, `capSurplus` bit 9, `takeSurplus` bit 8, fee bits 0 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartnerFee {
    /// Who receives the fee; zero for nobody.
    pub partner: Address,
    /// The fee in bps, as it stands in the order. The contract caps it at [`CAP_BPS`](crate::domain::fee::CAP_BPS).
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
        let mut bytes = word.to_be_bytes::<32>();
        let (partner, low) = bytes.split_at_mut(20);
        let partner_address = Address::from_slice(partner);
        let [.., flags, fee] = low else { return PartnerFee { unknown: word, ..PartnerFee::default() } };
        let (known, fee_bps) = (*flags & 3, u16::from(*fee));
        // What is left once the known parts are taken out.
        (*flags, *fee) = (*flags & !3, 0);
        partner.fill(0);
        PartnerFee {
            partner: partner_address,
            fee_bps,
            take_surplus: known & 1 != 0,
            cap_surplus: known & 2 != 0,
            unknown: U256::from_be_bytes(bytes),
        }
    }
}
