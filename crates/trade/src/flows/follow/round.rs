//! One request to the service for orders that are followed, and its answer, of which each order is verified before it
//! counts: whether this tab requested it, or another one passed it on.

use super::is_passing;
use super::report::{Asked, tell};
use super::unseen::find_unseen;
use crate::client::Client;
use crate::flows::delta::reported::Wanted;
use crate::host::Host;
use crate::service::orders::{self, OrderKey};
use alloy_primitives::Address;
use verify::internal::domain::delta::status::{OPEN, TERMINAL};
use verify::internal::domain::input::MAX_EXACT;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse, truth};
use verify::internal::value::text::ToText;
use verify::internal::wire::order::{OrderView, find_order, read_order};

/// The topic of messages between tabs: an answer of the service, and its request.
const TOPIC: &str = "orders";

/// A page of an owner's orders: those that are open, or those that have ended.
#[derive(Clone, Copy, Debug)]
struct Page {
    owner: Address,
    is_ended: bool,
    page: u64,
    limit: u64,
}

impl Page {
    fn read(at: &JsonAt<'_>) -> Result<Page> {
        let number = |name| at.get(name).integer(MAX_EXACT);
        let (owner, is_ended) = (at.get("owner").address()?, at.get("isEnded").bool()?);
        Ok(Page { owner, is_ended, page: number("page")?, limit: number("limit")? })
    }

    fn write(&self, out: &mut ObjectWriter) {
        out.value("owner", &self.owner);
        out.flag("isEnded", self.is_ended);
        out.number("page", self.page);
        out.number("limit", self.limit);
    }

    /// Requests it; returns the answer's text.
    async fn send<H: Host>(&self, client: &Client<H>, signal: &H::Signal) -> Result<String> {
        let Page { owner, is_ended, page, limit } = self;
        let filter = [("userAddress", Some(owner.text())), ("page", Some(page.text())), ("limit", Some(limit.text()))];
        let statuses = if *is_ended { &TERMINAL[..] } else { &OPEN };
        orders::list_with(&client.shared, &filter, statuses, signal).await
    }
}

/// The orders of a round, each as JSON text.
fn read_orders(at: &JsonAt<'_>) -> Result<Vec<Asked>> {
    let read = |at: JsonAt<'_>| Asked::read(&JsonAt::input(&parse(at.text()?).map_err(Error::not_json)?, "order"));
    at.get("orders").items()?.map(read).collect()
}

/// Sends a request, a page or a single order, and verifies the answer, which the other tabs get, too.
///
/// # Errors
/// ABORTED; the failure to read the order or page, if waiting does not help; SERVICE_MALFORMED if the page cannot be read,
/// or a single order contradicts.
pub async fn ask<H: Host>(client: &Client<H>, at: &JsonAt<'_>, signal: &H::Signal) -> Result<String> {
    let orders = read_orders(at)?;
    let page = at.get("page").some().map(|at| Page::read(&at)).transpose()?;
    let place = at.get("index").integer(MAX_EXACT).ok().and_then(|index| usize::try_from(index).ok());
    let asked = place.and_then(|place| orders.get(place));
    let sent = match (&page, asked) {
        (Some(page), _) => page.send(client, signal).await,
        (None, Some(asked)) => orders::read(&client.shared, &key(&asked.wanted), signal).await,
        (None, None) => Err(Error::unreachable()),
    };
    let outcome = match sent {
        Ok(text) => {
            publish(client, page.as_ref(), &text);
            parse(&text).map_err(Error::not_json).and_then(|answer| match &page {
                Some(page) => tell_page(client, page, &answer, (&orders, at.get("takesNew").bool().is_ok_and(|is| is))),
                None => tell_order(client, &answer, &orders, place),
            })
        }
        Err(error) if error.status == Some(404) && asked.is_some() => {
            find_unseen(client, (place, asked.unwrap_or(&Asked::default())), at, signal, error).await
        }
        Err(error) if error.is_too_large() && at.get("mayShrink").bool().is_ok_and(|is| is) => {
            Ok(r#"{"told":[],"isTooLarge":true}"#.into())
        }
        Err(error) => Err(error),
    };
    match outcome {
        Err(error) if is_passing(&error) => {
            let ms = error.retry_after_secs.unwrap_or_default().saturating_mul(1_000).min(MAX_EXACT);
            Ok([r#"{"told":[],"retryMs":"#, &ms.text(), "}"].concat())
        }
        Err(mut error) => {
            error.order_hash = error.order_hash.or(asked.and_then(|asked| asked.wanted.hash));
            Err(error)
        }
        answer => answer,
    }
}

/// The key in the request for an order: its id, if it can stand in a path.
fn key(wanted: &Wanted) -> OrderKey {
    let fits = |id: &&String| wanted.hash.is_none() || ![".", ".."].contains(&id.as_str());
    match wanted.id.as_ref().filter(fits) {
        Some(id) => OrderKey::Id(id.clone()),
        None => OrderKey::Hash(wanted.hash.unwrap_or_default()),
    }
}

/// A single order, for the order at that place, and for all that are the same: it may be followed by its hash and by its
/// id. Without a place another tab asked.
///
/// # Errors
/// SERVICE_MALFORMED with the member that contradicts what is known of the order at that place.
fn tell_order<H: Host>(client: &Client<H>, answer: &Json, orders: &[Asked], place: Option<usize>) -> Result<String> {
    let at = JsonAt::service(find_order(answer), "order");
    let stated = read_order(&at);
    let mut told = Vec::new();
    for (index, asked) in orders.iter().enumerate() {
        let is_asked = place == Some(index);
        if is_asked || is_about(&stated, &asked.wanted) {
            told.push(tell(client, &at, (Some(index), asked), is_asked)?);
        }
    }
    let mut out = ObjectWriter::object();
    out.raw("told", &array(&told));
    out.maybe("owner", &stated.owner);
    Ok(out.close())
}

/// Whether a report is about a wanted order, by its id, or without one by its hash.
fn is_about(stated: &OrderView<'_>, wanted: &Wanted) -> bool {
    match &wanted.id {
        Some(id) => stated.id == Some(id.as_str()),
        None => stated.hash.is_some() && stated.hash == wanted.hash,
    }
}

/// A page: its orders that are among `orders`, and with `takes_new` the others.
///
/// # Errors
/// SERVICE_MALFORMED if it cannot be read.
fn tell_page<H: Host>(
    client: &Client<H>,
    page: &Page,
    answer: &Json,
    (orders, takes_new): (&[Asked], bool),
) -> Result<String> {
    let at = JsonAt::service(answer, "page");
    let data = if at.get("data").is_absent() { at } else { at.get("data") };
    let items: Vec<JsonAt<'_>> = data.items()?.collect();
    let mut anyone = Asked::default();
    anyone.wanted.owner = Some(page.owner);
    let mut told = Vec::new();
    for at in &items {
        let stated = read_order(at);
        let mut is_followed = false;
        for (index, asked) in orders.iter().enumerate().filter(|(_, asked)| is_about(&stated, &asked.wanted)) {
            told.push(tell(client, at, (Some(index), asked), false)?);
            is_followed = true;
        }
        if takes_new && !is_followed {
            told.push(tell(client, at, (None, &anyone), false)?);
        }
    }
    let number = |name| at.get(name).integer(MAX_EXACT).ok();
    let mut written = ObjectWriter::object();
    page.write(&mut written);
    written.number("size", number("limit").unwrap_or(page.limit).max(1));
    written.number("count", u64::try_from(items.len()).unwrap_or(u64::MAX));
    written.number_or_null("total", number("total"));
    written.raw("hasMore", at.get("hasMore").bool().map_or("null", truth));
    let mut out = ObjectWriter::object();
    out.raw("told", &array(&told));
    out.raw("page", &written.close());
    Ok(out.close())
}

/// Passes the service's answer on to the other tabs; `answer` is JSON text.
fn publish<H: Host>(client: &Client<H>, page: Option<&Page>, answer: &str) {
    let mut out = ObjectWriter::object();
    out.text("baseUrl", &client.shared.settings.base_url);
    if let Some(page) = page {
        page.write(&mut out);
    }
    out.raw("answer", answer);
    client.shared.host.publish(TOPIC, &out.close());
}

/// Another tab's answer, verified as if this one had asked for it; `null` for a message from elsewhere, or one that cannot
/// be read.
///
/// # Errors
/// INVALID_INPUT for anything else than the schedule passes.
pub fn hear<H: Host>(client: &Client<H>, at: &JsonAt<'_>) -> Result<String> {
    let (orders, message) = (read_orders(at)?, parse(at.get("message").text()?));
    let heard = message.ok().and_then(|message| {
        let sent = JsonAt::service(&message, "message");
        let answer = message.get("answer")?;
        sent.get("baseUrl").text().ok().filter(|url| *url == client.shared.settings.base_url)?;
        if sent.get("owner").is_absent() {
            return tell_order(client, answer, &orders, None).ok();
        }
        let page = Page::read(&sent).ok()?;
        let takes_new = at.get("lists").items().ok()?.any(|at| at.address().is_ok_and(|one| one == page.owner));
        tell_page(client, &page, answer, (&orders, takes_new)).ok()
    });
    Ok(heard.unwrap_or_else(|| "null".into()))
}
