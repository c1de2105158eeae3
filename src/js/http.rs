//! One HTTP request and its answer, by the page's `fetch`.

use super::decode::encode;
use super::ending::Ending;
use super::promise::catch;
use crate::host::{HttpAnswer, HttpFailure, HttpRequest, MAX_ANSWER};
use crate::json::ObjectWriter;
use gloo_net::http::Response;
use js_sys::{Promise, Uint8Array};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestInit};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn fetch(url: &str, init: &RequestInit) -> Result<JsValue, JsValue>;
}

/// Sends a request and reads the answer; an abort of `controller` ends both. No credentials, no cache, no redirect. Whatever
/// a page has in place of `fetch` and its answers, this ends.
///
/// # Errors
/// `Network` with what was thrown; `TooLarge`. Time and the caller's signal are for the caller to watch.
pub async fn exchange(request: HttpRequest, controller: &AbortController) -> Result<HttpAnswer, HttpFailure> {
    let answer = catch(Box::pin(send(request, controller.clone()))).await;
    answer.unwrap_or_else(|cause| Err(HttpFailure::Network(Some(Rc::new(cause)))))
}

async fn send(request: HttpRequest, controller: AbortController) -> Result<HttpAnswer, HttpFailure> {
    let failed = |cause: JsValue| HttpFailure::Network(Some(Rc::new(cause)));
    let mut init = ObjectWriter::object();
    init.text("credentials", "omit");
    init.text("cache", "no-store");
    init.text("redirect", "error");
    let mut headers = ObjectWriter::object();
    if request.body.is_some() {
        init.text("method", "POST");
        headers.text("content-type", "application/json");
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
    // Sent here rather than by gloo-net, which keeps only the text of a network error, not the error.
    let sent = fetch(&request.url, &init).map_err(failed)?;
    let response = JsFuture::from(Promise::resolve(&sent)).await.map_err(failed)?;
    let response = Response::from(response.unchecked_into::<web_sys::Response>());
    let status = response.status();
    let retry_after_secs = response.headers().get("retry-after").and_then(|text| text.parse().ok());
    let body = read_body(&response).await?;
    Ok(HttpAnswer { status, body, retry_after_secs })
}

/// The body as text, at most [`MAX_ANSWER`] bytes: read piece by piece, so that no server can fill the memory.
async fn read_body(response: &Response) -> Result<String, HttpFailure> {
    let failed = |cause: JsValue| HttpFailure::Network(Some(Rc::new(cause)));
    let Some(stream) = response.body() else { return Ok(String::new()) };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::new();
    loop {
        let piece: Ending = JsFuture::from(reader.read()).await.map_err(failed)?.unchecked_into();
        if piece.done() {
            break;
        }
        let piece: Uint8Array = piece.value().unchecked_into();
        let length = usize::try_from(piece.length()).unwrap_or(MAX_ANSWER);
        let so_far = bytes.len();
        if so_far.saturating_add(length) > MAX_ANSWER {
            let _ = JsFuture::from(reader.cancel()).await;
            return Err(HttpFailure::TooLarge);
        }
        bytes.resize(so_far.saturating_add(length), 0);
        piece.copy_to(bytes.get_mut(so_far..).unwrap_or_default());
    }
    // Text that is not UTF-8 cannot go back as it came.
    String::from_utf8(bytes).map_err(|_| failed(js_sys::Error::new("the answer is not UTF-8").into()))
}
