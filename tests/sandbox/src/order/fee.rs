//! The partner's fee: what is charged, and how an order carries it.

use alloy_primitives::{Address, U256};

use crate::chain::FEE_VAULT;

/// The partner of requests that name none.
pub const ANON: &str = "anon";
/// Fee of `anon`, in bps.
const ANON_FEE_BPS: u64 = 1;
/// The most a contract accepts, in bps.
pub const MAX_FEE_BPS: u64 = 200;

const TAKE_SURPLUS_BIT: usize = 8;
const CAP_SURPLUS_BIT: usize = 9;

/// An order's fee and payee.
#[derive(Clone, Debug)]
pub struct PartnerFee {
    pub name: String,
    /// Everything charged, in bps.
    pub bps: u64,
    address: Address,
    takes_surplus: bool,
    cap_surplus: bool,
}

impl PartnerFee {
    /// `asked_bps`: the fee passed with the request. `registered_bps`: what a named partner charges in any case.
    ///
    /// # Errors
    /// When the fees together exceed the contract's limit.
    pub fn new(name: &str, asked_bps: u64, registered_bps: u64) -> Result<Self, String> {
        let base = if name == ANON { ANON_FEE_BPS } else { registered_bps };
        let bps = base.saturating_add(asked_bps);
        // Only what `anon` pays by itself may come on top of the most that can be asked for.
        let bps = if name == ANON { bps.min(MAX_FEE_BPS) } else { bps };
        if bps > MAX_FEE_BPS {
            return Err(format!("the fees of partner {name} add up to {bps} bps; the limit is {MAX_FEE_BPS}"));
        }
        Ok(Self { name: name.to_owned(), bps, address: FEE_VAULT, takes_surplus: false, cap_surplus: true })
    }

    /// The one to be paid, if stated; and the choices about surplus.
    pub fn with_terms(mut self, address: Option<Address>, takes_surplus: bool, cap_surplus: bool) -> Self {
        self.address = address.unwrap_or(FEE_VAULT);
        // A fee and a share of surplus exclude each other; the fee wins.
        self.takes_surplus = takes_surplus && self.bps == 0;
        self.cap_surplus = cap_surplus;
        self
    }

    /// In percent, as the quote states it.
    pub fn percent(&self) -> f64 {
        // Exact enough to print: at most 200 hundredths.
        f64::from(u8::try_from(self.bps).unwrap_or(u8::MAX)) / 100.0
    }

    /// The fee on what a solver asks for a BUY, in the same units, rounded down as the contract does.
    pub fn on(&self, spent: U256) -> U256 {
        fee_on(self.encode(), spent)
    }

    /// Bits 0..7 the fee, bit 8 takes surplus, bit 9 caps it, bits 96..255 the partner (zero where it gets nothing).
    pub fn encode(&self) -> U256 {
        let cap = U256::from(u8::from(self.cap_surplus)) << CAP_SURPLUS_BIT;
        if self.bps == 0 && !self.takes_surplus {
            return cap;
        }
        let partner = U256::from_be_slice(self.address.as_slice()) << 96;
        let takes = U256::from(u8::from(self.takes_surplus)) << TAKE_SURPLUS_BIT;
        partner | cap | takes | U256::from(self.bps)
    }
}

/// All that a BUY takes from its owner when the solver asks for `spent`: fee and shares of the surplus included, as the
/// contract reckons them.
pub fn purchase_total(partner_and_fee: U256, spent: U256, expected: U256) -> U256 {
    let with_fee = spent.saturating_add(fee_on(partner_and_fee, spent));
    let surplus = expected.saturating_sub(with_fee);
    let cap = if partner_and_fee.bit(CAP_SURPLUS_BIT) { expected / U256::from(100) } else { U256::MAX };
    let surplus = surplus.min(cap);
    let has_partner = !(partner_and_fee >> 96usize).is_zero();
    let has_fee = has_partner && !(partner_and_fee & U256::from(0xff)).is_zero();
    let shared = has_partner && !has_fee && partner_and_fee.bit(TAKE_SURPLUS_BIT);
    with_fee.saturating_add(if shared { surplus } else { surplus / U256::from(2) })
}

/// The fee that an encoded `partnerAndFee` puts on an amount.
pub fn fee_on(partner_and_fee: U256, amount: U256) -> U256 {
    if (partner_and_fee >> 96usize).is_zero() {
        return U256::ZERO;
    }
    amount.saturating_mul(partner_and_fee & U256::from(0xff)) / U256::from(10_000)
}

#[cfg(test)]
mod tests {
    use alloy_primitives::{U256, address};

    use super::{PartnerFee, fee_on, purchase_total};

    #[test]
    fn anon_pays_one_bps_on_top_of_what_is_asked_for() {
        assert_eq!(PartnerFee::new("anon", 0, 7).unwrap().bps, 1);
        assert_eq!(PartnerFee::new("anon", 25, 7).unwrap().bps, 26);
    }

    #[test]
    fn a_named_partner_pays_its_registered_fee_and_what_is_asked_for() {
        assert_eq!(PartnerFee::new("shop", 10, 5).unwrap().bps, 15);
        assert!(PartnerFee::new("shop", 200, 1).is_err());
    }

    #[test]
    fn the_bits_are_where_the_contract_reads_them() {
        let partner = address!("00000000000000000000000000000000000000ab");
        let encoded = PartnerFee::new("shop", 150, 0).unwrap().with_terms(Some(partner), true, true).encode();
        assert_eq!(encoded, (U256::from(0xab) << 96usize) | U256::from(0x200 | 150));
        let surplus = PartnerFee::new("shop", 0, 0).unwrap().with_terms(Some(partner), true, false).encode();
        assert_eq!(surplus, (U256::from(0xab) << 96usize) | U256::from(0x100));
        assert_eq!(PartnerFee::new("shop", 0, 0).unwrap().encode(), U256::from(0x200));
    }

    #[test]
    fn a_purchase_below_expectation_shares_its_surplus() {
        let total = |bits: u64, partner: u64, spent: u64| {
            let encoded = (U256::from(partner) << 96usize) | U256::from(bits);
            purchase_total(encoded, U256::from(spent), U256::from(100_000)).to::<u64>()
        };
        assert_eq!(total(0x200, 0, 100_000), 100_000);
        assert_eq!(total(0x200, 0, 50_000), 50_500, "half of 1 %");
        assert_eq!(total(0x000, 0, 50_000), 75_000, "half of all");
        assert_eq!(total(0x300, 1, 50_000), 51_000, "the partner has the other half");
        assert_eq!(total(0x300, 0, 50_000), 50_500, "nobody to have it");
        assert_eq!(total(0x264, 1, 50_000), 51_000, "1 % fee, and half of 1 %");
        assert_eq!(total(0x264, 1, 100_000), 101_000);
    }

    #[test]
    fn the_fee_is_rounded_down() {
        let encoded = PartnerFee::new("shop", 150, 0).unwrap().encode();
        assert_eq!(fee_on(encoded, U256::from(9_999)), U256::from(149));
    }
}
