//! A web service that is asked to pay for gas (ERC-7677, <https://eips.ethereum.org/EIPS/eip-7677>), in the one form
//! that `capabilities` of a batch (EIP-5792) have here. It changes no call, since the account signs them.

use super::input::known;
use super::sent_members::Form;
use super::sentence::part::{GAS_PAID, Sink};
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter};

/// The most bytes of its URL, and of its context as JSON text.
const MAX_BYTES: usize = 1_024;

/// A paymaster's web service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paymaster {
    /// The host of its URL, in Punycode, with the port if one is stated.
    pub host: String,
    /// `{ paymasterService: { url, context?, optional: true } }` as JSON text.
    pub capabilities: String,
}

impl Paymaster {
    /// Reads `{ url, context? }`, as an application states it.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is unknown or not of its form.
    pub fn read(at: &JsonAt<'_>) -> Result<Paymaster> {
        known(at, &["url", "context"])?;
        let url = at.get("url");
        let text = url.text()?;
        let expected =
            "an https URL of 1024 bytes at most: a host name in small letters and Punycode, no user or fragment";
        let host = authority(text).ok_or_else(|| url.fault(expected))?.into();
        let mut out = ObjectWriter::object();
        out.text("url", text);
        if let Some(context) = at.get("context").some() {
            let is_exact = context.find(&|_| true, Json::is_rounded).is_none();
            let json = Form::Any.written(&context).filter(|json| json.starts_with('{') && json.len() <= MAX_BYTES);
            let expected = "an object of 1024 bytes at most, without hidden characters and numbers of 2^53 or more";
            out.raw("context", &json.filter(|_| is_exact).ok_or_else(|| context.fault(expected))?);
        }
        out.flag("optional", true);
        Ok(Paymaster { host, capabilities: ["{\"paymasterService\":", &*out.close(), "}"].concat() })
    }

    /// Reads the `capabilities` of a batch; `None` unless they are [`Paymaster::capabilities`], and nothing else.
    pub fn of_capabilities(at: &JsonAt<'_>) -> Option<Paymaster> {
        let Json::Object(capabilities) = at.json()? else { return None };
        let [(name, Json::Object(members))] = &capabilities[..] else { return None };
        let stated = members.iter().filter(|(name, _)| name != "optional").cloned().collect();
        let is_optional = members.contains(&("optional".into(), Json::Bool(true)));
        Paymaster::read(&JsonAt::input(&Json::Object(stated), ""))
            .ok()
            .filter(|_| name == "paymasterService" && is_optional)
    }

    /// The end of a sentence about what is sent.
    pub fn clause(&self) -> String {
        let mut out = String::new();
        out.say(GAS_PAID, core::slice::from_ref(&self.host));
        out
    }
}

/// Host and port of an https URL that every program reads alike; `None` for any other. The host's last label begins
/// with a letter, or the host could be a number, in one of its many forms.
fn authority(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://")?;
    let authority = rest.split(['/', '?']).next()?;
    let (host, port) = authority.split_once(':').unwrap_or((authority, "443"));
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_label = |label: &str| !label.is_empty() && label.bytes().all(is_plain);
    let fits = url.len() <= MAX_BYTES
        && host.split('.').all(is_label)
        && host.rsplit('.').next()?.starts_with(|first: char| first.is_ascii_lowercase())
        && port.bytes().all(|byte| byte.is_ascii_digit())
        && port.parse::<u16>().is_ok()
        && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\#@".contains(&byte));
    fits.then_some(authority)
}
