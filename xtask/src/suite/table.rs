//! The suites of `cargo xtask test`: the part of each, its needs, and what it reads.

use super::count::Count;
use super::{Part, Suite, Trial, cargo, check, node};
use crate::failure::Failure;
use crate::setup::Need;

/// A suite of the first part.
pub const fn suite(
    name: &'static str,
    about: &'static str,
    needs: &'static [Need],
    reads: &'static [&'static str],
    run: fn(&Trial<'_>) -> Result<Count, Failure>,
) -> Suite {
    Suite { name, about, part: Part::First, alone: false, needs, more: None, reads, run }
}

/// A suite that has tests in the second part, too, with these needs.
const fn and_more(needs: &'static [Need], suite: Suite) -> Suite {
    Suite { more: Some(needs), ..suite }
}

/// A suite of the second part.
const fn second(suite: Suite) -> Suite {
    Suite { part: Part::More, ..suite }
}

/// A suite beside which nothing runs in the second part.
const fn alone(suite: Suite) -> Suite {
    Suite { alone: true, ..suite }
}

const SANDBOX: &[Need] = &[Need::Package, Need::Sandbox, Need::Contracts];
const BROWSED: &[Need] = &[Need::Package, Need::Sandbox, Need::Contracts, Need::Browser];
const DOCS: &[Need] = &[Need::Package, Need::DocsPackages, Need::Sandbox, Need::Contracts, Need::Browser];
const SITE: &[Need] = &[Need::Site, Need::Browser];
const PAGE: &[Need] = &[Need::Page, Need::Sandbox, Need::Contracts, Need::Browser];
const DEMO_PAGE: &[Need] = &[Need::DemoPage, Need::Sandbox, Need::Contracts, Need::Browser];
const PACKED: &[Need] = &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser];
const PACKED_WITH_SANDBOX: &[Need] =
    &[Need::Tarball, Need::Sandbox, Need::Contracts, Need::Browser, Need::SandboxTarballs];
const SERVICE: &[Need] = &[Need::Contracts, Need::NpmPackages];
const COMMANDS: &[Need] = &[
    Need::Page,
    Need::DemoPage,
    Need::Site,
    Need::Sandbox,
    Need::Contracts,
    Need::Browser,
    Need::Lints,
    Need::WasmBindgen,
];
const RELEASE: &[Need] = &[Need::Tarball, Need::SandboxTarballs, Need::CargoDeny];

/// Files that cargo compiles.
const RUST: &[&str] = &["**/*.rs", "rustfmt.toml"];
/// Whole trades against the sandbox in Node, and what they are made with.
const TRADED: &[&str] =
    &["tests/coverage", "tests/shared", "tests/vectors", "docs", "www-example/src/sandbox/batches.js"];
/// Files that are measured, and those that they trade with.
const MEASURED: &[&str] = &[
    "tests/bench",
    "tests/commands",
    "tests/coverage/world.mjs",
    "tests/e2e/sandbox.mjs",
    "tests/package/trade.mjs",
    "tests/vectors",
];

/// The suites, in the order in which they begin.
pub const SUITES: [Suite; 28] = [
    suite("fmt", "rustfmt", &[Need::Lints], RUST, check::fmt),
    suite("clippy", "lints, native", &[Need::Lints], RUST, check::clippy),
    suite("clippy-wasm", "lints, in the browser's build", &[Need::Lints, Need::WasmTarget], RUST, check::clippy_wasm),
    suite(
        "native",
        "all that needs Rust alone: the crates, their documentation, fuzz targets, commands",
        &[],
        &["."],
        cargo::native,
    ),
    suite(
        "crate",
        "the crates for Rust, as they are documented and packed",
        &[],
        &["crates/verify/src", "crates/explain/src"],
        check::rust_crate,
    ),
    and_more(
        SERVICE,
        suite("sandbox", "the service, against real nodes", SERVICE, &["tests/shared/*.rs"], cargo::sandbox),
    ),
    suite(
        "browser",
        "the package's boundary, in Chromium",
        &[Need::WasmTarget, Need::WasmBindgen, Need::NpmPackages, Need::Browser],
        &["build.rs", "src", "crates/*/src/**", "tests/boundary", "pkg-template/src"],
        cargo::browser,
    ),
    suite(
        "vectors",
        "hashes and signatures against other libraries",
        SANDBOX,
        &["tests/coverage/attacks.mjs", "docs"],
        |trial| node::tests(trial, "vectors"),
    ),
    and_more(
        PACKED_WITH_SANDBOX,
        suite(
            "package",
            "the tarball inside consumer apps",
            PACKED,
            &[
                "docs/trade.md",
                "tests/consumers/shared",
                "tests/docs/snippets.mjs",
                "tests/live",
                "tests/probe",
                "tests/shared/early.json",
                "tests/vectors/seeded-random.mjs",
                "crates/verify/src",
            ],
            |trial| node::tests(trial, "package"),
        ),
    ),
    and_more(
        PAGE,
        alone(suite(
            "e2e",
            "the page in Chromium, with the wallet",
            DEMO_PAGE,
            &["tests/vectors/delta-types.mjs"],
            |trial| node::tests(trial, "e2e"),
        )),
    ),
    suite(
        "types",
        "the TypeScript declarations",
        &[Need::Tarball],
        &["www-example", "www-site", "tests/package/locations.mjs"],
        check::types,
    ),
    suite(
        "docs",
        "every snippet and table of the documentation",
        DOCS,
        &["examples", "tests", "www-example", "docs", "*.md"],
        |trial| node::tests(trial, "docs"),
    ),
    suite("site", "the site, its links too, in Chromium with a file server alone", SITE, &[], |trial| {
        node::tests(trial, "site")
    }),
    suite("size", "what it costs to download, recorded", &[Need::Package], &[], check::size),
    and_more(
        SANDBOX,
        suite("coverage", "every parameter of the service, by the package", SANDBOX, TRADED, |trial| {
            node::tests(trial, "coverage")
        }),
    ),
    and_more(
        PACKED,
        suite(
            "examples",
            "the examples, as they are copied",
            PACKED,
            &["examples", "tests/package/app.mjs", "tests/consumers/shared", "docs/doors.md"],
            |trial| node::tests(trial, "examples"),
        ),
    ),
    second(suite("deny", "licences, origins and versions of crates", &[Need::CargoDeny], &[], check::deny)),
    second(suite(
        "model",
        "the ledger, in every order of events; within wider bounds with --all",
        &[],
        &["crates/trade/src/ledger", "crates/trade/tests/model"],
        cargo::model,
    )),
    second(alone(suite("faults", "what every fault at every endpoint ends in", BROWSED, TRADED, |trial| {
        node::tests(trial, "faults")
    }))),
    second(alone(suite("requests", "how many requests a trade takes", BROWSED, MEASURED, |trial| {
        node::tests(trial, "requests")
    }))),
    second(suite(
        "consumers",
        "the tarball in bundlers and runtimes, a trade in each",
        PACKED,
        &["tests/package/trade.mjs"],
        |trial| node::tests(trial, "consumers"),
    )),
    second(alone(suite("crash", "a page that dies at every step of a trade", BROWSED, TRADED, |trial| {
        node::tests(trial, "crash")
    }))),
    second(alone(suite(
        "engines",
        "the page by a WebDriver; Firefox and WebKitGTK with --all",
        PAGE,
        &["tests/e2e"],
        node::engines,
    ))),
    second(alone(suite("commands", "these commands, as they are typed", COMMANDS, &["."], |trial| {
        node::tests(trial, "commands")
    }))),
    second(alone(suite("bench", "each benchmark, once", PAGE, MEASURED, |trial| node::tests(trial, "bench")))),
    second(alone(suite(
        "soak",
        "memory and load; over 20,000 trades and in real time with --all",
        BROWSED,
        MEASURED,
        node::soak,
    ))),
    second(alone(suite(
        "release",
        "a release without the network; with --all two builds, which are the same",
        RELEASE,
        &["."],
        check::release,
    ))),
    Suite { part: Part::All, ..suite("laws", "the laws, with many more cases", &[], &["."], cargo::laws) },
];
