//! `otc.build`: a maker's order, made here from the request. Nothing in it comes from the service, so the signed order
//! is the requested one. The seal keeps the request and the nonce; the order is rebuilt from them each time.

use crate::client::Client;
use crate::flows::call::CallArgs;
use crate::flows::chain::balances::find_account;
use crate::flows::chain::decimals::{read_unread, write_unread};
use crate::flows::chain::deployment::find_deployment;
use crate::flows::chain::funding::Funding;
use crate::flows::otc::orders_input::{check_are_tokens, code_questions};
use crate::flows::resources::cover_open_orders;
use crate::flows::seal::{check_unedited, open_own, seal};
use crate::host::Host;
use crate::wallet::chain::{Chain, retry_fresh};
use alloy_primitives::{Address, U256};
use verify::internal::domain::chain::{Deployment, Protocol};
use verify::internal::domain::input::optional;
use verify::internal::domain::intent::Defaults;
use verify::internal::domain::otc::order::{self, OtcOrder, has_expired};
use verify::internal::domain::otc::request::Request;
use verify::internal::domain::permit::Permit;
use verify::internal::domain::sentence::otc as sentence;
use verify::internal::domain::transaction::{Payment, StatedDecimals};
use verify::internal::domain::typed_struct::TypedText;
use verify::internal::domain::verify::otc_offer::check_offer;
use verify::internal::domain::verify::{Checks, report};
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, parse};
use verify::internal::value::text::ToText;

/// The plain options of `otc.build`.
pub const OTC_BUILD_OPTIONS: [&str; 1] = ["coverOpenOrders"];

/// Bits of a random nonce: as many as the contract leaves beside the taker's address.
const NONCE_BITS: usize = 96;

/// A maker's order, ready to be signed.
pub struct OtcOffer {
    /// The maker's request.
    pub request: Request,
    /// The account that signs, and gives the maker's asset.
    pub maker: Address,
    /// The struct that is signed.
    pub order: OtcOrder,
    /// The RFQ contract: the domain's `verifyingContract`, and the spender.
    pub rfq: Address,
    /// The maker's permit, which is posted with the order: the contract uses it if the allowance is missing.
    pub permit: Option<Permit>,
    /// The decimals that the request states for both assets.
    decimals: [StatedDecimals; 2],
    /// The typed data for the wallet; its digest is the order's hash.
    pub typed: TypedText,
    /// The view for the app, without `approval` and seal, as an object's text that is still open.
    pub view: ObjectWriter,
}

/// Builds an order of the maker. Returns the `OtcBuild` as JSON text.
///
/// # Errors
/// INVALID_INPUT with the member, also for an asset without code, wrong decimals, or an expiry that has passed by the
/// chain's clock; UNSUPPORTED_CHAIN; those of the service (with `coverOpenOrders`), and the RPC's failure.
pub async fn build_otc<H: Host>(client: &Client<H>, call: &CallArgs<'_, H>) -> Result<String> {
    let (shared, signal) = (&client.shared, call.signal);
    let cover =
        optional(&JsonAt::input(call.options, "options").get("coverOpenOrders"), |at| at.bool())?.unwrap_or(false);
    let at = JsonAt::input(call.data, "request");
    let mut request = Request::read(&at, &client.defaults())?;
    if request.maker.is_none() {
        request.maker = Some(find_account(client, &at.get("maker"), signal).await?);
        request.check_taker(&at)?;
    }
    let deployment = find_deployment(shared, request.chain_id, Protocol::Otc, signal).await?;
    let drawn = U256::from_be_bytes(shared.host.random()).wrapping_shr(256 - NONCE_BITS);
    let nonce = request.nonce.unwrap_or(drawn);
    let mut inside = ObjectWriter::object();
    inside.raw("request", &request.write());
    inside.value("nonce", &nonce);
    let mut built = open_offer(&inside.closed(), &deployment)?;
    let mut funding = built.funding();
    let (gives, wants) = (&request.maker_asset.address, &request.taker_asset.address);
    let assets = [("request.makerAsset", gives), ("request.takerAsset", wants)];
    let ask_early = |chain: &Chain<'_, H>| {
        chain.put_early(code_questions(&assets).0);
        funding.read_early(chain);
    };
    if let Some(chain) = Chain::given(client, request.chain_id, signal) {
        ask_early(&chain);
    }
    if let Some(chain) = Chain::find(client, request.chain_id, signal).await? {
        ask_early(&chain);
        retry_fresh(shared, request.chain_id, signal, async || check_are_tokens(&chain, &assets).await).await?;
    }
    if let Some(mut need) = funding.need(None).filter(|_| cover) {
        cover_open_orders(&Chain::need(client, need.chain_id, signal).await?, &mut need, None).await?;
        funding.pays = funding.pays.map(|pays| Payment { amount: need.amount, ..pays });
    }
    let (approval, now) = funding.approval(client, (&Json::Null, None), signal).await?;
    match now {
        Some(now) => built.check_expiry(now, "request.expiry")?,
        None => {
            write_unread(&mut inside, &[request.chain_id]);
            built = open_offer(&inside.closed(), &deployment)?;
        }
    }
    inside.raw("approval", &approval);
    built.view.raw("approval", &approval);
    built.view.text("sealed", &seal(&shared.settings.secret, &inside.close()));
    Ok(built.view.close())
}

/// Opens the text of a build: the order is rebuilt from the request in it, for the RFQ contract of `deployment`.
///
/// # Errors
/// INVALID_INPUT if the text is no build.
pub fn open_offer(text: &str, deployment: &Deployment) -> Result<OtcOffer> {
    let inside = parse(text).map_err(Error::not_json)?;
    let inside = JsonAt::input(&inside, "");
    let mut request = Request::read(&inside.get("request"), &Defaults::default())?;
    let unread = read_unread(&inside)?;
    request.maker_asset.note_unread(&unread);
    request.taker_asset.note_unread(&unread);
    let (maker, rfq) = (request.maker.unwrap_or_default(), deployment.contracts.rfq);
    let order = request.order(maker, inside.get("nonce").uint()?);
    let domain = order::domain(request.chain_id, rfq);
    let typed = order.to_sign(&domain)?;
    let checks = check_offer(&request, &order, deployment)?;
    let mut view = ObjectWriter::object();
    view.text("kind", "otc");
    view.number("chainId", request.chain_id);
    view.raw("request", &request.write());
    order::write(&order, &mut view);
    view.value("spender", &rfq);
    view.value("orderHash", &typed.digest.digest);
    view.raw("typedData", &typed.text);
    let sentence = [&sentence::offer(&request), deployment.source.caveat()].concat();
    view.raw("report", &report(&sentence, &checks, Some(&typed)));
    let stated = [(&request.maker_asset, "request.makerDecimals"), (&request.taker_asset, "request.takerDecimals")];
    let decimals = stated.map(|(token, field)| (token.clone(), field.into()));
    Ok(OtcOffer { request, maker, order, rfq, permit: None, decimals, typed, view })
}

/// Refuses an `OtcBuild` that was edited or that another client made: the user must not sign a permit for another
/// account's offer.
///
/// # Errors
/// INVALID_INPUT with the edited member, or with `build`.
pub fn check_own_build<H: Host>(client: &Client<H>, at: &JsonAt<'_>, deployment: &Deployment) -> Result<()> {
    let text = open_own(&client.shared.settings.secret, at)?;
    check_unedited(at, &open_offer(text, deployment)?.view.closed()).map(|_| ())
}

impl OtcOffer {
    /// The balance and allowance that the maker needs: the maker's amount, and no allowance if there is a permit.
    pub fn funding(&self) -> Funding<'_> {
        let request = &self.request;
        let permit = self.permit.as_ref().map(Permit::in_use);
        let token = request.maker_asset.address;
        Funding {
            chain_id: request.chain_id,
            owner: self.maker,
            spender: self.rfq,
            native: U256::ZERO,
            deposited: None,
            field_prefix: "",
            pays: Some(Payment { protocol: Protocol::Otc, token, amount: request.maker_amount, permit }),
            decimals: &self.decimals,
            is_signed: true,
        }
    }

    /// Refuses an order that has expired. `now` is unix seconds by the chain's clock; the order is still valid in its
    /// last second.
    ///
    /// # Errors
    /// INVALID_INPUT with `field`.
    fn check_expiry(&self, now: u64, field: &str) -> Result<()> {
        let expiry = self.request.expiry;
        if has_expired(U256::from(expiry), U256::from(now)) {
            let expected = ["unix seconds from ", &now.text(), " on, or 0"].concat();
            return Err(Error::input(field, &expected, &expiry.text()));
        }
        Ok(())
    }

    /// Refuses an order that cannot be filled now: expired, wrong decimals, too little balance or allowance, another
    /// permit than the maker's for this order. If it `is_signed` or its prompt is open, only the permit is checked.
    ///
    /// # Errors
    /// INVALID_INPUT with the member, INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE; VERIFY_MISMATCH with `permit.*`;
    /// the RPC's failure.
    pub async fn preflight<H: Host>(&self, client: &Client<H>, is_signed: bool, signal: &H::Signal) -> Result<()> {
        if is_signed && self.permit.is_none() {
            return Ok(());
        }
        let chain = Chain::need(client, self.request.chain_id, signal).await?;
        let funding = self.funding();
        let found = funding.read(&chain).await?;
        if !is_signed {
            self.check_expiry(found.now, "build.expiry")?;
        }
        let mut checks = Checks::default();
        if let Some(permit) = &self.permit {
            funding.verify_permit(permit, found.now, &mut checks);
        }
        checks.finish()?;
        if is_signed { Ok(()) } else { funding.check_covered(&found) }
    }
}
