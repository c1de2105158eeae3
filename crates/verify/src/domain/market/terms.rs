//! The terms of a Market transaction besides the intent: the options of `build`, read strictly.

use crate::domain::bps::Bps;
use crate::domain::fields::Fields;
use crate::domain::input::{account, amount_input, known_in, short_text, slippage, unix_secs};
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::{Address, U256};

/// The option whether a build that takes more than the owner has is refused.
pub const REQUIRE_BALANCE: &str = "advanced.requireBalance";
/// The options that only a Market build has.
pub const MARKET_ONLY: [&str; 11] = [
    "advanced.surplusToUser",
    "advanced.directFeeTransfer",
    "advanced.txOrigin",
    "advanced.allowSelectors",
    "advanced.referrer",
    "advanced.ignoreChecks",
    "advanced.ignoreAllowance",
    "advanced.ignoreGasEstimate",
    "advanced.eip1559",
    "advanced.gasPriceWei",
    "tryOutcome",
];
/// The options that a Market build shares with an order.
pub const MARKET_OPTIONS: [&str; 11] = [
    "type",
    "validForSecs",
    "slippageBps",
    "minReceived",
    "maxSpent",
    "account",
    "deadline",
    "permit",
    "advanced.takeSurplus",
    "advanced.capSurplus",
    REQUIRE_BALANCE,
];

/// The options of a Market build. A flag that is `None` is left to the service or the agreement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarketTerms {
    /// The account that sends and pays, if the options state it.
    pub account: Option<Address>,
    /// How far below (SELL) or above (BUY) the route's amounts the trade may settle. There is no default.
    pub slippage: Bps,
    /// The caller's own floor of the received amount after the fee, raw units.
    pub min_received: Option<U256>,
    /// The caller's own cap of the spent amount, raw units.
    pub max_spent: Option<U256>,
    /// Until when it may be sent, unix seconds. Not part of the calldata: this client enforces it.
    pub deadline: Option<u64>,
    /// The same, in seconds from now.
    pub valid_for_secs: Option<u64>,
    /// Whether the partner may take half of the surplus over the quoted amount.
    pub take_surplus: Option<bool>,
    /// Whether the taken surplus is capped.
    pub cap_surplus: Option<bool>,
    /// Whether the user gets all of the surplus over the quoted amount.
    pub surplus_to_user: Option<bool>,
    /// Whether the fee is paid to the partner at once instead of accruing in the fee vault.
    pub direct_fee_transfer: Option<bool>,
    /// The key that sends the transaction, if the owner is a contract through which it calls the router.
    pub tx_origin: Option<Address>,
    /// The selectors of methods that the caller vouches for, though this package cannot read or judge them.
    pub allow_selectors: Vec<[u8; 4]>,
    /// Whether the service skips its own checks of balance, allowance and gas. This package's checks stay.
    pub ignore_checks: Option<bool>,
    /// Whether the service skips its check of the allowance.
    pub ignore_allowance: Option<bool>,
    /// The referrer of the user: any name; an address may be paid as the partner.
    pub referrer: Option<String>,
    /// Whether the service skips its estimate of the gas.
    pub ignore_gas_estimate: Option<bool>,
    /// Whether the service suggests gas prices in the form of EIP-1559. They never reach the wallet.
    pub eip1559: Option<bool>,
    /// The gas price in wei that the service is to suggest. It never reaches the wallet.
    pub gas_price: Option<U256>,
    /// Whether it is tried once it is built, and what it does to balances noted.
    pub try_outcome: Option<bool>,
}

impl MarketTerms {
    /// Reads the options.
    ///
    /// # Errors
    /// INVALID_INPUT with the option that is missing, unknown or malformed, or of a LIMIT order.
    pub fn read(at: &JsonAt<'_>) -> Result<MarketTerms> {
        known_in(at, &[&MARKET_OPTIONS, &MARKET_ONLY])?;
        MarketTerms::read_known(at)
    }

    /// [`MarketTerms::read`] that ignores members that are no such options.
    ///
    /// # Errors
    /// The errors of [`MarketTerms::read`], except for unknown members.
    pub fn read_known(at: &JsonAt<'_>) -> Result<MarketTerms> {
        let kind = at.get("type");
        if kind.some().is_some_and(|kind| kind.text().ok() != Some("MARKET")) {
            return Err(kind.fault("MARKET: a Market trade is made at once"));
        }
        let mut terms = MarketTerms::default();
        let mut fields = Fields::of(at);
        fields.optional("account", account, &mut terms.account);
        fields.required("slippageBps", slippage, &mut terms.slippage);
        fields.optional("minReceived", amount_input, &mut terms.min_received);
        fields.optional("maxSpent", amount_input, &mut terms.max_spent);
        fields.optional("deadline", unix_secs, &mut terms.deadline);
        fields.optional("validForSecs", unix_secs, &mut terms.valid_for_secs);
        fields.optional("advanced.takeSurplus", JsonAt::bool, &mut terms.take_surplus);
        fields.optional("advanced.capSurplus", JsonAt::bool, &mut terms.cap_surplus);
        fields.optional("advanced.surplusToUser", JsonAt::bool, &mut terms.surplus_to_user);
        fields.optional("advanced.directFeeTransfer", JsonAt::bool, &mut terms.direct_fee_transfer);
        fields.optional("advanced.ignoreChecks", JsonAt::bool, &mut terms.ignore_checks);
        fields.optional("advanced.ignoreAllowance", JsonAt::bool, &mut terms.ignore_allowance);
        fields.optional("advanced.referrer", short_text, &mut terms.referrer);
        fields.optional("advanced.ignoreGasEstimate", JsonAt::bool, &mut terms.ignore_gas_estimate);
        fields.optional("advanced.eip1559", JsonAt::bool, &mut terms.eip1559);
        fields.optional("advanced.txOrigin", account, &mut terms.tx_origin);
        fields.optional("advanced.allowSelectors", selectors, &mut terms.allow_selectors);
        fields.optional("advanced.gasPriceWei", amount_input, &mut terms.gas_price);
        fields.optional("tryOutcome", JsonAt::bool, &mut terms.try_outcome);
        fields.finish()?;
        Ok(terms)
    }

    /// Whether the caller vouches for the method of this selector (`allowSelectors`).
    pub fn vouches(&self, selector: &[u8]) -> bool {
        self.allow_selectors.iter().any(|known| known == selector)
    }
}

/// Reads an array of selectors, each `0x` and 8 hex digits.
fn selectors(at: &JsonAt<'_>) -> Result<Vec<[u8; 4]>> {
    let mut found = Vec::new();
    for item in at.items()? {
        found.push(item.fixed::<4>()?);
    }
    Ok(found)
}
