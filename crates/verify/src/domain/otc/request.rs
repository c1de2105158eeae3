//! The request of `otc.build`: the maker's offer, and its order.

use crate::domain::fields::{Fields, members};
use crate::domain::input::{account, amount_input, chain_id, known, short_text, unix_secs};
use crate::domain::intent::{Defaults, Token};
use crate::domain::otc::order::{self, NONCES, OtcOrder};
use crate::domain::token::{self, is_native};
use crate::error::Result;
use crate::json::{JsonAt, ObjectWriter};
use crate::value::{address, amount};
use alloy_primitives::{Address, U256};

/// A maker's offer, with defaults filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The chain of both assets.
    pub chain_id: u64,
    /// The token that the maker pays: an ERC-20 token.
    pub maker_asset: Token,
    /// The caller's name for the chain, for the sentence: see [`crate::domain::chain::named`].
    pub chain_name: Option<String>,
    /// The token that the maker gets: another ERC-20 token.
    pub taker_asset: Token,
    /// The amount of the maker's asset, in raw units; above 0.
    pub maker_amount: U256,
    /// The amount of the taker's asset, in raw units; above 0.
    pub taker_amount: U256,
    /// The maker's account; `None` until the wallet was asked for it.
    pub maker: Option<Address>,
    /// The account that may fill it; zero for anybody.
    pub taker: Address,
    /// The last second in which it can be filled, unix seconds; 0 if it never expires.
    pub expiry: u64,
    /// The caller's own nonce, below 2^96; `None` to have one drawn. Two orders that differ only in it are two orders.
    pub nonce: Option<U256>,
}

impl Request {
    members! { MEMBERS of request: Request;
        "makerAsset": required(asset, request.maker_asset.address), value(&request.maker_asset.address);
        "makerSymbol": optional(short_text, request.maker_asset.symbol), maybe(&request.maker_asset.symbol);
        "makerDecimals": , number(request.maker_asset.decimals.into());
        "takerAsset": required(asset, request.taker_asset.address), value(&request.taker_asset.address);
        "takerSymbol": optional(short_text, request.taker_asset.symbol), maybe(&request.taker_asset.symbol);
        "takerDecimals": , number(request.taker_asset.decimals.into());
        "maker": optional(account, request.maker), maybe(&request.maker);
        "taker": optional(taker, request.taker), value(&request.taker);
        "chainId": required(chain_id, request.chain_id), number(request.chain_id);
        "chainName": optional(short_text, request.chain_name), maybe(&request.chain_name);
        "makerAmount": required(amount_input, request.maker_amount), value(&request.maker_amount);
        "takerAmount": required(amount_input, request.taker_amount), value(&request.taker_amount);
        "expiry": required(unix_secs, request.expiry), number(request.expiry);
        "nonce": optional(nonce, request.nonce), ;
    }

    /// Reads a request; `null` counts as absent. An absent account and the like come from `defaults`.
    ///
    /// ```
    /// use verified_swap_verify::internal::{domain::intent::Defaults, domain::otc::request::Request, json::{JsonAt, parse}};
    /// let request = parse(r#"{ "chainId": 8453, "maker": "0x1" }"#).unwrap();
    /// let error = Request::read(&JsonAt::input(&request, "request"), &Defaults::default()).unwrap_err();
    /// assert_eq!(error.field.as_deref(), Some("request.makerAsset"));
    /// ```
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, unknown or does not fit; also if both assets are the same token.
    pub fn read(at: &JsonAt<'_>, defaults: &Defaults) -> Result<Request> {
        known(at, &Request::MEMBERS)?;
        let mut request = Request { maker: defaults.account, ..Request::default() };
        let mut fields = Fields::of(at);
        Request::read_members(&mut fields, &mut request);
        fields.finish()?;
        (request.maker_asset.chain_id, request.taker_asset.chain_id) = (request.chain_id, request.chain_id);
        request.maker_asset.settle_decimals(&at.get("makerDecimals"))?;
        request.taker_asset.settle_decimals(&at.get("takerDecimals"))?;
        if request.maker_asset.address == request.taker_asset.address {
            return Err(at.get("takerAsset").fault("another token than makerAsset"));
        }
        request.check_taker(at)?;
        Ok(request)
    }

    /// Refuses a taker that cannot fill: the maker, or one of the assets.
    ///
    /// # Errors
    /// INVALID_INPUT with `taker`.
    pub fn check_taker(&self, at: &JsonAt<'_>) -> Result<()> {
        let is_nobody = [self.maker_asset.address, self.taker_asset.address].contains(&self.taker);
        if Some(self.taker) == self.maker || is_nobody {
            return Err(at.get("taker").fault("another account that can fill, or none: anybody may fill"));
        }
        Ok(())
    }

    /// The request as JSON text, with its defaults. The nonce is left out: it belongs to the order, not to the offer.
    pub fn write(&self) -> String {
        let mut out = ObjectWriter::object();
        Request::write_members(&mut out, self);
        out.close()
    }

    /// The struct to sign for this request, with that nonce.
    pub fn order(&self, maker: Address, nonce: U256) -> OtcOrder {
        let word = |address: Address| U256::from_be_bytes(address.into_word().0);
        order::from_words([
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

/// An asset: an ERC-20 token, because the RFQ contract does not move native token.
///
/// # Errors
/// INVALID_INPUT with the member.
fn asset(at: &JsonAt<'_>) -> Result<Address> {
    let token = token::read(at)?;
    if is_native(token) {
        return Err(at.fault("an ERC-20 token (the native token has to be wrapped first)"));
    }
    Ok(token)
}

/// The account that may fill. The zero address means the same as leaving it out.
fn taker(at: &JsonAt<'_>) -> Result<Address> {
    address::parse(at.text()?).map_err(|why| at.fault(why.expected()))
}

/// A nonce below 2^96: the rest of the contract's word is the taker's address.
fn nonce(at: &JsonAt<'_>) -> Result<U256> {
    let text = at.text().map_err(|_| at.fault("a bigint or a decimal string"))?;
    let nonce = amount::parse_uint(text).map_err(|why| at.fault(why.expected()))?;
    if nonce < NONCES { Ok(nonce) } else { Err(at.fault("below 2^96")) }
}
