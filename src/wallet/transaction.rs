//! Sending a transaction, and waiting for it.

use super::account::{answered, ask, hex_quantity, quantity};
use super::reads::{Chain, Read};
use crate::domain::text::ToText;
use crate::error::{Error, ErrorCode, Result};
use crate::host::{Host, Signal};
use crate::json::{At, Out, array, quoted};
use alloy_primitives::{Address, B256, U256, hex};

/// Pause between two looks for a receipt.
const RECEIPT_PAUSE_MS: u32 = 1_000;
/// Failures in a row that are sat out.
const PATIENCE: u32 = 8;

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

/// Waits until the transaction is in a block, or what it was to bring about has come about: wallets replace transactions,
/// and the one that was sent then never is. A node that fails to answer now and then is asked again.
///
/// # Errors
/// WALLET_FAILED where it reverted; ABORTED; the RPC's failure, once it failed several times in a row.
pub async fn confirm<H: Host>(
    chain: &Chain<'_, H>,
    hash: B256,
    effect: Read<'_>,
    is_there: &dyn Fn(&U256) -> bool,
) -> Result<()> {
    const METHOD: &str = "eth_getTransactionReceipt";
    let host = &chain.client.shared.host;
    let mut failures = 0_u32;
    loop {
        let prompt = host.ask(&chain.provider, METHOD, &array(&[&quoted(&hash.text())]));
        match answered(chain.client, "rpc", METHOD, &prompt, chain.signal).await {
            Ok(receipt) => {
                failures = 0;
                match receipt.get("status").map(quantity) {
                    Some(Some(1)) => return Ok(()),
                    Some(_) => {
                        let message = ["the transaction ", &hash.text(), " reverted"].concat();
                        return Err(Error::new(ErrorCode::WalletFailed, &message));
                    }
                    None => {}
                }
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if chain.signal.is_aborted() || failures >= PATIENCE {
                    return Err(error);
                }
            }
        }
        if chain.signal.is_aborted() {
            return Err(Error::aborted());
        }
        if chain.read(effect).await.is_ok_and(|found| is_there(&found)) {
            return Ok(());
        }
        host.sleep(RECEIPT_PAUSE_MS, chain.signal).await;
    }
}
