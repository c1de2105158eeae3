//! Pages of the service's lists.

use verify::internal::domain::input::MAX_EXACT;
use verify::internal::error::{Error, Result};
use verify::internal::json::{Json, JsonAt, ObjectWriter, array, parse};

/// A page of orders as JSON text for the app: `orders`, made by `item` from those in the service's member `list`; the
/// `numbers` that the service states, else `null`; and `hasMore`.
///
/// # Errors
/// SERVICE_MALFORMED if it is no list; those of `item`.
pub fn write_page(
    text: &str,
    list: &str,
    numbers: &[&str],
    item: &dyn Fn(&JsonAt<'_>) -> Result<Json>,
) -> Result<String> {
    let json = parse(text).map_err(Error::not_json)?;
    let page = JsonAt::service(&json, "page");
    // A service may answer with a bare array: the whole list.
    let mut data = page.get(list);
    if data.is_absent() {
        data = page;
    }
    let mut items = Vec::new();
    for at in data.items()? {
        if !at.is_absent() {
            items.push(item(&at)?.write());
        }
    }
    let mut out = ObjectWriter::object();
    out.raw("orders", &array(&items));
    for name in numbers {
        out.number_or_null(name, page.get(name).integer(MAX_EXACT).ok());
    }
    out.flag("hasMore", page.get("hasMore").bool().unwrap_or(false));
    Ok(out.close())
}
