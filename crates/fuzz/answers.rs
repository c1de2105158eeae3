//! Anything for an answer, of the service or of the wallet: a typed error or an honest trade, and nobody is asked to sign
//! what a hostile answer says.

use super::edits::{Edit, apply, edits};
use super::fake_host::{BUY, Rig, SELL, answer, failure, json, set};
use super::orders::swap;
use arbitrary::{Result, Unstructured};
use verified_swap_trade::host::{HttpAnswer, HttpFailure};
use verify::internal::json::{Json, parse};

/// Calls that read, with what they are given and the endpoint that answers.
const READS: [(&str, &str, &str); 15] = [
    ("order", r#""0x1111111111111111111111111111111111111111111111111111111111111111""#, "orderByHash"),
    ("order", r#""11111111-1111-4111-8111-111111111111""#, "order"),
    ("orders", r#"{"chainId":8453}"#, "orders"),
    ("otc.order", r#""0x1111111111111111111111111111111111111111111111111111111111111111""#, "otcOrder"),
    ("otc.orders", r#"{"chainId":8453,"role":"maker"}"#, "otcOrders"),
    ("info.chains", "null", "chains"),
    ("info.tokens", r#"{"chainId":8453}"#, "tokens"),
    ("info.tokenCategories", "null", "tokenCategories"),
    ("info.agents", r#"{"chainId":1}"#, "agents"),
    ("info.strategies", r#"{"chainId":1}"#, "strategies"),
    ("info.isTokenSupported", r#"{"chainId":10,"token":"native"}"#, "isTokenSupported"),
    ("info.bridgeRoutes", "null", "bridgeRoutes"),
    ("info.bridgeProtocols", "null", "bridgeProtocols"),
    ("info.fillableBalance", r#"{"chainId":8453}"#, "fillableBalance"),
    ("build", SELL, "swap"),
];
/// Endpoints a trade asks.
const TRADES: [&str; 5] = ["quote", "build", "post", "orderByHash", "orders"];
/// Questions a trade asks the wallet, which also reads the chain where no node is named.
const QUESTIONS: [&str; 8] = [
    "eth_accounts",
    "eth_chainId",
    "eth_getCode",
    "eth_call",
    "eth_getBlockByNumber",
    "eth_getBalance",
    "eth_signTypedData_v4",
    "wallet_switchEthereumChain",
];
const STATUSES: [u16; 10] = [200, 201, 204, 302, 400, 401, 404, 429, 500, 503];

pub fn run(data: &[u8]) {
    // An input that ends early has said less.
    let _ = play(&mut Unstructured::new(data));
}

fn play(bytes: &mut Unstructured<'_>) -> Result<()> {
    match bytes.int_in_range(0..=2)? {
        0 => read(bytes),
        1 => served(bytes),
        _ => held(bytes),
    }
}

/// A read is answered with anything.
fn read(bytes: &mut Unstructured<'_>) -> Result<()> {
    let (call, given, endpoint) = *bytes.choose(&READS)?;
    let status = *bytes.choose(&STATUSES)?;
    let body = String::from_utf8_lossy(bytes.bytes(bytes.len())?).into_owned();
    let rig = Rig::default();
    // At every attempt, and where there is another place to ask.
    for endpoint in [endpoint, "olderTokens"].repeat(8) {
        let body = body.clone();
        rig.world.service.borrow_mut().next(endpoint, move |_, _| answer(status, body));
    }
    let (mut given, mut options) = (json(given), "{}");
    if endpoint == "swap" {
        set(&mut given, "mode", r#""MARKET""#);
        options = r#"{"slippageBps":50,"minReceived":"1"}"#;
    }
    let outcome = rig.call(call, &given, options);
    assert!(outcome.is_ok() || outcome.is_err_and(|error| !error.message.is_empty()));
    rig.world.assert_untouched();
    Ok(())
}

/// Up to three answers of the service in a trade are anything, or the honest ones with changes or cut off.
fn served(bytes: &mut Unstructured<'_>) -> Result<()> {
    let rig = Rig::default();
    let request = if bytes.arbitrary()? { SELL } else { BUY };
    for _ in 0..bytes.int_in_range(1..=3)? {
        let (endpoint, status) =
            (*bytes.choose(&TRADES)?, if bytes.arbitrary()? { 200 } else { *bytes.choose(&STATUSES)? });
        let (edits, cut, kind) = (edits(bytes, true)?, bytes.arbitrary::<u16>()?, bytes.int_in_range(0..=4)?);
        let body = String::from_utf8_lossy(bytes.arbitrary()?).into_owned();
        if (endpoint, kind) == ("build", 4) {
            // The service knows what it has built.
            rig.world.service.borrow_mut().build_text = Some(Box::new(move |text| changed(&edits, text)));
            continue;
        }
        rig.world.service.borrow_mut().next(endpoint, move |service, request| {
            if kind == 0 {
                return Err(HttpFailure::Network(None));
            }
            if kind == 1 {
                return answer(status, body);
            }
            let HttpAnswer { mut body, .. } = service.honest(request)?;
            if kind == 2 {
                body.truncate(
                    (0..=usize::from(cut) % (body.len() + 1)).rev().find(|at| body.is_char_boundary(*at)).unwrap_or(0),
                );
            } else if endpoint != "build" {
                body = changed(&edits, body);
            }
            answer(status, body)
        });
    }
    swap(&rig, request, r#"{"slippageBps":50}"#);
    Ok(())
}

fn changed(edits: &[Edit], text: String) -> String {
    let mut tree = json(&text);
    apply(edits, &mut tree);
    tree.write()
}

/// Up to three answers of the wallet in a trade are anything.
fn held(bytes: &mut Unstructured<'_>) -> Result<()> {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    for _ in 0..bytes.int_in_range(1..=3)? {
        let question = *bytes.choose(&QUESTIONS)?;
        let (fails, code) = (bytes.ratio(1, 4)?, bytes.arbitrary()?);
        let text = String::from_utf8_lossy(bytes.arbitrary()?).into_owned();
        rig.world.signer.borrow_mut().next(question, move |_, _| match fails {
            true => Err(failure(code, &text)),
            false => Ok(parse(&text).unwrap_or(Json::String(text))),
        });
    }
    swap(&rig, SELL, r#"{"slippageBps":50}"#);
    Ok(())
}
