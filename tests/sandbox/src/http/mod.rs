//! One origin for everything: the service, the nodes, the control surface and the page.

mod cors;
mod front;
mod pages;
mod server;

use axum::body::Body;
use axum::response::Response;

pub use server::serve;

/// An answer in JSON.
pub fn json_response(status: u16, text: String) -> Response {
    response(status, "application/json; charset=utf-8", Body::from(text))
}

fn response(status: u16, content_type: &str, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = hyper::StatusCode::from_u16(status).unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(content_type) = hyper::header::HeaderValue::from_str(content_type) {
        response.headers_mut().insert(hyper::header::CONTENT_TYPE, content_type);
    }
    response
}
