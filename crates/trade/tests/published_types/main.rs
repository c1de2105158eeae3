//! The published types say what the code says: each option, member and name, in both directions.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod declarations;
mod documented;

use declarations::{Declarations, Members, own};
use std::fs;
use std::path::Path;
use verified_swap_trade::flows::{FOLLOW_OPTIONS, FUNCTIONS, Method, OF_PRICES};
use verified_swap_trade::service::resources::RESOURCES;
use verified_swap_trade::wallet::confirm::Purpose;
use verify::internal::domain::agreement::Agreement;
use verify::internal::domain::approval::ApprovalNeed;
use verify::internal::domain::delta::status::TERMINAL;
use verify::internal::domain::delta::terms::{BUILD_OPTIONS, TERMS};
use verify::internal::domain::intent::Intent;
use verify::internal::domain::market::terms::{MARKET_ONLY, MARKET_OPTIONS};
use verify::internal::domain::otc::request::Request as OtcRequest;
use verify::internal::domain::permit::{Permit, PermitKind};
use verify::internal::domain::price_options::{DELTA, MARKET};
use verify::internal::error::ErrorCode;

/// What every call takes beside the plain options of its own.
const LIVE: [&str; 4] = ["signal", "onProgress", "onPrompt", "waitForRateLimit"];

fn source(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The strings of the first list behind that text of a file: names that the code keeps where they are read.
fn listed(file: &str, behind: &str) -> Vec<String> {
    let text = source(file);
    let (_, rest) = text.split_once(behind).unwrap_or_else(|| panic!("{file} has no {behind}"));
    let mut lists = rest.split('[').skip(1).filter(|list| list.trim_start().starts_with('"'));
    let list = lists.next().and_then(|list| list.split(']').next());
    let list = list.unwrap_or_else(|| panic!("{file} has no list behind {behind}"));
    list.split('"').skip(1).step_by(2).map(String::from).collect()
}

#[track_caller]
fn assert_same<T: AsRef<str>>(what: &str, published: &Members, code: &[T]) {
    let mut code: Vec<&str> = code.iter().map(AsRef::as_ref).collect();
    code.sort_unstable();
    code.dedup();
    let published: Vec<&str> = published.keys().map(String::as_str).collect();
    let missing: Vec<_> = code.iter().filter(|name| !published.contains(name)).collect();
    let unknown: Vec<_> = published.iter().filter(|name| !code.contains(name)).collect();
    assert!(missing.is_empty() && unknown.is_empty(), "{what}: not published {missing:?}, not in the code {unknown:?}");
}

fn without_live(mut members: Members) -> Members {
    members.retain(|name, _| !LIVE.contains(&name.as_str()));
    members
}

/// The options of a transaction through the router.
fn market_options() -> Vec<String> {
    [&MARKET_OPTIONS[..], &MARKET_ONLY].concat().into_iter().map(String::from).collect()
}

/// The text of every file of the use cases.
fn use_cases() -> String {
    let mut all = String::new();
    // The steps of an approval are named where they are made.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open =
        ["crates/trade/src/flows", "crates/verify/src/domain/approval.rs"].map(|path| root.join(path)).to_vec();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path())),
            false => all.push_str(&fs::read_to_string(&path).unwrap()),
        }
    }
    all
}

/// Each name that stands in a text between that and that.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let ends = |rest: &'a str| rest.split_once(end).map(|(name, _)| name);
    let is_name = |name: &&str| name.chars().all(char::is_alphanumeric);
    text.split(start).skip(1).filter_map(ends).filter(is_name).collect()
}

#[test]
fn every_call_is_published_and_has_its_method() {
    let types = Declarations::read();
    let client = source("pkg-template/src/client.ts");
    let calls: Vec<&str> = Method::all().map(|call| call.name).collect();
    let lists = ["const CALLS", "const FILTERED_CALLS", "const BARE_CALLS"];
    let rows = lists.into_iter().flat_map(|list| listed("pkg-template/src/client.ts", list));
    // Behind a space is the name before.
    let mut made: Members = rows.map(|row| (row.split(' ').next().unwrap().into(), false)).collect();
    made.extend(["warm", "quote"].map(|name| (name.into(), false)));
    assert_same("client.js", &made, &calls);
    // What is made of calls, and what a client can do besides.
    let (_, own) = client.split_once("const client = {").unwrap();
    let (own, _) = own.split_once("\n  };").unwrap();
    let (mut grouped, flat): (Vec<&str>, Vec<&str>) = calls.iter().partition(|call| call.contains('.'));
    let mut methods =
        [between(own, "\n    ", ":"), between(own, "\n    ", "("), between(own, "\n    async ", "(")].concat();
    methods.extend(flat);
    assert_same("Client", &types.interface("Client"), &methods);
    let mut published = Members::new();
    for (group, interface) in types.groups() {
        published.extend(types.interface(interface).into_keys().map(|name| ([group, ".", &name].concat(), false)));
    }
    let (_, trades) = own.split_once("\n    trades: {").unwrap();
    assert_eq!(between(trades.split_once("\n    }").unwrap().0, "\n      ", ":"), ["watch", "storage"]);
    grouped.extend(["trades.watch", "trades.storage"]);
    assert_same("groups", &published, &grouped);
}

#[test]
fn every_call_publishes_its_argument_by_the_name_that_errors_have_for_it() {
    let types = Declarations::read();
    for call in Method::all().filter(|call| !["info.chains", "info.rateLimit"].contains(&call.name)) {
        assert!(!types.parameter(call.name, call.argument).is_empty(), "{}({})", call.name, call.argument);
    }
}

#[test]
fn every_pure_function_is_called_and_published() {
    let [api, client, trade] = ["api", "client", "trade"].map(|name| source(&format!("pkg-template/src/{name}.ts")));
    let own = [between(&client, " compute(\"", "\""), between(&trade, " compute(\"", "\"")].concat();
    let called = [between(&api, "pure(\"", "\""), own].concat();
    let known: Vec<&str> = OF_PRICES.iter().chain(FUNCTIONS).map(|(name, _)| *name).collect();
    assert_same("functions", &called.into_iter().map(|name| (name.into(), false)).collect(), &known);
    let types = source("pkg-template/index.d.ts");
    for name in [between(&api, "export const ", " ="), between(&api, "export function ", "(")].concat() {
        let kinds =
            [format!("export function {name}("), format!("export function {name}<"), format!("export const {name}:")];
        assert!(kinds.iter().any(|kind| types.contains(kind)), "index.d.ts does not have {name}");
    }
}

#[test]
fn every_call_publishes_the_options_it_takes() {
    let types = Declarations::read();
    for Method { name, options, .. } in Method::all() {
        let mut published = types.taken(name, "options");
        assert!(published.contains_key("signal"), "{name} cannot be aborted");
        // The listener of a comparison is called in JavaScript.
        assert_eq!(published.remove("onQuote").is_some(), name == "quote", "{name}: onQuote");
        assert_same(name, &without_live(published), options);
    }
    assert_same("MarketBuildOptions", &without_live(types.interface("MarketBuildOptions")), &market_options());
    assert_same("BuildOptions", &without_live(types.interface("BuildOptions")), &BUILD_OPTIONS);
}

#[test]
fn calls_with_progress_steps_are_published_as_such() {
    let types = Declarations::read();
    let (calls, all) = (source("crates/trade/src/flows/calls.rs"), use_cases());
    for Method { name, .. } in Method::all() {
        // None of the service's resources, which have no row of their own, does.
        let tells = calls.split_once(&format!("    \"{name}\"(")).is_some_and(|(_, row)| {
            let row = row.lines().next().unwrap().trim_end_matches(';');
            let function = row.rsplit([' ', ':']).next().unwrap();
            let (_, rest) = all.split_once(&format!("fn {function}<")).unwrap_or_else(|| panic!("no fn {function}"));
            let body = rest.split("\n}\n").next().unwrap();
            body.contains("progress") || body.contains(", call)")
        });
        assert_eq!(types.taken(name, "options").contains_key("onProgress"), tells, "{name}: onProgress");
    }
}

#[test]
fn calls_that_open_prompts_are_published_as_such() {
    let types = Declarations::read();
    for method in Method::all() {
        let takes = types.taken(method.name, "options").contains_key("onPrompt");
        assert_eq!(takes, method.prompts(), "{}: onPrompt", method.name);
    }
    let names: Vec<&str> = Purpose::ALL.iter().map(|(_, name)| *name).collect();
    let published = types.literals("export type PromptPurpose =");
    assert_eq!(published, names);
}

#[test]
fn every_call_says_what_it_throws() {
    let types = source("pkg-template/index.d.ts");
    let declared = Declarations::read();
    for Method { name, .. } in Method::all() {
        let (_, calls) = types.split_once(&declared.interface_with(name)).unwrap();
        let (before, _) = calls.split_once(&format!("\n  {}(", own(name))).unwrap();
        let (_, comment) = before.rsplit_once("/**").unwrap();
        let is_read = RESOURCES.iter().any(|resource| resource.name == name);
        // Those of the service's lists have one sentence for all of them.
        assert!(comment.contains("hrow") || is_read && calls.contains("seven below throw"), "{name}: {comment}");
    }
}

#[test]
fn every_progress_step_is_published() {
    let types = Declarations::read();
    let published = types.literals("export interface Progress {");
    let all = use_cases();
    for call in ["step(\"", "tell(\"", "step: \""] {
        for told in all.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(published.contains(&told), "{told} is told, and not published");
        }
    }
    for step in published {
        assert!(all.contains(&format!("\"{step}\"")), "{step} is published, and never told");
    }
}

#[test]
fn every_member_of_a_request_is_published() {
    let types = Declarations::read();
    let mut request = types.interface("TwapRequest");
    request.extend(types.interface("QuoteRequest"));
    assert_same("QuoteRequest, TwapRequest", &request, &Intent::MEMBERS);
    for (interface, known) in [("DeltaPriceOptions", &DELTA[..]), ("MarketPriceOptions", &MARKET[..])] {
        let known: Vec<&str> = known.iter().map(|(name, ..)| *name).collect();
        assert_same(interface, &types.interface(interface), &known);
    }
    assert_same("otc.build", &types.taken("otc.build", "request"), &OtcRequest::MEMBERS);
    for (call, argument, file, behind) in [
        ("orders", "filter", "crates/trade/src/flows/delta/orders.rs", "fn filter_query"),
        ("otc.orders", "filter", "crates/trade/src/flows/otc/orders.rs", "fn otc_orders"),
        ("info.balance", "query", "crates/trade/src/flows/chain/balances.rs", "pub async fn balance"),
        ("approvals.allowance", "query", "crates/trade/src/flows/chain/balances.rs", "pub async fn allowance"),
        ("approvals.needed", "query", "crates/trade/src/flows/resources.rs", "pub async fn allowance_needed"),
        (
            "buildWithdrawal",
            "query",
            "crates/trade/src/flows/transaction/withdrawal.rs",
            "pub async fn build_withdrawal",
        ),
    ] {
        assert_same(call, &types.taken(call, argument), &listed(file, behind));
    }
}

#[test]
fn every_member_of_a_resource_query_is_published() {
    let types = Declarations::read();
    for resource in &RESOURCES {
        let names: Vec<&str> = resource.segments.iter().chain(resource.query).copied().collect();
        let published = match resource.name {
            "info.chains" => Members::new(),
            name => types.taken(name, "query"),
        };
        let plain: Vec<&str> = names.iter().map(|name| name.trim_end_matches('?')).collect();
        assert_same(resource.name, &published, &plain);
        for name in names {
            // The client knows an account.
            let may_miss = name.ends_with('?') || name == "account";
            assert_eq!(published[name.trim_end_matches('?')], may_miss, "{}: {name}", resource.name);
        }
    }
}

#[test]
fn every_member_verify_order_takes_is_published() {
    let types = Declarations::of("verify");
    assert_same("VerifyOrderTerms", &types.interface("VerifyOrderTerms"), &TERMS);
    let mut published = Members::new();
    for interface in ["Shared<Readings>", "VerifyOrderInput extends Shared<Decimals & GasPrices>"] {
        let body = types.after(&["interface ", interface, " "].concat(), "\n}");
        published.extend(types.members(&[body, "}"].concat()));
    }
    let [shared, own] = [("given", "const SHARED"), ("order", "const OWN")]
        .map(|(file, list)| listed(&format!("crates/verify/src/verifiers/{file}.rs"), list));
    assert_same("VerifyOrderInput", &published, &[shared, own].concat());
}

#[test]
fn every_client_option_is_published() {
    let types = Declarations::read();
    let settings = "src/settings.rs";
    let both = |live, plain| [listed(settings, live), listed(settings, plain)].concat();
    let options = both("const CLIENT_LIVE", "const CLIENT_PLAIN");
    assert_same("ClientOptions", &types.interface("ClientOptions"), &options);
    let contracts = listed("crates/verify/src/domain/chain.rs", "pub fn application_contracts");
    assert_same("ChainContracts", &types.interface("ChainContracts"), &contracts);
    assert_same("Agreement", &types.interface("Agreement"), &Agreement::MEMBERS);
    let binding = both("const BINDING_LIVE", "const BINDING_PLAIN");
    assert_same("WalletBinding", &types.members(types.after("export type WalletBinding =", ";\n\n")), &binding);
    assert_same("WatchOptions", &without_live(types.interface("WatchOptions")), &FOLLOW_OPTIONS);
}

#[test]
fn every_member_passed_back_is_published() {
    let types = Declarations::read();
    assert_same("Permit", &types.interface("Permit"), &[&Permit::MEMBERS[..], &["sealed"]].concat());
    assert_same("Approval", &types.interface("Approval"), &[&ApprovalNeed::MEMBERS[..], &["sealed"]].concat());
    let external = listed("crates/verify/src/domain/delta/terms.rs", "fn external(");
    let published = types.after("export interface AdvancedBuildOptions ", "\n}").split_once("external?: ").unwrap().1;
    assert_same("external", &types.members(&published[..=published.find('}').unwrap()]), &external);
}

#[test]
fn the_published_unions_have_every_name() {
    let types = Declarations::read();
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(types.literals("export type ErrorCode ="), codes);
    let actions = types.literals("export type ErrorAction =");
    assert!(ErrorCode::ALL.iter().all(|(_, _, action)| actions.contains(action)));
    // An error about a build of another client has an action of its own: `Facts::action`.
    assert!(
        actions.iter().all(|action| *action == "rebuild" || ErrorCode::ALL.iter().any(|(_, _, known)| known == action))
    );
    assert_eq!(types.literals("export type PermitKind ="), PermitKind::ALL.map(|(_, name)| name));
    let statuses = types.literals("export type OrderStatus =");
    assert!(TERMINAL.iter().all(|status| statuses.contains(status)));
}
