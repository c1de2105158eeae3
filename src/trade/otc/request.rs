//! What a maker wants to offer.

use crate::domain::input::{account, amount_input, chain_id, known, optional, unix_secs};
use crate::domain::intent::{Defaults, Token, token};
use crate::domain::otc::order::{self, NONCES, OtcOrder};
use crate::domain::token::is_native;
use crate::domain::{address, amount};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::{Address, U256};

/// An offer, normalised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The chain.
    pub chain_id: u64,
    /// What the maker gives.
    pub maker_asset: Token,
    /// What the maker wants.
    pub taker_asset: Token,
    /// Raw units of it.
    pub maker_amount: U256,
    /// Raw units of it.
    pub taker_amount: U256,
    /// Who offers, where already known.
    pub maker: Option<Address>,
    /// Who may fill; zero is anybody.
    pub taker: Address,
    /// Unix seconds; 0 is never.
    pub expiry: u64,
    /// The caller's own nonce.
    pub nonce: Option<U256>,
}

const MEMBERS: [&str; 13] = [
    "chainId",
    "makerAsset",
    "takerAsset",
    "makerAmount",
    "takerAmount",
    "makerDecimals",
    "takerDecimals",
    "makerSymbol",
    "takerSymbol",
    "maker",
    "taker",
    "expiry",
    "nonce",
];

impl Request {
    /// Reads one; `null` counts as absent.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or not as it must be.
    pub fn read(at: &JsonAt<'_>, defaults: &Defaults) -> Result<Request> {
        known(at, &MEMBERS)?;
        let maker_asset = asset(at, "makerAsset", "makerDecimals", "makerSymbol")?;
        let taker_asset = asset(at, "takerAsset", "takerDecimals", "takerSymbol")?;
        let maker = optional(&at.get("maker"), account)?.or(defaults.account);
        // The zero address says what leaving it out says.
        let taker =
            optional(&at.get("taker"), |at| address::parse(at.text()?).map_err(|why| at.fault(why.expected())))?;
        let taker = taker.unwrap_or_default();
        if maker_asset.address == taker_asset.address {
            return Err(at.get("takerAsset").fault("another token than makerAsset"));
        }
        let request = Request {
            chain_id: chain_id(&at.get("chainId"))?,
            maker_asset,
            taker_asset,
            maker_amount: amount_input(&at.get("makerAmount"))?,
            taker_amount: amount_input(&at.get("takerAmount"))?,
            maker,
            taker,
            expiry: unix_secs(&at.get("expiry"))?,
            nonce: optional(&at.get("nonce"), nonce)?,
        };
        request.check_taker(at)?;
        Ok(request)
    }

    /// Whether the taker, where one is named, is somebody who can fill.
    ///
    /// # Errors
    /// INVALID_INPUT with `taker`.
    pub fn check_taker(&self, at: &JsonAt<'_>) -> Result<()> {
        let is_nobody = [self.maker_asset.address, self.taker_asset.address].contains(&self.taker);
        if Some(self.taker) == self.maker || is_nobody {
            return Err(at.get("taker").fault("somebody else who can fill, or nobody for anybody"));
        }
        Ok(())
    }

    /// The request as it was understood. The nonce is not in it: it is the order's, not the offer's.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        out.number("chainId", self.chain_id);
        for (name, token) in [("makerAsset", &self.maker_asset), ("takerAsset", &self.taker_asset)] {
            out.value(name, &token.address);
        }
        out.value("makerAmount", &self.maker_amount);
        out.value("takerAmount", &self.taker_amount);
        out.number("makerDecimals", self.maker_asset.decimals.into());
        out.number("takerDecimals", self.taker_asset.decimals.into());
        out.text_or_null("makerSymbol", self.maker_asset.symbol.as_deref());
        out.text_or_null("takerSymbol", self.taker_asset.symbol.as_deref());
        out.value_or_null("maker", self.maker.as_ref());
        out.value("taker", &self.taker);
        out.number("expiry", self.expiry);
        out.close()
    }

    /// The order that says it, with that nonce.
    pub fn order(&self, maker: Address, nonce: U256) -> OtcOrder {
        let word = |address: Address| U256::from_be_bytes(address.into_word().0);
        order::of([
            order::nonce_and_meta(nonce, self.taker),
            U256::from(self.expiry),
            word(self.maker_asset.address),
            word(self.taker_asset.address),
            word(maker),
            word(self.taker),
            self.maker_amount,
            self.taker_amount,
        ])
    }
}

/// A token as a request names it. The RFQ contract moves tokens only.
fn asset(at: &JsonAt<'_>, address: &'static str, decimals: &'static str, symbol: &'static str) -> Result<Token> {
    let token = token(at, address, decimals, symbol)?;
    if is_native(token.address) {
        return Err(at.get(address).fault("an ERC-20 token (the native coin has to be wrapped first)"));
    }
    Ok(token)
}

fn nonce(at: &JsonAt<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("a bigint or a decimal string"))?;
    let nonce = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if nonce < NONCES { Ok(nonce) } else { Err(at.fault("below 2^96")) }
}
