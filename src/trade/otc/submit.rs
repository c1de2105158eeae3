//! A maker signs once; what is signed is checked and posted, and nothing of it is lost on the way.

use super::build::{Opened, Standing, opened};
use super::maker::accepted;
use super::request::Request;
use crate::client::Client;
use crate::domain::chain::Path;
use crate::domain::input::chain_id;
use crate::domain::permit::Permit;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Json, Out, parse};
use crate::service::otc;
use crate::trade::calls::Call;
use crate::trade::contracts::contracts;
use crate::trade::permit::open_permit;
use crate::trade::posting::{Answer, until_known};
use crate::trade::seal::{open, same_request, unedited};
use crate::trade::submission::SubmitOptions;
use crate::trade::submit::Progress;
use crate::wallet::account::ready;
use crate::wallet::reads::Chain;
use crate::wallet::signing::{ToSign, forget, is_asked, signature};
use crate::wire;

/// What a signed order is called, beside `otc` for one that is not.
const SIGNED: &str = "signedOtcOrder";

/// Whether that is an OTC build, or a signed order of one.
pub fn is_otc(passed: &Json) -> bool {
    matches!(passed.get("kind").and_then(Json::as_text), Some("otc" | SIGNED))
}

/// A build or signed order that the application passed in.
struct Submission {
    built: Opened,
    sealed: String,
    signature: Option<Vec<u8>>,
    permit: Option<Permit>,
}

impl Submission {
    /// What is signed, in a form that `submit` takes back.
    fn signed_order(&self, signature: &[u8]) -> String {
        let mut out = Out::object();
        out.text("kind", SIGNED);
        out.number("chainId", self.built.request.chain_id);
        out.value("orderHash", &self.built.digest.digest);
        out.bytes("signature", signature);
        out.text("sealed", &self.sealed);
        out.close()
    }
}

/// Verifies it once more, has the maker sign unless that is done, and posts. Returns the order as the service stores it.
///
/// # Errors
/// Before a signature: those of the checks and of the wallet. After it, every error carries the signed order.
pub async fn submit<H: Host>(client: &Client<H>, call: &Call<'_, H>) -> Result<String> {
    let submission = prepare(client, call).await?;
    let tell = |step| (call.progress)(Progress::step(step));
    tell("checking");
    if submission.signature.is_some() || is_asked(client, submission.built.digest.digest) {
        permitted(client, &submission, call).await?;
    }
    let asked;
    let bytes = match &submission.signature {
        Some(bytes) => bytes,
        None => {
            asked = ask_to_sign(client, &submission, call).await?;
            &asked
        }
    };
    let Opened { request, maker, digest, .. } = &submission.built;
    let form = accepted(client, request.chain_id, *maker, digest.digest, bytes, call.signal).await;
    let form = form.map_err(|mut error| {
        if error.code == ErrorCode::SignatureMismatch {
            // It is not this maker's signature: the next attempt asks again.
            forget(client, digest.digest);
        } else {
            error.signed_order = Some(submission.signed_order(bytes));
        }
        error
    })?;
    let signed = submission.signed_order(&form);
    let step = |step| (call.progress)(Progress { step, transaction: None, signed_order: Some(signed.clone()) });
    step("signed");
    let outcome = match call.signal.is_aborted() {
        true => Err(Error::aborted()),
        false => {
            (call.posting)();
            step("posting");
            post(client, &submission, &form).await
        }
    };
    match outcome {
        Ok(order) => {
            forget(client, digest.digest);
            if let Some(permit) = &submission.permit {
                client.shared.use_permit(permit.hash());
            }
            step("posted");
            Ok(order)
        }
        Err(mut error) => {
            error.signed_order = Some(signed);
            Err(error)
        }
    }
}

/// Opens what the application passes in, and makes the order anew from what is sealed in it.
async fn prepare<H: Host>(client: &Client<H>, call: &Call<'_, H>) -> Result<Submission> {
    let shared = &client.shared;
    let options = SubmitOptions::read(&At::input(call.options, "options"))?;
    if options.pre_sign {
        let expected = "nothing: an OTC order is signed, by a key or as its maker's code says";
        return Err(Error::input("options.preSign", expected, "true"));
    }
    let is_signed = call.data.get("kind").and_then(Json::as_text) == Some(SIGNED);
    let at = At::input(call.data, if is_signed { SIGNED } else { "build" });
    let sealed = at.get("sealed");
    let (text, own) = open(&shared.secret, &sealed)?;
    let known = contracts(shared, chain_id(&at.get("chainId"))?, Path::Otc, call.signal).await?;
    let built = opened(text, &known)?;
    let permit = options.permit.as_ref().map(|json| open_permit(shared, &At::input(json, "options.permit")));
    let permit = permit.transpose()?;
    let mut submission =
        Submission { built, sealed: sealed.text()?.into(), signature: options.signature.clone(), permit };
    if is_signed {
        // The maker has signed it: what is left to check is that.
        let signature = at.get("signature").bytes()?;
        unedited(&at, &submission.signed_order(&signature))?;
        submission.signature = Some(signature);
    } else {
        unedited(&at, &submission.built.view.closed())?;
        if !own {
            let stated = options
                .request
                .as_ref()
                .map(|json| Request::read(&At::input(json, "options.request"), &client.defaults()));
            let stated = stated.transpose()?.map(|request| request.write());
            same_request(stated.as_deref(), &submission.built.request.write())?;
        }
    }
    Ok(submission)
}

/// Whether the permit, where there is one, is for this order, which is signed or being signed.
async fn permitted<H: Host>(client: &Client<H>, submission: &Submission, call: &Call<'_, H>) -> Result<()> {
    let Submission { built, permit: Some(permit), .. } = submission else { return Ok(()) };
    let chain = Chain::need(client, built.request.chain_id, call.signal).await?;
    Standing::read(&chain, built).await?.permits(built, permit)
}

/// Opens the wallet's prompt, or joins the one that is open for this very order.
async fn ask_to_sign<H: Host>(client: &Client<H>, submission: &Submission, call: &Call<'_, H>) -> Result<Vec<u8>> {
    let Submission { built, permit, .. } = submission;
    let (chain_id, signer, digest) = (built.request.chain_id, built.maker, built.digest.digest);
    if !is_asked(client, digest) {
        ready(client, signer, chain_id, call.signal).await?;
        let chain = Chain::need(client, chain_id, call.signal).await?;
        let standing = Standing::read(&chain, built).await?;
        standing.in_time(&built.request, "build.expiry")?;
        standing.covers(&built.request.maker_amount, permit.is_some())?;
        if let Some(permit) = permit {
            standing.permits(built, permit)?;
        }
        // Read again: the checks took their time, and wallets change account and chain at a click.
        ready(client, signer, chain_id, call.signal).await?;
    }
    let asked = ToSign { signer, digest, typed_data: &built.typed_data };
    signature(client, &asked, call.signal, &|| (call.progress)(Progress::step("signing"))).await
}

async fn post<H: Host>(client: &Client<H>, submission: &Submission, form: &[u8]) -> Result<String> {
    let Submission { built, permit, .. } = submission;
    let (shared, never, hash) = (&client.shared, H::Signal::never(), built.digest.digest);
    let stored = |text: String| wire::otc::stored(&parse(&text).map_err(Error::not_json)?, hash);
    let permit = permit.as_ref().map(|permit| permit.bytes.as_slice());
    let post = || -> Answer<'_> {
        let posted = otc::post(shared, built.request.chain_id, &built.order, form, permit);
        Box::pin(async move { stored(posted.await?) })
    };
    let read = || -> Answer<'_> { Box::pin(async { stored(otc::one(shared, hash, &never).await?) }) };
    let until = match built.request.expiry {
        0 => "it is cancelled".into(),
        _ => built.order.text("expiry"),
    };
    until_known(&shared.host, &post, &read, &until).await
}
