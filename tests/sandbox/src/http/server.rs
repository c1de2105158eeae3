//! Accepts connections and routes requests.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::post;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::front::{self, Received};
use super::{cors, json_response, pages, rpc};
use crate::app::App;
use crate::control;
use crate::service::{Endpoint, Refusal};

/// Larger requests are refused.
const MOST_BODY_BYTES: usize = 2_000_000;

/// Marks an answer that is replaced by closing the connection.
#[derive(Clone, Copy)]
pub struct DropConnection;

impl DropConnection {
    pub fn response() -> Response {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(Self);
        response
    }
}

/// Serves until the program ends.
pub async fn serve(listener: TcpListener, app: Arc<App>) {
    let router = Router::new()
        .route("/rpc/{chain_id}", post(rpc::forward))
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
            let connection = http1::Builder::new().keep_alive(false).serve_connection(TokioIo::new(stream), service);
            let _dropped_on_purpose_or_by_the_client = connection.await;
        });
    }
}

async fn handle(app: Arc<App>, router: Router, request: hyper::Request<Incoming>) -> Result<Response, std::io::Error> {
    let (method, path) = (request.method().to_string(), request.uri().path().to_owned());
    let is_ours = path.starts_with("/sandbox/") || path.starts_with("/rpc/");
    let response = if Endpoint::owns(&path) {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let api_key =
            request.headers().get("x-api-key").map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
        match read(request.into_body()).await {
            Some(body) => cors::allow(front::answer(&app, Received { method, path, query, api_key, body }).await),
            None => cors::allow(json_response(
                413,
                Refusal::new(413, "InvalidInput", "the body is too large").json().to_string(),
            )),
        }
    } else if is_ours && method == "OPTIONS" {
        cors::preflight()
    } else if is_ours {
        let answered: Result<Response, Infallible> = router.oneshot(request).await;
        let Ok(response) = answered;
        cors::allow(response)
    } else {
        pages::serve(app.pages.as_deref(), &method, &path).await
    };
    if response.extensions().get::<DropConnection>().is_some() {
        return Err(std::io::Error::other("dropped on purpose"));
    }
    Ok(response)
}

/// Of the nodes' and the control surface's paths; the service has its own.
async fn unknown() -> Response {
    json_response(404, Refusal::not_found("Endpoint").json().to_string())
}

async fn read(body: Incoming) -> Option<String> {
    let limited = http_body_util::Limited::new(body, MOST_BODY_BYTES);
    let bytes = limited.collect().await.ok()?.to_bytes();
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
