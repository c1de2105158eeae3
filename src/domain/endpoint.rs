//! Addresses of servers: https, except on this very machine.

/// The base of a server's URLs without a slash at the end; `None` unless it is `https://host...`, or `http://` on
/// loopback. No user info, query or fragment: nothing in front of or behind the paths this package appends.
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

/// The URL of a JSON-RPC endpoint: as [`base_url`], but a query is part of it (keys are passed there).
pub fn rpc_url(text: &str) -> Option<String> {
    let (base, _) = text.split_once('?').unwrap_or((text, ""));
    base_url(base)?;
    text.bytes().all(|b| b.is_ascii_graphic()).then(|| text.into())
}

fn is_loopback(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    ["localhost", "127.0.0.1", "::1"].contains(&host)
}
