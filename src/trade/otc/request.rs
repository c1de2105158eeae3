//! What a maker wants to offer.

use crate::domain::fields::{Fields, members};
use crate::domain::input::{account, amount_input, chain_id, decimals_input, known, short_text, unix_secs};
use crate::domain::intent::{Defaults, Token};
use crate::domain::otc::order::{self, NONCES, OtcOrder};
use crate::domain::token::{self, is_native};
use crate::domain::{address, amount};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use alloy_primitives::{Address, U256};

/// An offer, normalised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

impl Request {
    members! { MEMBERS of request: Request;
        "makerAsset": required(asset, request.maker_asset.address), value(&request.maker_asset.address);
        "makerSymbol": optional(short_text, request.maker_asset.symbol),
            text_or_null(request.maker_asset.symbol.as_deref());
        "makerDecimals": required(decimals_input, request.maker_asset.decimals),
            number(request.maker_asset.decimals.into());
        "takerAsset": required(asset, request.taker_asset.address), value(&request.taker_asset.address);
        "takerSymbol": optional(short_text, request.taker_asset.symbol),
            text_or_null(request.taker_asset.symbol.as_deref());
        "takerDecimals": required(decimals_input, request.taker_asset.decimals),
            number(request.taker_asset.decimals.into());
        "maker": optional(account, request.maker), value_or_null(request.maker.as_ref());
        "taker": optional(taker, request.taker), value(&request.taker);
        "chainId": required(chain_id, request.chain_id), number(request.chain_id);
        "makerAmount": required(amount_input, request.maker_amount), value(&request.maker_amount);
        "takerAmount": required(amount_input, request.taker_amount), value(&request.taker_amount);
        "expiry": required(unix_secs, request.expiry), number(request.expiry);
        "nonce": optional(nonce, request.nonce), ;
    }

    /// Reads one; `null` counts as absent.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or not as it must be.
    pub fn read(at: &JsonAt<'_>, defaults: &Defaults) -> Result<Request> {
        known(at, &Request::MEMBERS)?;
        let mut request = Request { maker: defaults.account, ..Request::default() };
        let mut fields = Fields::of(at);
        Request::read_members(&mut fields, &mut request);
        fields.finish()?;
        if request.maker_asset.address == request.taker_asset.address {
            return Err(at.get("takerAsset").fault("another token than makerAsset"));
        }
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
        Request::write_members(&mut out, self);
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
fn asset(at: &JsonAt<'_>) -> Result<Address> {
    let token = token::read(at)?;
    if is_native(token) {
        return Err(at.fault("an ERC-20 token (the native coin has to be wrapped first)"));
    }
    Ok(token)
}

/// Who may fill. The zero address says what leaving it out says.
fn taker(at: &JsonAt<'_>) -> Result<Address> {
    address::parse(at.text()?).map_err(|why| at.fault(why.expected()))
}

fn nonce(at: &JsonAt<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("a bigint or a decimal string"))?;
    let nonce = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if nonce < NONCES { Ok(nonce) } else { Err(at.fault("below 2^96")) }
}
