//! Accepts connections and routes requests.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::front::{self, Received};
use super::{cors, json_response, pages};
use crate::app::App;
use crate::control;
use crate::service::{Endpoint, Refusal};

/// Larger requests are refused.
const MOST_BODY_BYTES: usize = 2_000_000;

/// Marks an answer that is replaced by ending the connection.
#[derive(Clone, Copy)]
pub struct DropConnection {
    /// Whether the connection is reset (RST), not closed (FIN).
    pub is_reset: bool,
}

impl DropConnection {
    pub fn response(self) -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(self);
        response
    }
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, app: Arc<App>) {
    let router = Router::new()
        .merge(control::router())
        .fallback(unknown)
        .method_not_allowed_fallback(unknown)
        .with_state(Arc::clone(&app));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, most likely: others have to close theirs first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (app, router) = (Arc::clone(&app), router.clone());
        tokio::spawn(async move {
            let service = service_fn(move |request| handle(Arc::clone(&app), router.clone(), request));
            // No connection is used twice: on one that was, browsers repeat a request by themselves when it is
            // dropped, and a test of a dropped answer would see the second.
            let mut connection =
                http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
            let Err(error) = (&mut connection).await else { return };
            // Otherwise dropped on purpose, or by the client.
            let cause = error.source().and_then(<dyn Error>::downcast_ref::<io::Error>);
            if cause.is_some_and(|cause| cause.kind() == io::ErrorKind::ConnectionReset) {
                let stream = connection.into_parts().io.into_inner();
                stream.set_zero_linger().ok();
            }
        });
    }
}

async fn handle(app: Arc<App>, router: Router, request: hyper::Request<Incoming>) -> io::Result<Response> {
    let method = request.method().to_string();
    let (tenant, path) = tenant_of(request.uri().path());
    let is_control = path.starts_with("/sandbox/");
    let is_node = path.starts_with("/rpc/");
    let response = if Endpoint::owns(&path) || (is_node && ["POST", "OPTIONS"].contains(&method.as_str())) {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let header = |name: &str| {
            request.headers().get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let (api_key, wanted_method) = (header("x-api-key"), header("access-control-request-method"));
        match read(request.into_body()).await {
            Some(body) => {
                let received = Received { method, path, query, api_key, wanted_method, tenant, body };
                // On its own, because a request goes on when its sender has left.
                let answered = tokio::spawn(async move {
                    match received.method.as_str() {
                        "OPTIONS" => front::answer_preflight(&app, received).await,
                        _ if is_node => front::answer_for_node(&app, received).await,
                        _ => front::answer(&app, received).await,
                    }
                });
                cors::allow(answered.await.map_err(io::Error::other)?)
            }
            None => cors::allow(json_response(
                413,
                Refusal::new(413, "InvalidInput", "the body is too large").json().to_string(),
            )),
        }
    } else if is_control && method == "OPTIONS" {
        cors::preflight(None)
    } else if is_control || is_node {
        let answered: Result<Response, Infallible> = router.oneshot(request).await;
        let Ok(response) = answered;
        cors::allow(response)
    } else {
        let encodings =
            request.headers().get("accept-encoding").and_then(|value| value.to_str().ok()).unwrap_or_default();
        let takes_brotli = encodings.split(',').any(|encoding| encoding.trim() == "br");
        pages::serve(app.pages.as_deref(), &method, &path, takes_brotli).await
    };
    match response.extensions().get() {
        None => Ok(response),
        Some(DropConnection { is_reset: true }) => Err(io::ErrorKind::ConnectionReset.into()),
        Some(DropConnection { is_reset: false }) => Err(io::Error::other("dropped on purpose")),
    }
}

/// A request's sender, and its path behind `/as/{tenant}`.
fn tenant_of(path: &str) -> (Option<String>, String) {
    match path.strip_prefix("/as/").and_then(|rest| rest.split_once('/')) {
        Some((tenant, rest)) => (Some(tenant.to_owned()), format!("/{rest}")),
        None => (None, path.to_owned()),
    }
}

/// For paths of nodes and the control surface; the service has its own.
async fn unknown() -> Response {
    json_response(404, Refusal::not_found("Endpoint").json().to_string())
}

async fn read(body: Incoming) -> Option<String> {
    let limited = http_body_util::Limited::new(body, MOST_BODY_BYTES);
    let bytes = limited.collect().await.ok()?.to_bytes();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
