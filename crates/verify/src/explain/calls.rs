//! Calls by their selectors: one table of methods, each with what it does.

use super::answer::{Answer, Kept};
use super::said::{Call, Said};
use super::scope::{Scope, hex_value};
use super::words::*;
use super::wrapped::check_chain;
use super::{allowances, trades, wrapped};
use crate::domain::chain::Protocol;
use crate::domain::market::calldata::{Arguments, selector};
use crate::domain::market::method::{METHODS, Method};
use crate::domain::permit::PERMIT2;
use crate::domain::sentence::part::Sink;
use alloy_primitives::Address;

/// What a method does.
type Does = fn(&mut Answer, &Scope<'_>, &Said<'_>);

/// Whose method it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Any token's.
    Token,
    /// A protocol's contract.
    Service(Protocol),
    /// Permit2's.
    Permit2,
    /// The wrapped native token's. At another contract nobody knows what a method of this name does.
    Wrapped,
    /// The same of the contracts where names are bought (ENS).
    Names,
    /// Any contract's.
    Any,
}

macro_rules! order {
    () => {
        "(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData) bridge) order"
    };
}
macro_rules! twap {
    () => {
        "((address owner,address beneficiary,address srcToken,address destToken,uint256 nonce,uint256 partnerAndFee,uint64 deadline,uint64 interval,uint32 numSlices,uint256 destAmountPerSlice,uint256 totalSrcAmount,bytes permit,bytes metadata,(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData) bridge) order)"
    };
}
macro_rules! offer {
    () => {
        "(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount) order,bytes signature"
    };
}
macro_rules! permit2 {
    ($array:literal, $name:literal) => {
        concat!(
            "permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce)",
            $array,
            " details,address spender,uint256 sigDeadline) ",
            $name,
            ",bytes signature)"
        )
    };
}
macro_rules! resolved {
    () => {
        ",address owner,uint256 duration,bytes32 secret,address resolver,bytes[] data,"
    };
}

const DELTA: At = At::Service(Protocol::Delta);
const OTC: At = At::Service(Protocol::Otc);

/// A method: signature with argument names, kind, whose it is, whether it takes the native token, what it does.
type Row = (&'static str, Kind, At, bool, Does);

/// Every method but the router's.
const ROWS: &[Row] = &[
    ("approve(address spender,uint256 amount)", APPROVAL, At::Token, false, allowances::approve),
    ("increaseAllowance(address spender,uint256 addedValue)", APPROVAL, At::Token, false, allowances::change),
    ("decreaseAllowance(address spender,uint256 subtractedValue)", APPROVAL, At::Token, false, allowances::change),
    ("transfer(address to,uint256 amount)", TRANSFER, At::Token, false, allowances::transfer),
    ("transferFrom(address from,address to,uint256 amount)", TRANSFER, At::Token, false, allowances::transfer_from),
    (
        "safeTransferFrom(address from,address to,uint256 id)",
        ITEM_TRANSFER,
        At::Token,
        false,
        allowances::transfer_items,
    ),
    (
        "safeTransferFrom(address from,address to,uint256 id,bytes data)",
        ITEM_TRANSFER,
        At::Token,
        false,
        allowances::transfer_items,
    ),
    (
        "safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)",
        ITEM_TRANSFER,
        At::Token,
        false,
        allowances::transfer_items,
    ),
    (
        "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)",
        ITEM_TRANSFER,
        At::Token,
        false,
        allowances::transfer_items,
    ),
    ("setApprovalForAll(address operator,bool approved)", OPERATOR_APPROVAL, At::Token, false, allowances::operator),
    ("deposit()", WRAPPING, At::Wrapped, true, allowances::wrap),
    ("withdraw(uint256 amount)", WRAPPING, At::Wrapped, false, allowances::unwrap),
    (
        "permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)",
        PERMIT,
        At::Token,
        false,
        allowances::permit,
    ),
    (
        "permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)",
        PERMIT_DAI,
        At::Token,
        false,
        allowances::permit_dai,
    ),
    (
        "approve(address token,address spender,uint160 amount,uint48 expiration)",
        PERMIT2_ALLOWANCE,
        At::Permit2,
        false,
        allowances::permit2_approve,
    ),
    (permit2!("", "permitSingle"), PERMIT2_ALLOWANCE, At::Permit2, false, allowances::permit2),
    (permit2!("[]", "permitBatch"), PERMIT2_ALLOWANCE, At::Permit2, false, allowances::permit2),
    (
        "lockdown((address token,address spender)[] approvals)",
        PERMIT2_ALLOWANCE,
        At::Permit2,
        false,
        allowances::lockdown,
    ),
    (
        "invalidateNonces(address token,address spender,uint48 newNonce)",
        PERMIT2_ALLOWANCE,
        At::Permit2,
        false,
        allowances::end_allowances,
    ),
    (
        "invalidateUnorderedNonces(uint256 wordPos,uint256 mask)",
        PERMIT2_TRANSFER,
        At::Permit2,
        false,
        allowances::end_transfers,
    ),
    (
        "transferFrom(address from,address to,uint160 amount,address token)",
        PERMIT2_TRANSFER,
        At::Permit2,
        false,
        allowances::transfer_from,
    ),
    ("setPreSignature(bytes32 orderHash,bool preSigned)", DELTA_CALL, DELTA, false, trades::pre_sign),
    ("depositNativeAndPreSign(bytes32 orderHash)", DELTA_CALL, DELTA, true, trades::deposit_and_pre_sign),
    ("invalidateNonce(uint256 nonce)", DELTA_CALL, DELTA, false, trades::invalidate_nonce),
    ("withdrawNative(uint256 amount)", DELTA_CALL, DELTA, false, trades::withdraw_native),
    (concat!("cancelAndWithdraw(", order!(), ",bool isFillable)"), DELTA_CALL, DELTA, false, trades::cancel_order),
    (concat!("cancelTWAPAndWithdraw", twap!()), DELTA_CALL, DELTA, false, trades::cancel_order),
    (concat!("cancelTWAPBuyAndWithdraw", twap!()), DELTA_CALL, DELTA, false, trades::cancel_order),
    (concat!("fillOrder(", offer!(), ")"), OTC_FILL, OTC, false, trades::otc_fill),
    (concat!("fillOrderWithTarget(", offer!(), ",address target)"), OTC_FILL, OTC, false, trades::otc_fill),
    (concat!("partialFillOrder(", offer!(), ",uint256 takerTokenFillAmount)"), OTC_FILL, OTC, false, trades::otc_fill),
    (
        concat!("partialFillOrderWithTarget(", offer!(), ",uint256 takerTokenFillAmount,address target)"),
        OTC_FILL,
        OTC,
        false,
        trades::otc_fill,
    ),
    (
        concat!(
            "partialFillOrderWithTargetPermit(",
            offer!(),
            ",uint256 takerTokenFillAmount,address target,bytes permitTakerAsset,bytes permitMakerAsset)"
        ),
        OTC_FILL,
        OTC,
        false,
        trades::otc_fill,
    ),
    (
        concat!(
            "batchFillOrderWithTarget((",
            offer!(),
            ",uint256 takerTokenFillAmount,bytes permitTakerAsset,bytes permitMakerAsset)[] orderInfos,address target)"
        ),
        OTC_FILL,
        OTC,
        false,
        trades::otc_batch,
    ),
    ("cancelOrder(bytes32 orderHash)", OTC_CANCELLATION, OTC, false, trades::otc_cancel),
    ("cancelOrders(bytes32[] orderHashes)", OTC_CANCELLATION, OTC, false, trades::otc_cancel),
    (
        "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)",
        SAFE_TRANSACTION,
        At::Any,
        false,
        wrapped::safe_transaction,
    ),
    ("addOwnerWithThreshold(address who,uint256 threshold)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("removeOwner(address before,address who,uint256 threshold)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("swapOwner(address before,address old,address who)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("changeThreshold(uint256 threshold)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("enableModule(address who)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("disableModule(address before,address who)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("setFallbackHandler(address who)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("setGuard(address who)", ACCOUNT_CALL, At::Any, false, wrapped::control),
    ("approveHash(bytes32 hash)", ACCOUNT_CALL, At::Any, false, wrapped::approve_hash),
    ("commit(bytes32 hash)", NAME, At::Any, false, wrapped::commit),
    (
        "register(string name,address owner,uint256 duration,bytes32 secret)",
        NAME,
        At::Names,
        true,
        allowances::register,
    ),
    (
        concat!("register(string name", resolved!(), "bool reverseRecord,uint16 ownerControlledFuses)"),
        NAME,
        At::Names,
        true,
        allowances::register,
    ),
    (
        concat!("register((string name", resolved!(), "uint8 reverseRecord,bytes32 referrer) registration)"),
        NAME,
        At::Names,
        true,
        allowances::register,
    ),
    ("renew(string name,uint256 duration)", NAME, At::Names, true, allowances::renew),
    ("renew(string name,uint256 duration,bytes32 referrer)", NAME, At::Names, true, allowances::renew),
    ("multiSend(bytes transactions)", CALLS, At::Any, false, wrapped::multi_send),
    ("multicall(bytes[] data)", CALLS, At::Any, false, wrapped::multicall),
    ("multicall(uint256 deadline,bytes[] data)", CALLS, At::Any, false, wrapped::multicall),
    ("aggregate3((address to,bool allowFailure,bytes data)[] calls)", CALLS, At::Any, false, wrapped::run_batch),
    (
        "aggregate3Value((address to,bool allowFailure,uint256 value,bytes data)[] calls)",
        CALLS,
        At::Any,
        false,
        wrapped::run_batch,
    ),
    ("execute(address to,uint256 value,bytes data)", ACCOUNT_CALL, At::Any, false, wrapped::run_one),
    ("execute(bytes32 mode,bytes executionCalldata)", ACCOUNT_CALL, At::Any, false, wrapped::run_mode),
    ("executeBatch((address to,uint256 value,bytes data)[] calls)", ACCOUNT_CALL, At::Any, false, wrapped::run_batch),
    ("executeBatch(address[] to,bytes[] data)", ACCOUNT_CALL, At::Any, false, wrapped::run_arrays),
    ("executeBatch(address[] to,uint256[] value,bytes[] data)", ACCOUNT_CALL, At::Any, false, wrapped::run_arrays),
    (
        "handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature)[] ops,address beneficiary)",
        USER_OPERATIONS,
        At::Any,
        false,
        wrapped::handle_ops,
    ),
    (
        "handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,bytes paymasterAndData,bytes signature)[] ops,address beneficiary)",
        USER_OPERATIONS,
        At::Any,
        false,
        wrapped::handle_ops,
    ),
];

/// The selectors of all known methods: the table's, then the router's.
pub fn selectors() -> Vec<[u8; 4]> {
    ROWS.iter().map(|row| selector(row.0)).chain(METHODS.iter().map(|method| selector(method.signature))).collect()
}

/// Explains a call.
pub fn explain_call(scope: &Scope<'_>, call: &Call<'_>) -> Answer {
    let mut answer = Answer::of(TRANSACTION);
    check_chain(&mut answer, scope, "chainId", scope.chain_id);
    let data = call.data;
    (answer.bytes.read, answer.bytes.total) = (data.len(), data.len());
    let Some(to) = call.to else {
        answer.say(CREATE, &[scope.chain()]);
        answer.find(CODE_CREATED, "data", &[]);
        close_unread(&mut answer, scope, call);
        return answer;
    };
    answer.fact("contract", &to);
    if call.is_delegate {
        let who = [scope.who(to)];
        scope.look(&mut answer, "to", to);
        if !scope.is_multi_send(to) {
            answer.say(WITH_CODE, &who);
            answer.find(DELEGATECALL, "to", &who);
            close_unread(&mut answer, scope, call);
            return answer;
        }
        answer.find(DELEGATECALL_BATCH, "to", &who);
    }
    if data.is_empty() {
        allowances::pay(&mut answer, scope, to, call.value);
        return answer;
    }
    let called = data.first_chunk::<4>();
    let place = called.and_then(|called| scope.shared.selectors.iter().position(|known| known == called));
    let is_home = |at: &At| match at {
        At::Wrapped => scope.is_wrapped_native(to),
        At::Names => scope.is_registrar(to),
        _ => true,
    };
    let Some(place) = place.filter(|place| ROWS.get(*place).is_none_or(|(_, _, at, ..)| is_home(at))) else {
        let selector = hex_value("selector", data.get(..4).unwrap_or(data));
        answer.say(CALL, &[scope.who(to), scope.chain(), selector.clone()]);
        answer.find(CALL_UNKNOWN, "data", &[selector]);
        scope.check_contract(&mut answer, "to", to);
        close_unread(&mut answer, scope, call);
        return answer;
    };
    match ROWS.get(place) {
        Some(row) => explain_row(&mut answer, scope, call, to, row),
        None => explain_swap(&mut answer, scope, call, to),
    }
    answer
}

/// Ends the answer about a call that cannot be read.
fn close_unread(answer: &mut Answer, scope: &Scope<'_>, call: &Call<'_>) {
    (answer.fields.read, answer.fields.total) = (1, 1);
    answer.unread("data", call.data.len());
    allowances::pay_unread(answer, scope, call.value);
}

fn explain_row(answer: &mut Answer, scope: &Scope<'_>, call: &Call<'_>, to: Address, row: &Row) {
    let (signature, kind, at, is_paid, does) = row;
    answer.is(kind);
    check_place(answer, scope, to, *at);
    let arguments = call.data.get(4..).and_then(|data| match signature.ends_with("()") {
        true => Some(Arguments::none(data)),
        false => Arguments::read(signature, data),
    });
    let Some(arguments) = arguments else { return close_malformed(answer, scope, call, signature) };
    read_all(answer, &arguments);
    let method = signature.split('(').next().unwrap_or_default();
    does(answer, scope, &Said::call(&arguments, to, call.value).of_method(method, call.is_delegate));
    // What goes along with a wrapper is not what the calls inside take: each of them says its own.
    let extra = if *is_paid { None } else { allowances::pay_along(answer, scope, call.value) };
    if let Some(value) = extra {
        answer.find(VALUE_EXTRA, "value", &[value]);
    }
}

fn explain_swap(answer: &mut Answer, scope: &Scope<'_>, call: &Call<'_>, to: Address) {
    check_place(answer, scope, to, At::Service(Protocol::Market));
    answer.is(MARKET_SWAP);
    match Method::read(call.data) {
        Ok(Some(method)) => {
            read_all(answer, &method.arguments);
            trades::market(answer, scope, &method, &Said::call(&method.arguments, to, call.value));
        }
        Ok(None) => close_unread(answer, scope, call),
        Err(name) => close_malformed(answer, scope, call, name),
    }
}

fn close_malformed(answer: &mut Answer, scope: &Scope<'_>, call: &Call<'_>, signature: &str) {
    let name = signature.split('(').next().unwrap_or_default();
    let shown = Kept::word(name);
    answer.say(UNREAD, core::slice::from_ref(&shown));
    answer.find(CALL_MALFORMED, "data", &[shown]);
    close_unread(answer, scope, call);
}

/// Counts the arguments as read, and the bytes behind them as not.
fn read_all(answer: &mut Answer, arguments: &Arguments<'_>) {
    answer.fields.total = arguments.iter().count();
    answer.fields.read = answer.fields.total;
    if arguments.unread > 0 {
        answer.bytes.read = answer.bytes.read.saturating_sub(arguments.unread);
        let count = u64::try_from(arguments.unread).unwrap_or(u64::MAX);
        answer.find(BYTES_UNREAD, "data", &[crate::domain::sentence::part::count::<Answer>(count)]);
    }
}

/// Judges the contract that a method is called of.
fn check_place(answer: &mut Answer, scope: &Scope<'_>, to: Address, at: At) {
    let expected = match at {
        At::Token => return scope.look(answer, "to", to),
        At::Any | At::Wrapped | At::Names => return scope.check_contract(answer, "to", to),
        At::Permit2 => Some(PERMIT2),
        At::Service(protocol) => {
            trades::note_spender(answer, to, protocol);
            scope.contracts().and_then(|(contracts, _)| contracts.of(protocol))
        }
    };
    match expected {
        None => scope.check_contract(answer, "to", to),
        Some(expected) if expected == to => {}
        Some(expected) => {
            scope.look(answer, "to", to);
            answer.find(CONTRACT_OTHER, "to", &[scope.who(to), scope.who(expected)]);
        }
    }
}
