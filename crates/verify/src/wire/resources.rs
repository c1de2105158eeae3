//! The answers of the service's small reads (`service/resources.rs` of the client).
//!
//! For several of them the documentation leaves open whether a list stands alone or under a name. Both are read, and
//! the application gets one form. Nothing is signed by these lists, but applications show them, and look up tokens by
//! address: so a logo is an https or ipfs URL, and token keys are in EIP-55 casing (<https://eips.ethereum.org/EIPS/eip-55>),
//! each once.

use crate::domain::input::MAX_EXACT;
use crate::error::Result;
use crate::json::{Json, JsonAt, ObjectWriter, array, truth};
use crate::value::address::{any_case, parse};
use crate::value::text::ToText;
use alloy_primitives::{Address, U256};

/// The most chains that a list may have. Each is compared with all others.
const MAX_CHAINS: usize = 1_024;

/// The form of an answer. "Under this name" means `{ name: ... }`; each may also come without it.
#[derive(Clone, Copy, Debug)]
pub enum ResourceShape {
    /// Chain ids: a list of them, a list of objects that have one, or an object keyed by them; under `chains`,
    /// `networks` or `data`.
    ChainIds,
    /// A list under this name of objects with at least these members; of strings if no members are given.
    List(&'static str, &'static [&'static str]),
    /// A list of tokens under `tokens`, with the member names of the newer endpoint or of the older one. Rows that are wrong
    /// are left out and counted.
    Tokens,
    /// A list under this name of strings, or of objects with an `id`.
    Named(&'static str),
    /// `true` or `false` under this name.
    Flag(&'static str),
    /// An object under this name, keyed by token address in any casing.
    ByToken(&'static str),
    /// Amounts in raw units, keyed by token address in any casing; a single amount if one token was requested.
    Amounts,
}

impl ResourceShape {
    /// The answer in the one form that JavaScript gets, as JSON text. `token` is the requested token, if there was only
    /// one.
    ///
    /// # Errors
    /// SERVICE_MALFORMED with the member that is missing or malformed.
    ///
    /// ```
    /// use verified_swap_verify::internal::{json::parse, wire::resources::ResourceShape};
    /// let read = |answer| ResourceShape::ChainIds.read(&parse(answer).unwrap(), None).unwrap();
    /// assert_eq!(read(r#"{"chains": [1, {"chainId": 10}, 1]}"#), "[1,10]");
    /// ```
    pub fn read(self, answer: &Json, token: Option<Address>) -> Result<String> {
        let root = JsonAt::service(answer, "answer");
        match self {
            ResourceShape::ChainIds => chain_ids(&root),
            ResourceShape::List(name, members) => list(&framed(&root, name), members),
            ResourceShape::Tokens => tokens(&framed(&root, "tokens")),
            ResourceShape::Named(name) => ids_and_names(&framed(&root, name)),
            ResourceShape::Flag(name) => Ok(truth(framed(&root, name).bool()?).into()),
            ResourceShape::ByToken(name) => {
                let mut out = ObjectWriter::object();
                by_token(&framed(&root, name), &mut |token, value| {
                    if let Some(json) = value.json() {
                        out.raw(&token.text(), &json.write());
                    }
                    Ok(())
                })?;
                Ok(out.close())
            }
            ResourceShape::Amounts => {
                let mut out = ObjectWriter::object();
                for (token, amount) in read_amounts(answer, token)? {
                    out.value(&token.text(), &amount);
                }
                Ok(out.close())
            }
        }
    }
}

/// Reads amounts in raw units by token. A single amount is for `token`, the requested one.
///
/// # Errors
/// SERVICE_MALFORMED with the member that is not an amount, or the key that is not an address or occurs twice.
pub fn read_amounts(answer: &Json, token: Option<Address>) -> Result<Vec<(Address, U256)>> {
    let root = JsonAt::service(answer, "answer");
    let mut found = Vec::new();
    match token.filter(|_| root.number_or_text().is_some()) {
        Some(token) => found.push((token, root.uint()?)),
        None => by_token(&root, &mut |token, value| {
            found.push((token, value.uint()?));
            Ok(())
        })?,
    }
    Ok(found)
}

/// The member with this name if there is one, else the whole answer.
fn framed<'a>(root: &JsonAt<'a>, name: &'a str) -> JsonAt<'a> {
    root.get(name).some().unwrap_or(*root)
}

/// A list as JSON text: of objects that have all `members`, or of strings if `members` is empty.
fn list(at: &JsonAt<'_>, members: &[&str]) -> Result<String> {
    let mut found = Vec::new();
    for item in at.items()? {
        if members.is_empty() {
            item.text()?;
        }
        all_there(&item, members)?;
        found.extend(item.json().map(Json::write));
    }
    Ok(array(&found))
}

/// Checks that an item has each of the members.
fn all_there(item: &JsonAt<'_>, members: &[&str]) -> Result<()> {
    match members.iter().map(|member| item.get(member)).find(JsonAt::is_absent) {
        Some(member) => Err(member.fault("a value")),
        None => Ok(()),
    }
}

/// Member names of a token at the older endpoint, with the names at the newer one.
const RENAMED: [(&str, &str); 2] = [("img", "logoURI"), ("network", "chainId")];

/// The most decimals of a token in a list; no token in use has more.
const MAX_LISTED_DECIMALS: u64 = 36;

/// Refuses a row of a list of tokens that a page could not trade by: one without a symbol, an address in a right casing, or
/// decimals.
fn check_token(item: &JsonAt<'_>) -> Result<()> {
    item.get("symbol").text()?;
    let address = item.get("address");
    parse(address.text()?).map_err(|error| address.fault(error.expected()))?;
    let decimals = item.get("decimals");
    match decimals.json() {
        Some(Json::Number(_)) => decimals.integer(MAX_LISTED_DECIMALS).map(drop),
        _ => Err(decimals.fault("a number")),
    }
}

/// `{ tokens, leftOut }`: tokens with the newer member names, and the number of rows that are wrong. A logo that is not an
/// https or ipfs URL is left out: a page puts it into an `img`.
///
/// # Errors
/// SERVICE_MALFORMED with the first fault, if all rows are wrong: a list that cannot be read is not an empty one.
fn tokens(at: &JsonAt<'_>) -> Result<String> {
    let (mut found, mut first, mut left_out) = (Vec::new(), None, 0_u64);
    for item in at.items()? {
        if let Err(error) = check_token(&item) {
            first.get_or_insert(error);
            left_out = left_out.saturating_add(1);
            continue;
        }
        let Some(Json::Object(members)) = item.json() else { continue };
        let mut token: Vec<(String, Json)> = Vec::new();
        for (name, value) in members {
            let newer = RENAMED.iter().find(|(older, _)| older == name).map(|(_, newer)| *newer);
            let is_there = newer.is_some_and(|newer| item.get(newer).json().is_some_and(|value| fits(newer, value)));
            let name = newer.unwrap_or(name);
            if fits(name, value) && !is_there {
                token.push((name.into(), value.clone()));
            }
        }
        if item.get("categories").is_absent() {
            token.push(("categories".into(), Json::Array(vec![])));
        }
        found.push(Json::Object(token).write());
    }
    if let Some(error) = first.filter(|_| found.is_empty()) {
        return Err(error);
    }
    let mut out = ObjectWriter::object();
    out.raw("tokens", &array(&found));
    out.number("leftOut", left_out);
    Ok(out.close())
}

/// Whether a token's member is kept.
fn fits(name: &str, value: &Json) -> bool {
    match name {
        "logoURI" => value.as_text().is_some_and(|url| url.starts_with("https://") || url.starts_with("ipfs://")),
        "categories" => *value != Json::Null,
        _ => true,
    }
}

/// A list of `{ id, name }`; a string stands for both, and a missing name is the id.
fn ids_and_names(at: &JsonAt<'_>) -> Result<String> {
    let mut found = Vec::new();
    for item in at.items()? {
        let bare = item.json().and_then(Json::as_text);
        let id = match bare {
            Some(id) => id,
            None => item.get("id").text()?,
        };
        let mut out = ObjectWriter::object();
        out.text("id", id);
        out.text("name", item.get("name").json().and_then(Json::as_text).unwrap_or(id));
        found.push(out.close());
    }
    Ok(array(&found))
}

/// The chain ids in an answer, each once.
fn chain_ids(root: &JsonAt<'_>) -> Result<String> {
    let mut place = *root;
    for frame in &["chains", "networks", "data"] {
        place = framed(&place, frame);
    }
    let named = |item: &JsonAt<'_>| {
        let mut place = *item;
        for name in &["id", "network", "chainId"] {
            place = item.get(name).some().unwrap_or(place);
        }
        place.integer(MAX_EXACT)
    };
    if place.items().is_ok_and(|items| items.len() > MAX_CHAINS) {
        return Err(place.fault("at most 1024 chains"));
    }
    let mut ids: Vec<String> = Vec::new();
    let mut add = |id: u64| {
        let id = id.text();
        if !ids.contains(&id) {
            ids.push(id);
        }
    };
    if let Ok(items) = place.items() {
        for item in items {
            add(named(&item)?);
        }
    } else {
        for name in place.names() {
            match name.parse() {
                Ok(id) => add(id),
                Err(_) => add(named(&place.get(name))?),
            }
        }
    }
    if ids.is_empty() { Err(root.fault("chain ids")) } else { Ok(array(&ids)) }
}

/// Calls `take` with each token and its value.
///
/// # Errors
/// A key is not an address, or is the same token as another key in another casing; or the error of `take`.
fn by_token(at: &JsonAt<'_>, take: &mut dyn FnMut(Address, &JsonAt<'_>) -> Result<()>) -> Result<()> {
    if !matches!(at.json(), Some(Json::Object(_))) {
        return Err(at.fault("an object keyed by token"));
    }
    let mut seen = Vec::new();
    for name in at.names() {
        let value = at.get(name);
        let token = any_case(name).filter(|token| !seen.contains(token));
        let token = token.ok_or_else(|| value.fault("a token's address as the key, each once"))?;
        seen.push(token);
        take(token, &value)?;
    }
    Ok(())
}
