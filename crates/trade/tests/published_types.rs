//! The names that Rust has, for `tsc` to compare with the published types: tests/types/names.ts, made here by
//! `WRITE=1 cargo test -p verified-swap-trade --test published_types`; and what no type says: where a name is used.

#![allow(clippy::restriction)]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use verified_swap_trade::client::rate_limit::RateLimit;
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
use verify::internal::json::{JsonAt, parse};

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)
}

fn source(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The strings of the first list behind that text of a file: names that the code keeps where they are read.
fn listed(file: &str, behind: &str) -> Vec<String> {
    let text = source(file);
    let (_, rest) = text.split_once(behind).unwrap_or_else(|| panic!("{file} has no {behind}"));
    let mut lists = rest.split('[').skip(1).filter(|list| list.trim_start().starts_with('"'));
    let list = lists.next().and_then(|list| list.split(']').next());
    quoted(list.unwrap_or_else(|| panic!("{file} has no list behind {behind}"))).map(String::from).collect()
}

/// The strings of a text in double quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Each name that stands in a text between that and that.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    let ends = |rest: &'a str| rest.split_once(end).map(|(name, _)| name);
    text.split(start).skip(1).filter_map(ends).filter(|name| name.chars().all(char::is_alphanumeric)).collect()
}

#[track_caller]
fn assert_same<T: AsRef<str>, U: AsRef<str>>(what: &str, some: &[T], others: &[U]) {
    let mut lists = [some.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), others.iter().map(AsRef::as_ref).collect()];
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
    }
    assert_eq!(lists[0], lists[1], "{what}");
}

/// A union of names in TypeScript.
fn union<T: AsRef<str>>(names: &[T]) -> String {
    let mut names: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "never".into() } else { names.join(" | ") }
}

/// Names with others behind them.
fn joined<T: AsRef<str>>(names: &[T], more: &[&str]) -> Vec<String> {
    names.iter().map(AsRef::as_ref).chain(more.iter().copied()).map(String::from).collect()
}

/// The text of every file of the use cases.
fn use_cases() -> String {
    let mut all = String::new();
    // The steps of an approval are named where they are made.
    let mut open = ["crates/trade/src/flows", "crates/verify/src/domain/approval.rs"].map(path).to_vec();
    while let Some(path) = open.pop() {
        match path.is_dir() {
            true => open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path())),
            false => all.push_str(&fs::read_to_string(&path).unwrap()),
        }
    }
    all
}

/// Whether a call has progress steps. None of the service's resources, which have no row of their own, has.
fn has_steps(call: &str, calls: &str, all: &str) -> bool {
    calls.split_once(&format!("    \"{call}\"(")).is_some_and(|(_, row)| {
        let row = row.lines().next().unwrap().trim_end_matches(';');
        let function = row.rsplit([' ', ':']).next().unwrap();
        let (_, rest) = all.split_once(&format!("fn {function}<")).unwrap_or_else(|| panic!("no fn {function}"));
        let body = rest.split("\n}\n").next().unwrap();
        body.contains("progress") || body.contains(", call)")
    })
}

/// The names of members by the type or call that has them.
fn members() -> Vec<(&'static str, Vec<String>)> {
    let plain = |list: &[&str]| joined(list, &[]);
    let market: Vec<&str> = [&MARKET_OPTIONS[..], &MARKET_ONLY].concat();
    let settings = |lists: [&str; 2]| lists.map(|list| listed("src/settings.rs", list)).concat();
    let verifier = |file, list| listed(&format!("crates/verify/src/verifiers/{file}.rs"), list);
    let flow = |file: &str, function: &str| listed(&format!("crates/trade/src/flows/{file}.rs"), function);
    let mut all = vec![
        ("QuoteRequest", plain(&Intent::MEMBERS)),
        ("DeltaPriceOptions", DELTA.iter().map(|(name, ..)| String::from(*name)).collect()),
        ("MarketPriceOptions", MARKET.iter().map(|(name, ..)| String::from(*name)).collect()),
        ("BuildOptions", plain(&BUILD_OPTIONS)),
        ("MarketBuildOptions", plain(&market)),
        ("OtcRequest", plain(&OtcRequest::MEMBERS)),
        ("VerifyOrderTerms", plain(&TERMS)),
        ("VerifyOrderInput", [verifier("given", "const SHARED"), verifier("order", "const OWN")].concat()),
        ("ClientOptions", settings(["const CLIENT_LIVE", "const CLIENT_PLAIN"])),
        ("WalletBinding", settings(["const BINDING_LIVE", "const BINDING_PLAIN"])),
        ("ChainContracts", listed("crates/verify/src/domain/chain.rs", "pub fn application_contracts")),
        ("Agreement", plain(&Agreement::MEMBERS)),
        ("WatchOptions", plain(&FOLLOW_OPTIONS)),
        ("Permit", joined(&Permit::MEMBERS, &["sealed"])),
        ("Approval", joined(&ApprovalNeed::MEMBERS, &["sealed"])),
        ("external", listed("crates/verify/src/domain/delta/terms.rs", "fn external(")),
        ("OrdersFilter", flow("delta/orders", "fn filter_query")),
        ("OtcFilter", flow("otc/orders", "fn otc_orders")),
        ("BalanceQuery", flow("chain/balances", "pub async fn balance")),
        ("AllowanceQuery", flow("chain/balances", "pub async fn allowance")),
        ("AllowanceNeededQuery", flow("resources", "pub async fn allowance_needed")),
        ("WithdrawalRequest", flow("transaction/withdrawal", "pub async fn build_withdrawal")),
        ("ErrorCode", ErrorCode::ALL.iter().map(|(_, name, _)| String::from(*name)).collect()),
        // An error about a build of another client has an action of its own: `Facts::needs_rebuild`.
        ("ErrorAction", joined(&ErrorCode::ALL.map(|(_, _, action)| action), &["rebuild"])),
        ("PermitKind", PermitKind::ALL.iter().map(|(_, name)| String::from(*name)).collect()),
        ("PromptPurpose", Purpose::ALL.iter().map(|(_, name)| String::from(*name)).collect()),
    ];
    all.sort_unstable_by_key(|(name, _)| *name);
    all
}

#[test]
fn typescript_has_the_names_of_rust() {
    let (calls, all) = (source("crates/trade/src/flows/calls.rs"), use_cases());
    let mut made = String::from(
        "// Made by `WRITE=1 cargo test -p verified-swap-trade --test published_types`: the names that Rust has. names.check.ts\n\
         // compares them with the published types.\n\n\
         /** The client's calls: their plain options, whether they open prompts and have steps. */\nexport interface Calls {\n",
    );
    for method in Method::all() {
        let (name, options) = (method.name, union(method.options));
        let (prompts, steps) = (method.prompts(), has_steps(name, &calls, &all));
        writeln!(made, "  \"{name}\": {{ options: {options}; prompts: {prompts}; steps: {steps} }};").unwrap();
    }
    made += "}\n\n/** The service's resources: the members of their queries, and those that may be left out. */\nexport interface Resources {\n";
    for resource in &RESOURCES {
        let all: Vec<&str> = resource.segments.iter().chain(resource.query).copied().collect();
        // The client knows an account.
        let may_miss = all.iter().filter(|name| name.ends_with('?') || **name == "account");
        let may_miss: Vec<&str> = may_miss.map(|name| name.trim_end_matches('?')).collect();
        let all: Vec<&str> = all.iter().map(|name| name.trim_end_matches('?')).collect();
        writeln!(made, "  \"{}\": {{ all: {}; optional: {} }};", resource.name, union(&all), union(&may_miss)).unwrap();
    }
    made += "}\n\n/** Names by the type that has them. A member of `advanced` is behind a dot. */\nexport interface Names {\n";
    for (name, members) in members() {
        writeln!(made, "  {name}: {};", union(&members)).unwrap();
    }
    made += "}\n";
    let file = path("tests/types/names.ts");
    if std::env::var_os("WRITE").is_some() {
        fs::write(&file, &made).unwrap();
    }
    let hint = "WRITE=1 cargo test -p verified-swap-trade --test published_types";
    assert!(fs::read_to_string(&file).unwrap_or_default() == made, "{} is out of date: {hint}", file.display());
}

/// The lines of the report of the surface, each of which begins with a name.
fn report() -> String {
    source("pkg-template/api.txt")
}

#[test]
fn every_call_has_its_method() {
    let calls: Vec<&str> = Method::all().map(|call| call.name).collect();
    let lists = ["const CALLS", "const FILTERED_CALLS", "const BARE_CALLS"];
    let rows = lists.into_iter().flat_map(|list| listed("pkg-template/src/client.ts", list));
    // Behind a space is the name before.
    let made: Vec<String> = rows.map(|row| row.split(' ').next().unwrap().into()).collect();
    assert_same("client.ts", &joined(&made, &["warm", "quote"]), &calls);
}

#[test]
fn every_call_publishes_its_argument_by_the_name_that_errors_have_for_it() {
    let report = report();
    for call in Method::all().filter(|call| !["info.chains", "info.rateLimit"].contains(&call.name)) {
        let (group, own) = call.name.split_once('.').map_or((None, call.name), |(group, own)| (Some(group), own));
        let kind = group.map_or("Client", |group| {
            let (_, rest) = report.split_once(&format!("\nClient.readonly {group}: ")).expect(group);
            rest.lines().next().unwrap()
        });
        let named = |end: &str| report.contains(&format!("\n{kind}.{own}({}{end}: ", call.argument));
        assert!(named("") || named("?"), "{}({})", call.name, call.argument);
    }
}

#[test]
fn every_pure_function_is_called_and_published() {
    let [api, client, trade, options] =
        ["api", "client", "trade", "trade-options"].map(|name| source(&format!("pkg-template/src/{name}.ts")));
    let own = [&api, &client, &trade, &options].map(|script| between(script, "compute(\"", "\"")).concat();
    let called = [between(&api, "pure(\"", "\""), own].concat();
    let known: Vec<&str> = OF_PRICES.iter().chain(FUNCTIONS).map(|(name, _)| *name).collect();
    assert_same("functions", &called, &known);
    let report = report();
    for name in [between(&api, "export const ", " ="), between(&api, "export function ", "(")].concat() {
        let kinds = [format!("\nfunction {name}("), format!("\nfunction {name}<"), format!("\nconst {name}:")];
        assert!(kinds.iter().any(|kind| report.contains(kind)), "{name} is not published");
    }
}

#[test]
fn every_progress_step_is_published() {
    let report = report();
    let (_, line) = report.split_once("\nProgress.step: ").unwrap();
    let published: Vec<&str> = quoted(line.lines().next().unwrap()).collect();
    let all = use_cases();
    for call in ["step(\"", "tell(\"", "step: \""] {
        for told in all.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(published.contains(&told), "{told} is told, and not published");
        }
    }
    for step in published {
        assert!(all.contains(&format!("\"{step}\"")), "{step} is published, and never told");
    }
    let (_, statuses) = report.split_once("\ntype OrderStatus = ").unwrap();
    let statuses: Vec<&str> = quoted(statuses.lines().next().unwrap()).collect();
    assert!(TERMINAL.iter().all(|status| statuses.contains(status)));
}

#[test]
fn each_plan_of_the_operator_is_a_rate_limit_that_the_client_takes() {
    let page = source("docs/api.md");
    let (_, plans) = page.split_once("\n## Plans\n").unwrap();
    let mut seen = 0;
    for limit in plans.lines().filter_map(|line| line.strip_suffix("` |")?.split_once(" | `{")) {
        let text =
            ["{", limit.1].concat().replace('_', "").replace("{ ", "{\"").replace(", ", ",\"").replace(": ", "\":");
        let json = parse(&text).unwrap();
        let RateLimit { per_second, burst, per_day } = RateLimit::read(&JsonAt::input(&json, "rateLimit")).unwrap();
        // No member is the default: the least of the plans grants more than no key.
        let least = RateLimit::default();
        assert!(least.per_second < per_second && per_second < burst && least.per_day < per_day, "{text}");
        seen += 1;
    }
    assert_eq!(seen, 5);
}
