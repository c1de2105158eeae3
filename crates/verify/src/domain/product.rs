//! Products of 256-bit numbers at full length. Two ratios `a / b` and `c / d` are compared as `a x d` and `c x b`:
//! exact, where a division would round and a product of 256 bits would overflow.

use alloy_primitives::U256;
use core::cmp::Ordering;

/// A product of any length, which compares as a number. 32-bit words, least significant first, no zeros at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product(Vec<u32>);

/// The exact product of the factors; 1 if there are none.
///
/// ```
/// use alloy_primitives::U256;
/// use verified_swap_verify::internal::domain::product::product;
/// assert!(product(&[&U256::MAX, &U256::MAX]) > product(&[&U256::MAX, &U256::from(2)]));
/// ```
pub fn product(factors: &[&U256]) -> Product {
    let mut words = vec![1_u32];
    for factor in factors {
        let mut sum = vec![0_u32; words.len().saturating_add(8)];
        let bytes = factor.to_le_bytes::<32>();
        for (shift, digits) in bytes.chunks_exact(4).enumerate() {
            let by = digits.iter().rev().fold(0_u64, |word, byte| (word << 8) | u64::from(*byte));
            let mut carry = 0_u64;
            // One word more than there are: the last takes the carry.
            let padded = words.iter().copied().chain([0]);
            for (place, word) in sum.iter_mut().skip(shift).zip(padded) {
                // At most (2^32 - 1)^2 + 2 (2^32 - 1), which is 2^64 - 1.
                carry = by.wrapping_mul(word.into()).wrapping_add(carry).wrapping_add((*place).into());
                *place = u32::try_from(carry & 0xFFFF_FFFF).unwrap_or_default();
                carry >>= 32;
            }
        }
        words = sum;
    }
    while words.last() == Some(&0) {
        words.pop();
    }
    Product(words)
}

impl Product {
    /// The product as a number; `None` above 256 bits.
    ///
    /// ```
    /// use alloy_primitives::U256;
    /// use verified_swap_verify::internal::domain::product::product;
    /// assert_eq!(product(&[&U256::from(6), &U256::from(7)]).number(), Some(U256::from(42)));
    /// assert_eq!(product(&[&U256::MAX, &U256::from(2)]).number(), None);
    /// ```
    pub fn number(&self) -> Option<U256> {
        let mut bytes = Vec::new();
        for word in self.0.iter().rev() {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        U256::try_from_be_slice(&bytes)
    }
}

impl Ord for Product {
    fn cmp(&self, other: &Product) -> Ordering {
        let mut order = self.0.len().cmp(&other.0.len());
        for (word, its) in self.0.iter().zip(&other.0).rev() {
            order = order.then(word.cmp(its));
        }
        order
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Product) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
