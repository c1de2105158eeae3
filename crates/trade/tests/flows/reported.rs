//! Reads that answer for something else: each member of an order's answer, changed in turn, in each read, for each kind.

use super::fake_host::{
    DELTA, NATIVE, Place, Rig, SELL, SRC, WRAPPED, Watched, answer, at, json, selling_native, set, text,
};
use super::kinds::{Kind, kinds};
use alloy_primitives::U256;
use verified_swap_trade::host::HttpAnswer;
use verify::internal::domain::chain::Contracts;
use verify::internal::domain::delta::order::TWAP_ORDER;
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::Json;

const STRANGER: &str = r#""0x00000000000000000000000000000000000bad00""#;

/// A client that had the order of that kind signed, another one that did not, in the same world, and the order.
fn posted(kind: &Kind) -> (Rig, Rig, Json) {
    let rig = kind.rig();
    let order = rig.submit(&kind.built(&rig).unwrap()).unwrap();
    rig.world.service.borrow_mut().lists = true;
    let other = Rig::in_world(rig.world.clone(), |_, _| {});
    (rig, other, order)
}

fn lie(rig: &Rig, path: &str, value: &str) {
    let (path, value) = (path.to_owned(), value.to_owned());
    rig.world.service.borrow_mut().order_lie = Some(Box::new(move |order| set(order, &path, &value)));
}

fn follow(order: &Json) -> Watched {
    Watched::of(order)
}

fn next(rig: &Rig, follow: &mut Watched) -> Result<Json, Error> {
    follow.one(rig).map(Option::unwrap)
}

/// Every way to read an order, by name. One that is followed by id or hash is read like one that is not.
fn reads(rig: &Rig, order: &Json) -> Vec<(&'static str, Result<Json, Error>)> {
    let name = |member: &str| at(order, member).clone();
    let filter = json(&format!(r#"{{"chainId":[{}]}}"#, text(order, "input.chainId")));
    let first = |page: Json| at(&page, "orders.0").clone();
    vec![
        ("order by id", rig.call("order", &name("id"), "{}")),
        ("order by hash", rig.call("order", &name("orderHash"), "{}")),
        ("orders", rig.call("orders", &filter, "{}").map(first)),
        ("watch", next(rig, &mut follow(order))),
    ]
}

/// Members beside the struct, and values that none of them has in an honest answer.
fn told_lies(order: &Json) -> Vec<(&'static str, String)> {
    let has = |path: &str| path.split('.').try_fold(order, |json, name| json.get(name)).is_some();
    let is_bridged = at(order, "order").get("bridge").is_some_and(|bridge| text(bridge, "destinationChainId") != "0");
    let buys = text(order, "side") == "BUY";
    let mut lies = vec![
        ("orderHash", format!(r#""0x{}""#, "ab".repeat(32))),
        ("owner", STRANGER.into()),
        ("side", if buys { r#""SELL""# } else { r#""BUY""# }.into()),
        ("side", "7".into()),
        ("input.chainId", "10".into()),
        ("input.token", STRANGER.into()),
        ("output.chainId", "137".into()),
        ("output.token", STRANGER.into()),
    ];
    if at(order, "order").get("beneficiary").is_some() {
        lies.push(("beneficiary", STRANGER.into()));
    }
    if has("input.amount") {
        lies.push(("input.amount", format!("{}0", text(order, "input.amount"))));
    }
    if has("output.amount") && !is_bridged {
        lies.push(("output.amount", format!("{}0", text(order, "output.amount"))));
    }
    if has("input.maxAmount") {
        lies.push(("input.maxAmount", r#""1""#.into()));
    }
    if has("output.minAmount") && *at(order, "output.minAmount") != Json::Null {
        lies.push(("output.minAmount", format!(r#""{}0""#, text(order, "output.minAmount"))));
    }
    lies
}

/// Each field of the struct with another value.
fn struct_lies(kind: &Kind, order: &Json) -> Vec<(String, String)> {
    let mut lies = Vec::new();
    for (field, what) in kind.fields() {
        let path = format!("order.{field}");
        let honest = at(order, &path).write();
        let other = match what {
            "address" => STRANGER.into(),
            "bytes4" => r#""0x0a0b0c0e""#.into(),
            "bytes" => r#""0x7788""#.into(),
            _ if honest.trim_matches('"') == "1" => "2".into(),
            _ => "1".into(),
        };
        lies.push((path, other));
    }
    lies
}

#[test]
fn each_read_returns_an_honest_answer() {
    for kind in kinds() {
        let (rig, other, order) = posted(&kind);
        for (name, read) in reads(&rig, &order).into_iter().chain(reads(&other, &order)) {
            let read = read.unwrap_or_else(|error| panic!("{name} of {}: {error:?}", kind.options));
            assert!(read.same_as(&order), "{name} of {}: {}", kind.options, read.write());
            assert_eq!(read.get("unverified"), None, "{name} of {}", kind.options);
        }
    }
}

#[test]
fn each_read_refuses_each_lie() {
    for kind in kinds() {
        let (rig, other, order) = posted(&kind);
        let told = told_lies(&order).into_iter().map(|(path, value)| (path.to_owned(), value));
        for (path, value) in told.chain(struct_lies(&kind, &order)) {
            lie(&rig, &path, &value);
            let reads = [reads(&rig, &order), reads(&other, &order)];
            for (name, read) in reads.into_iter().flatten() {
                let told = format!("{path} as {value} by {name} of {}", kind.options);
                let error = read.err().unwrap_or_else(|| panic!("{told}: taken"));
                assert_eq!(error.code, ErrorCode::ServiceMalformed, "{told}: {error:?}");
                let field = error.field.as_deref().unwrap_or_default();
                let begins = if name == "orders" { "page.data.0." } else { "order." };
                assert!(field.starts_with(begins), "{told}: {field}");
            }
        }
    }
}

#[test]
fn each_lie_ends_a_cancellation_before_any_prompt() {
    for kind in kinds() {
        let (rig, other, order) = posted(&kind);
        let prompts = rig.world.prompts();
        let told = told_lies(&order).into_iter().map(|(path, value)| (path.to_owned(), value));
        for (path, value) in told.chain(struct_lies(&kind, &order)) {
            let mut edited = order.clone();
            set(&mut edited, &path, &value);
            for rig in [&rig, &other] {
                for call in ["cancel", "buildCancellation"] {
                    let error = rig.call(call, &edited, "{}").expect_err(&path);
                    assert_eq!(error.code, ErrorCode::VerifyMismatch, "{call}, {path}: {error:?}");
                    assert!(error.report.is_some());
                }
            }
        }
        assert_eq!(rig.world.prompts(), prompts);
        assert!(rig.world.sent("cancel").is_empty());
    }
}

/// Two orders of one account, which the service tells in place of one another.
#[test]
fn an_own_order_is_not_taken_for_another_one() {
    let rig = Rig::default();
    let first = rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let second = rig.submit(&rig.built(&SELL.replace("100000000", "200000000")).unwrap()).unwrap();
    let (id, told) = (text(&first, "id").to_owned(), second.write());
    // Under its own id, and under that of the one that was asked for.
    for (id, fields) in [(text(&second, "id").to_owned(), ["order.id"; 2]), (id, ["order.orderHash", "order.id"])] {
        let mut told = json(&told);
        set(&mut told, "id", &format!(r#""{id}""#));
        let said = told.write();
        let next = |endpoint| {
            rig.world.service.borrow_mut().next(endpoint, {
                let said = said.clone();
                move |_, _| answer(200, said)
            })
        };
        next("order");
        let error = rig.call("order", at(&first, "id"), "{}").unwrap_err();
        assert_eq!(error.code, ErrorCode::ServiceMalformed);
        assert!(fields.contains(&error.field.as_deref().unwrap()), "{error:?}");
        // A client that signed neither knows the order that it is passed.
        let other = Rig::in_world(rig.world.clone(), |_, _| {});
        for _ in 0..8 {
            next("order");
        }
        let error = self::next(&other, &mut follow(&first)).unwrap_err();
        assert!(fields.contains(&error.field.as_deref().unwrap()), "{error:?}");
    }
    // An order that was read again under the wrong id voids no other nonce.
    let mut mixed = second.clone();
    set(&mut mixed, "id", &at(&first, "id").write());
    for call in ["cancel", "buildCancellation"] {
        let error = rig.call(call, &mixed, "{}").unwrap_err();
        assert_eq!(error.code, ErrorCode::VerifyMismatch, "{call}: {error:?}");
    }
}

#[test]
fn a_list_has_orders_of_nobody_else_and_of_no_other_chain() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    rig.world.service.borrow_mut().lists = true;
    let elsewhere = Rig::in_world(rig.world.clone(), |_, _| {});
    for (filter, field) in [
        (format!(r#"{{"account":{STRANGER}}}"#), "page.data.0.owner"),
        (r#"{"chainId":10}"#.into(), "page.data.0.input.chainId"),
        (r#"{"chainId":[1,10]}"#.into(), "page.data.0.input.chainId"),
    ] {
        let error = elsewhere.call("orders", &json(&filter), "{}").unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some(field)), "{filter}");
    }
    elsewhere.call("orders", &json(r#"{"chainId":[1,8453]}"#), "{}").unwrap();
    // Told by the struct alone.
    let (_, other, order) = posted(&kinds()[0]);
    let mut changed = order.clone();
    set(&mut changed, "owner", "null");
    let page = format!(r#"{{"data":[{}]}}"#, changed.write());
    for (filter, passes) in [(format!(r#"{{"account":{STRANGER}}}"#), false), ("{}".into(), true)] {
        let page = page.clone();
        other.world.service.borrow_mut().next("orders", move |_, _| answer(200, page));
        let outcome = other.call("orders", &json(&filter), "{}");
        let found = outcome.err().and_then(|error| error.field.clone());
        assert_eq!(found.as_deref(), (!passes).then_some("page.data.0.order.owner"));
    }
}

#[test]
fn a_wrong_answer_is_retried_like_a_temporary_failure() {
    let (rig, _, order) = posted(&kinds()[0]);
    let mut followed = follow(&order);
    next(&rig, &mut followed).unwrap();
    let wrong = |service: &mut super::fake_host::Service, request: &_| {
        let said: HttpAnswer = service.honest(request).ok().unwrap();
        answer(200, said.body.replace(r#""side":"SELL""#, r#""side":"BUY""#))
    };
    rig.world.service.borrow_mut().statuses = ["ACTIVE"].into();
    for _ in 0..7 {
        rig.world.service.borrow_mut().next("order", wrong);
    }
    assert_eq!(text(&next(&rig, &mut followed).unwrap(), "status"), "ACTIVE");
    for _ in 0..8 {
        rig.world.service.borrow_mut().next("order", wrong);
    }
    let error = next(&rig, &mut followed).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::ServiceMalformed, Some("order.side")));
}

#[test]
fn an_order_that_is_followed_stays_the_one_it_was() {
    let (rig, other, order) = posted(&kinds()[0]);
    let mut followed = follow(at(&order, "id"));
    next(&other, &mut followed).unwrap();
    // Nothing that could be hashed, but not the one of before.
    for (path, value) in [
        ("orderHash", format!(r#""0x{}""#, "ab".repeat(32))),
        ("owner", STRANGER.into()),
        ("input.chainId", "31337".into()),
    ] {
        let (changed, value) = (path.to_owned(), value.clone());
        rig.world.service.borrow_mut().order_lie = Some(Box::new(move |order| {
            set(order, "order", "null");
            set(order, &changed, &value);
        }));
        let error = next(&other, &mut followed).unwrap_err();
        assert_eq!(error.field, Some(format!("order.{path}")), "{error:?}");
    }
}

type Change<'a> = &'a dyn Fn(&mut Json);

#[test]
fn an_order_of_an_unknown_type_is_returned_as_unverified() {
    let productive = |order: &mut Json| {
        let Json::Object(members) = order else { panic!() };
        let Some((_, Json::Object(signed))) = members.iter_mut().find(|(name, _)| name == "order") else { panic!() };
        signed.retain(|(name, _)| name != "kind");
        set(order, "order.strategy", STRANGER);
        set(order, "order.useShares", "true");
        set(order, "onChainOrderType", r#""ProductiveOrder""#);
    };
    let newer = |order: &mut Json| {
        set(order, "onChainOrderType", r#""NewerOrder""#);
        set(order, "orderHash", &format!(r#""0x{}""#, "ab".repeat(32)));
    };
    let changes: [(&str, Change); 5] = [
        ("ProductiveOrder", &productive),
        ("a type of another name", &newer),
        ("no struct", &|order| set(order, "order", "null")),
        ("no hash", &|order| set(order, "orderHash", "null")),
        ("a chain of which no contract is known", &|order| set(order, "input.chainId", "31337")),
    ];
    let (rig, _, order) = posted(&kinds()[0]);
    for (name, change) in changes {
        let other = Rig::in_world(rig.world.clone(), |_, _| {});
        let mut changed = order.clone();
        change(&mut changed);
        let said = changed.write();
        other.world.service.borrow_mut().next("order", {
            let said = said.clone();
            move |_, _| answer(200, said)
        });
        let page = format!(r#"{{"data":[{said}]}}"#);
        other.world.service.borrow_mut().next("orders", move |_, _| answer(200, page));
        let mut expected = changed.clone();
        set(&mut expected, "unverified", "true");
        let read = other.call("order", at(&order, "id"), "{}").unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert!(read.same_as(&expected), "{name}: {}", read.write());
        let page = other.call("orders", &json("{}"), "{}").unwrap_or_else(|error| panic!("{name}: {error:?}"));
        assert!(at(&page, "orders.0").same_as(&expected), "{name}: {}", page.write());
        // The client that had it signed knows better.
        if name != "no struct" {
            rig.world.service.borrow_mut().next("order", move |_, _| answer(200, said));
            rig.call("order", at(&order, "id"), "{}").expect_err(name);
        }
    }
}

#[test]
fn every_form_of_an_honest_answer_is_taken() {
    for kind in kinds() {
        let (rig, other, order) = posted(&kind);
        let upper = |text: &str| format!("0x{}", text.trim_start_matches("0x").to_ascii_uppercase());
        let mut forms: Vec<(String, Json)> = Vec::new();
        let mut form = |name: &str, change: &dyn Fn(&mut Json)| {
            let mut changed = order.clone();
            change(&mut changed);
            forms.push((name.into(), changed));
        };
        for path in ["owner", "input.token", "output.token", "orderHash", "order.owner", "order.srcToken"] {
            let value = upper(text(&order, path));
            form(path, &|order| set(order, path, &format!(r#""{value}""#)));
        }
        for path in
            ["side", "type", "beneficiary", "output", "input.token", "onChainOrderType", "transactions", "owner"]
        {
            form(&format!("without {path}"), &|order| set(order, path, "null"));
        }
        form("a chain as text", &|order| set(order, "input.chainId", r#""8453""#));
        form("an id in capitals", &|order| {
            let id = text(order, "id").to_ascii_uppercase();
            set(order, "id", &format!(r#""{id}""#));
        });
        form("members more", &|order| {
            set(order, "new", "1");
            set(order, "order.new", "1");
            set(order, "input.new", "1");
        });
        if at(&order, "order").get("deadline").is_some() {
            let deadline = text(&order, "order.deadline").to_owned();
            form("a number as text", &|order| set(order, "order.deadline", &format!(r#""{deadline}""#)));
        }
        if kind.request.contains(NATIVE) {
            for name in
                [NATIVE.to_owned(), NATIVE.to_ascii_lowercase(), WRAPPED.into(), format!("0x{}", "0".repeat(40))]
            {
                form(&format!("sells {name}"), &|order| set(order, "input.token", &format!(r#""{name}""#)));
            }
        }
        // In units of another chain, or of one slice: nothing that was signed bounds it.
        if kind.request.contains("destChainId") || kind.encoded == TWAP_ORDER {
            form("a least amount", &|order| set(order, "output.minAmount", &format!(r#""{}""#, U256::MAX)));
        }
        for (name, form) in forms {
            let said = form.write();
            rig.world.service.borrow_mut().order_lie = Some(Box::new(move |order| *order = json(&said)));
            for (read, outcome) in reads(&rig, &order).into_iter().chain(reads(&other, &order)) {
                let outcome = outcome.unwrap_or_else(|error| panic!("{name}, {read}, {}: {error:?}", kind.options));
                assert_eq!(outcome.get("unverified"), None, "{name}, {read}, {}", kind.options);
            }
        }
    }
}

#[test]
fn any_token_may_be_the_native_one_where_its_wrapped_form_is_not_known() {
    let rig = Rig::with(|shared, _| {
        shared.settings.rpc = vec![(31337, Place::Node(31337))];
        let delta = DELTA.parse().unwrap();
        shared.settings.given_contracts = vec![(31337, Contracts { delta, ..Contracts::default() })];
    });
    rig.world.signer.borrow_mut().chain_id = 31337;
    let order = rig.submit(&rig.built(&selling_native(SELL).replace("8453", "31337")).unwrap()).unwrap();
    rig.world.service.borrow_mut().lists = true;
    for (path, passes) in [("input.token", true), ("output.token", false)] {
        lie(&rig, path, STRANGER);
        for (name, read) in reads(&rig, &order) {
            assert_eq!(read.is_ok(), passes, "{path} by {name}");
        }
    }
}

#[test]
fn members_that_only_this_package_sets_are_dropped_from_answers() {
    let (rig, other, order) = posted(&kinds()[0]);
    lie(&rig, "settled", r#""seen""#);
    for (name, read) in reads(&other, &order) {
        assert_eq!(read.unwrap().get("settled"), None, "{name}");
    }
    lie(&rig, "unverified", "true");
    for (name, read) in reads(&other, &order) {
        assert_eq!(read.unwrap().get("unverified"), None, "{name}");
    }
}

#[test]
fn the_answer_to_a_post_is_checked_in_full() {
    for (path, value) in told_lies(&posted(&kinds()[0]).2) {
        let rig = Rig::default();
        let build = rig.built(SELL).unwrap();
        let changed = path.to_owned();
        rig.world.service.borrow_mut().accepts_but(move |said: HttpAnswer| {
            let mut order = json(&said.body);
            set(&mut order, &changed, &value);
            answer(200, order.write())
        });
        let order = rig.submit(&build).unwrap();
        assert_eq!(rig.world.sent("orderByHash").len(), 1, "{path}: looked for where the answer was another's");
        assert_eq!(text(&order, "input.token"), SRC);
    }
}
