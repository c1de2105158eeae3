//! Wallets as they are in a page: the forms of their failures, and answers of odd kinds. docs/wallets.md lists them.

use super::page::{NEVER, POST, SIGN, assert_error, js, open, page, page_with, text};
use wasm_bindgen_test::wasm_bindgen_test;

const SWITCH: &str = "wallet_switchEthereumChain";

/// Errors that wallets and libraries throw where their user rejected.
const REFUSALS: [&str; 19] = [
    "{ code: 4001, message: 'no' }",
    "{ code: '4001' }",
    "{ code: 5000, message: 'no' }",
    // WalletConnect, and wallets behind it.
    "{ code: 5002, message: 'User rejected methods.' }",
    "{ code: -32000, message: 'User rejected the transaction' }",
    // A wallet on a phone wraps its own.
    "{ code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: { code: 4001 } } }",
    "{ code: -32603, message: 'x', data: { code: -32000, message: 'MetaMask Message Signature: User denied message signature.' } }",
    // viem: 4001 in its cause, or words below a code for anything.
    "Object.assign(new Error('TransactionExecutionError'), { cause: Object.assign(new Error('UserRejectedRequestError'), { code: 4001 }) })",
    "Object.assign(new Error('x'), { code: -1, cause: { code: -32603, cause: { message: 'user rejected signing' } } })",
    "Object.assign(new Error('a'), { cause: { cause: { cause: { code: 4001 } } } })",
    // ethers 5 and 6.
    "Object.assign(new Error('user rejected signing'), { code: 'ACTION_REJECTED', reason: 'user rejected signing' })",
    "Object.assign(new Error('could not coalesce error'), { code: 'UNKNOWN_ERROR', error: { code: 4001 } })",
    "Object.assign(new Error('x'), { code: 'UNKNOWN_ERROR', info: { error: { code: -32603, message: 'User rejected' } } })",
    // A Ledger, a Trezor, a Safe.
    "Object.assign(new Error('TransportStatusError'), { statusCode: 27013, statusText: 'CONDITIONS_OF_USE_NOT_SATISFIED' })",
    "Object.assign(new Error('Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'), { code: -32603 })",
    "Object.assign(new Error('Action cancelled by user'), { code: 'Failure_ActionCancelled' })",
    "{ code: 'Failure_ActionCancelled', error: 'Cancelled' }",
    "new Error('Transaction was rejected')",
    "'User canceled'",
];

/// Their other errors.
const OTHERS: [&str; 10] = [
    "{ code: 'ACTION_REJECTED', info: { error: { code: 3, message: 'execution reverted: user denied' } } }",
    "{ code: -32603, message: 'execution reverted: User rejected' }",
    "{ code: -32603, message: 'User rejected', data: { code: 3, data: '0x08c379a0' } }",
    "{ code: -32603, message: 'x', data: { message: 'execution reverted: denied by user' } }",
    "{ code: -32602, message: 'typed data has to be an object' }",
    "{ code: -1, message: 'unknown', cause: {} }",
    "{ code: null, message: null, data: null, cause: null }",
    "(() => { const it = { message: 'circle' }; it.cause = it; it.error = it; return it; })()",
    "{ get message() { throw 1 }, get code() { throw 2 }, get cause() { throw 3 } }",
    "7",
];

#[wasm_bindgen_test]
async fn a_rejection_is_found_wherever_it_stands() {
    let page = page();
    let build = page.built().await;
    for (thrown, code) in REFUSALS
        .map(|thrown| (thrown, "USER_REJECTED"))
        .into_iter()
        .chain(OTHERS.map(|thrown| (thrown, "WALLET_FAILED")))
    {
        page.answer("wallets", SIGN, &format!("() => Promise.reject({thrown})"));
        let error = page.call("submit", &build).await.expect_err(thrown);
        assert_eq!(text(&error, "code"), code, "{thrown}");
    }
    assert!(page.sent(POST).is_empty());
    page.answer("wallets", SIGN, "undefined");
    page.call("submit", &build).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_wallet_that_answers_twice_is_heard_once() {
    for then in [
        // The second answer is another one, or a failure.
        "(yes, no, own) => { yes(own); yes('0x'); }",
        "(yes, no, own) => { yes(own); no(new Error('late')); }",
        "(yes, no, own) => { setTimeout(() => { yes(own); yes(null); }, 5); throw new Error('at once'); }",
    ] {
        let page = page();
        let build = page.built().await;
        page.answer(
            "wallets",
            SIGN,
            &format!("(params, own) => ({{ then(yes, no) {{ ({then})(yes, no, own()); }} }})"),
        );
        let outcome = page.call("submit", &build).await;
        if then.contains("at once") {
            // The first error counts.
            assert_error(outcome, "WALLET_FAILED", None);
            page.answer("wallets", SIGN, "undefined");
            page.call("submit", &build).await.unwrap();
        } else {
            outcome.unwrap();
        }
        assert_eq!(page.sent(POST).len(), 1, "{then}");
    }
}

#[wasm_bindgen_test]
async fn a_wallet_that_never_says_who_or_where_it_is_fails_in_time() {
    for method in ["eth_accounts", "eth_chainId"] {
        let page = page_with("{ advanced: { timeoutMs: 100 } }");
        let build = page.built().await;
        page.answer("wallets", method, NEVER);
        let error = assert_error(page.call("submit", &build).await, "NETWORK", None);
        assert_eq!(text(&error, "message"), format!("{method}: no answer in time"));
        assert_eq!(page.asked(SIGN), 0);
        page.answer("wallets", method, "undefined");
        page.call("submit", &build).await.unwrap();
    }
}

/// A chain as an application names it, and as viem does: that has functions, and members without a use.
const CHAINS: [&str; 2] = [
    "{ chainName: 'Base', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
       rpcUrls: ['https://base.test'], blockExplorerUrls: ['https://scan.test'] }",
    "{ id: 8453, name: 'Base', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 }, network: 'base',
       rpcUrls: { default: { http: ['https://base.test'] } }, fees: { estimateFeesPerGas() {} }, blockTime: 2000n,
       blockExplorers: { default: { name: 'Scan', url: 'https://scan.test', apiUrl: 'https://api.test' } },
       formatters: { block: { format() {}, type: 'block' } }, serializers: { transaction() {} } }",
];

#[wasm_bindgen_test]
async fn a_chain_is_added_from_either_form_of_its_data() {
    for chain in CHAINS {
        let page = page_with(&format!("{{ switchChain: true, addChain: {{ 8453: {chain} }} }}"));
        let build = page.built().await;
        js("globalThis.on = '0x1'");
        page.answer("wallets", "eth_chainId", "() => globalThis.on");
        page.answer(
            "wallets",
            SWITCH,
            "() => Promise.reject({ code: -32603, message: 'Internal', data: { originalError: { code: 4902 } } })",
        );
        page.answer(
            "wallets",
            "wallet_addEthereumChain",
            "(params) => { globalThis.added = JSON.stringify(params); globalThis.on = params[0].chainId; return null; }",
        );
        page.call("submit", &build).await.unwrap();
        assert_eq!(
            js("globalThis.added").as_string().unwrap(),
            concat!(
                r#"[{"chainId":"0x2105","chainName":"Base","#,
                r#""nativeCurrency":{"name":"Ether","symbol":"ETH","decimals":18},"#,
                r#""rpcUrls":["https://base.test"],"blockExplorerUrls":["https://scan.test"]}]"#
            )
        );
        assert_eq!((page.asked(SWITCH), page.asked("wallet_addEthereumChain"), page.asked(SIGN)), (1, 1, 1));
    }
}

#[wasm_bindgen_test]
fn a_chains_data_is_refused_when_the_client_is_made() {
    for (data, field) in [
        ("7", "addChain"),
        ("{ base: {} }", "addChain.base"),
        ("{ 8453: 'https://base.test' }", "addChain.8453.chainName"),
        ("{ 8453: 7 }", "addChain.8453.chainName"),
        ("{ 8453: {} }", "addChain.8453.chainName"),
        ("{ 8453: { id: 1 } }", "addChain.8453.id"),
        ("{ 8453: { chainName: () => 1 } }", "addChain.8453.chainName"),
        ("{ 8453: CHAIN, '08453': CHAIN }", "addChain.08453"),
        ("{ 8453: { ...CHAIN, rpcUrls: ['http://base.test'] } }", "addChain.8453.rpcUrls.0"),
        ("{ 8453: { ...CHAIN, typo: 1 } }", "addChain.8453.typo"),
    ] {
        let options = format!("{{ baseUrl: 'https://service.test', addChain: {} }}", data.replace("CHAIN", CHAINS[0]));
        let error = open(&js(&options)).err().expect(data);
        assert_eq!((text(&error, "code"), text(&error, "field")), ("INVALID_INPUT".into(), field.into()), "{data}");
    }
    open(&js("{ baseUrl: 'https://service.test', addChain: null }")).unwrap();
}

#[wasm_bindgen_test]
fn a_paymaster_is_refused_when_the_client_is_made() {
    let opened =
        |stated: &str| open(&js(&format!("{{ baseUrl: 'https://service.test', paymasterService: {stated} }}")));
    for (stated, field) in [
        ("'https://pay.test'", ""),
        ("{ url: 'https://pay.test' }", ".url"),
        ("{ 8453: 'https://pay.test' }", ".8453"),
        ("{ 8453: {} }", ".8453.url"),
        ("{ 8453: { url: 'http://pay.test' } }", ".8453.url"),
        ("{ 8453: { url: 'https://pay.test', optional: true } }", ".8453.optional"),
        ("{ 8453: { url: 'https://pay.test', context: 'policy' } }", ".8453.context"),
    ] {
        let error = opened(stated).err().expect(stated);
        let expected = ("INVALID_INPUT".into(), format!("paymasterService{field}"));
        assert_eq!((text(&error, "code"), text(&error, "field")), expected, "{stated}");
    }
    opened(
        "{ 8453: { url: 'https://pay.test/v1?key=1', context: { policyId: '1' } }, 1: { url: 'https://pay.test' } }",
    )
    .unwrap();
    opened("undefined").unwrap();
}
