//! What a Market transaction must hold besides the intent: the build's options.

use crate::domain::bps::Bps;
use crate::domain::fields::Fields;
use crate::domain::input::{account, amount_input, known_in, short_text, slippage, unix_secs};
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::{Address, U256};

/// The options that only a Market build has.
pub const MARKET_ONLY: [&str; 10] = [
    "surplusToUser",
    "directFeeTransfer",
    "txOrigin",
    "allowSelectors",
    "referrer",
    "ignoreChecks",
    "ignoreAllowance",
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// Whether it leaves out that of the allowance alone, where said.
    pub ignore_allowance: Option<bool>,
    /// Whoever brought the user, by a name.
    pub referrer: Option<String>,
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
    pub fn read(at: &JsonAt<'_>) -> Result<MarketTerms> {
        known_in(at, &[&SHARED, &MARKET_ONLY])?;
        let kind = at.get("type");
        if kind.some().is_some_and(|kind| kind.text().ok() != Some("MARKET")) {
            return Err(kind.fault("MARKET: such a trade is made at once"));
        }
        let mut terms = MarketTerms::default();
        let mut fields = Fields::of(at);
        fields.optional("account", account, &mut terms.account);
        fields.required("slippageBps", slippage, &mut terms.slippage);
        fields.optional("minReceived", amount_input, &mut terms.min_received);
        fields.optional("maxSpent", amount_input, &mut terms.max_spent);
        fields.optional("deadline", unix_secs, &mut terms.deadline);
        fields.optional("validForSecs", unix_secs, &mut terms.valid_for_secs);
        fields.optional("takeSurplus", JsonAt::bool, &mut terms.take_surplus);
        fields.optional("capSurplus", JsonAt::bool, &mut terms.cap_surplus);
        fields.optional("surplusToUser", JsonAt::bool, &mut terms.surplus_to_user);
        fields.optional("directFeeTransfer", JsonAt::bool, &mut terms.direct_fee_transfer);
        fields.optional("ignoreChecks", JsonAt::bool, &mut terms.ignore_checks);
        fields.optional("ignoreAllowance", JsonAt::bool, &mut terms.ignore_allowance);
        fields.optional("referrer", short_text, &mut terms.referrer);
        fields.optional("ignoreGasEstimate", JsonAt::bool, &mut terms.ignore_gas_estimate);
        fields.optional("eip1559", JsonAt::bool, &mut terms.eip1559);
        fields.optional("txOrigin", account, &mut terms.tx_origin);
        fields.optional("allowSelectors", selectors, &mut terms.allow_selectors);
        fields.optional("gasPriceWei", amount_input, &mut terms.gas_price);
        fields.finish()?;
        Ok(terms)
    }

    /// Whether the caller vouches for the method of that selector.
    pub fn vouches(&self, selector: &[u8]) -> bool {
        self.allow_selectors.iter().any(|known| known == selector)
    }
}

fn selectors(at: &JsonAt<'_>) -> Result<Vec<[u8; 4]>> {
    let mut found = Vec::new();
    for item in at.items()? {
        found.push(item.fixed::<4>()?);
    }
    Ok(found)
}
