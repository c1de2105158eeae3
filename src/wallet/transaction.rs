//! Sending a transaction, and waiting for it.

use super::account::{answered, ask, hex_quantity, quantity};
use super::reads::Chain;
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Out, array, quoted};
use alloy_primitives::{Address, B256, hex};

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
    data: &[u8],
) -> Result<B256> {
    let mut out = Out::object();
    out.value("from", &from);
    out.value("to", &to);
    out.text("data", &hex::encode_prefixed(data));
    out.text("value", "0x0");
    out.text("chainId", &hex_quantity(chain_id));
    let answer = ask(chain.client, "eth_sendTransaction", &array(&[&out.close()]), chain.signal).await?;
    let hash = At::input(&answer, "hash").fixed::<32>();
    hash.map(B256::from).map_err(|_| {
        Error::new(ErrorCode::WalletFailed, &["the wallet's answer is no transaction hash: ", &answer.write()].concat())
    })
}

/// Waits until the transaction is in a block.
///
/// # Errors
/// WALLET_FAILED where it reverted; ABORTED; the RPC's failure.
pub async fn confirm<H: Host>(chain: &Chain<'_, H>, hash: B256) -> Result<()> {
    const METHOD: &str = "eth_getTransactionReceipt";
    let host = &chain.client.shared.host;
    loop {
        let prompt = host.ask(&chain.provider, METHOD, &array(&[&quoted(&hash.text())]));
        let receipt = answered(chain.client, "rpc", METHOD, &prompt, chain.signal).await?;
        if let Some(status) = receipt.get("status") {
            return match quantity(status) {
                Some(1) => Ok(()),
                _ => {
                    Err(Error::new(ErrorCode::WalletFailed, &["the transaction ", &hash.text(), " reverted"].concat()))
                }
            };
        }
        if chain.signal.is_aborted() {
            return Err(Error::aborted());
        }
        host.sleep(RECEIPT_PAUSE_MS, chain.signal).await;
    }
}
