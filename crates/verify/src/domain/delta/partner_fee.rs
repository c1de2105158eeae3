//! `partnerAndFee` of a Delta order: the partner and its share, packed into one word. The Market router packs it in
//! another way: [`crate::domain::market::partner_fee`].

use alloy_primitives::{Address, U256};

/// The packed word, taken apart: the partner in bits 96 to 255, `capSurplus` in bit 9, `takeSurplus` in bit 8, the fee
/// in bits 0 to 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartnerFee {
    /// The receiver of the fee; zero for none.
    pub partner: Address,
    /// The fee in bps as the word has it, 0 to 255. The contract takes at most
    /// [`CAP_BPS`](crate::domain::fee::CAP_BPS).
    pub fee_bps: u16,
    /// Whether the partner takes half of what exceeds the order's `expectedAmount`.
    pub take_surplus: bool,
    /// Whether the taken surplus is capped.
    pub cap_surplus: bool,
    /// The bits that have no known meaning, in their places; zero in every order that is accepted.
    pub unknown: U256,
}

impl PartnerFee {
    /// Takes the word apart. No bit is lost: unknown ones are in `unknown`.
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::delta::partner_fee::PartnerFee;
    /// let fee = PartnerFee::unpack(U256::from(0x0732)); // bits 8 to 10, and 50
    /// assert!(fee.fee_bps == 50 && fee.take_surplus && fee.cap_surplus);
    /// assert_eq!(fee.unknown, U256::from(0x0400));
    /// ```
    pub fn unpack(word: U256) -> PartnerFee {
        let mut bytes = word.to_be_bytes::<32>();
        let (partner, low) = bytes.split_at_mut(20);
        let partner_address = Address::from_slice(partner);
        let [.., flags, fee] = low else { return PartnerFee { unknown: word, ..PartnerFee::default() } };
        let (known, fee_bps) = (*flags & 3, u16::from(*fee));
        // The rest of the word, without the known parts.
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
