//! JSON-RPC to a node, typed and verbatim.

use std::fmt;
use std::sync::Arc;

use alloy_primitives::B256;
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;

/// A node's JSON-RPC endpoint on loopback.
#[derive(Clone)]
pub struct Rpc {
    url: String,
    client: Client<HttpConnector, Full<Bytes>>,
    /// Held while a transaction is sent: two at the same time would get the same nonce from the node.
    sending: Arc<Mutex<()>>,
}

/// A failed call: the node refused it, or could not be reached.
#[derive(Clone, Debug)]
pub struct RpcError {
    pub method: String,
    pub message: String,
    /// The node answered, and its answer was an error (a revert, for example).
    pub refused: bool,
}

impl Rpc {
    pub fn new(port: u16) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { url: format!("http://127.0.0.1:{port}/"), client, sending: Arc::default() }
    }

    /// Has the node send a transaction of an unlocked account; its hash.
    ///
    /// # Errors
    /// As [`Rpc::call`].
    pub(super) async fn send(&self, transaction: Value) -> Result<B256, RpcError> {
        let _turn = self.sending.lock().await;
        self.call("eth_sendTransaction", json!([transaction])).await
    }

    /// Calls a method.
    ///
    /// # Errors
    /// When the node refuses, cannot be reached or answers with another type.
    pub async fn call<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, RpcError> {
        #[derive(Deserialize)]
        struct Failure {
            message: String,
            data: Option<Value>,
        }
        #[derive(Deserialize)]
        struct Reply {
            #[serde(default)]
            result: Value,
            error: Option<Failure>,
        }
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let unreachable = |message: String| RpcError { method: method.into(), message, refused: false };
        let text = self.forward(request.to_string().into()).await.map_err(unreachable)?;
        let reply: Reply = serde_json::from_slice(&text).map_err(|error| unreachable(error.to_string()))?;
        if let Some(failure) = reply.error {
            let data = failure.data.map(|data| format!(" ({data})")).unwrap_or_default();
            return Err(RpcError { method: method.into(), message: failure.message + &data, refused: true });
        }
        serde_json::from_value(reply.result.clone()).map_err(|_| RpcError::malformed(method, &reply.result))
    }

    /// Passes a request body on and returns the answer's body, both as they are.
    ///
    /// # Errors
    /// Why the node could not be asked.
    pub async fn forward(&self, body: Bytes) -> Result<Bytes, String> {
        let request = hyper::Request::post(&self.url)
            .header("content-type", "application/json")
            .body(Full::new(body))
            .map_err(|error| error.to_string())?;
        let answer = self.client.request(request).await.map_err(|error| error.to_string())?;
        let body = answer.into_body().collect().await.map_err(|error| error.to_string())?;
        Ok(body.to_bytes())
    }
}

impl RpcError {
    pub(super) fn malformed(method: &str, answer: &Value) -> Self {
        Self { method: method.into(), message: format!("unexpected answer {answer}"), refused: false }
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.method, self.message)
    }
}

impl std::error::Error for RpcError {}
