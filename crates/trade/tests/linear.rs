//! A text of twice the size costs twice the work: counted in allocations, not in time. Where each item was looked up from
//! the top, or told of in an error that nobody reads, it was the square.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

use allocations::asked;
use verified_swap_trade::flows::compute;
use verify::internal::json::{Json, JsonAt, parse};
use verify::internal::wire::failure::{code, refusal};
use verify::internal::wire::quote::read_price;
use verify::internal::wire::resources::ResourceShape;

#[path = "../../../tests/shared/allocations.rs"]
mod allocations;

fn list(item: &str, count: usize) -> String {
    format!("[{}]", vec![item; count].join(","))
}

/// Reads everything there is to read of a delta block.
fn prices(text: &str) {
    let json = parse(text).unwrap();
    let at = JsonAt::service(&json, "delta");
    drop(read_price(&at, None));
    for index in 0..100 {
        drop(read_price(&at, Some(index)));
    }
}

fn hashed(count: usize) {
    let members: Vec<String> = (0..100).map(|at| format!(r#"{{"name":"member{at}","type":"Leaf"}}"#)).collect();
    let types = format!(r#"{{"Root":[{{"name":"x","type":"Node[]"}}],"Node":[{}],"Leaf":[]}}"#, members.join(","));
    let leaves: Vec<String> = (0..100).map(|at| format!(r#""member{at}":{{}}"#)).collect();
    let nodes = list(&format!("{{{}}}", leaves.join(",")), count);
    let text = format!(r#"{{"types":{types},"primaryType":"Root","domain":{{}},"message":{{"x":{nodes}}}}}"#);
    compute("hashTypedData", &Json::String(text), &Json::Null).unwrap();
}

#[test]
fn reading_takes_linear_time() {
    let read = |reading: ResourceShape, text: String| drop(reading.read(&parse(&text).unwrap(), None));
    let leg = r#"{"token":{"chainId":1,"address":"0x1111111111111111111111111111111111111111"},"amount":"1"}"#;
    let route =
        format!(r#"{{"origin":{{"input":{leg},"output":{leg}}},"destination":{{"input":{leg},"output":{leg}}}}}"#);
    let delta =
        |more: &str| format!(r#"{{"spender":"0x1111111111111111111111111111111111111111","route":{route},{more}}}"#);
    let tagged =
        |tags: &str| format!(r#"{{"route":{{"bridge":{{"protocol":"x","tags":{tags}}}}},"alternatives":[{{}}]}}"#);
    let shapes: [(&str, &dyn Fn(usize)); 9] = [
        ("other routes", &|n| prices(&delta(&format!(r#""alternatives":{}"#, list(&route, n))))),
        ("other routes without anything", &|n| prices(&delta(&format!(r#""alternatives":{}"#, list("{}", n * 50))))),
        ("a partner that is a list", &|n| prices(&delta(&format!(r#""partner":{}"#, list("[]", n * 50))))),
        ("tags", &|n| prices(&tagged(&list("1", n * 50)))),
        ("tokens", &|n| read(ResourceShape::List("tokens", &["symbol"]), list(r#"{"symbol":"X"}"#, n * 10))),
        ("chains", &|n| {
            let ids: Vec<String> = (0..n * 50).map(|id| id.to_string()).collect();
            read(ResourceShape::ChainIds, format!("[{}]", ids.join(",")));
        }),
        ("a refusal", &|n| {
            let body = format!(r#"{{"error":"{}"}}"#, "x ".repeat(n * 500));
            code(400, &refusal(&body));
        }),
        ("typed data", &|n| hashed(n / 8)),
        ("members", &|n| {
            let wide: Vec<String> = (0..200).map(|at| format!("\"{at}\":0")).collect();
            drop(parse(&list(&format!("{{{}}}", wide.join(",")), n / 2)));
        }),
    ];
    for (name, shape) in shapes {
        shape(100);
        let (once, twice) = (asked(|| shape(1_000)).0, asked(|| shape(2_000)).0);
        // A list that grows may have a piece to spare.
        assert!(twice < once / 10 * 25, "{name}: {once} and {twice} bytes");
    }
}

/// A fault costs what it says, not what it was found in.
#[test]
fn an_error_costs_no_more_in_a_large_answer_than_in_a_small_one() {
    let fault = |count: usize| {
        let json =
            parse(&format!(r#"{{"list":{},"last":{{"wrong":{}}}}}"#, list("[]", count), list("[]", count))).unwrap();
        asked(|| {
            let error = JsonAt::service(&json, "answer").get("last").get("wrong").text().unwrap_err();
            assert_eq!(error.field.as_deref(), Some("answer.last.wrong"));
            assert!(error.message.len() < 300, "{}", error.message);
        })
        .0
    };
    assert_eq!(fault(1_000), fault(50_000));
}

/// Calls of the package's own explanation, each in the form that costs most by its size.
#[test]
fn explaining_takes_linear_time() {
    use verified_swap_explain::explain;
    const ACCOUNT: &str = "0x4a62316623ad457f02cdc5d997ded67a383ec569";
    let context = format!(r#"{{"accounts":["{ACCOUNT}"],"chainId":8453,"now":1800000000}}"#);
    let run = |call: String| drop(explain(&call, &context).unwrap());
    let typed = |types: &str, message: &str| {
        let typed = format!(r#"{{"types":{types},"primaryType":"A","domain":{{}},"message":{message}}}"#);
        run(format!(r#"{{"method":"eth_signTypedData_v4","params":["{ACCOUNT}",{typed}]}}"#));
    };
    let sent = |data: &str| {
        run(format!(
            r#"{{"method":"eth_sendTransaction","params":[{{"from":"{ACCOUNT}","to":"{ACCOUNT}","data":"0x{data}"}}]}}"#
        ));
    };
    let word = |number: usize| format!("{number:064x}");
    // `multicall(bytes[])` of empty calls, and MultiSend's packed ones.
    let multicall = |count: usize| {
        let heads: String = (0..count).map(|index| word(32 * (count + index))).collect();
        sent(&format!("ac9650d8{}{}{heads}{}", word(32), word(count), word(0).repeat(count)));
    };
    let multi_send = |count: usize| {
        sent(&format!("8d80ff0a{}{}{}", word(32), word(85 * count), "00".repeat((85 * count).next_multiple_of(32))));
    };
    let nested = |count: usize| {
        let name = "n".repeat(count);
        let types = r#"{"A":[{"name":"x","type":"uint8[]"}]}"#;
        typed(types, &format!(r#"{{"x":{},"{name}":{}}}"#, list("1", count), list("{}", count)));
    };
    let shapes: [(&str, &dyn Fn(usize)); 6] = [
        ("values of typed data", &|n| {
            typed(r#"{"A":[{"name":"x","type":"uint8[]"}]}"#, &format!(r#"{{"x":{}}}"#, list("1", n * 5)))
        }),
        ("a long name", &nested),
        ("a text", &|n| {
            run(format!(r#"{{"method":"personal_sign","params":["{}","{ACCOUNT}"]}}"#, "\\u202e ".repeat(n * 5)))
        }),
        ("multicall", &|n| multicall(n / 2)),
        ("MultiSend", &|n| multi_send(n / 2)),
        ("calldata of no method", &|n| sent(&"01".repeat(n * 50))),
    ];
    for (name, shape) in shapes {
        shape(100);
        let (once, twice) = (asked(|| shape(1_000)).0, asked(|| shape(2_000)).0);
        assert!(twice < once / 10 * 25, "{name}: {once} and {twice} bytes");
    }
}
