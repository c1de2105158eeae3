//! Accounts with a key that delegate to code (EIP-7702).

use alloy_primitives::{Address, B256, U256, keccak256};
use k256::ecdsa::SigningKey;
use serde_json::json;

use super::transaction::mined;
use super::{Chain, RpcError};

/// The first byte of what is hashed for an authorization.
const MAGIC: u8 = 0x05;

impl Chain {
    /// Lets an account of the node delegate to `code`, or to nothing again. Whether it is an account of the node.
    ///
    /// # Errors
    /// When the node does not answer or refuses the transaction.
    pub async fn delegate(&self, account: Address, code: Option<Address>) -> Result<bool, RpcError> {
        let index = self.accounts.iter().position(|known| *known == account);
        let Some(key) = index.and_then(|index| self.keys.get(index)) else { return Ok(false) };
        let code = code.unwrap_or_default();
        let nonce: U256 = self.rpc.call("eth_getTransactionCount", json!([account, "latest"])).await?;
        let nonce: u64 = nonce.saturating_to();
        let hash = authorization_hash(self.id, code, nonce);
        let signed = SigningKey::from_slice(key.as_slice())
            .and_then(|key| key.sign_prehash_recoverable(hash.as_slice()))
            .map_err(|error| RpcError { method: "sign".into(), message: error.to_string(), refused: true })?;
        let (signature, parity) = signed;
        let (r, s) = (U256::from_be_slice(&signature.r().to_bytes()), U256::from_be_slice(&signature.s().to_bytes()));
        let authorization = json!({
            "chainId": U256::from(self.id),
            "address": code,
            "nonce": U256::from(nonce),
            "yParity": U256::from(parity.to_byte()),
            "r": r,
            "s": s,
        });
        // Any account may send the authorization; the transaction itself does nothing.
        let from = self.deployer();
        let transaction = json!({"from": from, "to": from, "authorizationList": [authorization]});
        mined(&self.rpc, self.rpc.send(transaction).await?).await.map(|_| true)
    }
}

/// keccak256(0x05 || rlp([chain id, address, nonce])).
fn authorization_hash(chain_id: u64, code: Address, nonce: u64) -> B256 {
    let mut items = rlp_number(chain_id);
    items.push(0x80 + 20);
    items.extend(code);
    items.extend(rlp_number(nonce));
    // At most 9 + 21 + 9 bytes: a short list.
    let list = 0xc0 + u8::try_from(items.len()).unwrap_or_default();
    keccak256([&[MAGIC, list], &items[..]].concat())
}

/// Without leading zeros; a single byte below 0x80 stands for itself.
fn rlp_number(number: u64) -> Vec<u8> {
    let bytes: Vec<u8> = number.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    match bytes[..] {
        [byte] if byte < 0x80 => bytes,
        _ => [&[0x80 + u8::try_from(bytes.len()).unwrap_or_default()], &bytes[..]].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::rlp_number;

    #[test]
    fn numbers_are_written_without_leading_zeros() {
        assert_eq!(rlp_number(0), [0x80]);
        assert_eq!(rlp_number(1), [1]);
        assert_eq!(rlp_number(0x80), [0x81, 0x80]);
        assert_eq!(rlp_number(31_337), [0x82, 0x7a, 0x69]);
    }
}
