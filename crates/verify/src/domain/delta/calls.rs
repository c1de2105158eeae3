//! The owner's calls to the Delta contract: to authorize an order on chain instead of by a signature, to end one, and
//! to take deposits back. Solvers make the calls that settle orders; this package never does.

use crate::domain::abi::{Part, call, word_at};
use crate::domain::typed_struct::{TypedStruct, name};
use alloy_primitives::{Address, B256, U256};
use alloy_sol_types::{SolCall, sol};

// Only for the selectors. A struct's members stand in the order of its signed type.
sol! {
    struct Bridge {
        bytes4 protocolSelector; uint256 destinationChainId; address outputToken; int8 scalingFactor; bytes protocolData;
    }
    struct Order {
        address owner; address beneficiary; address srcToken; address destToken;
        uint256 srcAmount; uint256 destAmount; uint256 expectedAmount; uint256 deadline;
        uint8 kind; uint256 nonce; uint256 partnerAndFee; bytes permit; bytes metadata; Bridge bridge;
    }
    // A TWAPBuyOrder has the same layout, with other names for the two amounts.
    struct TWAPOrder {
        address owner; address beneficiary; address srcToken; address destToken; uint256 nonce; uint256 partnerAndFee;
        uint64 deadline; uint64 interval; uint32 numSlices; uint256 destAmountPerSlice; uint256 totalSrcAmount;
        bytes permit; bytes metadata; Bridge bridge;
    }

    function cancelAndWithdraw(Order order, bool isFillable);
    function cancelTWAPAndWithdraw(TWAPOrder order);
    function cancelTWAPBuyAndWithdraw(TWAPOrder order);
    function setPreSignature(bytes32 orderHash, bool preSigned);
    function depositNativeAndPreSign(bytes32 orderHash);
    function invalidateNonce(uint256 nonce);
    function isNonceUsed(address owner, uint256 nonce) view returns (bool);
    function withdrawNative(uint256 amount);
}

/// `setPreSignature(orderHash, true)`: the sender authorizes the order on chain, in place of a signature.
pub fn pre_sign(order_hash: B256) -> Vec<u8> {
    call(setPreSignatureCall::SELECTOR, &[Part::Word(order_hash), U256::from(1).into()])
}

/// `depositNativeAndPreSign(orderHash)`: like [`pre_sign`], and the native token sent along is deposited as the
/// sender's wrapped native token on Delta, which the order can take.
pub fn deposit_and_pre_sign(order_hash: B256) -> Vec<u8> {
    call(depositNativeAndPreSignCall::SELECTOR, &[Part::Word(order_hash)])
}

/// The order of the calldata of [`pre_sign`] and [`deposit_and_pre_sign`]; `None` if it is too short.
pub fn pre_signed(data: &[u8]) -> Option<B256> {
    word_at(data, 4).map(B256::from)
}

/// `invalidateNonce(nonce)`: no order of the sender with that nonce can be filled from then on. Orders that are filled
/// in parts are counted by hash, and are not ended by it.
pub fn invalidate_nonce(nonce: U256) -> Vec<u8> {
    call(invalidateNonceCall::SELECTOR, &[nonce.into()])
}

/// `isNonceUsed(owner, nonce)`: whether an order of that nonce was filled or cancelled.
pub fn is_nonce_used(owner: Address, nonce: U256) -> Vec<u8> {
    call(isNonceUsedCall::SELECTOR, &[owner.into(), nonce.into()])
}

/// `withdrawNative(amount)`: pays out that much of the sender's deposit as native token, in wei.
pub fn withdraw_native(amount: U256) -> Vec<u8> {
    call(withdrawNativeCall::SELECTOR, &[amount.into()])
}

/// `cancelAndWithdraw(order, isFillable)`, or the calls for orders in slices: the order cannot be filled any more, and
/// its deposit goes back to its owner. `None` for an order of a type that has no such call.
pub fn cancel_and_withdraw(order: &TypedStruct) -> Option<Vec<u8>> {
    let (selector, is_fillable) = match name(order.encoded()) {
        "Order" => (cancelAndWithdrawCall::SELECTOR, Some(false)),
        "FillableOrder" => (cancelAndWithdrawCall::SELECTOR, Some(true)),
        "TWAPOrder" => (cancelTWAPAndWithdrawCall::SELECTOR, None),
        "TWAPBuyOrder" => (cancelTWAPBuyAndWithdrawCall::SELECTOR, None),
        _ => return None,
    };
    let mut arguments = vec![Part::Struct(order.parts())];
    if let Some(fillable) = is_fillable {
        arguments.push(U256::from(fillable).into());
    }
    Some(call(selector, &arguments))
}
