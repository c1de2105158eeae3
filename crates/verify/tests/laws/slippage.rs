//! Laws of the two bounds a slippage sets: the least that may come out is rounded down, the most that may go in up.

use alloy_primitives::{U256, U512};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::bps::Bps;

fn amount() -> impl Strategy<Value = U256> {
    (any::<[u64; 4]>(), 0usize..256).prop_map(|(limbs, shift)| U256::from_limbs(limbs) >> shift)
}

proptest! {
    #[test]
    fn min_received_is_rounded_down(amount in amount(), bps in 0u64..=10_000) {
        let least = Bps::new(bps).unwrap().below(amount);
        let share = U512::from(amount) * U512::from(10_000 - bps);
        prop_assert!(U512::from(least) * U512::from(10_000) <= share);
        prop_assert!((U512::from(least) + U512::from(1)) * U512::from(10_000) > share);
    }

    #[test]
    fn max_spent_is_rounded_up_or_does_not_fit(amount in amount(), bps in 0u64..=10_000) {
        let share = U512::from(amount) * U512::from(10_000 + bps);
        let ceiling = (share + U512::from(9_999)) / U512::from(10_000);
        match Bps::new(bps).unwrap().above(amount) {
            Some(most) => prop_assert_eq!(U512::from(most), ceiling),
            None => prop_assert!(ceiling > U512::from(U256::MAX)),
        }
    }

    #[test]
    fn more_slippage_never_guarantees_more(amount in amount(), low in 0u64..=10_000, high in 0u64..=10_000) {
        let (low, high) = (Bps::new(low.min(high)).unwrap(), Bps::new(low.max(high)).unwrap());
        prop_assert!(high.below(amount) <= low.below(amount));
        if let (Some(more), Some(less)) = (high.above(amount), low.above(amount)) {
            prop_assert!(more >= less);
        }
    }
}

#[test]
fn zero_slippage_changes_nothing_and_full_slippage_guarantees_nothing() {
    let none = Bps::new(0).unwrap();
    let all = Bps::new(10_000).unwrap();
    for amount in [U256::ZERO, U256::from(1), U256::from(9_999), U256::MAX] {
        assert_eq!(none.below(amount), amount);
        assert_eq!(none.above(amount), Some(amount));
        assert_eq!(all.below(amount), U256::ZERO);
    }
    assert_eq!(all.above(U256::MAX), None);
    assert_eq!(Bps::new(10_001), None);
    assert_eq!(Bps::new(u64::MAX), None);
}
