//! Cross-origin rules: any origin may ask, with no header but content-type and x-api-key, and reads no header of the answer.

use axum::body::Body;
use axum::response::Response;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    HeaderValue,
};

/// Marks an answer that is sent without these headers.
#[derive(Clone, Copy)]
pub struct WithoutCors;

pub fn allow(mut response: Response) -> Response {
    if response.extensions().get::<WithoutCors>().is_none() {
        response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    }
    response
}

/// The answer to a preflight, good for so many seconds; `None` leaves that to the browser.
pub fn preflight(max_age_secs: Option<u64>) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = hyper::StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE, OPTIONS"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, x-api-key"));
    if let Some(secs) = max_age_secs {
        headers.insert(ACCESS_CONTROL_MAX_AGE, secs.into());
    }
    allow(response)
}
