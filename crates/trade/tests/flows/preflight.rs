//! The reads of the chain before the wallet is asked to sign.

use super::fake_host::{DELTA, Place, Rig, SELL, SRC, native_sale, text};
use super::market::market;
use alloy_primitives::{Address, U256};
use verify::internal::error::ErrorCode;

fn address(text: &str) -> Address {
    text.parse().unwrap()
}

#[test]
fn decimals_that_are_not_the_tokens_own_are_refused_before_anything_is_built() {
    for (honest, wrong, field, expected) in [
        (r#""srcDecimals":6"#, r#""srcDecimals":18"#, "request.srcDecimals", "the token's own 6"),
        (r#""destDecimals":18"#, r#""destDecimals":8"#, "request.destDecimals", "the token's own 18"),
    ] {
        let rig = Rig::default();
        let error = rig.built(&SELL.replace(honest, wrong)).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some(field)));
        assert_eq!(error.expected.as_deref(), Some(expected));
        assert!(wrong.ends_with(error.actual.as_deref().unwrap()));
        rig.world.assert_untouched();
        assert!(rig.world.sent("build").is_empty());
    }
}

#[test]
fn decimals_that_could_not_be_read_while_building_are_read_before_the_prompt() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    rig.world.signer.borrow_mut().chain_id = 1;
    let quote = rig.quote(&SELL.replace("\"srcDecimals\":6", "\"srcDecimals\":7")).unwrap();
    let build = rig.build(&quote, r#"{"slippageBps":50,"minReceived":"1"}"#).unwrap();
    rig.world.signer.borrow_mut().chain_id = 8453;
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("request.srcDecimals")));
    rig.world.assert_untouched();
}

#[test]
fn a_node_whose_clock_is_far_ahead_does_not_stretch_a_deadline() {
    let rig = Rig::default();
    let machine = rig.world.chain.borrow_mut().node(8453).time;
    rig.world.chain.borrow_mut().node(8453).time = machine + 3_600;
    rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).time = machine + 3_620;
    rig.world.age_reads();
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
    assert_eq!(rig.world.sent("build").len(), 1, "only the first");
}

#[test]
fn a_balance_or_allowance_that_is_short_by_one_is_said_with_both_figures() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    let short = U256::from(99_999_999);
    rig.world.chain.borrow_mut().node(8453).balance = short;
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InsufficientBalance, Some("balance")));
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("100000000"), Some("99999999")));
    rig.world.chain.borrow_mut().node(8453).balance = short + U256::from(1);
    rig.world.chain.borrow_mut().node(8453).allowances.insert((address(SRC), address(DELTA)), short);
    let error = rig.submit(&build).unwrap_err();
    assert_eq!((error.code, error.code.action()), (ErrorCode::InsufficientAllowance, "approve"));
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("100000000"), Some("99999999")));
    rig.world.assert_untouched();
    let exact = U256::from(100_000_000);
    rig.world.chain.borrow_mut().node(8453).allowances.insert((address(SRC), address(DELTA)), exact);
    rig.submit(&build).unwrap();
}

const TAKES: &str = "not enough: it takes 100 USDX (0x111111111111...111111111111)";
const HELD: &str = r#"{"slippageBps":50,"advanced":{"requireBalance":true}}"#;

fn nodes_asked(rig: &Rig) -> usize {
    rig.world.questions.borrow().iter().filter(|(place, ..)| *place == Place::Node(8453)).count()
}

#[test]
fn who_has_less_than_it_takes_is_told_while_it_is_built_in_units() {
    for request in [SELL.to_owned(), market(SELL)] {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(99_999_999);
        let quote = rig.quote(&request).unwrap();
        let error = rig.build(&quote, HELD).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InsufficientBalance, Some("balance")));
        assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("100000000"), Some("99999999")));
        assert_eq!(error.message, format!("{TAKES}, the account has 99.999999"));
        rig.world.assert_untouched();
        // Nobody is refused by what was read before.
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(100_000_000);
        rig.build(&quote, HELD).unwrap();
        // Callers that do not ask build for an owner who has it later.
        rig.world.chain.borrow_mut().node(8453).balance = U256::ZERO;
        rig.world.age_reads();
        rig.built_as(&request, r#"{"slippageBps":50}"#).unwrap();
        for wrong in [r#""yes""#, "1"] {
            let error = rig.build(&quote, &HELD.replace("true", wrong)).unwrap_err();
            assert_eq!(
                (error.code, error.field.as_deref()),
                (ErrorCode::InvalidInput, Some("options.advanced.requireBalance"))
            );
        }
    }
}

#[test]
fn who_has_enough_is_asked_nothing_more_for_it() {
    let trade = |options: &str| {
        let rig = Rig::default();
        rig.submit(&rig.built_as(SELL, options).unwrap()).unwrap();
        nodes_asked(&rig)
    };
    assert_eq!(trade(HELD), trade(r#"{"slippageBps":50}"#));
}

#[test]
fn what_is_deposited_counts_as_native_token_that_the_owner_has() {
    let sale = native_sale();
    let build = |native: u64, deposited: u64| {
        let rig = Rig::default();
        rig.world.chain.borrow_mut().node(8453).native_balance = U256::from(native);
        rig.world.chain.borrow_mut().node(8453).balance = U256::from(deposited);
        rig.built_as(&sale, HELD)
    };
    let whole = 1_000_000_000_000_000_000;
    build(whole, 0).unwrap();
    build(0, whole).unwrap();
    let error = build(whole - 1, whole - 2).unwrap_err();
    assert_eq!(error.code, ErrorCode::InsufficientBalance);
    assert_eq!(error.message, "not enough: it takes 1 USDX (the native token), the account has 0.999999999999999999");
}

#[test]
fn a_shortfall_before_the_prompt_is_in_units_if_the_token_is_known() {
    let rig = Rig::default();
    let build = rig.built(&SELL.replace(r#""USDX""#, r#""CASH\u202e""#)).unwrap();
    rig.world.chain.borrow_mut().node(8453).balance = U256::from(1_500_000);
    let error = rig.submit(&build).unwrap_err();
    let takes = TAKES.replace("USDX", r#""CASH\u{202e}""#);
    assert_eq!(error.message, format!("{takes}, the account has 1.5"));
    rig.world.chain.borrow_mut().node(8453).balance = U256::MAX;
    let key = (address(SRC), address(DELTA));
    rig.world.chain.borrow_mut().node(8453).allowances.insert(key, U256::from(1_500_000));
    let error = rig.submit(&rig.built(SELL).unwrap()).unwrap_err();
    let spender = address(DELTA).to_checksum(None);
    assert_eq!(error.message, format!("{TAKES}, the account lets {spender} take 1.5"));
}

#[test]
fn a_deadline_passes_by_the_chains_clock() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).time = 1_800_001_200;
    rig.world.age_reads();
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::QuoteExpired);
    rig.world.assert_untouched();
    // The machine's clock may be wrong by years.
    rig.world.chain.borrow_mut().node(8453).time = 1_800_001_199;
    rig.world.unix_ms.set(1_900_000_000_000);
    rig.submit(&build).unwrap();
}

#[test]
fn a_deadline_counts_from_the_chains_clock() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).time = 1_700_000_000;
    assert_eq!(text(&rig.built(SELL).unwrap(), "deadline"), "1700001200");
}

#[test]
fn an_rpc_of_another_chain_is_refused_by_name() {
    let rig = Rig::default();
    rig.world.chain.borrow_mut().node(8453).id = 1;
    let error = rig.built(SELL).unwrap_err();
    assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("rpc.8453")));
    assert_eq!((error.expected.as_deref(), error.actual.as_deref()), (Some("an RPC of chain 8453"), Some("1")));
    assert!(rig.world.sent("build").is_empty());
}

#[test]
fn a_node_that_does_not_answer_is_a_network_error() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    rig.world.chain.borrow_mut().node(8453).unreachable = true;
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::Network);
    rig.world.assert_untouched();
}

#[test]
fn the_wallet_reads_the_chain_only_while_it_is_on_it() {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    let build = rig.built(SELL).unwrap();
    assert_eq!(text(&build, "request.chainId"), "8453");
    assert!(!rig.world.wallet_was_asked("eth_call").is_empty());
    rig.submit(&build).unwrap();

    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    rig.world.signer.borrow_mut().chain_id = 1;
    let build = rig.built(SELL).unwrap();
    let reads = rig.world.questions.borrow().iter().filter(|(_, method, _)| *method == "eth_call").count();
    assert_eq!(reads, 0);
    // Allowances that could not be read may be needed: an approval is offered, and said to be unread.
    assert_eq!(build.get("approval").unwrap().get("current"), Some(&verify::internal::json::Json::Null));
}

#[test]
fn with_an_rpc_the_wallet_reads_nothing() {
    let rig = Rig::default();
    rig.submit(&rig.built(SELL).unwrap()).unwrap();
    let questions = rig.world.questions.borrow();
    for (place, method, _) in questions.iter() {
        let reads = ["eth_call", "eth_getCode", "eth_getBlockByNumber", "eth_gasPrice"].contains(method);
        assert_eq!(reads, *place == Place::Node(8453) && *method != "eth_chainId", "{place:?} {method}");
    }
}

#[test]
fn on_a_quiet_chain_a_deadline_passes_by_the_machines_clock() {
    let rig = Rig::default();
    let build = rig.built(SELL).unwrap();
    // No block since.
    rig.world.unix_ms.set(1_800_001_200_000);
    assert_eq!(rig.submit(&build).unwrap_err().code, ErrorCode::QuoteExpired);
    rig.world.assert_untouched();
    rig.world.unix_ms.set(1_800_001_199_999);
    rig.submit(&build).unwrap();
    rig.fill(&build);
    // A deadline counts from the later of the two as well.
    assert_eq!(text(&rig.built(SELL).unwrap(), "deadline"), "1800002399");
}

#[test]
fn a_chain_that_is_not_pinned_has_a_clock_of_its_own() {
    let rig = Rig::with(|shared, _| {
        let mut known = verify::internal::domain::chain::pinned(8453).unwrap();
        known.router = Address::ZERO;
        shared.settings.given_contracts = vec![(31337, known)];
        shared.settings.rpc.push((31337, Place::Node(31337)));
    });
    rig.world.chain.borrow_mut().node(31337).id = 31337;
    rig.world.signer.borrow_mut().chain_id = 31337;
    let build = rig.built(&SELL.replace("8453", "31337")).unwrap();
    assert_eq!(text(&build, "deadline"), "1800001200");
    rig.world.unix_ms.set(1_800_001_200_000);
    rig.submit(&build).unwrap();
    let other = rig.built_as(&SELL.replace("8453", "31337"), r#"{"slippageBps":50,"existing":"keepBoth"}"#).unwrap();
    let deadline = text(&other, "deadline").parse().unwrap();
    rig.world.chain.borrow_mut().node(31337).time = deadline;
    rig.world.age_reads();
    let error = rig.submit(&other).unwrap_err();
    assert_eq!(error.code, ErrorCode::QuoteExpired);
}
