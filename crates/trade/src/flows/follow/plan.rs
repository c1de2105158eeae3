//! The argument and options of `watch` and `wait`.

use super::Follow;
use crate::client::Shared;
use crate::flows::argument_kind::Accepted;
use crate::flows::chain::pending::Pending;
use crate::flows::delta::reported::Wanted;
use crate::host::Host;
use crate::service::orders::OrderKey;
use std::cell::RefCell;
use verify::internal::domain::input::{MAX_EXACT, account, known, optional};
use verify::internal::domain::transaction::Sent;
use verify::internal::error::Result;
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, quoted};
use verify::internal::value::text::ToText;

/// The plain options of `watch` and `wait`: how often the order or the transaction is read.
pub const FOLLOW_OPTIONS: [&str; 2] = ["intervalMs", "maxIntervalMs"];

/// The pause after a change by default, in milliseconds.
const PAUSE_MS: u64 = 2_000;
/// The longest pause by default, in milliseconds. The rate limit of a minute has room for one request and those that
/// follow from it; the limit of a day, for 1,571 of them.
const LONGEST_PAUSE_MS: u64 = 55_000;
/// The shortest pause, in milliseconds, and the longest one that the options may name.
const SHORTEST_PAUSE_MS: u64 = 50;
const MOST_MS: u64 = 3_600_000;

impl Follow {
    /// Follows an order, given as the order itself, its id or its hash; a list of these; all orders of an account,
    /// given as `{ account, chainId? }`; or a `SentTransaction`. `options` are those of `watch`: shorter pauses than 50 ms
    /// are raised to that.
    ///
    /// # Errors
    /// INVALID_INPUT if it is none of them, or with the option that is unknown or no such number.
    ///
    /// ```
    /// use verified_swap_trade::flows::Follow;
    /// use verify::internal::json::{Json, JsonAt, parse};
    /// let options = parse(r#"{ "intervalMs": "soon" }"#).unwrap();
    /// let wrong = Follow::new(&Json::String("0x7".into()), &JsonAt::input(&options, "options")).unwrap_err();
    /// assert_eq!(wrong.field.as_deref(), Some("options.intervalMs"));
    /// ```
    pub fn new(what: &Json, options: &JsonAt<'_>) -> Result<Follow> {
        let at = JsonAt::input(what, "order");
        let mut out = ObjectWriter::object();
        write_pace(&mut out, options)?;
        let is_transaction = at.get("kind").text().is_ok_and(|kind| kind == "sent");
        out.flag("isTransaction", is_transaction);
        if is_transaction {
            let pending = Pending::new(Sent::read(&at)?);
            return Ok(Follow { plan: out.close(), pending: Some(RefCell::new(pending)) });
        }
        let (mut orders, mut chains) = (Vec::new(), Vec::new());
        let is_account = at.items().is_err() && at.get("id").is_absent() && !at.get("account").is_absent();
        if let Ok(items) = at.items() {
            for item in items {
                orders.push(read_followed(&item)?);
            }
        } else if is_account {
            known(&at, &["account", "chainId"])?;
            let stated = at.get("chainId");
            chains = match stated.items() {
                Ok(items) => items.map(|at| at.integer(MAX_EXACT)).collect::<Result<_>>()?,
                Err(_) => stated.some().map(|at| at.integer(MAX_EXACT)).transpose()?.into_iter().collect(),
            };
        } else {
            orders.push(read_followed(&at)?);
        }
        let account = is_account.then(|| account(&at.get("account"))).transpose()?;
        out.value_or_null("account", account.as_ref());
        out.raw("chains", &array(&chains.iter().map(ToText::text).collect::<Vec<_>>()));
        out.raw("orders", &array(&orders));
        Ok(Follow { plan: out.close(), pending: None })
    }

    /// The argument and options of `watch`, and the names of the locks.
    pub(super) fn plan<H: Host>(&self, shared: &Shared<H>) -> String {
        let mut out = ObjectWriter::object();
        out.members(&self.plan);
        out.text("lockPrefix", &["watch/", &shared.settings.base_url, "/"].concat());
        out.close()
    }
}

/// Reads the pauses.
///
/// # Errors
/// INVALID_INPUT with the option that is unknown or no such number.
fn write_pace(out: &mut ObjectWriter, at: &JsonAt<'_>) -> Result<()> {
    known(at, &FOLLOW_OPTIONS)?;
    let ms = |name| optional(&at.get(name), |at| at.integer(MOST_MS));
    let interval = ms("intervalMs")?.unwrap_or(PAUSE_MS).max(SHORTEST_PAUSE_MS);
    out.number("intervalMs", interval);
    out.number("maxIntervalMs", ms("maxIntervalMs")?.unwrap_or(LONGEST_PAUSE_MS).max(interval));
    Ok(())
}

/// One order to follow: itself, its id or its hash. Returns its identity as JSON text.
///
/// # Errors
/// INVALID_INPUT if it is none of them.
fn read_followed(at: &JsonAt<'_>) -> Result<String> {
    let (wanted, given) = match at.json() {
        Some(Json::String(_)) => (OrderKey::read(at)?.wanted(), None),
        Some(json) => {
            Accepted::FOLLOWED.check(&at.path(), json)?;
            OrderKey::id(&at.get("id"))?;
            (Wanted::from_order(at)?, at.get("status").text().ok().map(|_| json))
        }
        None => return Err(at.fault("an order, its id or hash")),
    };
    let mut out = ObjectWriter::object();
    out.members(&wanted.write());
    out.maybe_raw("given", given.map(|given| quoted(&given.write())));
    Ok(out.close())
}
