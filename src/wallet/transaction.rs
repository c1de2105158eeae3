//! Sending a transaction, and waiting for it.

use super::account::{ask, hex_quantity};
use super::reads::Chain;
use super::rpc::{quantity, request};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Json, object};
use alloy_primitives::{Address, B256, Bytes, hex};

/// Pause between two looks for a receipt.
const RECEIPT_PAUSE_MS: u32 = 1_000;

/// Asks the wallet to send a call without value. Gas and its price are the wallet's business.
///
/// # Errors
/// USER_REJECTED and the wallet's other failures.
pub async fn send<H: Host>(
    chain: &Chain<'_, H>,
    chain_id: u64,
    from: Address,
    to: Address,
    data: &Bytes,
) -> Result<B256> {
    let transaction = object([
        ("from", Json::text(from.text())),
        ("to", Json::text(to.text())),
        ("data", Json::text(hex::encode_prefixed(data))),
        ("value", Json::text("0x0")),
        ("chainId", Json::text(hex_quantity(chain_id))),
    ]);
    let answer = ask(chain.client, "eth_sendTransaction", Json::Array(vec![transaction]), chain.signal).await?;
    let hash = At::root(&answer, "eth_sendTransaction").fixed::<32>();
    hash.map(B256::from).map_err(|fault| Error::at(ErrorCode::WalletFailed, "the wallet's answer to ", fault))
}

/// Waits until the transaction is in a block.
///
/// # Errors
/// WALLET_FAILED where it reverted; ABORTED; the RPC's failure.
pub async fn confirm<H: Host>(chain: &Chain<'_, H>, hash: B256) -> Result<()> {
    loop {
        let params = Json::Array(vec![Json::text(hash.text())]);
        let receipt = request(chain.client, &chain.rpc, "eth_getTransactionReceipt", params, chain.signal).await?;
        if let Some(status) = receipt.get("status") {
            let reverted = ["the transaction ", &hash.text(), " reverted"].concat();
            let ok = quantity(status) == Some(1);
            return if ok { Ok(()) } else { Err(Error::new(ErrorCode::WalletFailed, reverted)) };
        }
        if chain.signal.is_aborted() || chain.client.shared.closed.get() {
            return Err(Error::aborted());
        }
        chain.client.shared.host.sleep(RECEIPT_PAUSE_MS, chain.signal).await;
    }
}
