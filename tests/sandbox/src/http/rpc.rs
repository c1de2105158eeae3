//! /rpc/{chainId}: JSON-RPC, passed on as it is.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::Response;

use super::{json_response, response};
use crate::app::App;
use crate::service::Refusal;

pub async fn forward(State(app): State<Arc<App>>, Path(id): Path<String>, body: Bytes) -> Response {
    let Some(chain) = id.parse().ok().and_then(|id| app.chain(id)) else {
        let refusal = Refusal::unsupported_chain(id);
        return json_response(404, refusal.json().to_string());
    };
    match chain.rpc.forward(body).await {
        Ok(answer) => response(200, "application/json", Body::from(answer)),
        Err(error) => json_response(502, Refusal::new(502, "NodeUnreachable", error).json().to_string()),
    }
}
