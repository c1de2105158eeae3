//! URLs of servers that an application passes in: `https`, except on the same machine. Plain HTTP can be changed by
//! anybody on the way, and would fail every check at best.

use verify::internal::value::text::split_once;

/// The base of a server's URLs, to which this package appends paths, without a slash at the end. `None` unless it is
/// `https://host...`, or `http://` on loopback. User info, a query or a fragment are refused: they would change what
/// the appended path means.
///
/// ```
/// use verified_swap_trade::client::endpoint::base_url;
/// assert_eq!(base_url("https://example.org/api/").as_deref(), Some("https://example.org/api"));
/// assert_eq!(base_url("http://127.0.0.1:8080").as_deref(), Some("http://127.0.0.1:8080"));
/// assert_eq!(base_url("http://example.org"), None);
/// ```
pub fn base_url(text: &str) -> Option<String> {
    let (authority_and_path, secure) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, true),
        (_, Some(rest)) => (rest, false),
        _ => return None,
    };
    let authority = authority_and_path.split('/').next().unwrap_or_default();
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]_".contains(&b);
    let fits = !authority.is_empty()
        && authority.bytes().all(plain)
        && authority_and_path.bytes().all(|b| b.is_ascii_graphic() && !b"?#\\@".contains(&b));
    (fits && (secure || is_loopback(authority))).then(|| text.trim_end_matches('/').into())
}

/// The URL of a JSON-RPC endpoint, unchanged: as [`base_url`], but it may have a query, because providers take keys
/// there.
pub fn rpc_url(text: &str) -> Option<String> {
    let (base, _) = text.split_once('?').unwrap_or((text, ""));
    base_url(base)?;
    text.bytes().all(|b| b.is_ascii_graphic()).then(|| text.into())
}

/// Scheme, host and port of a URL: the part of a node's that may be shown, because path, query and user may hold a key.
///
/// ```
/// use verified_swap_trade::client::endpoint::origin;
/// assert_eq!(origin("https://node.example:8545/v2/SECRET?key=SECRET"), "https://node.example:8545");
/// assert_eq!(origin("https://node.example?key=SECRET"), "https://node.example");
/// assert_eq!(origin("https://me:SECRET@node.example/"), "https://node.example");
/// ```
pub fn origin(url: &str) -> String {
    let (scheme, rest) = split_once(url, "://").unwrap_or(("", url));
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    [scheme, if scheme.is_empty() { "" } else { "://" }, host].concat()
}

/// Whether the host is this machine: plain HTTP to it does not leave the machine.
fn is_loopback(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    ["localhost", "127.0.0.1", "::1"].contains(&host)
}
