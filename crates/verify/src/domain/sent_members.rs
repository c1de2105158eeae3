//! The members of what a wallet is asked to send, each with its form: one table for the verifiers, which refuse any other
//! member, and for `explain`, which reports that, and writes the members that it read in one form.

use crate::json::{Json, JsonAt, ObjectWriter, array, quoted};
use crate::value::amount::parse_uint;
use crate::value::text::ToText;
use crate::value::visible::visible;
use alloy_primitives::{U256, hex};

/// The form of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The address of an account.
    Account,
    /// A number of wei, of gas, or a count.
    Quantity,
    /// A chain's id.
    Chain,
    /// The bytes of calldata.
    Bytes,
    /// Transactions without a sender and a chain of their own.
    Calls,
    /// Zero, as a number or an address: any other value has something else happen.
    Zero,
    /// Any value: it has no effect.
    Any,
}
use Form::*;

/// Names with a blank between them, by their form.
pub type Members = [(Form, &'static str)];

/// The members of a transaction: those of JSON-RPC
/// (<https://github.com/ethereum/execution-apis/blob/main/src/schemas/transaction.yaml>), and those that web3 4, MetaMask (in a
/// Snap) and the JSON of Safe's transaction service have beside them. A Safe calls, and pays no gas back.
pub const SENT: &Members = &[
    (Account, "from to"),
    (Quantity, "value gas gasLimit gasPrice maxFeePerGas maxPriorityFeePerGas nonce safeTxGas baseGas"),
    (Bytes, "data input"),
    (Chain, "chainId"),
    (Zero, "operation gasToken refundReceiver"),
    (Any, "type accessList networkId chain hardfork"),
    (Any, "estimateGasError estimateSuggested estimateUsed estimatedBaseFee gasUsed"),
    (Any, "safe safeTxHash contractTransactionHash sender signature origin submissionDate modified proposer"),
    (
        Any,
        "confirmations confirmationsRequired signatures dataDecoded trusted isExecuted isSuccessful executor executionDate",
    ),
    (Any, "blockNumber transactionHash ethGasPrice fee proposedByDelegate"),
];

/// The members of a batch (EIP-5792).
pub const SENT_CALLS: &Members =
    &[(Account, "from"), (Chain, "chainId"), (Calls, "calls"), (Any, "version id atomicRequired")];

/// The members of a user operation (ERC-4337) as a bundler takes it, packed and not. A factory may be `0x7702`.
pub const SENT_OPERATION: &Members = &[
    (Account, "sender"),
    (Quantity, "nonce callGasLimit verificationGasLimit preVerificationGas maxFeePerGas maxPriorityFeePerGas"),
    (Quantity, "paymasterVerificationGasLimit paymasterPostOpGasLimit"),
    (Bytes, "callData initCode factory factoryData paymaster paymasterData paymasterAndData"),
    (Any, "signature eip7702Auth authorization"),
];

/// A number in hex as JSON-RPC has it, in decimal text, or one of JavaScript's that it holds exactly.
pub fn quantity(json: &Json) -> Option<U256> {
    match json {
        Json::Number(text) if !json.is_rounded() => parse_uint(text).ok(),
        Json::String(text) => match text.strip_prefix("0x") {
            Some(digits) => U256::from_str_radix(digits, 16).ok().filter(|_| (1..=64).contains(&digits.len())),
            None => parse_uint(text).ok(),
        },
        _ => None,
    }
}

/// A number as JSON-RPC has it: `0x`, and hex digits without zeros in front.
///
/// ```
/// # use verified_swap_verify::internal::domain::sent_members::hex_quantity;
/// # use alloy_primitives::U256;
/// assert_eq!(hex_quantity(U256::from(31337)), "0x7a69");
/// assert_eq!(hex_quantity(U256::ZERO), "0x0");
/// ```
pub fn hex_quantity(value: U256) -> String {
    let full = hex::encode(value.to_be_bytes::<32>());
    let digits = full.trim_start_matches('0');
    ["0x", if digits.is_empty() { "0" } else { digits }].concat()
}

impl Form {
    /// The form of the member of that name; `None` if it is not among them.
    pub fn of(name: &str, members: &Members) -> Option<Form> {
        members.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(form, _)| *form)
    }

    /// Whether programs read a value of this form in different ways. Wallets take digits in quotes without `0x` for hex, except
    /// in a chain's id; a number of 2^53 or more, and not in quotes, is rounded by JavaScript.
    pub fn is_ambiguous(self, json: &Json) -> bool {
        match (self, json) {
            (Chain, _) | (Quantity, Json::Number(_)) => quantity(json).is_none(),
            (Quantity, Json::String(text)) => text != "0" && (quantity(json).is_none() || !text.starts_with("0x")),
            _ => json.is_rounded(),
        }
    }

    /// A value of this form as it is written here, as JSON text; `None` if it is not of this form.
    pub fn written(self, at: &JsonAt<'_>) -> Option<String> {
        let json = at.json()?;
        Some(match self {
            Account => quoted(&at.address().ok()?.text()),
            Quantity | Chain => quoted(&hex_quantity(quantity(json)?)),
            Bytes => quoted(&hex::encode_prefixed(at.bytes().ok()?)),
            Calls => array(&at.items().ok()?.map(|call| written(&call, SENT)).collect::<Option<Vec<_>>>()?),
            Zero => {
                let number = json
                    .as_text()
                    .filter(|text| text.len() == 42)
                    .map_or_else(|| quantity(json), |_| at.address().ok().map(|address| address.into_word().into()));
                return number.filter(U256::is_zero).map(|_| json.write());
            }
            Any => at.find(&|_| true, has_hidden).map_or_else(|| Some(json.write()), |_| None)?,
        })
    }
}

/// Whether a text or a name has hidden characters: it is not repeated.
fn has_hidden(json: &Json) -> bool {
    let is_hidden = |text: &str| visible(text) != text;
    match json {
        Json::String(text) => is_hidden(text),
        Json::Object(members) => members.iter().any(|(name, _)| is_hidden(name)),
        _ => false,
    }
}

/// An object with each member in the form in which it is written here, as JSON text; a member that is not known as it is. `None`
/// if one of them is not of its form or has hidden characters, or if `data` and `input` differ.
pub fn written(at: &JsonAt<'_>, members: &Members) -> Option<String> {
    at.json().filter(|json| matches!(json, Json::Object(_)))?;
    let mut out = ObjectWriter::object();
    let data = at.get("data").some();
    for name in at.names() {
        let Some(value) = at.get(name).some() else { continue };
        let text = Form::of(name, members).unwrap_or(Any).written(&value).filter(|_| visible(name) == name)?;
        match (name, &data) {
            ("input", Some(data)) if Bytes.written(data).as_ref() == Some(&text) => {}
            ("input", Some(_)) => return None,
            ("input", None) => out.raw("data", &text),
            _ => out.raw(name, &text),
        }
    }
    Some(out.close())
}
