//! An order is built here, not by the service: what is signed is what was asked for.

use super::request::Request;
use super::sentence;
use crate::client::Client;
use crate::domain::chain::{Contracts, Path, Source, named};
use crate::domain::eip712::Digest;
use crate::domain::intent::Defaults;
use crate::domain::otc::order::{self, has_expired};
use crate::domain::permit::{Permit, Spending};
use crate::domain::text::ToText;
use crate::domain::token::own_decimals;
use crate::domain::typed_struct::TypedStruct;
use crate::domain::verify::{Checks, report};
use crate::error::{Error, ErrorCode, Result};
use crate::host::Host;
use crate::json::{At, Json, Out};
use crate::trade::approve::{ApprovalNeed, missing};
use crate::trade::contracts::contracts;
use crate::trade::orders::who;
use crate::trade::preflight::enough;
use crate::trade::seal::{Parts, open, seal, unedited};
use crate::wallet::reads::{Chain, Read};
use alloy_primitives::{Address, U256};

/// Bits of a nonce that is drawn.
const NONCE_BITS: usize = 96;

/// An order of a request, ready to be signed.
pub struct Opened {
    /// What was asked for.
    pub request: Request,
    /// Who signs.
    pub maker: Address,
    /// What is signed.
    pub order: TypedStruct,
    /// Its hashes.
    pub digest: Digest,
    /// The RFQ contract.
    pub rfq: Address,
    /// The text the wallet is given.
    pub typed_data: String,
    /// The build as JavaScript sees it, without `approval` and its seal, still open.
    pub view: Out,
}

/// Builds an order of the maker. Returns the `OtcBuild` as JavaScript sees it.
///
/// # Errors
/// INVALID_INPUT; UNSUPPORTED_CHAIN; the RPC's failure.
pub async fn build_otc<H: Host>(client: &Client<H>, request: &Json, signal: &H::Signal) -> Result<String> {
    let shared = &client.shared;
    let at = At::input(request, "request");
    let mut request = Request::read(&at, &client.defaults())?;
    if request.maker.is_none() {
        request.maker = Some(who(client, &at.get("maker"), signal).await?);
        request.check_taker(&at)?;
    }
    let known = contracts(shared, request.chain_id, Path::Otc, signal).await?;
    let drawn = U256::from_be_bytes(shared.host.random()).wrapping_shr(256 - NONCE_BITS);
    let nonce = request.nonce.unwrap_or(drawn);
    let mut inside = Out::object();
    inside.raw("request", &request.write());
    inside.value("nonce", &nonce);
    let text = inside.close();
    let mut built = opened(&text, &known)?;
    let approval = approval(client, &built, signal).await?;
    built.view.raw("approval", &approval);
    built.view.text("sealed", &seal(&shared.secret, &text));
    Ok(built.view.close())
}

/// Opens a sealed text: the order is made anew from the request in it.
///
/// # Errors
/// INVALID_INPUT where the text is no order's.
pub fn opened(text: &str, known: &(Contracts, Source)) -> Result<Opened> {
    let parts = Parts::of(text)?;
    let (request, nonce) = (parts.json("request")?, parts.json("nonce")?);
    let request = Request::read(&At::input(&request, "request"), &Defaults::default())?;
    let (maker, rfq) = (request.maker.unwrap_or_default(), known.0.rfq);
    let order = request.order(maker, At::input(&nonce, "nonce").uint()?);
    let domain = order::domain(request.chain_id, rfq);
    let (digest, typed_data) = order.to_sign(&domain)?;
    let mut checks = Checks::default();
    checks.holds("domain.verifyingContract", true, &named(known, Path::Otc), &rfq.text());
    let mut view = Out::object();
    view.text("kind", "otc");
    view.number("chainId", request.chain_id);
    order::write(&order, &mut view);
    view.value("spender", &rfq);
    view.value("orderHash", &digest.digest);
    view.raw("typedData", &typed_data);
    view.raw("report", &report(&sentence::offer(&request), &checks.finish()?, Some(&digest)));
    Ok(Opened { request, maker, order, digest, rfq, typed_data, view })
}

/// Refuses an `OtcBuild` that was edited, or that another client made: a permit is signed for what was asked for here.
///
/// # Errors
/// INVALID_INPUT with the member, or `build`.
pub fn recognised<H: Host>(client: &Client<H>, at: &At<'_>, known: &(Contracts, Source)) -> Result<()> {
    let (text, own) = open(&client.shared.secret, &at.get("sealed"))?;
    unedited(at, &opened(text, known)?.view.closed())?;
    if own { Ok(()) } else { Err(Error::input("build", "one of this client", "one of another, or an edited one")) }
}

/// What the maker has to approve, as JavaScript sees it.
async fn approval<H: Host>(client: &Client<H>, built: &Opened, signal: &H::Signal) -> Result<String> {
    let Opened { request, maker, rfq, .. } = built;
    let mut need = ApprovalNeed {
        path: Path::Otc,
        chain_id: request.chain_id,
        token: request.maker_asset.address,
        owner: *maker,
        spender: *rfq,
        amount: request.maker_amount,
        current: None,
        reset_first: false,
    };
    let chain = Chain::find(client, request.chain_id, signal).await?;
    if let Some(chain) = &chain {
        let found = Standing::read(chain, built).await?;
        found.in_time(request, "request.expiry")?;
        need.current = Some(found.allowance);
    }
    missing(client, chain.as_ref(), need).await
}

/// What the chain says of an order that is about to be signed.
pub struct Standing {
    now: U256,
    balance: U256,
    allowance: U256,
}

impl Standing {
    /// Reads it. Decimals that are not the tokens' own end it here.
    ///
    /// # Errors
    /// INVALID_INPUT with the member; the RPC's failure.
    pub async fn read<H: Host>(chain: &Chain<'_, H>, built: &Opened) -> Result<Standing> {
        let Opened { request, maker, rfq, .. } = built;
        let (asset, wanted) = (&request.maker_asset, &request.taker_asset);
        let reads = [
            Read::Decimals(&asset.address),
            Read::Decimals(&wanted.address),
            Read::Time,
            Read::Balance(&asset.address, maker),
            Read::Allowance(&asset.address, maker, rfq),
        ];
        let found = chain.read_all(&reads).await?;
        let [own, other, now, balance, allowance] = found.as_slice() else { return Err(Error::unread()) };
        for (field, token, own) in [("makerDecimals", asset, own), ("takerDecimals", wanted, other)] {
            own_decimals(&["request.", field].concat(), token.decimals, own)?;
        }
        Ok(Standing { now: *now, balance: *balance, allowance: *allowance })
    }

    /// Whether the order has not expired by the chain's clock.
    ///
    /// # Errors
    /// INVALID_INPUT with that field.
    pub fn in_time(&self, request: &Request, field: &str) -> Result<()> {
        if has_expired(U256::from(request.expiry), self.now) {
            let expected = ["unix seconds from ", &self.now.text(), " on, or 0"].concat();
            return Err(Error::input(field, &expected, &request.expiry.text()));
        }
        Ok(())
    }

    /// Whether the maker can pay what the order offers.
    ///
    /// # Errors
    /// INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE.
    pub fn covers(&self, amount: &U256, permitted: bool) -> Result<()> {
        for (code, field, found) in [
            (ErrorCode::InsufficientBalance, "balance", &self.balance),
            (ErrorCode::InsufficientAllowance, "allowance", if permitted { amount } else { &self.allowance }),
        ] {
            enough(code, field, amount, found)?;
        }
        Ok(())
    }

    /// Whether a permit is the maker's for this order.
    ///
    /// # Errors
    /// VERIFY_MISMATCH with the member.
    pub fn permits(&self, built: &Opened, permit: &Permit) -> Result<()> {
        let Opened { request, maker, rfq, .. } = built;
        let mut checks = Checks::default();
        let spending = Spending {
            chain_id: request.chain_id,
            token: request.maker_asset.address,
            owner: *maker,
            spender: *rfq,
            amount: request.maker_amount,
            deadline: None,
            now: u64::try_from(self.now).unwrap_or(u64::MAX),
        };
        permit.verify_by_token(&mut checks, &spending);
        checks.finish().map(|_| ())
    }
}
