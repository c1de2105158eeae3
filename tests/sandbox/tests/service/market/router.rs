//! The router itself, asked directly: whatever the service would let through, it keeps its own rules.

use serde_json::{Value, json};

use super::swap::{MarketSwap, refusal};
use crate::permit;
use crate::started::{Sandbox, sandbox};
use crate::trade::number;

/// The refusal of a swap's transaction with arguments changed.
fn refused(sandbox: &Sandbox, swap: &MarketSwap, args: &Value) -> Option<String> {
    sandbox.post("/sandbox/tamper", &json!({"target": "transactions", "args": args})).ok();
    let transaction = swap.transaction(sandbox);
    refusal(sandbox, &transaction)
}

#[test]
fn a_minimum_is_kept_to_the_unit() {
    let sandbox = sandbox();
    for method in ["swapExactAmountIn", "swapExactAmountInOnUniswapV2", "swapExactAmountInOnBalancerV2"] {
        let swap = MarketSwap { body: json!({"slippage": 0}), ..MarketSwap::by(method) };
        assert_eq!(refused(&sandbox, &swap, &json!({})), None, "{method}");
        let one_more = json!({"toAmount": {"plus": 1}});
        assert_eq!(refused(&sandbox, &swap, &one_more).as_deref(), Some("InsufficientReturnAmount"), "{method}");
    }
}

#[test]
fn a_maximum_pays_for_trade_and_fee_to_the_unit() {
    let sandbox = sandbox();
    let buying = |query: &str| MarketSwap {
        side: "BUY",
        amount: 10_u128.pow(20),
        query: query.into(),
        body: json!({"slippage": 0}),
        ..MarketSwap::default()
    };
    for method in ["swapExactAmountOut", "swapExactAmountOutOnUniswapV3"] {
        let swap = buying(&format!("&includeContractMethods={method}"));
        assert_eq!(refused(&sandbox, &swap, &json!({})), None, "{method}");
        let one_less = json!({"fromAmount": {"minus": 1}});
        let why = refused(&sandbox, &swap, &one_less);
        assert_eq!(why.as_deref(), Some("InsufficientBalanceToPayFees"), "{method}");
    }
}

#[test]
fn zero_amounts_are_refused() {
    let sandbox = sandbox();
    let swap = MarketSwap::default();
    let zero = |name: &str| json!({name: "0"});
    assert_eq!(refused(&sandbox, &swap, &zero("toAmount")).as_deref(), Some("InvalidToAmount"));
    assert_eq!(refused(&sandbox, &swap, &zero("quotedAmount")).as_deref(), Some("InvalidQuotedAmount"));
}

#[test]
fn the_value_sent_along_is_exactly_what_is_traded() {
    let sandbox = sandbox();
    let sale = MarketSwap { src: "ETH", dest: "USDC", amount: 10_u128.pow(16), ..MarketSwap::default() };
    let mut transaction = sale.transaction(&sandbox);
    assert_eq!(refusal(&sandbox, &transaction), None);
    for value in [0, sale.amount - 1, sale.amount + 1] {
        transaction["value"] = json!(value.to_string());
        assert_eq!(refusal(&sandbox, &transaction).as_deref(), Some("IncorrectEthAmount"), "{value}");
    }
    let mut tokens = MarketSwap::default().transaction(&sandbox);
    tokens["value"] = json!("1");
    assert_eq!(refusal(&sandbox, &tokens).as_deref(), Some("IncorrectEthAmount"));
}

#[test]
fn hops_lead_from_one_token_of_the_trade_to_the_other() {
    let sandbox = sandbox();
    for (method, bytes) in [("swapExactAmountInOnUniswapV2", 64), ("swapExactAmountInOnUniswapV3", 96)] {
        let swap = MarketSwap::by(method);
        for pools in ["0x".to_owned(), format!("0x{}", "00".repeat(bytes)), format!("0x{}", "11".repeat(bytes - 1))] {
            let why = refused(&sandbox, &swap, &json!({"pools": pools}));
            assert_eq!(why.as_deref(), Some("InvalidPools"), "{method}");
        }
        let elsewhere = json!({"destToken": sandbox.token("USDT")});
        assert_eq!(refused(&sandbox, &swap, &elsewhere).as_deref(), Some("InvalidPools"), "{method}");
    }
}

#[test]
fn a_call_to_another_vault_function_is_refused() {
    let sandbox = sandbox();
    let swap = MarketSwap::by("swapExactAmountInOnBalancerV2");
    assert_eq!(refused(&sandbox, &swap, &json!({"data": "0x945bcec9"})).as_deref(), Some("InvalidSelector"));
    let none = json!({"orders": []});
    let rfq = MarketSwap::by("swapOnAugustusRFQTryBatchFill");
    assert_eq!(refused(&sandbox, &rfq, &none).as_deref(), Some("InvalidOrdersLength"));
}

#[test]
fn a_fee_above_the_cap_is_counted_as_the_cap() {
    let sandbox = sandbox();
    let swap = MarketSwap::default();
    sandbox
        .post("/sandbox/tamper", &json!({"target": "transactions", "args": {"partnerAndFee": {"plus": 16_382}}}))
        .ok();
    let priced = number(&swap.price(&sandbox).route["destAmount"]);
    let moved = swap.done(&sandbox);
    assert_eq!(moved.received, priced - priced * 200 / 10_000);
}

/// The DAI accrued for a partner.
fn accrued(sandbox: &Sandbox, partner: &str) -> u128 {
    let selector = &alloy_primitives::keccak256("accrued(address,address)").to_string()[..10];
    let data = format!("{selector}{:0>64}{:0>64}", &partner[2..], &sandbox.token("DAI")[2..]);
    crate::started::hex_number(
        &sandbox.rpc("eth_call", json!([{"to": sandbox.text("router"), "data": data}, "latest"])),
    )
}

#[test]
fn fees_accrue_in_the_vault_by_partner_and_token() {
    let sandbox = sandbox();
    let payee = "0x0000000000000000000000000000000000005e15";
    let body = json!({"partner": "shop", "partnerAddress": payee, "partnerFeeBps": "100"});
    let swap = MarketSwap { body, query: "&partner=shop&partnerFeeBps=100".into(), ..MarketSwap::default() };
    let (before, priced) = (accrued(&sandbox, payee), number(&swap.price(&sandbox).route["destAmount"]));
    swap.done(&sandbox);
    let fee = priced / 100;
    assert_eq!(accrued(&sandbox, payee) - before, fee - fee * 15 / 100);
}

#[test]
fn a_permit_is_what_its_length_says_and_a_failing_one_of_the_token_is_ignored() {
    let sandbox = sandbox();
    let with = |length: usize, allowance: u128| {
        let body = json!({"permit": format!("0x{}", "01".repeat(length))});
        let swap = MarketSwap { body, options: "ignoreChecks=true", ..MarketSwap::default() };
        swap.approve(&sandbox, allowance);
        refusal(&sandbox, &swap.try_transaction(&sandbox, &swap.price(&sandbox).text).ok())
    };
    // Among them the two short ways by Permit2 of Delta, and its transfer.
    for length in [1, 32, 64, 96, 192, 223, 225, 256] {
        assert_eq!(with(length, u128::MAX).as_deref(), Some("PermitFailed"), "{length}");
    }
    assert_eq!(with(224, u128::MAX), None, "the allowance is there");
    assert!(with(224, 99_999_999).is_some());
    for length in [257, 352, 384] {
        assert_eq!(with(length, u128::MAX).as_deref(), Some("Permit2Failed"), "{length}");
    }
}

#[test]
fn a_transfer_by_permit2_is_the_senders_and_no_more_than_was_signed() {
    let sandbox = sandbox();
    let (owner, usdc) = (sandbox.account(0), sandbox.token("USDC"));
    let approved = |amount: &str| {
        let body = json!({
            "chainId": 31337, "token": usdc, "owner": owner, "spender": permit::PERMIT2, "amount": amount,
        });
        sandbox.post("/sandbox/approve", &body).ok();
    };
    let outcome = |signer: &str, signed: u128, deadline: u64| {
        let permit = permit::router_transfer(&sandbox, signer, (&usdc, signed), deadline);
        let body = json!({"permit": permit});
        let swap = MarketSwap { body, options: "ignoreChecks=true", ..MarketSwap::default() };
        swap.approve(&sandbox, 0);
        refusal(&sandbox, &swap.try_transaction(&sandbox, &swap.price(&sandbox).text).ok())
    };
    let soon = sandbox.now() + 600;
    approved("100000000");
    assert_eq!(outcome(&owner, 100_000_000, soon), None);
    for (signer, signed, deadline) in
        [(&owner, 99_999_999, soon), (&owner, 100_000_000, sandbox.now() - 1), (&sandbox.account(1), 100_000_000, soon)]
    {
        assert_eq!(outcome(signer, signed, deadline).as_deref(), Some("Permit2Failed"));
    }
    approved("99999999");
    assert_eq!(outcome(&owner, 100_000_000, soon).as_deref(), Some("Permit2Failed"));
}

#[test]
fn the_operator_gets_nothing_of_a_pro_methods_fee() {
    let sandbox = sandbox();
    let payee = "0x0000000000000000000000000000000000005e16";
    let body = json!({"partner": "shop", "partnerAddress": payee, "partnerFeeBps": "100"});
    let query = "&partner=shop&partnerFeeBps=100&includeContractMethods=swapExactAmountInPro".into();
    let swap = MarketSwap { body, query, ..MarketSwap::default() };
    let priced = number(&swap.price(&sandbox).route["destAmount"]);
    swap.done(&sandbox);
    assert_eq!(accrued(&sandbox, payee), priced / 100);
}
