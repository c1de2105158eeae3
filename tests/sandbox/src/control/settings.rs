//! Settings: which reading of the service the sandbox follows, and how it solves.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::order::OrderKind;

/// How the answer to an OTC post carries the order.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PostReply {
    /// `{"order": {...}}`.
    Wrapped,
    Bare,
}

/// Kinds of OTC fillable balance.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FillableReading {
    /// Live orders' claims.
    Reserved,
    /// Balance and allowance left for another order.
    Available,
}

/// How a bridge transfer ends.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Bridging {
    /// It arrives.
    Fill,
    /// It never arrives.
    Hold,
    /// It is refunded on the origin chain.
    Fail,
}

/// Needs of an order that sells the native token.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NativeReading {
    /// A signature, like any other order.
    Sign,
    /// A deposit on chain.
    Deposit,
}

/// The source token of an order that sells the native token.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NativeToken {
    Placeholder,
    Wrapped,
}

/// How the native token's placeholder may be written in a request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Placeholder {
    /// With its checksum's casing.
    Exact,
    /// With any casing.
    Any,
}

/// Which signatures of owners without code a post takes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SignatureForm {
    /// 64 bytes.
    Compact,
    /// 65 bytes too, which are made compact for the contract.
    Any,
}

/// The answer to a cancellation.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum CancelReply {
    /// `{"cancelled": [ids]}`.
    Cancelled,
    /// `{"success": true}`.
    Success,
}

/// The casing of addresses that are keys of a map.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum KeyCasing {
    Checksummed,
    Lowercase,
}

/// The EIP-712 type name of an order that may be filled in parts.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub enum FillableName {
    FillableOrder,
    Order,
}

/// How a route must come back to be accepted.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum RouteReading {
    /// Byte for byte.
    Verbatim,
    /// As the same JSON, parsed and written again.
    Json,
}

/// `docs/sandbox.md` has the meaning of each.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    pub duplicate_status: u16,
    pub rate_limit: bool,
    pub rate_limit_cors: bool,
    pub solving: bool,
    pub fee_bps: u64,
    pub settle_delay_ms: u64,
    pub contracts_resource: bool,
    pub fill_percent: u64,
    pub flight_ms: u64,
    pub bounds: bool,
    pub fillable_name: FillableName,
    pub fillable_keys: KeyCasing,
    pub executing: bool,
    pub cancel_reply: CancelReply,
    pub otc_post_reply: PostReply,
    pub otc_fillable: FillableReading,
    pub indexing: bool,
    pub bridge: Bridging,
    pub bridge_delay_ms: u64,
    pub native_reading: NativeReading,
    pub native_token: NativeToken,
    pub contract_method: String,
    pub delta_refuses: String,
    pub routes: RouteReading,
    pub fiat_tokens: bool,
    pub placeholder: Placeholder,
    pub signature_form: SignatureForm,
    pub service_delay_ms: u64,
    pub node_delay_ms: u64,
    pub cors_max_age: Option<u64>,
    pub gas_price_wei: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            duplicate_status: 200,
            rate_limit: false,
            rate_limit_cors: true,
            solving: true,
            fee_bps: 0,
            settle_delay_ms: 0,
            contracts_resource: true,
            fill_percent: 100,
            flight_ms: 0,
            bounds: true,
            fillable_name: FillableName::FillableOrder,
            fillable_keys: KeyCasing::Checksummed,
            executing: true,
            cancel_reply: CancelReply::Cancelled,
            otc_post_reply: PostReply::Wrapped,
            otc_fillable: FillableReading::Reserved,
            indexing: true,
            bridge: Bridging::Fill,
            bridge_delay_ms: 500,
            native_reading: NativeReading::Deposit,
            native_token: NativeToken::Placeholder,
            contract_method: String::new(),
            delta_refuses: String::new(),
            routes: RouteReading::Verbatim,
            fiat_tokens: true,
            placeholder: Placeholder::Exact,
            signature_form: SignatureForm::Compact,
            service_delay_ms: 0,
            node_delay_ms: 0,
            cors_max_age: None,
            gas_price_wei: 500_000_000,
        }
    }
}

impl Settings {
    /// The kind whose name an order of that kind is signed under.
    pub fn named(&self, kind: OrderKind) -> OrderKind {
        match (kind, self.fillable_name) {
            (OrderKind::Fillable, FillableName::Order) => OrderKind::Order,
            _ => kind,
        }
    }

    /// With some of the settings changed.
    ///
    /// # Errors
    /// A sentence that names the setting which is not known, or cannot have that value.
    pub fn changed(&self, change: Map<String, Value>) -> Result<Self, String> {
        let mut all = serde_json::to_value(self).map_err(|error| error.to_string())?;
        if let Value::Object(all) = &mut all {
            all.extend(change);
        }
        let changed: Self = serde_json::from_value(all).map_err(|error| error.to_string())?;
        let method = &changed.contract_method;
        if ![200, 400, 409].contains(&changed.duplicate_status) {
            return Err("duplicateStatus must be 200, 400 or 409".into());
        }
        if changed.fee_bps > crate::order::MAX_FEE_BPS {
            return Err(format!("feeBps must be at most {}", crate::order::MAX_FEE_BPS));
        }
        if !(1..=100).contains(&changed.fill_percent) {
            return Err("fillPercent must be from 1 to 100".into());
        }
        if !method.is_empty() && crate::service::Method::named(method).is_none() {
            return Err("contractMethod must be a method of the router, or empty".into());
        }
        Ok(changed)
    }
}
