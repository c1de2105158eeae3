//! The files of the page.

use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::response::Response;
use hyper::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};

use super::response;

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'; \
                      img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Where the bundler puts files that are named after what is in them.
const NAMED_BY_CONTENT: &str = "/assets/";

/// A file of the folder; `/` is its index.html. If the browser takes brotli, and there is a file of that name with `.br`
/// behind it, it is sent in its place.
pub async fn serve(folder: Option<&Path>, method: &str, path: &str, takes_brotli: bool) -> Response {
    if !["GET", "HEAD"].contains(&method) {
        return with_policy(response(405, "text/plain; charset=utf-8", Body::from("method not allowed\n")));
    }
    let file = folder.and_then(|folder| locate(folder, path));
    let Some(file) = file else { return missing() };
    let packed = if takes_brotli { tokio::fs::read(file.with_added_extension("br")).await.ok() } else { None };
    let is_packed = packed.is_some();
    let content = match packed {
        None => tokio::fs::read(&file).await.ok(),
        packed => packed,
    };
    let Some(content) = content else { return missing() };
    let mut found = with_policy(response(200, content_type(&file), Body::from(content)));
    let headers = found.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    if path.starts_with(NAMED_BY_CONTENT) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    }
    found
}

fn missing() -> Response {
    with_policy(response(404, "text/plain; charset=utf-8", Body::from("not found\n")))
}

/// The file of a path, if it is inside the folder.
fn locate(folder: &Path, path: &str) -> Option<PathBuf> {
    let decoded = percent_decoded(path)?;
    let relative = Path::new(decoded.strip_prefix('/')?);
    let relative = if relative.as_os_str().is_empty() { Path::new("index.html") } else { relative };
    if !relative.components().all(|part| matches!(part, Component::Normal(_))) || decoded.contains(['\\', '\0']) {
        return None;
    }
    // Links that lead out of the folder count as outside.
    let (folder, file) = (folder.canonicalize().ok()?, folder.join(relative).canonicalize().ok()?);
    Some(file).filter(|file| file.starts_with(folder) && file.is_file())
}

fn percent_decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn with_policy(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
