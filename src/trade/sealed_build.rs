//! A build as it travels: sealed text, opened and verified again each time it comes back.

use super::client::Client;
use super::seal::seal;
use crate::domain::address::checksummed;
use crate::domain::bps::Bps;
use crate::domain::chain::{Contracts, Source};
use crate::domain::delta::order;
use crate::domain::eip712;
use crate::domain::intent::{Defaults, Intent, Terms};
use crate::domain::sentence::{self, Figures};
use crate::domain::text::ToText;
use crate::domain::verify::delta_order::{Asked, Verified, verify};
use crate::domain::verify::{Report, delta_quote};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::json::{At, Fault, Json, Read, members, object, parse};
use crate::wire;
use alloy_primitives::{Address, U256};

/// What a build is made of before it is sealed. Texts are the service's own.
pub struct Parts<'a> {
    /// What was asked for.
    pub intent: &'a Intent,
    /// The build's options.
    pub terms: &'a Terms,
    /// Unix seconds when it was built, by the chain's clock where that could be read.
    pub now: u64,
    /// The quote's delta block.
    pub delta: &'a str,
    /// The service's `toSign`.
    pub to_sign: &'a str,
    /// The service's `orderHash`, with its quotes.
    pub order_hash: &'a str,
    /// What has to be approved.
    pub approval: Json,
}

impl Parts<'_> {
    /// One text of them all.
    pub fn text(&self) -> String {
        let amount = |amount: Option<U256>| Json::or_null(amount.map(|amount| Json::text(amount.text())));
        let terms = object([
            ("owner", Json::text(checksummed(self.terms.owner))),
            ("slippageBps", Json::number(self.terms.slippage.get().into())),
            ("deadline", Json::number(self.terms.deadline)),
            ("nonce", amount(self.terms.nonce)),
            ("minReceived", amount(self.terms.min_received)),
            ("maxSpent", amount(self.terms.max_spent)),
        ]);
        let (request, terms, now) = (self.intent.write().write(), terms.write(), self.now.text());
        let parts: [(&str, &str); 7] = [
            ("request", &request),
            ("terms", &terms),
            ("now", &now),
            ("delta", self.delta),
            ("toSign", self.to_sign),
            ("orderHash", self.order_hash),
            ("approval", &self.approval.write()),
        ];
        let mut out = String::from(r#"{"kind":"build""#);
        for (name, raw) in parts {
            for piece in [",\"", name, "\":", raw] {
                out.push_str(piece);
            }
        }
        out.push('}');
        out
    }
}

/// A build that says what was asked for.
pub struct OpenBuild {
    /// What was asked for.
    pub intent: Intent,
    /// The build's options.
    pub terms: Terms,
    /// The order, its hashes, its checks.
    pub verified: Verified,
    /// The contract that may spend.
    pub spender: Address,
    /// The service's `toSign.value`, byte for byte.
    pub value: String,
    /// The text the wallet is given.
    pub typed_data: String,
    /// The build as JavaScript sees it, without its seal.
    pub view: Json,
}

impl OpenBuild {
    /// With its seal.
    pub fn sealed<H: Host>(&self, client: &Client<H>, text: &str) -> Json {
        let Json::Object(mut members) = self.view.clone() else { return Json::Null };
        members.push(("sealed".into(), Json::text(seal(&client.shared.secret, text))));
        Json::Object(members)
    }
}

/// Reads the parts again and verifies all of them: the price against the request, the typed data against both, and the
/// digest of the text the wallet is given against the order's hash.
///
/// # Errors
/// VERIFY_MISMATCH, SERVICE_MALFORMED; INVALID_INPUT where the text is no build.
pub fn open_build(text: &str, known: &(Contracts, Source)) -> Result<OpenBuild> {
    let broken = || Error::input(Fault::new("build.sealed", "a sealed build", "something else"));
    let parts = members(text).map_err(|_| broken())?;
    let part = |name: &str| parts.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw).ok_or_else(broken);
    let json = |name: &str| part(name).and_then(|raw| parse(raw).map_err(Error::not_json));
    let request = json("request")?;
    let intent = Intent::read(At::root(&request, "request"), &Defaults::default()).map_err(|_| broken())?;
    let terms = json("terms")?;
    let terms = read_terms(At::root(&terms, "terms")).map_err(|_| broken())?;
    let now: u64 = part("now")?.parse().map_err(|_| broken())?;
    let delta = json("delta")?;
    let price = wire::quote::price(At::root(&delta, "delta")).map_err(Error::malformed)?;
    delta_quote::verify(&price, &intent, known)?;
    let (to_sign, order_hash) = (json("toSign")?, json("orderHash")?);
    let payload = wire::to_sign::payload(At::root(&to_sign, "toSign"), At::root(&order_hash, "orderHash"));
    let payload = payload.map_err(Error::malformed)?;
    let asked = Asked { intent: &intent, terms: &terms, price: &price, contracts: known, now, deadline_named: true };
    let verified = verify(&payload, &asked)?;
    let typed_data = order::typed_data(&verified.order, intent.chain_id, known.0.delta);
    let text = typed_data.write();
    let reread = parse(&text).map_err(Error::not_json)?;
    let digest = eip712::digest(&reread).map_err(Error::malformed)?;
    if digest != verified.digest {
        return Err(Error::internal("the text for the wallet does not hash to the order"));
    }
    let raw = members(part("toSign")?).map_err(Error::not_json)?;
    let value = raw.iter().find(|(name, _)| name == "value").map(|(_, raw)| String::from(*raw)).ok_or_else(broken)?;
    let view = view(&intent, &terms, &verified, known, typed_data, json("approval")?);
    Ok(OpenBuild { intent, terms, verified, spender: known.0.delta, value, typed_data: text, view })
}

fn read_terms(at: At<'_>) -> Read<Terms> {
    let amount = |name: &str| at.get(name).some().map(|at| at.uint()).transpose();
    let slippage = at.get("slippageBps");
    Ok(Terms {
        owner: at.get("owner").address()?,
        slippage: Bps::new(slippage.integer(10_000)?).ok_or_else(|| slippage.fault("0 to 10000"))?,
        deadline: at.get("deadline").integer(u64::MAX)?,
        nonce: amount("nonce")?,
        min_received: amount("minReceived")?,
        max_spent: amount("maxSpent")?,
    })
}

fn view(
    intent: &Intent,
    terms: &Terms,
    verified: &Verified,
    known: &(Contracts, Source),
    typed_data: Json,
    approval: Json,
) -> Json {
    let order = &verified.order;
    let figures = Figures {
        spent: order.srcAmount,
        received: verified.min_received,
        beneficiary: order.beneficiary,
        deadline: terms.deadline,
        fee_bps: verified.fee_bps,
    };
    let report = Report {
        sentence: sentence::order(intent, &figures),
        checks: verified.checks.clone(),
        digest: Some(verified.digest),
    };
    let amount = |amount: U256| Json::text(amount.text());
    object([
        ("kind", Json::text("delta")),
        ("orderKind", Json::text("Order")),
        ("request", intent.write()),
        ("chainId", Json::number(intent.chain_id)),
        ("owner", Json::text(checksummed(order.owner))),
        ("beneficiary", Json::text(checksummed(order.beneficiary))),
        ("spender", Json::text(checksummed(known.0.delta))),
        ("orderHash", Json::text(verified.digest.digest.text())),
        ("maxSpent", amount(order.srcAmount)),
        ("minDestAmount", amount(order.destAmount)),
        ("minReceived", amount(verified.min_received)),
        ("feeBps", Json::number(verified.fee_bps.into())),
        ("deadline", Json::number(terms.deadline)),
        ("nonce", amount(order.nonce)),
        ("typedData", typed_data),
        ("report", report.write()),
        ("approval", approval),
    ])
}
