//! Limits: at the limit an order passes, one unit beyond it is refused.

use super::fake_host::{BUY, Rig, SELL, json, set, text, with};
use verified_swap_trade::flows;
use verify::internal::error::ErrorCode;
use verify::internal::json::Json;

struct Case {
    request: String,
    options: &'static str,
    quote: Vec<(&'static str, String)>,
    order: Vec<(&'static str, String)>,
}

impl Case {
    fn new(request: &str) -> Case {
        Case { request: request.into(), options: r#"{"slippageBps":50}"#, quote: vec![], order: vec![] }
    }

    fn asking(mut self, member: &str) -> Case {
        self.request = with(&self.request, member);
        self
    }

    fn options(mut self, options: &'static str) -> Case {
        self.options = options;
        self
    }

    fn quote(mut self, path: &'static str, value: &str) -> Case {
        self.quote.push((path, value.into()));
        self
    }

    fn order(mut self, path: &'static str, value: &str) -> Case {
        self.order.push((path, value.into()));
        self
    }

    fn run(self) -> Result<Json, (ErrorCode, String)> {
        let rig = Rig::default();
        let (quote, order) = (self.quote, self.order);
        rig.world.service.borrow_mut().quote_lie = Some(Box::new(move |answer| {
            for (path, value) in &quote {
                set(answer, &format!("delta.{path}"), value);
            }
        }));
        rig.world.service.borrow_mut().build_lie = Some(Box::new(move |answer| {
            for (path, value) in &order {
                set(answer, &format!("toSign.value.{path}"), value);
            }
        }));
        let build = rig.quote(&self.request).and_then(|quote| rig.build(&quote, self.options));
        rig.world.assert_untouched();
        // A build that passed can be signed and posted.
        if let Ok(build) = &build {
            rig.submit(build).unwrap();
        }
        build.map_err(|error| (error.code, error.field.clone().unwrap_or_default()))
    }

    #[track_caller]
    fn passes(self) -> Json {
        self.run().unwrap()
    }

    #[track_caller]
    fn fails_at(self, field: &str) {
        assert_eq!(self.run().unwrap_err(), (ErrorCode::VerifyMismatch, field.into()));
    }
}

#[test]
fn a_sale_pays_out_at_least_the_quote_less_slippage() {
    // 0.5 % below 40000000000000001 is 39800000000000000.995: the floor of it is enough.
    let odd = |case: Case| {
        ["origin.output", "destination.input", "destination.output"]
            .iter()
            .fold(case, |case, place| case.quote(format!("route.{place}.amount").leak(), r#""40000000000000001""#))
    };
    odd(Case::new(SELL)).order("destAmount", r#""39800000000000000""#).passes();
    odd(Case::new(SELL)).order("destAmount", r#""39799999999999999""#).fails_at("order.destAmount");
    odd(Case::new(SELL)).order("destAmount", r#""40000000000000001""#).passes();
    // More than was expected: the protocol would share in what is the user's own.
    odd(Case::new(SELL)).order("destAmount", r#""40000000000000002""#).fails_at("order.expectedAmount");
}

#[test]
fn a_purchase_costs_at_most_the_quote_and_slippage() {
    // 0.5 % above 100000001 is 100500001.005: the ceiling of it is allowed.
    let odd = || Case::new(BUY).quote("route.origin.input.amount", r#""100000001""#);
    odd().order("srcAmount", r#""100500002""#).passes();
    odd().order("srcAmount", r#""100500003""#).fails_at("order.srcAmount");
    odd().order("srcAmount", r#""100000001""#).passes();
    odd().order("srcAmount", r#""100000000""#).fails_at("order.expectedAmount");
}

#[test]
fn slippage_of_nothing_is_the_quote_itself() {
    let exact = || Case::new(SELL).options(r#"{"slippageBps":0}"#);
    exact().passes();
    exact().order("destAmount", r#""39999999999999999""#).fails_at("order.destAmount");
}

#[test]
fn the_callers_own_floor_holds_after_the_fee() {
    // 39800000000000000 less 1 bps is 39796020000000000.
    Case::new(SELL).options(r#"{"slippageBps":50,"minReceived":"39796020000000000"}"#).passes();
    Case::new(SELL).options(r#"{"slippageBps":50,"minReceived":"39796020000000001"}"#).fails_at("order.minReceived");
}

#[test]
fn the_callers_own_cap_holds() {
    Case::new(BUY).options(r#"{"slippageBps":50,"maxSpent":"100500000"}"#).passes();
    Case::new(BUY).options(r#"{"slippageBps":50,"maxSpent":"100499999"}"#).fails_at("order.maxSpent");
}

#[test]
fn max_spent_is_the_quote_plus_slippage() {
    let over = |member: &str, request: &str| with(request, member);
    for (request, free) in [(SELL, false), (BUY, true)] {
        for slippage in [0_u64, 1, 50, 333, 10_000] {
            // One of the forms a trade can have, and how many quotes of it there are in what is built.
            let slices = |count: u64| (over(&format!(r#""numSlices":{count},"intervalSecs":60"#), request), count);
            let forms = [
                (request.to_string(), 1),
                (over(r#""destChainId":10"#, request), 1),
                (over(r#""mode":"MARKET""#, request), 1),
                slices(2),
                slices(4),
                slices(7),
            ];
            for (asked, count) in forms {
                let rig = Rig::default();
                let method = if free { 1 } else { 0 };
                rig.world.service.borrow_mut().market.method = method;
                let quote = rig.quote(&asked).unwrap();
                let quoted: u64 = text(&quote, "srcAmount").parse().unwrap();
                let most = match free {
                    // A slice of a sale is a part of the amount.
                    false => 100_000_000,
                    true => (quoted * (10_000 + slippage)).div_ceil(10_000) * count,
                };
                let told = flows::compute("maxSpent", &quote, &json(&slippage.to_string())).unwrap();
                assert_eq!(told, format!("\"{most}\""), "{asked}");
                let options = match free && count > 1 {
                    true => format!(r#"{{"maxSrcAmount":{told}}}"#),
                    false => format!(r#"{{"slippageBps":{slippage}}}"#),
                };
                let build = rig.build(&quote, &options).unwrap_or_else(|error| panic!("{asked}: {error:?}"));
                let spent: u64 = text(&build, "maxSpent").parse().unwrap();
                // The service rounds the cap of a single order down.
                let floored = most - spent;
                assert!(floored == 0 || floored == 1 && free && count == 1, "{asked} {slippage}: {spent} of {most}");
            }
        }
    }
}

#[test]
fn a_fee_is_what_was_agreed_to() {
    // Nobody in particular: 1 bps unasked.
    Case::new(SELL).quote("partner.feePercent", "0.01").passes();
    Case::new(SELL).quote("partner.feePercent", "0.0100001").fails_at("quote.fee");
    Case::new(SELL).order("partnerAndFee", r#""1""#).passes();
    Case::new(SELL).order("partnerAndFee", r#""2""#).fails_at("order.partnerAndFee.feeBps");
    // A partner by name alone: no more than that.
    let unknown = || Case::new(SELL).asking(r#""partner":"shop""#);
    unknown().order("partnerAndFee", r#""1""#).passes();
    unknown().quote("partner.feePercent", "0.0100001").fails_at("quote.fee");
    unknown().quote("partner", "null").order("partnerAndFee", r#""2""#).fails_at("order.partnerAndFee.feeBps");
    // With a fee that was agreed on: up to the contract's cap.
    let named = || Case::new(SELL).asking(r#""partner":"shop","agreement":{"feeBps":200}"#);
    named().quote("partner.feePercent", "2").order("partnerAndFee", r#""200""#).passes();
    named().quote("partner.feePercent", "2.01").fails_at("quote.fee");
    named().quote("partner.feePercent", "2").order("partnerAndFee", r#""201""#).fails_at("order.partnerAndFee.feeBps");
    // The caller's own bound counts before both.
    let capped = || named().asking(r#""maxFeeBps":30"#);
    capped().quote("partner.feePercent", "0.3").order("partnerAndFee", r#""30""#).passes();
    capped().quote("partner.feePercent", "0.301").fails_at("quote.fee");
    // And the order never carries more than the quote said: 0.125 % is 13 bps.
    named().quote("partner.feePercent", "0.125").order("partnerAndFee", r#""13""#).passes();
    named()
        .quote("partner.feePercent", "0.125")
        .order("partnerAndFee", r#""14""#)
        .fails_at("order.partnerAndFee.feeBps");
    // A fee that nobody states is unknown, and bounded all the same.
    Case::new(SELL).quote("partner", "null").order("partnerAndFee", r#""1""#).passes();
    Case::new(SELL).quote("partner", "null").order("partnerAndFee", r#""2""#).fails_at("order.partnerAndFee.feeBps");
    Case::new(SELL).quote("partner.feePercent", r#""lots""#).fails_at("quote.fee");
}

#[test]
fn surplus_is_taken_by_agreement_only() {
    Case::new(SELL).order("partnerAndFee", r#""513""#).passes();
    Case::new(SELL).order("partnerAndFee", r#""257""#).fails_at("order.partnerAndFee.takeSurplus");
    let shop = |agreement: &str| Case::new(SELL).asking(&format!(r#""partner":"shop","agreement":{agreement}"#));
    shop("{}").order("partnerAndFee", r#""257""#).fails_at("order.partnerAndFee.takeSurplus");
    shop(r#"{"takesSurplus":true}"#).order("partnerAndFee", r#""769""#).passes();
    shop(r#"{"takesSurplus":true}"#).order("partnerAndFee", r#""257""#).fails_at("order.partnerAndFee.capSurplus");
    for bit in 10..96 {
        let word = format!(r#""{}""#, (1_u128 << bit) + 1);
        Case::new(SELL).order("partnerAndFee", &word).fails_at("order.partnerAndFee.unknownBits");
    }
}

#[test]
fn the_partner_is_the_one_that_was_named() {
    let partner = "0x3333333333333333333333333333333333333333";
    let word = |last: &str| {
        let word =
            alloy_primitives::U256::from_str_radix(&format!("333333333333333333333333333333333333333{last}"), 16);
        format!(r#""{}""#, (word.unwrap() << 96) | alloy_primitives::U256::from(1))
    };
    let named = || Case::new(SELL).asking(&format!(r#""partnerAddress":"{partner}""#));
    named().order("partnerAndFee", &word("3")).passes();
    named().order("partnerAndFee", &word("4")).fails_at("order.partnerAndFee.partner");
    Case::new(SELL).order("partnerAndFee", &word("4")).passes();
}

#[test]
fn a_loss_is_bounded_by_the_quotes_own_values() {
    let worth = |usd: &str| Case::new(SELL).quote("route.destination.output.amountUSD", usd);
    worth(r#""85.00""#).passes();
    worth(r#""84.9999999""#).fails_at("quote.loss");
    worth("85.0").passes();
    let strict = |usd: &str| worth(usd).asking(r#""maxLossBps":100"#);
    strict(r#""99.00""#).passes();
    strict(r#""98.99""#).fails_at("quote.loss");
}

#[test]
fn a_deadline_is_the_one_asked_for() {
    let build = Case::new(SELL).options(r#"{"slippageBps":50,"validForSecs":86400}"#).passes();
    assert_eq!(text(&build, "deadline"), "1800086400");
    Case::new(SELL).order("deadline", "1800001201").fails_at("order.deadline");
    Case::new(SELL).order("deadline", "1800001199").fails_at("order.deadline");
    let build = Case::new(SELL).options(r#"{"slippageBps":50,"deadline":1800000001}"#).passes();
    assert_eq!(text(&build, "deadline"), "1800000001");
    for (options, field) in [
        (r#"{"slippageBps":50,"deadline":1800000000}"#, "options.deadline"),
        (r#"{"slippageBps":50,"validForSecs":0}"#, "options.validForSecs"),
        (r#"{"slippageBps":50,"validForSecs":86401}"#, "options.validForSecs"),
        (r#"{"slippageBps":50,"validForSecs":9,"deadline":1800000009}"#, "options.deadline"),
        (r#"{"slippageBps":10001}"#, "options.slippageBps"),
        (r#"{}"#, "options.slippageBps"),
    ] {
        let refused = Case::new(SELL).options(options).run().unwrap_err();
        assert_eq!(refused, (ErrorCode::InvalidInput, field.into()), "{options}");
    }
}

#[test]
fn metadata_is_bounded_in_length() {
    let bytes = |count: usize| format!(r#""0x{}""#, "ab".repeat(count));
    Case::new(SELL).order("metadata", &bytes(1024)).passes();
    Case::new(SELL).order("metadata", &bytes(1025)).fails_at("order.metadata");
    Case::new(SELL).order("metadata", r#""0x""#).passes();
    Case::new(SELL).order("permit", r#""0x00""#).fails_at("order.permit");
}
