//! Wallets and accounts as a page has them.

use super::page::{FEEDS, POST, Page, SIGN, apply, assert_error, get, is_error, js, open, page, text};
use js_sys::Object;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn the_wallets_own_error_is_the_cause_itself() {
    let page = page();
    let build = page.built().await;
    js("globalThis.thrown = Object.assign(new Error('nope'), { code: 4001, data: { a: 1 } })");
    // Rejected, or thrown where it was called: the same.
    for answer in ["() => Promise.reject(globalThis.thrown)", "() => { throw globalThis.thrown; }"] {
        page.answer("wallets", SIGN, answer);
        let error = assert_error(page.call("submit", &build).await, "USER_REJECTED", None);
        assert!(Object::is(&get(&error, "cause"), &js("globalThis.thrown")), "{answer}");
    }
    page.answer("wallets", SIGN, "() => { throw undefined; }");
    assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    page.answer("wallets", SIGN, "() => Promise.reject({ code: -32603, data: { originalError: { code: 4001 } } })");
    assert_error(page.call("submit", &build).await, "USER_REJECTED", None);
    page.answer(
        "wallets",
        SIGN,
        "() => Promise.reject({ code: -32603, message: 'Wrapped', data: { message: 'node' } })",
    );
    let error = assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    assert_eq!(text(&error, "message"), "eth_signTypedData_v4: node");
    let revoked = "() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return [proxy]; }";
    page.answer("wallets", "eth_accounts", revoked);
    assert_error(page.call("submit", &build).await, "WALLET_FAILED", None);
    page.answer("wallets", "eth_accounts", "undefined");
    page.answer("wallets", SIGN, "() => Promise.reject({ code: -32002 })");
    assert_error(page.call("submit", &build).await, "WALLET_PENDING", None);
    assert!(page.sent(POST).is_empty());
}

#[wasm_bindgen_test]
async fn an_answer_that_is_no_promise_is_an_answer() {
    let page = page();
    let build = page.built().await;
    for method in [SIGN, "eth_accounts", "eth_chainId", "eth_getCode", "eth_call"] {
        page.answer("wallets", method, "(params, own) => own()");
    }
    page.call("submit", &build).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_wallet_is_asked_as_a_method_of_its_object() {
    // The wallet keeps its methods private: called without its object, it throws.
    let page = page();
    let bare = apply(
        "(wallet) => { const { request } = wallet; try { request({ method: 'eth_accounts' }) }
        catch (e) { return e instanceof TypeError } }",
        &get(&page.world, "wallet"),
    );
    assert!(bare.is_truthy(), "the wallet does not care, and proves nothing");
    page.call("submit", &page.built().await).await.unwrap();
}

#[wasm_bindgen_test]
async fn a_local_account_signs_what_it_is_given_as_an_object() {
    let page = page();
    let owner = get(&page.world, "owner");
    let node = get(&page.world, "wallet");
    let options = apply(
        "([wallet, references]) => ({ baseUrl: 'https://service.test', rpc: { 8453: wallet }, advanced: { references } })",
        &js_sys::Array::of2(&node, &js(FEEDS)),
    );
    let binding = apply(
        "([wallet, address]) => ({ account: { address }, async signTypedData(typedData) {
            globalThis.given = typedData;
            return wallet.request({ method: 'eth_signTypedData_v4', params: [address, JSON.stringify(typedData)] });
        } })",
        &js_sys::Array::of2(&node, &owner),
    );
    let client = open(&options).unwrap().with_wallet(&binding).unwrap();
    let page = Page { client, world: page.world };
    page.call("submit", &page.built().await).await.unwrap();
    let given = js("globalThis.given");
    assert_eq!((text(&given, "primaryType"), get(&given, "domain.chainId").as_f64()), ("Order".into(), Some(8453.0)));
    assert_eq!(text(&given, "message.srcAmount"), "100000000");
}

#[wasm_bindgen_test]
async fn a_provider_or_an_account_itself_is_told_how_it_is_bound() {
    let client = page().client;
    for (binding, field, expected, actual) in [
        ("{ isMetaMask: true, _events: {}, request() {} }", "binding", "{ wallet: provider }", "the provider itself"),
        ("new (class { _state = {}; request() {} })()", "binding", "{ wallet: provider }", "the provider itself"),
        (
            "{ address: '0x', type: 'local', signMessage() {}, signTypedData() {} }",
            "binding",
            "{ account, signTypedData }",
            "the account itself",
        ),
        ("{ request() {}, acount: '0x' }", "binding.acount", "a known option (did you mean account?)", "\"acount\""),
        ("{ wallet: 7, request() {} }", "binding", "one of wallet, request, signTypedData", "none or several"),
    ] {
        let error = client.with_wallet(&js(&format!("({binding})"))).err().expect(binding);
        assert!(is_error(&error));
        let told = ["field", "expected", "actual"].map(|name| text(&error, name));
        assert_eq!(told, [field, expected, actual], "{binding}");
    }
    // A provider alone is a binding, too.
    client.with_wallet(&js("({ request() {} })")).unwrap();
}
