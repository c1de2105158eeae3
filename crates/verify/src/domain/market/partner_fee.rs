//! `partnerAndFee` of a Market trade: the partner and its share, packed into one word. A Delta order packs it in
//! another way: [`crate::domain::delta::partner_fee`].

use alloy_primitives::{Address, U256};

/// The flags for the partner's share, each with its bit.
pub const FLAGS: [(&str, u8); 6] = [
    ("surplusToUser", 90),
    ("directTransfer", 91),
    ("capSurplus", CAP_SURPLUS),
    ("skipBlacklist", 93),
    ("referral", 94),
    ("takeSurplus", TAKE_SURPLUS),
];

/// The bit by which what the partner and the operator take is capped.
pub const CAP_SURPLUS: u8 = 92;
/// The bit by which the partner takes half of the surplus.
pub const TAKE_SURPLUS: u8 = 95;

/// The packed word, taken apart: the partner in bits 96 to 255, [`FLAGS`] in bits 90 to 95, the fee in bits 0 to 13.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RouterFee {
    /// The receiver of the fee; zero for none.
    pub partner: Address,
    /// The fee in bps as the word has it, 0 to 16 383. The router takes at most 200.
    pub fee_bps: u16,
    low: u128,
}

impl RouterFee {
    /// Takes the word apart. No bit is lost: unknown ones are in [`RouterFee::unknown`].
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::market::partner_fee::RouterFee;
    /// let fee = RouterFee::unpack(U256::from(30_u8) | U256::from(1_u8) << 95);
    /// assert!(fee.fee_bps == 30 && fee.has(95) && !fee.has(94) && fee.unknown().is_zero());
    /// ```
    pub fn unpack(word: U256) -> RouterFee {
        let [a, b, ..] = *word.as_limbs();
        // The low 96 bits.
        let low = u128::from(a) | (u128::from(b & 0xFFFF_FFFF) << 64);
        let bytes = word.to_be_bytes::<32>();
        let partner = Address::from_slice(bytes.get(..20).unwrap_or(&[0; 20]));
        RouterFee { partner, fee_bps: u16::try_from(low & 0x3FFF).unwrap_or_default(), low }
    }

    /// Whether this one of the low 96 bits is set.
    pub fn has(&self, bit: u8) -> bool {
        self.low.checked_shr(bit.into()).unwrap_or_default() & 1 == 1
    }

    /// The bits that have no known meaning, in their places; zero in every transaction that is accepted.
    pub fn unknown(&self) -> U256 {
        U256::from(self.low & !0x3FFF & !(0x3F << 90))
    }
}
