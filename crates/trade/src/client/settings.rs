//! The settings that the application chose for a client.

use super::rate_limit::RateLimit;
use crate::host::Host;
use verify::internal::domain::agreement::Agreement;
use verify::internal::domain::bridge_tokens::BridgeTokens;
use verify::internal::domain::chain::Contracts;
use verify::internal::domain::paymaster::Paymaster;
use verify::internal::domain::reference::sources::Sources;

/// The settings of a client: they never change.
pub struct Settings<H: Host> {
    /// The service's URL, without a slash at the end.
    pub base_url: String,
    /// The partner's name, to which the service attributes trades; `None` is `anon`.
    pub partner: Option<String>,
    /// The application's key at the service, sent with each request to it.
    pub api_key: Option<String>,
    /// The agreement of application and service about the partner's share, unless a request states another.
    pub agreement: Agreement,
    /// The nodes for reading chains, by chain id, the first of a chain first; without one the wallet is used.
    pub rpc: Vec<(u64, H::Provider)>,
    /// How many nodes of a chain in `rpc` have to agree before a refusal or a prompt depends on their answer.
    pub rpc_quorum: usize,
    /// Contracts that the application named, by chain id. They have precedence over the pinned ones.
    pub given_contracts: Vec<(u64, Contracts)>,
    /// The service may name the contracts of a chain for which neither application nor package does.
    pub allow_service_contracts: bool,
    /// Pairs of tokens on two chains that the application declares to be one asset.
    pub bridge_tokens: Vec<BridgeTokens>,
    /// References of prices that the application named, by chain id. They have precedence over the pinned ones.
    pub given_sources: Vec<(u64, Sources)>,
    /// No reference prices are read (`reference: false`).
    pub has_no_references: bool,
    /// The application's own reference.
    pub app_reference: Option<H::Provider>,
    /// The application is asked before each prompt that signs or sends.
    pub on_prompt: Option<H::Provider>,
    /// The chains that a wallet may have to add first, by chain id: parameters as JSON text.
    pub chains_to_add: Vec<(u64, String)>,
    /// Milliseconds that one HTTP request, or one read of a chain, may take.
    pub timeout_ms: u32,
    /// The service's rate limit.
    pub rate_limit: RateLimit,
    /// The key of the seals on quotes and builds. Drawn at random for each client; it never leaves the module.
    pub secret: [u8; 32],
    /// No two calls are sent in one prompt, unless a call's own option allows it.
    pub never_batches: bool,
    /// The services that wallets are asked to have pay for gas, by chain id.
    pub paymasters: Vec<(u64, Paymaster)>,
}

impl<H: Host> Settings<H> {
    /// Settings that allow nothing optional. Members that are not arguments here are set afterwards.
    pub fn new(
        base_url: String,
        partner: Option<String>,
        rpc: Vec<(u64, H::Provider)>,
        given_contracts: Vec<(u64, Contracts)>,
        timeout_ms: u32,
        secret: [u8; 32],
    ) -> Settings<H> {
        Settings {
            base_url,
            partner,
            api_key: None,
            agreement: Agreement::default(),
            rpc,
            rpc_quorum: 1,
            given_contracts,
            allow_service_contracts: false,
            bridge_tokens: vec![],
            given_sources: vec![],
            has_no_references: false,
            app_reference: None,
            on_prompt: None,
            chains_to_add: vec![],
            timeout_ms,
            rate_limit: RateLimit::default(),
            secret,
            never_batches: false,
            paymasters: vec![],
        }
    }
}
