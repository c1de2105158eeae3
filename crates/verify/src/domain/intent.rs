//! The trade that the user requested. Every answer of the service is compared with it, and none changes it.
//!
//! It is read once from the request of `quote`, with every default filled in, and travels sealed inside quotes and
//! builds, so that `build` and `submit` compare with the intent of the quote.

use super::agreement::Agreement;
use super::asset::{self, wrapped_native};
use super::bps::Bps;
use super::bridge_tokens::{BridgeTokens, read_pairs, write_pairs};
use super::fee::{CAP_BPS, fee_bps};
use super::fields::{Fields, Writers, members};
use super::input::{
    account, amount_input, chain_id, decimals_input, joined, known, optional, refuse, short_text, slippage,
};
use super::pricing::{Mode, Pricing};
use super::side::Side;
use super::token::{self, NATIVE, is_native};
use super::twap::Twap;
use crate::error::Result;
use crate::json::JsonAt;
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// The highest loss in bps that is accepted by default, by the quote's own dollar values: 15 %.
pub const MAX_LOSS_BPS: u16 = 1_500;
/// The default limit of a price's distance below its references, in bps: it covers fees and depth of honest markets, no
/// lie of size.
pub const MAX_PRICE_DEVIATION_BPS: u16 = 500;
/// The default name of the partner; the service then takes 1 bps.
pub const ANONYMOUS: &str = "anon";
/// The service's share of a trade without a partner, in bps (docs/sandbox.md, "The service": fee).
const UNASKED_BPS: u16 = 1;

/// A token, with the caller's statements about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Token {
    /// Its chain; 0 if that does not matter.
    pub chain_id: u64,
    /// Its address; [`NATIVE`] for the native token.
    pub address: Address,
    /// Its decimals, 0 to 77: the table's, else the caller's, which are compared with the token's own.
    pub decimals: u8,
    /// Whether only the caller states its decimals: no table has it, and its chain could not be read.
    pub is_by_app: bool,
    /// The caller's name for it, which sentences show beside the address unless it is the table's ([`super::asset`]).
    pub symbol: Option<String>,
    /// Whether it is the wrapped form, received in place of the requested native token.
    pub is_wrapped: bool,
}

impl Token {
    /// Settles the decimals, which `at` may have: those of the table and of the native token are known. The chain and
    /// the address are settled before.
    ///
    /// # Errors
    /// INVALID_INPUT if another number is stated than the token's own, or none for an unknown token.
    pub fn settle_decimals(&mut self, at: &JsonAt<'_>) -> Result<()> {
        self.decimals = match asset::decimals(self.chain_id, self.address) {
            None => decimals_input(at)?,
            Some(own) => {
                let stated = optional(at, decimals_input)?.unwrap_or(own);
                token::own_decimals(&at.path(), stated, &U256::from(own))?;
                own
            }
        };
        Ok(())
    }

    /// Notes which chains could not be read.
    pub fn note_unread(&mut self, chains: &[u64]) {
        self.is_by_app = chains.contains(&self.chain_id) && asset::decimals(self.chain_id, self.address).is_none();
    }

    /// Compares the decimals with the token's own, which thereby are no longer the app's word.
    ///
    /// # Errors
    /// INVALID_INPUT with `field` if the token has others.
    pub fn confirm_decimals(&mut self, field: &str, own: u64) -> Result<()> {
        token::own_decimals(field, self.decimals, &U256::from(own))?;
        self.is_by_app = false;
        Ok(())
    }
}

/// The requested trade, every default filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// The chain of the signature, on which the source token is taken.
    pub chain_id: u64,
    /// The chain of the destination token: the same as `chain_id`, unless the trade is crosschain.
    pub dest_chain_id: u64,
    /// The caller's name for `chain_id`, for sentences: see [`crate::domain::chain::named`].
    pub chain_name: Option<String>,
    /// The same for `dest_chain_id`, if that is another one.
    pub dest_chain_name: Option<String>,
    /// The source token.
    pub src: Token,
    /// The destination token, on the destination chain.
    pub dest: Token,
    /// The side whose amount is fixed: `src` (SELL) or `dest` (BUY).
    pub side: Side,
    /// The fixed amount, raw units, above 0; in slices, of all slices together.
    pub amount: U256,
    /// The account that pays the source token, if the request or the client states it already.
    pub account: Option<Address>,
    /// The receiver of the destination token; `None` means the owner.
    pub beneficiary: Option<Address>,
    /// The partner's name, by which the service looks up fees and agreements; [`ANONYMOUS`] by default.
    pub partner: String,
    /// The partner's fee in bps, 0 to 200, as the request asks for it.
    pub partner_fee_bps: Option<u16>,
    /// The required receiver of the partner's fee; `None`: see `agreement`.
    pub partner_address: Option<Address>,
    /// The application's agreement with the operator about the partner's share.
    pub agreement: Agreement,
    /// The highest fee in bps that is accepted in a price, an order or calldata.
    pub max_fee_bps: u16,
    /// The highest loss by dollar values that is accepted, in bps.
    pub max_loss_bps: u16,
    /// How many bps, beside the slippage, the guaranteed amount may lie below its reference value.
    pub max_price_deviation_bps: u16,
    /// Whether a price without a reference is refused.
    pub require_reference: bool,
    /// The protocols that may answer, and the rules by which the price is judged.
    pub pricing: Pricing,
    /// The slices of the trade over time; `None` for a single trade.
    pub twap: Option<Twap>,
    /// Crosschain: the pairs of `bridgeTokens` between these two chains that end in the requested token.
    pub bridge_tokens: Vec<BridgeTokens>,
    /// The wrapped native token, where the caller accepts it in place of the native one (`acceptWrapped`).
    pub accept_wrapped: Option<Address>,
    /// The chains that could not be read for it, if known: no part of the request. See [`Intent::note_unread`].
    pub unread: Vec<u64>,
}

/// The defaults of `createClient` for every request; a request's own members have precedence.
#[derive(Clone, Debug, Default)]
pub struct Defaults {
    /// The partner's name.
    pub partner: Option<String>,
    /// The account that owns and signs.
    pub account: Option<Address>,
    /// Pairs of tokens that the application declares to be one asset on two chains.
    pub bridge_tokens: Vec<BridgeTokens>,
    /// The agreement about the partner's share.
    pub agreement: Agreement,
}

impl Intent {
    /// Every member that a request may have.
    pub const MEMBERS: [&str; Intent::OWN.len() + Pricing::MEMBERS.len()] = joined(&Intent::OWN, &Pricing::MEMBERS);

    // The members that are not about the price.
    members! { OWN of intent: Intent;
        "srcToken": required(token::read, intent.src.address), value(&intent.src.address);
        "srcSymbol": optional(short_text, intent.src.symbol), text_or_null(intent.src.symbol.as_deref());
        "srcDecimals": , number(intent.src.decimals.into());
        "destToken": required(token::read, intent.dest.address), value(&intent.dest.address);
        "destSymbol": optional(short_text, intent.dest.symbol), text_or_null(intent.dest.symbol.as_deref());
        "destDecimals": , number(intent.dest.decimals.into());
        "chainId": required(chain_id, intent.chain_id), number(intent.chain_id);
        "destChainId": optional(chain_id, intent.dest_chain_id),
            maybe_raw(intent.is_crosschain().then(|| intent.dest_chain_id.text()));
        "advanced.chainName": optional(short_text, intent.chain_name), maybe(&intent.chain_name);
        "advanced.destChainName": optional(short_text, intent.dest_chain_name), maybe(&intent.dest_chain_name);
        "partner": optional(short_text, intent.partner), text(&intent.partner);
        "partnerFeeBps": optional(fee_bps, intent.partner_fee_bps), number_or_null(intent.partner_fee_bps);
        "beneficiary": optional(account, intent.beneficiary), value_or_null(intent.beneficiary.as_ref());
        "amount": required(amount_input, intent.amount), value(&intent.amount);
        "side": optional(Side::read, intent.side), text(intent.side.name());
        "account": optional(account, intent.account), value_or_null(intent.account.as_ref());
        "partnerAddress": optional(account, intent.partner_address),
            value_or_null(intent.partner_address.as_ref());
        "agreement": optional(Agreement::read, intent.agreement), raw(&intent.agreement.write());
        "maxFeeBps": optional(fee_bps, intent.max_fee_bps), number(intent.max_fee_bps.into());
        "maxLossBps": optional(|at| slippage(at).map(Bps::get), intent.max_loss_bps), number(intent.max_loss_bps.into());
        "maxPriceDeviationBps": optional(|at| slippage(at).map(Bps::get), intent.max_price_deviation_bps),
            maybe_raw((intent.max_price_deviation_bps != MAX_PRICE_DEVIATION_BPS)
                .then(|| u64::from(intent.max_price_deviation_bps).text()));
        "requireReference": optional(|at| at.bool(), intent.require_reference),
            maybe_raw(intent.require_reference.then(|| "true".into()));
        "advanced.bridgeTokens": optional(read_pairs, intent.bridge_tokens),
            maybe_raw((!intent.bridge_tokens.is_empty()).then(|| write_pairs(&intent.bridge_tokens)));
        "numSlices": , maybe_raw(intent.twap.map(|twap| u64::from(twap.num_slices).text()));
        "intervalSecs": , maybe_raw(intent.twap.map(|twap| twap.interval_secs.text()));
        "acceptWrapped": , maybe(&intent.accept_wrapped);
    }

    /// Reads a request. `null` counts as absent, so that the text of [`Intent::write`] can be read back.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, unknown, malformed, or contradicts another.
    pub fn read(at: &JsonAt<'_>, defaults: &Defaults) -> Result<Intent> {
        known(at, &Intent::MEMBERS)?;
        Intent::read_known(at, defaults)
    }

    /// [`Intent::read`] that ignores members that are not of the intent.
    ///
    /// # Errors
    /// The errors of [`Intent::read`], except for unknown members.
    pub fn read_known(at: &JsonAt<'_>, defaults: &Defaults) -> Result<Intent> {
        // Above any fee: marks a request that states none.
        let mut intent = Intent { max_fee_bps: u16::MAX, ..Intent::default() };
        intent.account = defaults.account;
        intent.partner.push_str(defaults.partner.as_deref().unwrap_or(ANONYMOUS));
        intent.agreement.clone_from(&defaults.agreement);
        intent.max_loss_bps = MAX_LOSS_BPS;
        intent.max_price_deviation_bps = MAX_PRICE_DEVIATION_BPS;
        intent.bridge_tokens.clone_from(&defaults.bridge_tokens);
        let mut fields = Fields::of(at);
        Intent::read_members(&mut fields, &mut intent);
        fields.finish()?;
        if intent.dest_chain_id == 0 {
            intent.dest_chain_id = intent.chain_id;
        }
        (intent.src.chain_id, intent.dest.chain_id) = (intent.chain_id, intent.dest_chain_id);
        intent.src.settle_decimals(&at.get("srcDecimals"))?;
        intent.dest.settle_decimals(&at.get("destDecimals"))?;
        intent.twap = Twap::read(at, intent.amount)?;
        intent.accept_wrapped = accept_wrapped(&at.get("acceptWrapped"), intent.dest_chain_id)?;
        // Only the pairs of this trade: an application's list may be long, and travels with every build.
        let wanted = [Some(intent.dest.address), intent.accept_wrapped];
        let (from, to) = (intent.chain_id, intent.dest_chain_id);
        intent.bridge_tokens.retain(|((chain_id, _), (there, token))| {
            from != to && (*chain_id, *there) == (from, to) && wanted.contains(&Some(*token))
        });
        intent.pricing.read(at)?;
        // The service may count an unknown partner as none.
        if intent.max_fee_bps == u16::MAX {
            intent.max_fee_bps = if intent.stated_fee().is_some() { intent.known_fee() } else { UNASKED_BPS };
        }
        intent.check_consistency(at)?;
        Ok(intent)
    }

    /// Refuses members that contradict each other.
    ///
    /// # Errors
    /// INVALID_INPUT with the first of them.
    fn check_consistency(&self, at: &JsonAt<'_>) -> Result<()> {
        let crosschain = self.is_crosschain();
        let tokens = [&self.src.address, &self.dest.address, &NATIVE];
        let refusals = [
            (self.src.address == self.dest.address && !crosschain, "destToken", "another token than srcToken"),
            (
                self.beneficiary.as_ref().is_some_and(|who| tokens.contains(&who)),
                "beneficiary",
                "an account that can receive, not a token",
            ),
            (
                crosschain && self.pricing.mode == Mode::Market,
                "destChainId",
                "the same as chainId: Market trades on one chain",
            ),
            (
                self.twap.is_some() && self.pricing.mode == Mode::Market,
                "mode",
                "DELTA: only gasless orders come in slices",
            ),
            (
                crosschain && self.twap.is_some() && self.side == Side::Buy,
                "destChainId",
                "the same as chainId: a BUY in slices is on one chain",
            ),
        ];
        refuse(at, &refusals)
    }

    /// The intent to compare with a route that delivers `token`: if it is the wrapped form that the caller accepts in
    /// place of the native token, it becomes the destination token; otherwise nothing changes.
    pub fn arriving_as(&self, token: Address) -> Intent {
        let mut intent = self.clone();
        let own = !self.is_crosschain() && token == self.src.address;
        if is_native(self.dest.address) && self.accept_wrapped == Some(token) && !own {
            intent.dest = Token { address: token, symbol: None, is_wrapped: true, ..intent.dest };
            intent.dest.note_unread(&intent.unread);
        }
        intent
    }

    /// Notes the chains that could not be read for the trade: the decimals of their tokens that no table has are the
    /// caller's word only.
    pub fn note_unread(&mut self, chains: Vec<u64>) {
        self.src.note_unread(&chains);
        self.dest.note_unread(&chains);
        self.unread = chains;
    }

    /// The caller's name for the destination chain, for sentences.
    pub fn dest_chain_stated(&self) -> Option<&str> {
        if self.is_crosschain() { self.dest_chain_name.as_deref() } else { self.chain_name.as_deref() }
    }

    /// Whether the destination token arrives on another chain, by a bridge.
    pub fn is_crosschain(&self) -> bool {
        self.chain_id != self.dest_chain_id
    }

    /// The partner's fee in bps: the request's, else the agreement's.
    fn stated_fee(&self) -> Option<u16> {
        self.partner_fee_bps.or(self.agreement.fee_bps)
    }

    /// The fee in bps that is known before there is a price: the partner's, and the service's own for [`ANONYMOUS`].
    pub fn known_fee(&self) -> u16 {
        let unasked = if self.partner == ANONYMOUS { UNASKED_BPS } else { 0 };
        self.stated_fee().unwrap_or(0).saturating_add(unasked).min(CAP_BPS)
    }

    /// The fixed amount to request a price for, raw units: of one slice, if there are several.
    pub fn priced_amount(&self) -> U256 {
        self.twap.map_or(self.amount, |twap| twap.slices(self.amount).0)
    }

    /// The request as JSON text, as it was understood, every default filled in.
    pub fn write(&self) -> String {
        let mut out = Writers::object();
        Intent::write_members(&mut out, self);
        self.pricing.write(&mut out);
        out.close()
    }
}

/// Reads `acceptWrapped`: an address, or `true` for the chain's wrapped native token.
///
/// # Errors
/// INVALID_INPUT for anything else, and for `true` if no wrapped native token of the chain is known.
fn accept_wrapped(at: &JsonAt<'_>, chain_id: u64) -> Result<Option<Address>> {
    match at.some().map(|at| at.bool()) {
        None | Some(Ok(false)) => Ok(None),
        Some(Ok(true)) => match wrapped_native(chain_id) {
            None => Err(at.fault("the address of the wrapped native token: of this chain none is known")),
            known => Ok(known),
        },
        Some(Err(_)) => at.address().map(Some).map_err(|_| at.fault("true, false or an address")),
    }
}
