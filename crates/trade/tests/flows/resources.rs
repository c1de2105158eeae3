//! The service's small reads: what is sent, every shape of answer that is read, and what is refused before anything is.

use super::fake_host::{Rig, SRC, WRAPPED, json, set};
use verify::internal::error::{Error, ErrorCode};

const TOKEN: &str = "0xabcdefabcdefabcdefabcdefabcdefabcdefabcd";
const CHECKSUMMED: &str = "0xABcdEFABcdEFabcdEfAbCdefabcdeFABcDEFabCD";

fn call(rig: &Rig, name: &str, query: &str) -> Result<String, Error> {
    rig.call_telling(name, &json(query), "{}", &|_| {})
}

/// The result of the call for an answer, and the URL that it sent.
fn answered(name: &'static str, query: &str, answer: &'static str) -> (Result<String, Error>, String) {
    let rig = Rig::default();
    let endpoint = if name == "otc.fillableBalance" { "otcFillableBalance" } else { name.trim_start_matches("info.") };
    rig.world.service.borrow_mut().next_is(endpoint, 200, answer);
    let outcome = call(&rig, name, query);
    let url = rig.world.sent(endpoint).pop().map_or(String::new(), |request| request.url);
    (outcome, url.strip_prefix("https://service.test").unwrap_or_default().into())
}

#[test]
fn every_parameter_arrives() {
    let owner = Rig::default().owner();
    let native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
    for (name, query, answer, sent) in [
        ("info.chains", "null", "[1]", "/chains".to_owned()),
        ("info.chains", "{}", "[1]", "/chains".into()),
        ("info.tokens", r#"{"chainId":8453}"#, r#"{"tokens":[]}"#, "/fiat/tokens/8453".into()),
        (
            "info.tokens",
            r#"{"chainId":"all","category":"a & b"}"#,
            r#"{"tokens":[]}"#,
            "/fiat/tokens/all?category=a%20%26%20b".into(),
        ),
        ("info.tokenCategories", "null", r#"{"categories":[]}"#, "/fiat/tokens/categories".into()),
        ("info.agents", r#"{"chainId":"1"}"#, "[]", "/v2/delta/agents/list/1".into()),
        ("info.strategies", r#"{"chainId":1}"#, "{}", "/v2/delta/prices/strategies/1".into()),
        (
            "info.isTokenSupported",
            &format!(r#"{{"chainId":10,"token":"{TOKEN}"}}"#),
            r#"{"supported":true}"#,
            format!("/v2/delta/prices/is-token-supported?token={CHECKSUMMED}&chainId=10"),
        ),
        (
            "info.isTokenSupported",
            r#"{"chainId":10,"token":"native"}"#,
            r#"{"supported":true}"#,
            format!("/v2/delta/prices/is-token-supported?token={native}&chainId=10"),
        ),
        ("info.bridgeRoutes", "null", r#"{"routes":[]}"#, "/v2/delta/prices/bridge-routes".into()),
        (
            "info.bridgeRoutes",
            r#"{"bridges":["Across","A & B"],"allowBridgeAndSwap":false}"#,
            r#"{"routes":[]}"#,
            "/v2/delta/prices/bridge-routes?bridges=Across,A%20%26%20B&allowBridgeAndSwap=false".into(),
        ),
        (
            "info.bridgeRoutes",
            r#"{"allowBridgeAndSwap":true}"#,
            r#"{"routes":[]}"#,
            "/v2/delta/prices/bridge-routes?allowBridgeAndSwap=true".into(),
        ),
        ("info.bridgeProtocols", "{}", r#"{"bridgeProtocols":[]}"#, "/v2/delta/prices/bridge-protocols".into()),
        ("info.fillableBalance", r#"{"chainId":1}"#, "{}", format!("/v2/delta/orders/fillablebalance/1/{owner}")),
        (
            "info.fillableBalance",
            &format!(r#"{{"chainId":1,"account":"{SRC}","token":"{TOKEN}"}}"#),
            "{}",
            format!("/v2/delta/orders/fillablebalance/1/{SRC}/{CHECKSUMMED}"),
        ),
        (
            "otc.fillableBalance",
            &format!(r#"{{"chainId":1,"account":"{SRC}","token":"{TOKEN}"}}"#),
            "{}",
            format!("/ft/fillablebalance/1/{SRC}/{CHECKSUMMED}"),
        ),
    ] {
        let (outcome, url) = answered(name, query, answer);
        outcome.unwrap_or_else(|error| panic!("{name} {query}: {error:?}"));
        assert_eq!(url, sent, "{name} {query}");
    }
}

#[test]
fn each_invalid_query_is_refused_before_anything_is_sent() {
    for (name, query, field) in [
        ("info.chains", r#"{"chainId":1}"#, "query.chainId"),
        ("info.tokens", "null", "query.chainId"),
        ("info.tokens", r#"{"chainId":0}"#, "query.chainId"),
        ("info.tokens", r#"{"chainId":1.5}"#, "query.chainId"),
        ("info.tokens", r#"{"chain":1}"#, "query.chain"),
        ("info.tokens", r#"{"chainId":"ALL"}"#, "query.chainId"),
        ("info.tokens", r#"{"chainId":1,"category":""}"#, "query.category"),
        ("info.tokens", r#"{"chainId":1,"category":["a"]}"#, "query.category"),
        ("info.agents", r#"{"chainId":"all"}"#, "query.chainId"),
        ("info.tokenCategories", r#"{"chainId":1}"#, "query.chainId"),
        ("info.agents", r#"{"chainId":"one"}"#, "query.chainId"),
        ("info.strategies", "[]", "query"),
        ("info.isTokenSupported", r#"{"chainId":1}"#, "query.token"),
        ("info.isTokenSupported", r#"{"chainId":1,"token":"0x12"}"#, "query.token"),
        ("info.isTokenSupported", r#"{"token":"native"}"#, "query.chainId"),
        ("info.bridgeRoutes", r#"{"bridges":"Across"}"#, "query.bridges"),
        ("info.bridgeRoutes", r#"{"bridges":[]}"#, "query.bridges"),
        ("info.bridgeRoutes", r#"{"bridges":["a,b"]}"#, "query.bridges.0"),
        ("info.bridgeRoutes", r#"{"bridges":["a",""]}"#, "query.bridges.1"),
        ("info.bridgeRoutes", r#"{"allowBridgeAndSwap":"yes"}"#, "query.allowBridgeAndSwap"),
        ("info.bridgeProtocols", r#"{"bridges":["a"]}"#, "query.bridges"),
        ("info.fillableBalance", r#"{"chainId":1,"account":"0x00"}"#, "query.account"),
        ("info.fillableBalance", r#"{"chainId":1,"token":7}"#, "query.token"),
        ("info.fillableBalance", r#"{"chainId":1,"amount":"7"}"#, "query.amount"),
        ("approvals.needed", r#"{"chainId":1,"token":"native","amount":"1"}"#, "query.token"),
        (
            "approvals.needed",
            r#"{"chainId":1,"token":"0x1111111111111111111111111111111111111111","amount":"-1"}"#,
            "query.amount",
        ),
        (
            "approvals.needed",
            r#"{"chainId":1,"token":"0x1111111111111111111111111111111111111111","amount":"1","path":"market"}"#,
            "query.path",
        ),
    ] {
        let rig = Rig::default();
        let error = call(&rig, name, query).expect_err(query);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)), "{error:?}");
        assert!(rig.world.requests.borrow().is_empty(), "{name} {query}");
    }
}

#[test]
fn chain_ids_are_read_in_every_shape_that_a_list_of_chains_can_have() {
    for answer in [
        "[1,10,8453]",
        r#"["1","10","8453"]"#,
        r#"[{"chainId":1,"name":"Ethereum"},{"chainId":10},{"chainId":8453}]"#,
        r#"[{"id":1},{"network":10},{"chainId":"8453","id":"base"}]"#,
        r#"{"1":{"name":"Ethereum"},"10":{},"8453":{}}"#,
        r#"{"ethereum":{"chainId":1},"optimism":{"id":10},"base":{"network":8453}}"#,
        r#"{"ethereum":1,"optimism":10,"base":8453}"#,
        r#"{"chains":[1,10,8453]}"#,
        r#"{"chains":{"1":{},"10":{},"8453":{}},"_meta":{}}"#,
        r#"{"data":[{"chainId":1},{"chainId":10},{"chainId":8453}]}"#,
        r#"{"networks":[1,10,8453,10]}"#,
    ] {
        assert_eq!(answered("info.chains", "{}", answer).0.unwrap(), "[1,10,8453]", "{answer}");
    }
    for answer in ["[]", "{}", "null", r#""1""#, r#"["one"]"#, r#"{"chains":[]}"#, r#"[{"name":"Ethereum"}]"#] {
        let error = answered("info.chains", "{}", answer).0.expect_err(answer);
        assert_eq!(error.code, ErrorCode::ServiceMalformed, "{answer}");
    }
}

#[test]
fn lists_are_read_bare_or_in_their_frame_and_keep_members_nobody_knows() {
    let tokens = r#"[{"symbol":"A","address":"0x1111111111111111111111111111111111111111","decimals":6,"more":1.0,"categories":["x"]}]"#;
    let routes = r#"[{"srcChainId":1,"destChainId":10,"tokens":["0x1111111111111111111111111111111111111111"]}]"#;
    let protocols = r#"[{"protocol":"across","displayName":"Across","icon":"https://x/y.png","more":1.0}]"#;
    let agents = r#"["one","two"]"#;
    for (name, frame, list) in [
        ("info.tokens", "tokens", tokens),
        ("info.bridgeRoutes", "routes", routes),
        ("info.bridgeProtocols", "bridgeProtocols", protocols),
        ("info.agents", "agents", agents),
    ] {
        let query = if name.starts_with("info.bridge") { "{}" } else { r#"{"chainId":1}"# };
        let read = if frame == "tokens" { format!(r#"{{"tokens":{list},"leftOut":0}}"#) } else { list.into() };
        assert_eq!(answered(name, query, list).0.unwrap(), read);
        let framed: &'static str = format!(r#"{{"{frame}":{list}}}"#).leak();
        assert_eq!(answered(name, query, framed).0.unwrap(), read);
    }
    for (name, answer, field) in [
        ("info.tokens", r#"{"tokens":{}}"#, "answer.tokens"),
        (
            "info.tokens",
            r#"[{"symbol":"A","address":"0x1111111111111111111111111111111111111111"}]"#,
            "answer.0.decimals",
        ),
        ("info.agents", r#"[{"name":"one"}]"#, "answer.0"),
    ] {
        let error = answered(name, r#"{"chainId":1}"#, answer).0.expect_err(answer);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some(field)), "{answer}");
    }
}

#[test]
fn one_wrong_row_does_not_cost_the_list() {
    const GOOD: &str =
        r#"{"symbol":"A","address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","decimals":36,"categories":[]}"#;
    let wrong = [
        ("symbol", "null", "answer.0.symbol"),
        ("symbol", "7", "answer.0.symbol"),
        ("address", "null", "answer.0.address"),
        ("address", r#""0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed""#, "answer.0.address"),
        ("address", r#""0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg""#, "answer.0.address"),
        ("decimals", "null", "answer.0.decimals"),
        ("decimals", r#""18""#, "answer.0.decimals"),
        ("decimals", "77", "answer.0.decimals"),
        ("decimals", "37", "answer.0.decimals"),
        ("decimals", "-1", "answer.0.decimals"),
        ("decimals", "1.5", "answer.0.decimals"),
    ];
    let mut rows = vec![];
    for (member, value, field) in wrong {
        let mut row = json(GOOD);
        set(&mut row, member, value);
        let alone: &'static str = format!("[{}]", row.write()).leak();
        let error = answered("info.tokens", r#"{"chainId":1}"#, alone).0.expect_err(alone);
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some(field)), "{alone}");
        rows.push(row.write());
    }
    rows.extend(["7".into(), "null".into(), "[]".into()]);
    let answer: &'static str = format!("[{},{GOOD}]", rows.join(",")).leak();
    let read = answered("info.tokens", r#"{"chainId":1}"#, answer).0.unwrap();
    assert_eq!(read, format!(r#"{{"tokens":[{GOOD}],"leftOut":{}}}"#, rows.len()));
}

#[test]
fn tokens_of_either_list_have_the_newer_names_and_logos_that_can_be_shown() {
    let token = |more: &str| {
        format!(r#"{{"symbol":"A","address":"0x1111111111111111111111111111111111111111","decimals":6{more}}}"#)
    };
    for (sent, read) in [
        (r#","img":"https://x/a.png","network":1"#, r#","logoURI":"https://x/a.png","chainId":1,"categories":[]"#),
        (
            r#","chainId":1,"name":"Aa","logoURI":"https://x/a.png","tags":["t"],"sources":["s"],"categories":["c"]"#,
            r#","chainId":1,"name":"Aa","logoURI":"https://x/a.png","tags":["t"],"sources":["s"],"categories":["c"]"#,
        ),
        (
            r#","logoURI":"https://x/new.png","img":"https://x/old.png""#,
            r#","logoURI":"https://x/new.png","categories":[]"#,
        ),
        (r#","logoURI":"http://x/a.png","img":"https://x/b.png""#, r#","logoURI":"https://x/b.png","categories":[]"#),
        (r#","logoURI":"javascript:alert(1)""#, r#","categories":[]"#),
        (r#","logoURI":"data:image/svg+xml,x","img":"ipfs://x""#, r#","logoURI":"ipfs://x","categories":[]"#),
        (r#","logoURI":null,"img":7"#, r#","categories":[]"#),
        (
            r#","img":"https://x/a.png","logoURI":"ftp://x","categories":null"#,
            r#","logoURI":"https://x/a.png","categories":[]"#,
        ),
        (r#","network":2,"chainId":1"#, r#","chainId":1,"categories":[]"#),
    ] {
        let answer: &'static str = format!("[{}]", token(sent)).leak();
        let read = format!(r#"{{"tokens":[{}],"leftOut":0}}"#, token(read));
        assert_eq!(answered("info.tokens", r#"{"chainId":1}"#, answer).0.unwrap(), read);
    }
}

#[test]
fn the_older_list_is_asked_for_where_the_newer_one_is_not_there() {
    let older = r#"{"tokens":[{"symbol":"A","address":"0x1111111111111111111111111111111111111111","decimals":6}]}"#;
    for status in [400, 404, 405, 410, 422, 500, 501] {
        for (query, has_older) in [
            (r#"{"chainId":8453}"#, [404, 405, 410, 501].contains(&status)),
            // It knows neither.
            (r#"{"chainId":8453,"category":"x"}"#, false),
            (r#"{"chainId":"all"}"#, false),
        ] {
            let rig = Rig::default();
            rig.world.service.borrow_mut().always_is("tokens", status, "<html>");
            rig.world.service.borrow_mut().next_is("olderTokens", 200, older);
            let outcome = call(&rig, "info.tokens", query);
            let asked = rig.world.sent("olderTokens");
            match outcome {
                Ok(tokens) => assert!(has_older && tokens.contains(r#""symbol":"A""#), "{status} {query}"),
                Err(error) => assert!(!has_older && error.status == Some(status), "{status} {query}: {error:?}"),
            }
            let urls: Vec<&str> = asked.iter().map(|request| request.url.as_str()).collect();
            assert_eq!(urls, ["https://service.test/tokens/8453"][..usize::from(has_older)]);
        }
    }
}

#[test]
fn categories_are_objects_or_names() {
    let read = |answer| answered("info.tokenCategories", "{}", answer).0;
    let both = r#"[{"id":"stable","name":"Stablecoins"},{"id":"meme","name":"meme"}]"#;
    for answer in [
        r#"{"categories":[{"id":"stable","name":"Stablecoins"},{"id":"meme"}]}"#,
        r#"[{"name":"Stablecoins","id":"stable","more":1},"meme"]"#,
    ] {
        assert_eq!(read(answer).unwrap(), both);
    }
    for answer in ["{}", "null", r#"{"categories":[{"name":"x"}]}"#, "[7]"] {
        assert_eq!(read(answer).unwrap_err().code, ErrorCode::ServiceMalformed, "{answer}");
    }
}

#[test]
fn token_support_is_a_boolean() {
    let query = r#"{"chainId":1,"token":"0x1111111111111111111111111111111111111111"}"#;
    for (answer, found) in [(r#"{"supported":true}"#, "true"), (r#"{"supported":false}"#, "false"), ("true", "true")] {
        assert_eq!(answered("info.isTokenSupported", query, answer).0.unwrap(), found);
    }
    for answer in [r#"{"supported":"true"}"#, r#"{"supported":1}"#, "{}", "null"] {
        let error = answered("info.isTokenSupported", query, answer).0.expect_err(answer);
        assert_eq!(error.code, ErrorCode::ServiceMalformed, "{answer}");
    }
}

#[test]
fn keys_that_are_tokens_are_checksummed() {
    for spelling in [TOKEN, CHECKSUMMED, "0xABCDEFABCDEFABCDEFABCDEFABCDEFABCDEFABCD"] {
        let amounts: &'static str = format!(r#"{{"{spelling}":"123"}}"#).leak();
        for name in ["info.fillableBalance", "otc.fillableBalance"] {
            let found = answered(name, r#"{"chainId":1}"#, amounts).0.unwrap();
            assert_eq!(found, format!(r#"{{"{CHECKSUMMED}":"123"}}"#));
        }
        let strategies: &'static str = format!(r#"{{"{spelling}":{{"address":"0xd","strategies":[]}}}}"#).leak();
        let found = answered("info.strategies", r#"{"chainId":1}"#, strategies).0.unwrap();
        assert_eq!(found, format!(r#"{{"{CHECKSUMMED}":{{"address":"0xd","strategies":[]}}}}"#));
    }
    // Numbers are amounts too, as long as no digit is lost.
    let number: &'static str = format!(r#"{{"{TOKEN}":123}}"#).leak();
    assert_eq!(
        answered("info.fillableBalance", r#"{"chainId":1}"#, number).0.unwrap(),
        format!(r#"{{"{CHECKSUMMED}":"123"}}"#)
    );
    // The balance of one token may come alone.
    let query = format!(r#"{{"chainId":1,"token":"{TOKEN}"}}"#);
    assert_eq!(answered("info.fillableBalance", &query, r#""7""#).0.unwrap(), format!(r#"{{"{CHECKSUMMED}":"7"}}"#));
}

#[test]
fn duplicate_or_invalid_token_keys_and_amounts_are_malformed() {
    let twice: &'static str = format!(r#"{{"{TOKEN}":"1","{CHECKSUMMED}":"2"}}"#).leak();
    let crooked: [&'static str; 3] = ["1e3", "-1", "1.0"].map(|amount| &*format!(r#"{{"{TOKEN}":"{amount}"}}"#).leak());
    for answer in [twice, r#"{"USDC":"1"}"#, "[]", "null", r#""7""#, crooked[0], crooked[1], crooked[2]] {
        let error = answered("info.fillableBalance", r#"{"chainId":1}"#, answer).0.expect_err(answer);
        assert_eq!(error.code, ErrorCode::ServiceMalformed, "{answer}");
    }
}

#[test]
fn an_allowance_covers_what_open_orders_have_claimed_on_the_same_path() {
    let query = |more: &str| format!(r#"{{"chainId":8453,"token":"{TOKEN}","amount":"100"{more}}}"#);
    let claimed: &'static str = format!(r#"{{"{TOKEN}":"23"}}"#).leak();
    for (more, resource, other) in [
        ("", "fillableBalance", "otcFillableBalance"),
        (r#","path":"delta""#, "fillableBalance", "otcFillableBalance"),
        (r#","path":"otc""#, "otcFillableBalance", "fillableBalance"),
    ] {
        let rig = Rig::default();
        rig.world.service.borrow_mut().next_is(resource, 200, claimed);
        assert_eq!(call(&rig, "approvals.needed", &query(more)).unwrap(), r#""123""#);
        let url = rig.world.sent(resource).pop().unwrap().url;
        assert!(url.ends_with(&format!("/8453/{}/{CHECKSUMMED}", rig.owner())), "{url}");
        assert!(rig.world.sent(other).is_empty(), "each spender has its own allowance");
    }
    let rig = Rig::default();
    rig.world.service.borrow_mut().next_is("fillableBalance", 200, "{}");
    let account = format!(r#","account":"{WRAPPED}""#);
    assert_eq!(call(&rig, "approvals.needed", &query(&account)).unwrap(), r#""100""#);
    assert!(rig.world.sent("fillableBalance")[0].url.to_ascii_lowercase().contains(WRAPPED));
    // Balances that cannot be had cannot be added: a service that fails is no zero.
    rig.world.service.borrow_mut().always_is("fillableBalance", 500, "");
    assert_eq!(call(&rig, "approvals.needed", &query("")).unwrap_err().code, ErrorCode::ServiceRejected);
}

#[test]
fn a_sum_beyond_all_allowances_is_the_largest_one() {
    let rig = Rig::default();
    let most = alloy_primitives::U256::MAX;
    rig.world.chain.borrow_mut().node(8453).balance = most;
    let claimed: &'static str = format!(r#"{{"{TOKEN}":"{most}"}}"#).leak();
    rig.world.service.borrow_mut().next_is("fillableBalance", 200, claimed);
    let query = format!(r#"{{"chainId":8453,"token":"{TOKEN}","amount":"1"}}"#);
    assert_eq!(call(&rig, "approvals.needed", &query).unwrap(), format!(r#""{most}""#));
}

#[test]
fn a_claim_beyond_what_the_owner_has_is_needed_no_further_than_that() {
    for (path, resource) in [("delta", "fillableBalance"), ("otc", "otcFillableBalance")] {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).balance = alloy_primitives::U256::from(120);
        let claimed: &'static str = format!(r#"{{"{TOKEN}":"23"}}"#).leak();
        rig.world.service.borrow_mut().next_is(resource, 200, claimed);
        let query = format!(r#"{{"chainId":8453,"token":"{TOKEN}","amount":"100","path":"{path}"}}"#);
        assert_eq!(call(&rig, "approvals.needed", &query).unwrap(), r#""120""#, "{path}");
    }
    let rig = Rig::default();
    let query = format!(r#"{{"chainId":99,"token":"{TOKEN}","amount":"100"}}"#);
    let error = call(&rig, "approvals.needed", &query).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.99")));
}
