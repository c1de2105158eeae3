//! The paths under /sandbox/.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::http::header::HOST;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fault::{Fault, Release, kinds};
use super::lie::Lie;
use super::tamper::Tamper;
use super::{accounts, actions, orders, owner, reference};
use crate::app::{App, held};
use crate::http::json_response;
use crate::service::{Endpoint, Query, Refusal};

type Shared = State<Arc<App>>;

/// A control call's answer.
struct Outcome(Result<Value, Refusal>);

impl IntoResponse for Outcome {
    fn into_response(self) -> Response {
        match self.0 {
            Ok(value) => json_response(200, value.to_string()),
            Err(refusal) => json_response(refusal.status, refusal.json().to_string()),
        }
    }
}

/// Does what the body asks for.
macro_rules! did {
    ($action:path, $app:expr, $body:expr) => {
        match read($body) {
            Ok(request) => Outcome($action($app, request).await),
            Err(refusal) => Outcome(Err(refusal)),
        }
    };
}

pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/sandbox/config", get(show_config))
        .route("/sandbox/owner/{account}", get(show_owner))
        .route("/sandbox/faucet", post(async |State(app): Shared, body: String| did!(actions::faucet, &app, &body)))
        .route("/sandbox/approve", post(async |State(app): Shared, body: String| did!(actions::approve, &app, &body)))
        .route("/sandbox/time", post(async |State(app): Shared, body: String| did!(actions::time, &app, &body)))
        .route("/sandbox/wallet", post(async |State(app): Shared, body: String| did!(accounts::wallet, &app, &body)))
        .route("/sandbox/fill", post(async |State(app): Shared, body: String| did!(orders::fill, &app, &body)))
        .route("/sandbox/trade", post(async |State(app): Shared, body: String| did!(orders::trade, &app, &body)))
        .route("/sandbox/reference", post(async |State(app): Shared, body: String| did!(reference::tell, &app, &body)))
        .route("/sandbox/fault", get(async || Outcome(Ok(kinds()))).post(add_fault))
        .route("/sandbox/held", get(show_held))
        .route("/sandbox/release", post(async |State(app): Shared, body: String| Outcome(release(&app, &body))))
        .route("/sandbox/tamper", post(async |State(app): Shared, body: String| Outcome(tamper(&app, &body))))
        .route("/sandbox/lie", post(async |State(app): Shared, body: String| Outcome(lie(&app, &body))))
        .route("/sandbox/settings", post(async |State(app): Shared, body: String| Outcome(change(&app, &body))))
        .route("/sandbox/record", get(show_record).delete(empty_record))
        .route("/sandbox/reset", post(reset))
}

async fn show_config(State(app): Shared, headers: HeaderMap) -> Outcome {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    Outcome(Ok(actions::config(&app, &format!("http://{host}"))))
}

async fn add_fault(State(app): Shared, body: String) -> Outcome {
    let fault = read(&body).and_then(|members| Fault::read(members).map_err(Refusal::invalid));
    Outcome(fault.map(|fault| {
        held(&app.control.faults).add(fault);
        json!({})
    }))
}

fn release(app: &App, body: &str) -> Result<Value, Refusal> {
    let release: Release = read(body)?;
    Ok(json!({"released": held(&app.control.held).release(&release)}))
}

fn tamper(app: &App, body: &str) -> Result<Value, Refusal> {
    let tamper: Tamper = read(body)?;
    let target = Endpoint::named(&tamper.target);
    let target = target.ok_or_else(|| Refusal::invalid(format!("target {} is not an endpoint", tamper.target)))?;
    held(&app.control.tampers).add(target, tamper);
    Ok(json!({}))
}

fn lie(app: &App, body: &str) -> Result<Value, Refusal> {
    let lie: Lie = read(body)?;
    held(&app.control.lie).tell(lie.checked().map_err(Refusal::invalid)?);
    Ok(json!({}))
}

fn change(app: &App, body: &str) -> Result<Value, Refusal> {
    let changed = app.control.settings().changed(read(body)?).map_err(Refusal::invalid)?;
    *held(&app.control.settings) = changed;
    Ok(json!(app.control.settings()))
}

async fn show_held(State(app): Shared) -> Outcome {
    Outcome(Ok(held(&app.control.held).list()))
}

async fn show_owner(State(app): Shared, Path(account): Path<String>) -> Outcome {
    Outcome(owner::owner(&app, &account).await)
}

async fn show_record(State(app): Shared, RawQuery(query): RawQuery) -> Outcome {
    let record = held(&app.control.record);
    let query = Query::parse(&query.unwrap_or_default());
    Outcome(Ok(query.get("tenant").map_or_else(|| json!(*record), |tenant| record.of_tenant(tenant))))
}

async fn empty_record(State(app): Shared) -> Outcome {
    held(&app.control.record).empty();
    Outcome(Ok(json!({})))
}

async fn reset(State(app): Shared) -> Outcome {
    app.control.reset();
    for chain in &app.chains {
        if let Err(error) = chain.reset_oracles().await {
            return Outcome(Err(error.into()));
        }
    }
    Outcome(Ok(json!({})))
}

fn read<T: DeserializeOwned>(body: &str) -> Result<T, Refusal> {
    serde_json::from_str(body).map_err(|error| Refusal::invalid(error.to_string()))
}
