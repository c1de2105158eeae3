//! Calls by their selectors: one table of methods, each with what it does.

use super::answer::{Answer, Kept};
use super::payload_fields::{Call, PayloadFields};
use super::scope::{Scope, hex_value, is_native_or_zero};
use super::words::*;
use super::wrapped::check_chain;
use super::{allowances, elsewhere, trades, wrapped};
use alloy_primitives::Address;
use verify::internal::domain::chain::Protocol;
use verify::internal::domain::market::calldata::{Arguments, selector};
use verify::internal::domain::market::method::{METHODS, Method};
use verify::internal::domain::permit::PERMIT2;
use verify::internal::domain::sentence::part::Sink;

/// Explains a call of one method.
type Does = fn(&mut Answer, &Scope<'_>, &PayloadFields<'_>);

/// The contracts at which a method of a row is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// Any token contract.
    Token,
    /// A protocol's contract.
    Service(Protocol),
    /// The contract Permit2.
    Permit2,
    /// The wrapped native token. At any other contract the effect of a method of this name is unknown.
    Wrapped,
    /// The contracts where names are bought (ENS); at any other contract the effect is unknown.
    Names,
    /// The contracts of another service whose name begins so.
    Elsewhere(&'static str),
    /// Any contract, known or not.
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
macro_rules! permits {
    () => {
        ",bytes permitTakerAsset,bytes permitMakerAsset"
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
macro_rules! lifi {
    () => {
        "(bytes32 _transactionId,string _integrator,string _referrer,address _receiver,uint256 _minAmountOut,(address callTo,address approveTo,address sendingAssetId,address receivingAssetId,uint256 fromAmount,bytes callData,bool requiresDeposit) _swapData)"
    };
}
macro_rules! resolved {
    () => {
        ",address owner,uint256 duration,bytes32 secret,address resolver,bytes[] data,"
    };
}

const DELTA: At = At::Service(Protocol::Delta);
const OTC: At = At::Service(Protocol::Otc);

/// Methods that do the same: their kind, whose they are, whether they take the native token, what they do, and the
/// signatures with argument names.
type Row = (Kind, At, bool, Does, &'static [&'static str]);

macro_rules! rows {
    ($($kind:ident $at:expr, $paid:literal, $does:expr => $($signature:expr),+;)*) => {
        /// Every method but the router's.
        const ROWS: &[Row] = &[$(($kind, $at, $paid, $does, &[$($signature),+])),*];
    };
}

rows! {
    APPROVAL At::Token, false, allowances::approve => "approve(address spender,uint256 amount)";
    APPROVAL At::Token, false, allowances::change =>
        "increaseAllowance(address spender,uint256 addedValue)",
        "decreaseAllowance(address spender,uint256 subtractedValue)";
    TRANSFER At::Token, false, allowances::transfer => "transfer(address to,uint256 amount)";
    TRANSFER At::Token, false, allowances::transfer_from => "transferFrom(address from,address to,uint256 amount)";
    ITEM_TRANSFER At::Token, false, allowances::transfer_items =>
        "safeTransferFrom(address from,address to,uint256 id)",
        "safeTransferFrom(address from,address to,uint256 id,bytes data)",
        "safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)",
        "safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)";
    OPERATOR_APPROVAL At::Token, false, allowances::operator => "setApprovalForAll(address operator,bool approved)";
    WRAPPING At::Wrapped, true, allowances::wrap => "deposit()";
    WRAPPING At::Wrapped, false, allowances::unwrap => "withdraw(uint256 amount)";
    PERMIT At::Token, false, allowances::permit =>
        "permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)";
    PERMIT_DAI At::Token, false, allowances::permit_dai =>
        "permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)";
    PERMIT2_ALLOWANCE At::Permit2, false, allowances::permit2_approve =>
        "approve(address token,address spender,uint160 amount,uint48 expiration)";
    PERMIT2_ALLOWANCE At::Permit2, false, allowances::permit2 =>
        permit2!("", "permitSingle"),
        permit2!("[]", "permitBatch");
    PERMIT2_ALLOWANCE At::Permit2, false, allowances::lockdown =>
        "lockdown((address token,address spender)[] approvals)";
    PERMIT2_ALLOWANCE At::Permit2, false, allowances::end_allowances =>
        "invalidateNonces(address token,address spender,uint48 newNonce)";
    PERMIT2_TRANSFER At::Permit2, false, allowances::end_transfers =>
        "invalidateUnorderedNonces(uint256 wordPos,uint256 mask)";
    PERMIT2_TRANSFER At::Permit2, false, allowances::transfer_from =>
        "transferFrom(address from,address to,uint160 amount,address token)";
    SIGNED_TRANSFER At::Token, false, allowances::authorized_transfer =>
        "transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)",
        "receiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)";
    SIGNED_TRANSFER At::Token, false, allowances::end_authorization =>
        "cancelAuthorization(address authorizer,bytes32 nonce,uint8 v,bytes32 r,bytes32 s)";
    SERVICE_TRADE At::Elsewhere("Uniswap SwapRouter02"), true, elsewhere::trade =>
        "exactInputSingle((address tokenIn,address tokenOut,uint24 fee,address recipient,uint256 amountIn,uint256 amountOutMinimum,uint160 sqrtPriceLimitX96) params)",
        "exactInput((bytes path,address recipient,uint256 amountIn,uint256 amountOutMinimum) params)",
        "swapExactTokensForTokens(uint256 amountIn,uint256 amountOutMin,address[] path,address to)";
    SERVICE_TRADE At::Elsewhere("1inch router"), true, elsewhere::trade =>
        "swap(address executor,(address srcToken,address dstToken,address srcReceiver,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags) desc,bytes data)",
        "swap(address executor,(address srcToken,address dstToken,address srcReceiver,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags) desc,bytes permit,bytes data)";
    SERVICE_TRADE At::Elsewhere("KyberSwap"), true, elsewhere::trade =>
        "swap((address callTarget,address approveTarget,bytes targetData,(address srcToken,address dstToken,address[] srcReceivers,uint256[] srcAmounts,address[] feeReceivers,uint256[] feeAmounts,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags,bytes permit) desc,bytes clientData) execution)";
    SERVICE_TRADE At::Elsewhere("Odos"), true, elsewhere::trade =>
        "swap((address inputToken,uint256 inputAmount,address inputReceiver,address outputToken,uint256 outputQuote,uint256 outputMin,address outputReceiver) tokenInfo,bytes pathDefinition,address executor,uint32 referralCode)";
    SERVICE_TRADE At::Elsewhere("0x Exchange Proxy"), true, elsewhere::trade =>
        "transformERC20(address inputToken,address outputToken,uint256 inputTokenAmount,uint256 minOutputTokenAmount,(uint32 deploymentNonce,bytes data)[] transformations)";
    SERVICE_TRADE At::Elsewhere("LI.FI"), true, elsewhere::trade =>
        concat!("swapTokensSingleV3ERC20ToERC20", lifi!()),
        concat!("swapTokensSingleV3ERC20ToNative", lifi!()),
        concat!("swapTokensSingleV3NativeToERC20", lifi!());
    SERVICE_TRADE At::Elsewhere("Across SpokePool"), true, elsewhere::trade =>
        "depositV3(address depositor,address recipient,address inputToken,address outputToken,uint256 inputAmount,uint256 outputAmount,uint256 destinationChainId,address exclusiveRelayer,uint32 quoteTimestamp,uint32 fillDeadline,uint32 exclusivityDeadline,bytes message)";
    LOAN At::Elsewhere("Aave"), false, elsewhere::lend =>
        "supply(address asset,uint256 amount,address onBehalfOf,uint16 referralCode)",
        "supplyWithPermit(address asset,uint256 amount,address onBehalfOf,uint16 referralCode,uint256 deadline,uint8 permitV,bytes32 permitR,bytes32 permitS)",
        "withdraw(address asset,uint256 amount,address to)",
        "borrow(address asset,uint256 amount,uint256 interestRateMode,uint16 referralCode,address onBehalfOf)",
        "repay(address asset,uint256 amount,uint256 interestRateMode,address onBehalfOf)";
    DELTA_CALL DELTA, false, trades::pre_sign => "setPreSignature(bytes32 orderHash,bool preSigned)";
    DELTA_CALL DELTA, true, trades::deposit_and_pre_sign => "depositNativeAndPreSign(bytes32 orderHash)";
    DELTA_CALL DELTA, false, trades::invalidate_nonce => "invalidateNonce(uint256 nonce)";
    DELTA_CALL DELTA, false, trades::withdraw_native => "withdrawNative(uint256 amount)";
    DELTA_CALL DELTA, false, trades::cancel_order =>
        concat!("cancelAndWithdraw(", order!(), ",bool isFillable)"),
        concat!("cancelTWAPAndWithdraw", twap!()),
        concat!("cancelTWAPBuyAndWithdraw", twap!());
    OTC_FILL OTC, false, trades::otc_fill =>
        concat!("fillOrder(", offer!(), ")"),
        concat!("fillOrderWithTarget(", offer!(), ",address target)"),
        concat!("partialFillOrder(", offer!(), ",uint256 takerTokenFillAmount)"),
        concat!("partialFillOrderWithTarget(", offer!(), ",uint256 takerTokenFillAmount,address target)"),
        concat!("partialFillOrderWithTargetPermit(", offer!(), ",uint256 takerTokenFillAmount,address target", permits!(), ")");
    OTC_FILL OTC, false, trades::otc_batch =>
        concat!("batchFillOrderWithTarget((", offer!(), ",uint256 takerTokenFillAmount", permits!(), ")[] orderInfos,address target)");
    OTC_CANCELLATION OTC, false, trades::otc_cancel =>
        "cancelOrder(bytes32 orderHash)",
        "cancelOrders(bytes32[] orderHashes)";
    SAFE_TRANSACTION At::Any, false, wrapped::safe_transaction =>
        "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)";
    ACCOUNT_CALL At::Any, false, wrapped::control =>
        "addOwnerWithThreshold(address who,uint256 threshold)",
        "removeOwner(address before,address who,uint256 threshold)",
        "swapOwner(address before,address old,address who)",
        "changeThreshold(uint256 threshold)",
        "enableModule(address who)",
        "disableModule(address before,address who)",
        "setFallbackHandler(address who)",
        "setGuard(address who)";
    ACCOUNT_CALL At::Any, false, wrapped::approve_hash => "approveHash(bytes32 hash)";
    NAME At::Names, false, wrapped::commit => "commit(bytes32 hash)";
    NAME At::Names, true, allowances::register =>
        "register(string name,address owner,uint256 duration,bytes32 secret)",
        concat!("register(string name", resolved!(), "bool reverseRecord,uint16 ownerControlledFuses)"),
        concat!("register((string name", resolved!(), "uint8 reverseRecord,bytes32 referrer) registration)");
    NAME At::Names, true, allowances::renew =>
        "renew(string name,uint256 duration)",
        "renew(string name,uint256 duration,bytes32 referrer)";
    CALLS At::Any, false, wrapped::multi_send => "multiSend(bytes transactions)";
    CALLS At::Any, false, wrapped::multicall =>
        "multicall(bytes[] data)",
        "multicall(uint256 deadline,bytes[] data)";
    CALLS At::Any, false, wrapped::run_batch =>
        "aggregate3((address to,bool allowFailure,bytes data)[] calls)",
        "aggregate3Value((address to,bool allowFailure,uint256 value,bytes data)[] calls)";
    ACCOUNT_CALL At::Any, false, wrapped::run_one => "execute(address to,uint256 value,bytes data)";
    ACCOUNT_CALL At::Any, false, wrapped::run_mode => "execute(bytes32 mode,bytes executionCalldata)";
    ACCOUNT_CALL At::Any, false, wrapped::run_batch => "executeBatch((address to,uint256 value,bytes data)[] calls)";
    ACCOUNT_CALL At::Any, false, wrapped::run_arrays =>
        "executeBatch(address[] to,bytes[] data)",
        "executeBatch(address[] to,uint256[] value,bytes[] data)";
    USER_OPERATIONS At::Any, false, wrapped::handle_ops =>
        "handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature)[] ops,address beneficiary)",
        "handleOps((address sender,uint256 nonce,bytes initCode,bytes callData,uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,bytes paymasterAndData,bytes signature)[] ops,address beneficiary)";
}

/// The selectors of all known methods: the table's, then the router's.
pub fn selectors() -> Vec<[u8; 4]> {
    let all = rows().map(|(signature, _)| signature).chain(METHODS.iter().map(|method| method.signature));
    all.map(selector).collect()
}

/// Each signature, with its row.
fn rows() -> impl Iterator<Item = (&'static str, &'static Row)> {
    ROWS.iter().flat_map(|row| row.4.iter().map(move |signature| (*signature, row)))
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
    if data.is_empty() && !call.is_delegate {
        allowances::pay(&mut answer, scope, to, call.value);
        return answer;
    }
    let called = data.first_chunk::<4>();
    let place = called.and_then(|called| scope.shared.selectors.iter().position(|known| known == called));
    let is_home = |at: &At| match at {
        At::Token => !scope.is_own(to),
        At::Wrapped => scope.is_wrapped_native(to),
        At::Names => scope.is_registrar(to),
        At::Elsewhere(name) => scope.is_service(to, name),
        _ => true,
    };
    let row = place.and_then(|place| rows().nth(place));
    // The code of MultiSend runs batches, and nothing else.
    let is_read = match row {
        Some((signature, (_, at, ..))) => is_home(at) && (!call.is_delegate || signature.starts_with("multiSend")),
        None => place.is_some() && !call.is_delegate,
    };
    if is_native_or_zero(to) || !is_read {
        let selector = hex_value("selector", data.get(..4).unwrap_or(data));
        answer.say(CALL, &[scope.who(to), scope.chain(), selector.clone()]);
        answer.find(CALL_UNKNOWN, "data", &[selector]);
        scope.check_contract(&mut answer, "to", to);
        close_unread(&mut answer, scope, call);
        return answer;
    }
    match row {
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

fn explain_row(
    answer: &mut Answer,
    scope: &Scope<'_>,
    call: &Call<'_>,
    to: Address,
    (signature, row): (&'static str, &Row),
) {
    let (kind, at, is_paid, does, _) = row;
    answer.is(kind);
    check_place(answer, scope, to, *at);
    let arguments = call.data.get(4..).and_then(|data| match signature.ends_with("()") {
        true => Some(Arguments::none(data)),
        false => Arguments::read(signature, data),
    });
    let Some(arguments) = arguments else { return close_malformed(answer, scope, call, signature) };
    read_all(answer, &arguments);
    let method = signature.split('(').next().unwrap_or_default();
    does(answer, scope, &PayloadFields::call(&arguments, to, call.value).of_method(method, call.is_delegate));
    // Value sent to the wrapper is not the inner calls' value: each of them states its own.
    if !is_paid && allowances::pay_along(answer, scope, call.value).is_some() {
        let extra = call.value.saturating_sub(answer.inner_wei);
        if !extra.is_zero() {
            // It may be what one that is not read takes.
            let warning = if answer.is_unread() { CALL_PAID } else { VALUE_EXTRA };
            answer.find(warning, "value", &[scope.native(extra)]);
        }
    }
}

fn explain_swap(answer: &mut Answer, scope: &Scope<'_>, call: &Call<'_>, to: Address) {
    check_place(answer, scope, to, At::Service(Protocol::Market));
    answer.is(MARKET_SWAP);
    match Method::read(call.data) {
        Ok(Some(method)) => {
            read_all(answer, &method.arguments);
            trades::market(answer, scope, &method, &PayloadFields::call(&method.arguments, to, call.value));
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
        answer.find(BYTES_UNREAD, "data", &[verify::internal::domain::sentence::part::count::<Answer>(count)]);
    }
}

/// Judges the contract that a method is called of.
fn check_place(answer: &mut Answer, scope: &Scope<'_>, to: Address, at: At) {
    let expected = match at {
        At::Token => return scope.look(answer, "to", to),
        At::Any | At::Wrapped | At::Names | At::Elsewhere(_) => return scope.check_contract(answer, "to", to),
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
