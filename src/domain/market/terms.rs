//! What a Market transaction must hold besides the intent: the build's options.

use crate::domain::bps::Bps;
use crate::domain::input::{account, amount_input, known, optional, slippage, unix_secs};
use crate::error::Result;
use crate::json::At;
use alloy_primitives::{Address, U256};

/// The options that only a Market build has.
pub const MARKET_ONLY: [&str; 8] = [
    "surplusToUser",
    "directFeeTransfer",
    "txOrigin",
    "allowSelectors",
    "ignoreChecks",
    "ignoreGasEstimate",
    "eip1559",
    "gasPriceWei",
];
/// Those it shares with an order.
const SHARED: [&str; 11] = [
    "type",
    "validForSecs",
    "slippageBps",
    "minReceived",
    "maxSpent",
    "account",
    "deadline",
    "permit",
    "takeSurplus",
    "capSurplus",
    "request",
];

/// The options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketTerms {
    /// Who sends and pays, where named here.
    pub account: Option<Address>,
    /// How far below (SELL) or above (BUY) the route the trade may settle.
    pub slippage: Bps,
    /// The caller's own floor of what arrives.
    pub min_received: Option<U256>,
    /// The caller's own cap of what is spent.
    pub max_spent: Option<U256>,
    /// Until when the router takes it, unix seconds.
    pub deadline: Option<u64>,
    /// The same, seconds from now.
    pub valid_for_secs: Option<u64>,
    /// What happens to what exceeds the quoted amount, and how the fee is paid, where said.
    pub take_surplus: Option<bool>,
    /// See `take_surplus`.
    pub cap_surplus: Option<bool>,
    /// See `take_surplus`.
    pub surplus_to_user: Option<bool>,
    /// See `take_surplus`.
    pub direct_fee_transfer: Option<bool>,
    /// The sender of the transaction, where that is not who calls the router.
    pub tx_origin: Option<Address>,
    /// Methods that the caller vouches for.
    pub allow_selectors: Vec<[u8; 4]>,
    /// Whether the service leaves out its own checks, where said.
    pub ignore_checks: Option<bool>,
    /// Whether it leaves out the estimate of gas, where said.
    pub ignore_gas_estimate: Option<bool>,
    /// Whether it suggests gas prices in the form of EIP-1559, where said.
    pub eip1559: Option<bool>,
    /// The gas price it suggests instead of its own, wei.
    pub gas_price: Option<U256>,
}

impl MarketTerms {
    /// Reads the options.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or not as it must be.
    pub fn read(at: &At<'_>) -> Result<MarketTerms> {
        known(at, &[&SHARED[..], &MARKET_ONLY].concat())?;
        let kind = at.get("type");
        if kind.some().is_some_and(|kind| kind.text().ok() != Some("MARKET")) {
            return Err(kind.fault("MARKET: such a trade is made at once"));
        }
        let flag = |name| optional(&at.get(name), |at| at.bool());
        let selectors = at.get("allowSelectors").some().map(|at| at.items()?.map(|item| item.fixed::<4>()).collect());
        Ok(MarketTerms {
            account: optional(&at.get("account"), account)?,
            slippage: slippage(&at.get("slippageBps"))?,
            min_received: optional(&at.get("minReceived"), amount_input)?,
            max_spent: optional(&at.get("maxSpent"), amount_input)?,
            deadline: optional(&at.get("deadline"), unix_secs)?,
            valid_for_secs: optional(&at.get("validForSecs"), unix_secs)?,
            take_surplus: flag("takeSurplus")?,
            cap_surplus: flag("capSurplus")?,
            surplus_to_user: flag("surplusToUser")?,
            direct_fee_transfer: flag("directFeeTransfer")?,
            tx_origin: optional(&at.get("txOrigin"), account)?,
            allow_selectors: selectors.transpose()?.unwrap_or_default(),
            ignore_checks: flag("ignoreChecks")?,
            ignore_gas_estimate: flag("ignoreGasEstimate")?,
            eip1559: flag("eip1559")?,
            gas_price: optional(&at.get("gasPriceWei"), amount_input)?,
        })
    }
}
