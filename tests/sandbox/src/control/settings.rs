//! What stays set until it is changed.

use serde::{Deserialize, Serialize};

use crate::order::OrderKind;

/// How the answer to an OTC post carries the order.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PostReply {
    /// `{"order": {...}}`.
    Wrapped,
    Bare,
}

/// What an OTC fillable balance is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum FillableReading {
    /// What live orders claim.
    Reserved,
    /// What is there for another order.
    Available,
}

/// What becomes of what goes over a bridge.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Bridging {
    /// It arrives.
    Fill,
    /// It stays on its way.
    Hold,
    /// It goes back.
    Fail,
}

/// What is needed of an order that sells the native coin.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NativeReading {
    /// A signature, as of any other order.
    Sign,
    /// A deposit on chain.
    Deposit,
}

/// What an order that sells the native coin names as its source token.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NativeToken {
    Placeholder,
    Wrapped,
}

/// How the native coin's placeholder may be written in a request.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Placeholder {
    /// In its own casing.
    Exact,
    /// In any.
    Any,
}

/// Which signatures of owners without code a post takes.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SignatureForm {
    /// Of 64 bytes.
    Compact,
    /// Those of 65 too: made compact for the contract.
    Any,
}

/// What the answer to a cancellation is.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum CancelReply {
    /// `{"cancelled": [ids]}`.
    Cancelled,
    /// `{"success": true}`.
    Success,
}

/// How addresses are written where they are keys.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum KeyCasing {
    Checksummed,
    Lowercase,
}

/// Under which name an order that may be filled in parts is signed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
pub enum FillableName {
    FillableOrder,
    Order,
}

/// When a route is one that was handed out.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum RouteReading {
    /// Byte for byte.
    Verbatim,
    /// As JSON: parsed and written again, it is the same.
    Json,
}

/// `docs/sandbox.md` says what each does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
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
        }
    }
}

/// Some of the settings.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    duplicate_status: Option<u16>,
    rate_limit: Option<bool>,
    rate_limit_cors: Option<bool>,
    solving: Option<bool>,
    fee_bps: Option<u64>,
    settle_delay_ms: Option<u64>,
    contracts_resource: Option<bool>,
    fill_percent: Option<u64>,
    flight_ms: Option<u64>,
    bounds: Option<bool>,
    fillable_name: Option<FillableName>,
    fillable_keys: Option<KeyCasing>,
    cancel_reply: Option<CancelReply>,
    otc_post_reply: Option<PostReply>,
    otc_fillable: Option<FillableReading>,
    indexing: Option<bool>,
    bridge: Option<Bridging>,
    bridge_delay_ms: Option<u64>,
    native_reading: Option<NativeReading>,
    native_token: Option<NativeToken>,
    contract_method: Option<String>,
    delta_refuses: Option<String>,
    routes: Option<RouteReading>,
    fiat_tokens: Option<bool>,
    placeholder: Option<Placeholder>,
    signature_form: Option<SignatureForm>,
}

impl Settings {
    /// The name under which an order of that kind is signed.
    pub fn named(&self, kind: OrderKind) -> OrderKind {
        match (kind, self.fillable_name) {
            (OrderKind::Fillable, FillableName::Order) => OrderKind::Order,
            _ => kind,
        }
    }

    /// # Errors
    /// A sentence that names the setting which cannot have that value.
    pub fn change(&mut self, change: &Change) -> Result<(), String> {
        if change.duplicate_status.is_some_and(|status| ![200, 400, 409].contains(&status)) {
            return Err("duplicateStatus must be 200, 400 or 409".into());
        }
        if change.fee_bps.is_some_and(|bps| bps > crate::order::MAX_FEE_BPS) {
            return Err(format!("feeBps must be at most {}", crate::order::MAX_FEE_BPS));
        }
        if change.fill_percent.is_some_and(|percent| !(1..=100).contains(&percent)) {
            return Err("fillPercent must be from 1 to 100".into());
        }
        let method = change.contract_method.as_deref().filter(|method| !method.is_empty());
        if method.is_some_and(|method| crate::service::Method::named(method).is_none()) {
            return Err("contractMethod must be a method of the router, or empty".into());
        }
        let keep = self.clone();
        *self = Self {
            duplicate_status: change.duplicate_status.unwrap_or(keep.duplicate_status),
            rate_limit: change.rate_limit.unwrap_or(keep.rate_limit),
            rate_limit_cors: change.rate_limit_cors.unwrap_or(keep.rate_limit_cors),
            solving: change.solving.unwrap_or(keep.solving),
            fee_bps: change.fee_bps.unwrap_or(keep.fee_bps),
            settle_delay_ms: change.settle_delay_ms.unwrap_or(keep.settle_delay_ms),
            contracts_resource: change.contracts_resource.unwrap_or(keep.contracts_resource),
            fill_percent: change.fill_percent.unwrap_or(keep.fill_percent),
            flight_ms: change.flight_ms.unwrap_or(keep.flight_ms),
            bounds: change.bounds.unwrap_or(keep.bounds),
            fillable_name: change.fillable_name.unwrap_or(keep.fillable_name),
            fillable_keys: change.fillable_keys.unwrap_or(keep.fillable_keys),
            cancel_reply: change.cancel_reply.unwrap_or(keep.cancel_reply),
            otc_post_reply: change.otc_post_reply.unwrap_or(keep.otc_post_reply),
            otc_fillable: change.otc_fillable.unwrap_or(keep.otc_fillable),
            indexing: change.indexing.unwrap_or(keep.indexing),
            bridge: change.bridge.unwrap_or(keep.bridge),
            bridge_delay_ms: change.bridge_delay_ms.unwrap_or(keep.bridge_delay_ms),
            native_reading: change.native_reading.unwrap_or(keep.native_reading),
            native_token: change.native_token.unwrap_or(keep.native_token),
            contract_method: change.contract_method.clone().unwrap_or(keep.contract_method),
            delta_refuses: change.delta_refuses.clone().unwrap_or(keep.delta_refuses),
            routes: change.routes.unwrap_or(keep.routes),
            fiat_tokens: change.fiat_tokens.unwrap_or(keep.fiat_tokens),
            placeholder: change.placeholder.unwrap_or(keep.placeholder),
            signature_form: change.signature_form.unwrap_or(keep.signature_form),
        };
        Ok(())
    }
}
