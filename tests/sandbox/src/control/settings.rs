//! What stays set until it is changed.

use serde::{Deserialize, Serialize};

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
    pub otc_post_reply: PostReply,
    pub otc_fillable: FillableReading,
    pub indexing: bool,
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
            otc_post_reply: PostReply::Wrapped,
            otc_fillable: FillableReading::Reserved,
            indexing: true,
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
    otc_post_reply: Option<PostReply>,
    otc_fillable: Option<FillableReading>,
    indexing: Option<bool>,
}

impl Settings {
    /// # Errors
    /// A sentence that names the setting which cannot have that value.
    pub fn change(&mut self, change: &Change) -> Result<(), String> {
        if change.duplicate_status.is_some_and(|status| ![200, 400, 409].contains(&status)) {
            return Err("duplicateStatus must be 200, 400 or 409".into());
        }
        if change.fee_bps.is_some_and(|bps| bps > crate::order::MAX_FEE_BPS) {
            return Err(format!("feeBps must be at most {}", crate::order::MAX_FEE_BPS));
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
            otc_post_reply: change.otc_post_reply.unwrap_or(keep.otc_post_reply),
            otc_fillable: change.otc_fillable.unwrap_or(keep.otc_fillable),
            indexing: change.indexing.unwrap_or(keep.indexing),
        };
        Ok(())
    }
}
