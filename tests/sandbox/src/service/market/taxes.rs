//! Amounts less what taxed tokens keep of a transfer.

use alloy_primitives::U256;

use crate::chain::TokenKind;
use crate::service::{Query, Refusal};

const BASE: u64 = 10_000;
/// The tax of a [`TokenKind::Tax`] token, in bps.
const TAX_BPS: u64 = 100;

/// The transfers of a sale: to the router or its executor, to the pool, to the router. The router counts what it
/// receives; on its way to the beneficiary a taxed token loses once more.
/// it counts; on its way to the beneficiary a taxed token loses once more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taxes {
    src_transfer: u64,
    src_dex: u64,
    dest_transfer: u64,
    dest_dex: u64,
}

impl Taxes {
    /// As the request states them.
    ///
    /// # Errors
    /// InvalidInput for what is not from 0 to 10000 bps.
    pub fn read(query: &Query) -> Result<Self, Refusal> {
        let bps = |name: &str| Ok::<_, Refusal>(query.number(name, 0, BASE)?.unwrap_or_default());
        Ok(Self {
            src_transfer: bps("srcTokenTransferFee")?,
            src_dex: bps("srcTokenDexTransferFee")?,
            dest_transfer: bps("destTokenTransferFee")?,
            dest_dex: bps("destTokenDexTransferFee")?,
        })
    }

    /// As the service has the tokens.
    pub fn known(src: TokenKind, dest: TokenKind) -> Self {
        let tax = |kind| if kind == TokenKind::Tax { TAX_BPS } else { 0 };
        Self { src_transfer: tax(src), dest_transfer: tax(dest), ..Self::default() }
    }

    pub fn is_zero(self) -> bool {
        self.src_transfer + self.src_dex + self.dest_transfer + self.dest_dex == 0
    }

    /// The sold amount that reaches the pool.
    pub fn into_pool(self, amount: U256) -> U256 {
        after(after(after(amount, self.src_transfer), self.src_transfer), self.src_dex)
    }

    /// The bought amount that reaches the router.
    pub fn out_of_pool(self, amount: U256) -> U256 {
        after(after(amount, self.dest_dex), self.dest_transfer)
    }
}

fn after(amount: U256, bps: u64) -> U256 {
    amount.saturating_sub(amount.saturating_mul(U256::from(bps)) / U256::from(BASE))
}

#[cfg(test)]
mod tests {
    use alloy_primitives::U256;

    use super::Taxes;
    use crate::chain::TokenKind;
    use crate::service::Query;

    #[test]
    fn every_transfer_is_taxed_and_the_exchanges_own_once() {
        let taxes = Taxes::known(TokenKind::Tax, TokenKind::Plain);
        assert_eq!(taxes.into_pool(U256::from(10_000)), U256::from(9_801));
        assert_eq!(taxes.out_of_pool(U256::from(10_000)), U256::from(10_000));
        let dex = Taxes::read(&Query::parse("srcTokenDexTransferFee=500&destTokenDexTransferFee=10")).unwrap();
        assert_eq!(dex.into_pool(U256::from(10_000)), U256::from(9_500));
        assert_eq!(dex.out_of_pool(U256::from(10_000)), U256::from(9_990));
        let bought = Taxes::known(TokenKind::Plain, TokenKind::Tax);
        assert_eq!(bought.out_of_pool(U256::from(10_000)), U256::from(9_900));
        assert!(Taxes::read(&Query::parse("destTokenTransferFee=10001")).is_err());
    }
}
