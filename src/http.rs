//! One HTTP request and its answer, through the page's `fetch`: to the service, and to the nodes in `rpc`.

use crate::decode::{encode, millis};
use crate::ending::Ending;
use crate::promise::catch;
use gloo_net::http::Response;
use js_sys::{Date, Promise, Reflect, Uint8Array};
use std::rc::Rc;
use trade::host::{HttpAnswer, HttpFailure, HttpRequest, MAX_ANSWER};
use verify::internal::json::ObjectWriter;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStream, ReadableStreamDefaultReader, RequestInit};

#[wasm_bindgen]
extern "C" {
    /// The page's own `fetch`, which may be a replacement that throws.
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<JsValue, JsValue>;
}

/// Sends a request and reads the answer; aborting `controller` ends both. No credentials, no cache, no redirects. A
/// replaced `fetch` whose answers throw is an error like any other. If `answer` is given, the request was already sent.
/// `takes_cache`: whether this runtime's `fetch` supports the option `cache`.
///
/// # Errors
/// `Network` with the value that was thrown, also for a redirect; or `TooLarge`. The caller handles timeout and signal.
pub async fn exchange(
    request: HttpRequest,
    controller: &AbortController,
    answer: Option<Promise>,
    takes_cache: bool,
) -> Result<HttpAnswer, HttpFailure> {
    let answer = catch(Box::pin(send(request, controller.clone(), answer, takes_cache))).await;
    answer.unwrap_or_else(|cause| Err(HttpFailure::Network(Some(Rc::new(cause)))))
}

/// Same as [`exchange`], but does not catch what JavaScript throws.
async fn send(
    request: HttpRequest,
    controller: AbortController,
    answer: Option<Promise>,
    takes_cache: bool,
) -> Result<HttpAnswer, HttpFailure> {
    let failed = |cause: JsValue| HttpFailure::Network(Some(Rc::new(cause)));
    let mut init = ObjectWriter::object();
    init.text("credentials", "omit");
    // Not `error`, which Cloudflare's workerd does not support.
    init.text("redirect", "manual");
    let mut headers = ObjectWriter::object();
    if request.body.is_some() {
        init.text("method", "POST");
        headers.text("content-type", "application/json");
    } else if takes_cache {
        // Only for GET: no browser caches the answer to a POST, and with this mode it sends a preflight before each
        // POST.
        init.text("cache", "no-store");
    }
    if let Some(key) = &request.api_key {
        headers.text("x-api-key", key);
    }
    init.raw("headers", &headers.close());
    let init: RequestInit = encode(&init.close()).unchecked_into();
    if let Some(body) = &request.body {
        init.set_body(&body.into());
    }
    init.set_signal(Some(&controller.signal()));
    // Not with gloo-net, which keeps only the text of a network error: the application gets the whole error as `cause`.
    let answer = match answer {
        Some(answer) => answer,
        None => Promise::resolve(&fetch(&request.url, &init).map_err(failed)?),
    };
    let response = JsFuture::from(answer).await.map_err(failed)?;
    let response = Response::from(response.unchecked_into::<web_sys::Response>());
    let status = response.status();
    // A browser hides a redirect behind the status 0.
    if status == 0 || (300..400).contains(&status) {
        controller.abort();
        return Err(failed(js_sys::Error::new("the answer is a redirect, which is not followed").into()));
    }
    let header = |name| response.headers().get(name);
    let retry_after_secs = header("retry-after").and_then(|text| retry_after(&text, header("date")));
    let body = read_body(&response.into()).await?;
    Ok(HttpAnswer { status, body, retry_after_secs })
}

/// The seconds of a `Retry-After`, which is a number or a date. A date is compared with the answer's own `Date`, or
/// with this machine's clock if the page may not read that header; the rate limit bounds the result.
fn retry_after(text: &str, date: Option<String>) -> Option<u64> {
    let time = |text: &str| Some(Date::parse(text)).filter(|ms| !ms.is_nan());
    let now = date.and_then(|date| time(&date)).unwrap_or_else(Date::now);
    let until = || millis(time(text)?).checked_sub(millis(now)).map(|ms| ms.div_ceil(1_000));
    text.parse().ok().or_else(until)
}

/// The body as text. It is read piece by piece, up to [`MAX_ANSWER`] bytes, so that no server can exhaust the memory. Where
/// there is no stream of the web's kind, as of a replaced `fetch` (whatwg-fetch, node-fetch), it comes in one piece: no more
/// gets into the module, but how much comes so far is up to the replacement.
async fn read_body(response: &web_sys::Response) -> Result<String, HttpFailure> {
    let failed = |cause: JsValue| HttpFailure::Network(Some(Rc::new(cause)));
    let is_web = |body: &ReadableStream| Reflect::has(body, &"getReader".into()).unwrap_or_default();
    let stream = response.body().filter(is_web);
    let reader = stream.map(|stream| stream.get_reader().unchecked_into::<ReadableStreamDefaultReader>());
    let mut bytes = Vec::new();
    loop {
        let next = match &reader {
            Some(reader) => reader.read(),
            None => response.array_buffer().map_err(failed)?,
        };
        let next = JsFuture::from(next).await.map_err(failed)?;
        let (piece, is_last) = match &reader {
            Some(_) => {
                let next: Ending = next.unchecked_into();
                if !next.done() && !next.value().is_object() {
                    // Without bytes it would go on for ever.
                    return Err(failed(js_sys::TypeError::new("a piece of the answer has no bytes").into()));
                }
                (next.value(), next.done())
            }
            None => (next, true),
        };
        // `undefined` ends the stream: an empty piece.
        let piece = Uint8Array::new(&piece);
        let length = usize::try_from(piece.length()).unwrap_or(MAX_ANSWER);
        let so_far = bytes.len();
        if so_far.saturating_add(length) > MAX_ANSWER {
            if let Some(reader) = reader {
                let _ = JsFuture::from(reader.cancel()).await;
            }
            return Err(HttpFailure::TooLarge);
        }
        bytes.resize(so_far.saturating_add(length), 0);
        piece.copy_to(bytes.get_mut(so_far..).unwrap_or_default());
        if is_last {
            break;
        }
    }
    // No lossy decoding: the text would differ from the bytes.
    String::from_utf8(bytes).map_err(|_| failed(js_sys::Error::new("the answer is not UTF-8").into()))
}
