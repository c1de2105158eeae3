//! Payloads that people paste into `explain`: without accounts, signed already, of protocols that it does not read.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod payloads;

use alloy_primitives::{Address, U256, address, hex, keccak256};
use k256::ecdsa::SigningKey;
use payloads::data;
use serde_json::{Value, json};
use verified_swap_explain::explain;

const OWNER: &str = "0x4a62316623ad457f02cdc5d997ded67a383ec569";
const THIEF: &str = "0xbad0000000000000000000000000000000000bad";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const WETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const ZERO: &str = "0x0000000000000000000000000000000000000000";
const NOW: u64 = 1_800_000_000;
const SOON: u64 = NOW + 1_200;
const FAR: u64 = NOW + 90 * 86_400;

/// The answer for these accounts on Ethereum, without prices.
fn explained_for(accounts: &[&str], call: &Value) -> Value {
    let context = json!({ "accounts": accounts, "chainId": 1, "now": NOW });
    serde_json::from_str(&explain(&call.to_string(), &context.to_string()).unwrap()).unwrap()
}

fn explained(call: &Value) -> Value {
    explained_for(&[OWNER], call)
}

fn found<'a>(answer: &'a Value, id: &str) -> Option<&'a Value> {
    answer["findings"].as_array().unwrap().iter().find(|one| one["id"] == id)
}

fn ids(answer: &Value, severity: &str) -> Vec<String> {
    let all = answer["findings"].as_array().unwrap().iter().filter(|one| one["severity"] == severity);
    all.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

fn sentence(answer: &Value) -> &str {
    answer["sentence"].as_str().unwrap()
}

fn sent(to: &str, data: &str) -> Value {
    json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER, "to": to, "data": data, "chainId": "0x1" }] })
}

fn typed(domain: Value, encoded: &str, message: Value) -> Value {
    payloads::typed(OWNER, &domain, encoded, &message)
}

const COW_TYPE: &str = "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)";
const INCH_TYPE: &str = "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)";
const INCH: &str = "0x111111125421cA6dc452d289314280a0f8842A65";

fn cow(receiver: &str, least: &str, until: u64) -> Value {
    let domain = json!({ "name": "Gnosis Protocol", "version": "v2", "chainId": 1,
        "verifyingContract": "0x9008D19f58AAbD9eD0D60971565AA8510560ab41" });
    let message = json!({ "sellToken": USDC, "buyToken": WETH, "receiver": receiver, "sellAmount": "1500000000",
        "buyAmount": least, "validTo": until, "appData": format!("0x{:064x}", 7), "feeAmount": "0", "kind": "sell",
        "partiallyFillable": false, "sellTokenBalance": "erc20", "buyTokenBalance": "erc20" });
    typed(domain, COW_TYPE, message)
}

/// An order of 1inch; an extension is Fusion's.
fn inch(traits: U256, until: u64) -> Value {
    let domain = json!({ "name": "1inch Aggregation Router", "version": "6", "chainId": 1, "verifyingContract": INCH });
    let traits = traits | U256::from(until).wrapping_shl(80);
    let message = json!({ "salt": "91", "maker": OWNER, "receiver": THIEF, "makerAsset": USDC, "takerAsset": WETH,
        "makingAmount": "1500000000", "takingAmount": "590000000000000000", "makerTraits": traits.to_string() });
    typed(domain, INCH_TYPE, message)
}

/// Calls of other services by the names of their ABIs, each with a stranger as receiver and all there is to give.
#[rustfmt::skip]
fn services() -> Vec<(&'static str, &'static str, String)> {
    let (router, kyber, odos) = ("0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45", "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5",
        "0xCf5540fFFCdC3d510B18bFcA6d2b9987b0772559");
    let (exchange, diamond, across, aave) = ("0xDef1C0ded9bec7F1a1670819833240f027b25EfF", "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE",
        "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5", "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2");
    vec![
        (router, "exactInputSingle((address tokenIn,address tokenOut,uint24 fee,address recipient,uint256 amountIn,uint256 amountOutMinimum,uint160 sqrtPriceLimitX96) params)",
            format!("(({USDC},{WETH},500,{THIEF},0,5,0))")),
        (router, "exactInput((bytes path,address recipient,uint256 amountIn,uint256 amountOutMinimum) params)",
            format!("(({USDC}0001f4{},{THIEF},0,5))", &WETH[2..])),
        (router, "swapExactTokensForTokens(uint256 amountIn,uint256 amountOutMin,address[] path,address to)", format!("(0,5,[{USDC},{WETH}],{THIEF})")),
        (INCH, "swap(address executor,(address srcToken,address dstToken,address srcReceiver,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags) desc,bytes data)",
            format!("({THIEF},({USDC},{WETH},{THIEF},{THIEF},0,5,1),0x0102)")),
        (kyber, "swap((address callTarget,address approveTarget,bytes targetData,(address srcToken,address dstToken,address[] srcReceivers,uint256[] srcAmounts,address[] feeReceivers,uint256[] feeAmounts,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags,bytes permit) desc,bytes clientData) execution)",
            format!("(({THIEF},{ZERO},0x01,({USDC},{WETH},[{THIEF}],[7],[],[],{THIEF},0,5,1,0x),0x))")),
        (odos, "swap((address inputToken,uint256 inputAmount,address inputReceiver,address outputToken,uint256 outputQuote,uint256 outputMin,address outputReceiver) tokenInfo,bytes pathDefinition,address executor,uint32 referralCode)",
            format!("(({USDC},0,{THIEF},{WETH},5,5,{THIEF}),0x01,{THIEF},0)")),
        (exchange, "transformERC20(address inputToken,address outputToken,uint256 inputTokenAmount,uint256 minOutputTokenAmount,(uint32 deploymentNonce,bytes data)[] transformations)",
            format!("({USDC},{WETH},0,5,[(27,0x01)])")),
        (diamond, "swapTokensSingleV3ERC20ToERC20(bytes32 _transactionId,string _integrator,string _referrer,address _receiver,uint256 _minAmountOut,(address callTo,address approveTo,address sendingAssetId,address receivingAssetId,uint256 fromAmount,bytes callData,bool requiresDeposit) _swapData)",
            format!("(0x{:064x},app,{ZERO},{THIEF},5,({THIEF},{THIEF},{USDC},{WETH},0,0x0102,true))", 7)),
        (across, "depositV3(address depositor,address recipient,address inputToken,address outputToken,uint256 inputAmount,uint256 outputAmount,uint256 destinationChainId,address exclusiveRelayer,uint32 quoteTimestamp,uint32 fillDeadline,uint32 exclusivityDeadline,bytes message)",
            format!("({THIEF},{THIEF},{USDC},{ZERO},0,7,10,{ZERO},{NOW},{FAR},0,0x01)")),
        (aave, "supply(address asset,uint256 amount,address onBehalfOf,uint16 referralCode)", format!("({USDC},7,{THIEF},0)")),
        (aave, "withdraw(address asset,uint256 amount,address to)", format!("({USDC},7,{THIEF})")),
        (aave, "borrow(address asset,uint256 amount,uint256 interestRateMode,uint16 referralCode,address onBehalfOf)", format!("({USDC},7,2,0,{THIEF})")),
        (aave, "repay(address asset,uint256 amount,uint256 interestRateMode,address onBehalfOf)", format!("({USDC},7,2,{THIEF})")),
    ]
}

/// Paths that begin with `root`, of findings and of what was not read.
fn paths(answer: &Value, root: &str) -> Vec<String> {
    let findings = answer["findings"].as_array().unwrap().iter().map(|one| &one["field"]);
    let all = findings.chain(answer["opaque"].as_array().unwrap()).map(|path| path.as_str().unwrap());
    all.filter_map(|path| path.strip_prefix(root)).map(String::from).collect()
}

#[test]
fn findings_name_members_that_are_in_the_payload() {
    for (to, signature, arguments) in services() {
        let answer = explained(&sent(to, &data(signature, &arguments)));
        let all = paths(&answer, "data.");
        assert!(!all.is_empty(), "{signature}: {answer:#}");
        let is_word =
            |name: &str| signature.split(|one: char| !one.is_alphanumeric() && one != '_').any(|word| word == name);
        for path in all {
            let is_there = path.split('.').all(|name| name.parse::<usize>().is_ok() || is_word(name));
            assert!(is_there, "{path} in {signature}");
        }
    }
    let orders = [cow(THIEF, "590000000000000000", FAR), inch(U256::from(1).wrapping_shl(249), FAR)];
    for (call, expected) in orders.iter().zip([
        [("deadline.far", "validTo"), ("price.unjudged", "buyAmount"), ("receiver.other", "receiver")],
        [("deadline.far", "makerTraits"), ("price.unjudged", "takingAmount"), ("receiver.other", "receiver")],
    ]) {
        let answer = explained(call);
        for (id, member) in expected {
            assert_eq!(found(&answer, id).unwrap()["field"], format!("message.{member}"), "{id}");
        }
        let message = &serde_json::from_str::<Value>(call["params"][1].as_str().unwrap()).unwrap()["message"];
        for path in paths(&answer, "message.") {
            assert!(message.pointer(&format!("/{}", path.replace('.', "/"))).is_some(), "{path}");
        }
    }
    // A user operation has no message: its members stand alone.
    let answer = explained(&operation(json!([])));
    assert_eq!(paths(&answer, "message."), Vec::<String>::new(), "{answer:#}");
}

fn operation(more: Value) -> Value {
    let operation = json!({ "sender": THIEF, "nonce": "0x0", "callData": "0x12345678", "callGasLimit": "0x5208",
        "verificationGasLimit": "0x5208", "preVerificationGas": "0xde0b6b3a7640000", "maxFeePerGas": "0x77359400",
        "maxPriorityFeePerGas": "0x1", "paymaster": THIEF, "paymasterData": "0x01", "signature": "0x" });
    let params: Vec<_> = core::iter::once(operation).chain(more.as_array().unwrap().iter().cloned()).collect();
    json!({ "method": "eth_sendUserOperation", "params": params })
}

#[test]
fn without_an_entry_point_the_hash_of_an_operation_is_not_known() {
    let entry_point = json!(["0x0000000071727De22E5E9d8BAf0edAc6f37da032"]);
    let [bare, whole] = [json!([]), entry_point].map(|more| explained(&operation(more)));
    assert_eq!(found(&bare, "userOperation.entryPoint").unwrap()["severity"], "info");
    assert!(found(&whole, "userOperation.entryPoint").is_none());
}

#[test]
fn no_account_known_is_no_accusation() {
    let swap = "swap(address executor,(address srcToken,address dstToken,address srcReceiver,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags) desc,bytes data)";
    let swap = data(swap, &format!("({THIEF},({USDC},{WETH},{THIEF},{OWNER},7,5,0),0x0102)"));
    let mut bare = sent(INCH, &swap);
    bare["params"][0].as_object_mut().unwrap().remove("from");
    let authorization = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
    let authorization = typed(
        json!({ "name": "USD Coin", "version": "2", "chainId": 1, "verifyingContract": USDC }),
        authorization,
        json!({ "from": OWNER, "to": THIEF, "value": "5", "validAfter": "0", "validBefore": SOON, "nonce": format!("0x{:064x}", 7) }),
    );
    let execute = data("execute(address to,uint256 value,bytes data)", &format!("({USDC},0,0x)"));
    for call in [cow(OWNER, "590000000000000000", SOON), bare, authorization, sent(THIEF, &execute)] {
        let answer = explained_for(&[], &call);
        assert_eq!(ids(&answer, "danger"), Vec::<String>::new(), "{answer:#}");
        assert!(!answer.to_string().contains("none of your"), "{answer:#}");
        assert!(found(&answer, "account.unjudged").is_some_and(|one| one["severity"] == "info"), "{answer:#}");
        // With an account known a stranger is one.
        let known = explained_for(&["0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"], &call);
        assert!(known.to_string().contains("none of your") || found(&known, "transfer.signed").is_some(), "{known:#}");
        assert!(found(&known, "account.unjudged").is_none(), "{known:#}");
    }
}

#[test]
fn nothing_known_of_the_sender_is_no_zero_address() {
    // The receiver is the sender, whom neither the transaction nor the context names.
    let inch = "swap(address executor,(address srcToken,address dstToken,address srcReceiver,address dstReceiver,uint256 amount,uint256 minReturnAmount,uint256 flags) desc,bytes data)";
    let inch = data(inch, &format!("({THIEF},({USDC},{WETH},{THIEF},{ZERO},7,5,0),0x01)"));
    let market = "swapExactAmountIn(address executor,(address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) swapData,uint256 partnerAndFee,bytes permit,bytes executorData)";
    let market = data(market, &format!("({THIEF},({USDC},{WETH},7,5,5,0x{:064x},{ZERO}),0,0x,0x01)", 0));
    for (to, data) in
        [("0x111111125421cA6dc452d289314280a0f8842A65", inch), ("0x6A000F20005980200259B80c5102003040001068", market)]
    {
        let mut call = sent(to, &data);
        call["params"][0].as_object_mut().unwrap().remove("from");
        let answer = explained_for(&[], &call);
        assert!(!sentence(&answer).contains(ZERO) && answer["facts"]["to"].is_null(), "{answer:#}");
        assert_eq!(ids(&answer, "danger"), Vec::<String>::new(), "{answer:#}");
    }
}

#[test]
fn an_amount_without_bound_is_shown_as_any() {
    let permit = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
    let domain = json!({ "name": "USD Coin", "version": "2", "chainId": 1, "verifyingContract": USDC });
    let message =
        json!({ "owner": OWNER, "spender": THIEF, "value": U256::MAX.to_string(), "nonce": "4", "deadline": SOON });
    let more = "increaseAllowance(address spender,uint256 addedValue)";
    let approve = "approve(address spender,uint256 amount)";
    let arguments = format!("({THIEF},{})", U256::MAX);
    for call in
        [typed(domain, permit, message), sent(USDC, &data(approve, &arguments)), sent(USDC, &data(more, &arguments))]
    {
        let answer = explained(&call);
        let gives = &answer["facts"]["gives"][0];
        let shown = gives["display"].as_str().unwrap();
        assert!(shown.starts_with("any amount of "), "{shown}");
        assert!(sentence(&answer).contains(shown), "{answer:#}");
        // Programs get the amount.
        assert_eq!((gives["type"].as_str(), gives["value"].as_str()), (Some("amount"), Some(&*U256::MAX.to_string())));
    }
}

#[test]
fn a_minimum_of_nothing_is_no_minimum() {
    for (least, severity) in
        [("0", "caution"), ("2", "caution"), ("10000000000000", "caution"), ("10000000000001", "info")]
    {
        let answer = explained(&cow(OWNER, least, SOON));
        let id = if severity == "info" { "price.unjudged" } else { "price.none" };
        let one = found(&answer, id).unwrap_or_else(|| panic!("{least}: {answer:#}"));
        assert_eq!((one["severity"].as_str(), one["field"].as_str()), (Some(severity), Some("message.buyAmount")));
    }
}

#[test]
fn a_sign_in_without_a_chain_that_can_be_read_is_not_passed_over() {
    let text = |chain: &str| {
        let text = format!(
            "app.example wants you to sign in with your Ethereum account:\n{OWNER}\n\nHello\n\nURI: https://app.example\nVersion: 1\n{chain}Nonce: 12345678\nIssued At: 2026-11-26T00:00:00Z"
        );
        json!({ "kind": "message", "bytes": hex::encode_prefixed(text) })
    };
    for (line, expected) in [
        ("Chain ID: 1\n", ""),
        ("Chain ID: 10\n", "chain.other"),
        ("Chain ID: 0xa\n", "chain.other"),
        ("Chain ID: 0x1\n", ""),
        ("Chain ID: ten\n", "message"),
        ("Chain ID: 99999999999999999999999\n", "chain.other"),
        ("", "message"),
    ] {
        let answer = explained(&text(line));
        assert_eq!(found(&answer, "chain.other").is_some(), expected == "chain.other", "{line}: {answer:#}");
        assert_eq!(answer["opaque"] == json!(["message"]), expected == "message", "{line}: {answer:#}");
    }
}

/// Bytes as RLP has them.
fn rlp(bytes: &[u8]) -> Vec<u8> {
    match bytes {
        [one] if *one < 0x80 => vec![*one],
        _ => [head(0x80, bytes.len()), bytes.to_vec()].concat(),
    }
}

fn head(base: u8, length: usize) -> Vec<u8> {
    let digits: Vec<u8> = length.to_be_bytes().into_iter().skip_while(|one| *one == 0).collect();
    if length < 56 { vec![base + length as u8] } else { [vec![base + 55 + digits.len() as u8], digits].concat() }
}

fn list(items: &[Vec<u8>]) -> Vec<u8> {
    let content: Vec<u8> = items.iter().flat_map(|item| rlp(item)).collect();
    [head(0xC0, content.len()), content].concat()
}

#[test]
fn a_transaction_that_is_signed_says_by_whom() {
    let key = SigningKey::from_slice(&[7; 32]).unwrap();
    let point = key.verifying_key().to_encoded_point(false);
    let signer = Address::from_slice(&keccak256(&point.as_bytes()[1..])[12..]);
    let to = address!("0xBaD0000000000000000000000000000000000BAD").to_vec();
    let sent = data("transfer(address to,uint256 amount)", &format!("({THIEF},7)"));
    let sent = hex::decode(sent).unwrap();
    let legacy = vec![vec![9], vec![1, 0], vec![0x52, 8], to.clone(), vec![5], sent.clone()];
    let with_list = |mut items: Vec<Vec<u8>>, last: &[u8]| {
        let content: Vec<u8> = items.drain(..).flat_map(|item| rlp(&item)).chain(last.iter().copied()).collect();
        content
    };
    let second = with_list(vec![vec![1], vec![9], vec![1], vec![1, 0], vec![0x52, 8], to, vec![5], sent], &[0xC0]);
    let listed = |content: &[u8]| [head(0xC0, content.len()), content.to_vec()].concat();
    let content = |items: &[Vec<u8>]| items.iter().flat_map(|item| rlp(item)).collect::<Vec<u8>>();
    // Each kind: what is signed, and how `v` is written.
    let bound = [legacy.clone(), vec![vec![1], vec![], vec![]]].concat();
    for (kind, signed, open, chain) in [
        ("legacy", list(&legacy), content(&legacy), None),
        ("EIP-155", list(&bound), content(&legacy), Some(1_u8)),
        ("type 2", [vec![2], listed(&second)].concat(), second.clone(), None),
    ] {
        let (signature, odd) = key.sign_prehash_recoverable(keccak256(&signed).as_slice()).unwrap();
        let bytes = signature.to_bytes();
        let v = odd.to_byte()
            + match (kind, chain) {
                ("type 2", _) => 0,
                (_, None) => 27,
                (_, Some(id)) => 35 + 2 * id,
            };
        let trim = |word: &[u8]| word.iter().copied().skip_while(|one| *one == 0).collect::<Vec<u8>>();
        let v = if v == 0 { vec![] } else { vec![v] };
        let whole = [open, content(&[v, trim(&bytes[..32]), trim(&bytes[32..])])].concat();
        let raw = if kind == "type 2" { [vec![2], listed(&whole)].concat() } else { listed(&whole) };
        let answer = explained_for(&[&signer.to_string()], &json!({ "raw": hex::encode_prefixed(raw) }));
        let one = found(&answer, "transaction.signed").unwrap_or_else(|| panic!("{kind}: {answer:#}"));
        assert!(one["text"].as_str().unwrap().contains(&signer.to_string()), "{kind}: {one}");
        assert_eq!(answer["facts"]["from"], signer.to_string(), "{kind}");
        assert!(found(&answer, "sender.other").is_none(), "{kind}: {answer:#}");
        let chainless = found(&answer, "chain.none");
        assert_eq!(chainless.is_some(), kind == "legacy");
        assert!(chainless.is_none_or(|one| !one["text"].as_str().unwrap().contains("domain")), "{kind}: {answer:#}");
        // Unsigned it is nobody's yet.
        let unsigned = if kind == "legacy" { list(&legacy) } else { signed };
        assert!(found(&explained(&json!({ "raw": hex::encode_prefixed(unsigned) })), "transaction.signed").is_none());
    }
    // A signature that no key made is one all the same: it is said, and of nobody.
    let broken = [legacy, vec![vec![27], vec![0xFF; 32], vec![0xFF; 32]]].concat();
    let answer = explained(&json!({ "raw": hex::encode_prefixed(list(&broken)) }));
    assert!(found(&answer, "transaction.signature").is_some(), "{answer:#}");
    assert!(answer["facts"]["from"].is_null());
}

#[test]
fn a_message_needs_no_account_to_be_read() {
    let answer = explained(&json!({ "kind": "message", "bytes": "0x6869" }));
    assert_eq!(answer["verdict"], "explained", "{answer:#}");
    // The request of a wallet has an account: without one there is none to forward.
    assert!(answer["request"].is_null() && answer["facts"]["from"].is_null(), "{answer:#}");
    let malformed = explained(&json!({ "kind": "message", "bytes": "0x6869", "account": "me" }));
    assert_eq!(malformed["verdict"], "unread");
}

#[test]
fn protocols_that_are_not_read_are_not_misread() {
    for (name, call) in foreign() {
        let answer = explained(&call);
        let is_known =
            ["EIP-7702", "Safe", "user operation", "Aave permit"].iter().any(|known| name.starts_with(known));
        assert_eq!(answer["verdict"] == "explained", is_known, "{name}: {answer:#}");
        // The zero address gets nothing and is no contract: what it stands for is said in words.
        assert!(!answer["facts"].to_string().contains(ZERO), "{name}: {answer:#}");
        let texts = answer["findings"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap());
        assert!(texts.chain([sentence(&answer)]).all(|text| !text.contains(ZERO)), "{name}: {answer:#}");
        // Data that is signed for no contract is for no chain, whatever number its domain has.
        if name.starts_with("Hyperliquid") {
            assert_eq!(ids(&answer, "danger"), Vec::<String>::new(), "{name}: {answer:#}");
            assert!(found(&answer, "chain.named").is_some(), "{name}: {answer:#}");
        }
        // The part that an extension leaves is not known.
        if name.starts_with("1inch Fusion") {
            assert!(answer["facts"]["getsAtLeast"].is_null(), "{name}: {answer:#}");
            assert!(sentence(&answer).contains("0.59 WETH, unless what is not read lowers it,"), "{name}: {answer:#}");
        }
    }
}

fn foreign() -> Vec<(&'static str, Value)> {
    let domain = |name: &str, version: &str, contract: &str| json!({ "name": name, "version": version, "chainId": 1, "verifyingContract": contract });
    let permitted = json!([{ "token": USDC, "amount": "5000000" }, { "token": WETH, "amount": "6" }]);
    let batch = "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,Terms witness)Terms(address receiver,uint256 least)TokenPermissions(address token,uint256 amount)";
    let batch = typed(
        json!({ "name": "Permit2", "chainId": 1, "verifyingContract": PERMIT2 }),
        batch,
        json!({ "permitted": permitted, "spender": THIEF, "nonce": "1", "deadline": FAR, "witness": { "receiver": THIEF, "least": "1" } }),
    );
    let seaport = "OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)";
    let word = format!("0x{:064x}", 7);
    let seaport = typed(
        domain("Seaport", "1.6", "0x0000000000000068F116a894984e2DB1123eB395"),
        seaport,
        json!({ "offerer": OWNER, "zone": ZERO, "offer": [{ "itemType": 2, "token": THIEF, "identifierOrCriteria": "1", "startAmount": "1", "endAmount": "1" }],
            "consideration": [{ "itemType": 0, "token": ZERO, "identifierOrCriteria": "0", "startAmount": "1", "endAmount": "1", "recipient": THIEF }],
            "orderType": 0, "startTime": "0", "endTime": FAR, "zoneHash": word, "salt": "1", "conduitKey": word, "counter": "0" }),
    );
    let blur = typed(
        domain("Blur Exchange", "1.0", "0x000000000000Ad05Ccc4F10045630fb830B95127"),
        "Root(bytes32 root)",
        json!({ "root": word }),
    );
    let authorized = json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER, "to": OWNER, "chainId": "0x1", "type": "0x4",
        "authorizationList": [{ "address": THIEF, "chainId": "0x0", "nonce": "0x1", "yParity": "0x0", "r": "0x1", "s": "0x1" }] }] });
    let exec = "execTransaction(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)";
    let exec = sent(
        THIEF,
        &data(
            exec,
            &format!(
                "({USDC},0,{},0,0,100000,1000,{USDC},{ZERO},0x)",
                data("transfer(address to,uint256 amount)", &format!("({OWNER},7)"))
            ),
        ),
    );
    let v7 = "PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)";
    let execute = data("execute(address dest,uint256 value,bytes func)", &format!("({THIEF},1,0x)"));
    let v7 = typed(
        domain("ERC4337", "1", "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"),
        v7,
        json!({ "sender": OWNER, "nonce": "0", "initCode": "0x", "callData": execute, "accountGasLimits": word, "preVerificationGas": "1",
            "gasFees": word, "paymasterAndData": "0x" }),
    );
    let gmx = "createOrder(((address receiver,address cancellationReceiver,address callbackContract,address uiFeeReceiver,address market,address initialCollateralToken,address[] swapPath) addresses,(uint256 sizeDeltaUsd,uint256 amount) numbers,uint8 orderType) params)";
    let gmx = data(gmx, &format!("((({THIEF},{THIEF},{ZERO},{ZERO},{THIEF},{USDC},[]),(5,6),2))"));
    let multicall = data(
        "multicall(bytes[] data)",
        &format!(
            "([{gmx},{}])",
            data("sendTokens(address token,address receiver,uint256 amount)", &format!("({USDC},{THIEF},7)"))
        ),
    );
    let multicall = sent("0x7C68C7866A64FA2160F78EEaE12217FFbf871fa8", &multicall);
    let credit = typed(
        domain("Aave Variable Debt Ethereum USDC", "1", "0x72E95b8931767C79bA4EeE721354d6E99a61D004"),
        "DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)",
        json!({ "delegatee": THIEF, "value": U256::MAX.to_string(), "nonce": "0", "deadline": SOON }),
    );
    let aave = typed(
        domain("Aave Ethereum USDC", "1", "0x98C23E9d8f34FEFb1B7BD6a91B7FF122F4e16F5c"),
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
        json!({ "owner": OWNER, "spender": "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", "value": "5000000", "nonce": "0", "deadline": SOON }),
    );
    let liquid = typed(
        json!({ "name": "Exchange", "version": "1", "chainId": 1337, "verifyingContract": ZERO }),
        "Agent(string source,bytes32 connectionId)",
        json!({ "source": "a", "connectionId": word }),
    );
    let withdrawn = typed(
        json!({ "name": "HyperliquidSignTransaction", "version": "1", "chainId": 42161, "verifyingContract": ZERO }),
        "Withdraw(string hyperliquidChain,string destination,string amount,uint64 time)",
        json!({ "hyperliquidChain": "Mainnet", "destination": THIEF, "amount": "100", "time": NOW * 1000 }),
    );
    vec![
        ("Permit2 batch with a witness", batch),
        ("Seaport order", seaport),
        ("Blur root", blur),
        ("1inch Fusion order", inch(U256::from(1).wrapping_shl(249) | U256::from(1).wrapping_shl(251), SOON)),
        ("EIP-7702 for every chain", authorized),
        ("Safe, with a refund to the sender", exec),
        ("user operation of EntryPoint 0.8", v7),
        ("GMX order", multicall),
        ("Aave credit delegation", credit),
        ("Aave permit", aave),
        ("Hyperliquid agent", liquid),
        ("Hyperliquid withdrawal", withdrawn),
    ]
}

/// A payload that was misread once, by its key in misread.json: words of the sentence, or of a finding, those that must
/// not stand there, the findings, and the verdict.
type Misread = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str], &'static str);

/// Each finding with its severity; with `!` one that must not be there.
#[rustfmt::skip]
const MISREAD: &[Misread] = &[
    // At the addresses that stand for the native token there is no contract.
    ("41", &["Call 0xEeee"], &["100 ETH"], &["caution call.unknown", "caution contract.unknown"], "unread"),
    ("41b", &["Call 0x0000"], &["100 ETH"], &["caution call.unknown", "caution contract.unknown", "info batch.parts"], "unread"),
    ("33", &["Call 0x0000"], &["1 ETH"], &["caution call.unknown", "caution contract.unknown"], "unread"),
    ("33b", &["Call 0xEeee"], &["1 ETH"], &["caution call.unknown", "caution contract.unknown"], "unread"),
    ("33c", &["cannot be read"], &["1 ETH"], &["caution contract.unknown"], "unread"),
    // ERC-7821 takes the zero address for the account itself.
    ("42d", &["Call 0x19E7", "0xa9059cbb"], &["1 ETH"], &["caution call.unknown"], "unread"),
    ("42e", &["Send 1 ETH to 0x19E7"], &["0x0000"], &["!caution transfer.out"], "explained"),
    ("42f", &["Call 0x19E7", "0x3c66fe68"], &["0x0000"], &["caution call.unknown", "!caution contract.unknown"], "unread"),
    // An approval of 0 ends one, or is of item 0: no danger, and no word that it takes something back.
    ("14", &["to take 0 raw units of token"], &["any more"], &["caution token.unknown", "!danger spender.unknown"], "explained"),
    ("14b", &["of an item"], &[], &["caution token.unknown"], "explained"),
    ("14c", &["of an item"], &[], &["caution token.unknown"], "explained"),
    ("40d", &[], &[], &["caution token.unknown", "!danger spender.unknown"], "explained"),
    // A transfer of nothing takes no allowance back.
    ("49", &["to take 0 USDC"], &["any more"], &["!danger spender.signed"], "explained"),
    ("42", &["from 0xbaDc0DE0bAdC0DE0BADc0de0BADc0de0bADC0DE0 to 0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A on Ethereum, if its owner allows it"], &[], &["info batch.parts"], "explained"),
    ("42b", &["if its owner allows it"], &[], &["info batch.parts"], "explained"),
    ("42c", &["if its owner allows it"], &[], &["info batch.parts"], "explained"),
    // The text of a hash is a hash as well.
    ("57", &["0x9c22"], &[], &["caution hash.personal"], "unread"),
    ("22", &["Sign the text"], &[], &["caution hash.personal"], "unread"),
    ("22b", &["I agree to the terms of service.", "may be a hash"], &["are a hash"], &["caution hash.personal"], "unread"),
    ("24b", &["0x68656c6c6f207468657265 cannot be read"], &["hash"], &["!danger hash.raw", "danger message.form"], "unread"),
    ("56b", &["1000000 USDC for each unit of gas that is used, and for 1000000 more"], &[], &["danger safe.refund"], "explained"),
    // The calls inside take the value.
    ("13", &["send 1 ETH along", "Send 1 ETH to"], &[], &["!caution value.extra"], "explained"),
    ("55", &["send 1 ETH along", "Send 1 ETH to"], &[], &["!caution value.extra"], "explained"),
    ("06", &[], &["holds on each"], &["caution chain.none"], "explained"),
    ("06b", &[], &["holds on each"], &["caution chain.none"], "explained"),
    ("68", &[], &["holds on each"], &["caution chain.none"], "unread"),
    ("30", &[], &["anybody"], &["danger transfer.signed"], "explained"),
    ("40b", &["no known spender"], &["no known contract"], &["danger spender.unknown"], "explained"),
    ("29c", &["to take 50000000000000000000000000000 raw units of"], &["Allow Permit2 (0x000000000022D473030F116dDEE9F6B43aC78BA3) to take any"], &["caution amount.unlimited"], "explained"),
    ("29d", &["to take 100000000000000000000000000000 raw units of"], &[], &["danger amount.unlimitedUnknown"], "explained"),
    // MultiSend's code runs batches, and nothing else.
    ("56", &["0xa9059cbb"], &["Send 5"], &["caution call.unknown"], "unread"),
    ("56c", &[], &["none of your accounts"], &["caution transfer.out", "!danger receiver.other"], "explained"),
    ("20i", &["the account is 0x"], &[], &["caution sender.other", "!danger delegation"], "explained"),
    ("35", &["0xf14fcbc8"], &[], &["caution call.unknown"], "unread"),
];

#[test]
fn what_was_misread_once_is_not_again() {
    let all: Value = serde_json::from_str(include_str!("misread.json")).unwrap();
    let mut failures = vec![];
    for (name, words, others, findings, verdict) in MISREAD {
        let one = &all[name];
        let answer = explain(&one["call"].to_string(), &one["context"].to_string()).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let mut text = sentence(&answer).to_owned();
        for one in answer["findings"].as_array().unwrap() {
            text = format!(
                "{text}\n{} {}: {}",
                one["severity"].as_str().unwrap(),
                one["id"].as_str().unwrap(),
                one["text"].as_str().unwrap()
            );
        }
        let is_found = |one: &str| text.contains(&format!("\n{one}: "));
        let fits = words.iter().all(|word| text.contains(word))
            && !others.iter().any(|word| text.contains(word))
            && findings.iter().all(|one| one.strip_prefix('!').map_or_else(|| is_found(one), |one| !is_found(one)))
            && answer["verdict"] == *verdict;
        if !fits {
            failures.push(format!("{name}: {} {text}", answer["verdict"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
