//! GET /prices.

use serde_json::json;

use super::swap::MarketSwap;
use crate::started::sandbox;
use crate::trade::number;

#[test]
fn the_fee_is_counted_into_the_free_side() {
    let sandbox = sandbox();
    let sale = MarketSwap { query: "&partner=shop&partnerFeeBps=150".into(), ..MarketSwap::default() };
    let route = sale.price(&sandbox).route;
    let amount = number(&route["destAmount"]);
    assert_eq!(number(&route["destAmountAfterFee"]), amount - amount * 150 / 10_000);
    assert_eq!((&route["partnerFee"], &route["partner"]), (&json!(1.5), &json!("shop")));
    let purchase = MarketSwap { side: "BUY", amount: 10_u128.pow(20), ..MarketSwap::default() };
    let route = purchase.price(&sandbox).route;
    let amount = number(&route["srcAmount"]);
    assert_eq!(number(&route["srcAmountAfterFee"]), amount + amount / 10_000);
    assert_eq!(route.get("destAmountAfterFee"), None);
    let free = MarketSwap { query: "&partner=shop".into(), ..MarketSwap::default() }.price(&sandbox).route;
    assert_eq!(free.get("destAmountAfterFee"), None);
}

#[test]
fn tokens_by_symbol_need_no_decimals() {
    let sandbox = sandbox();
    let by = |query: &str| sandbox.get(&format!("/prices?{query}&amount=1000000&version=6.2"));
    let route = by("srcToken=usdc&destToken=ETH&chainId=31337").ok()["priceRoute"].clone();
    assert_eq!(route["srcToken"], sandbox.token("USDC").to_lowercase());
    assert_eq!(route["destToken"], "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee");
    by("srcToken=USDC&destToken=NOPE&network=31337").refused(422, "UnsupportedToken");
    by("srcToken=USDC&destToken=DAI").refused(422, "UnsupportedChain");
    by("srcToken=USDC&destToken=DAI&network=31337&chainId=31338").refused(400, "InvalidInput");
    let address = sandbox.token("DAI");
    let details = by(&format!("srcToken=USDC&destToken={address}&network=31337")).refused(400, "InvalidInput");
    assert!(details.contains("destDecimals"), "{details}");
}

#[test]
fn each_invalid_price_request_is_refused_by_name() {
    let sandbox = sandbox();
    let target = MarketSwap::default().prices_target(&sandbox);
    let (src, dest) = (sandbox.token("USDC"), sandbox.token("DAI"));
    let changes = [
        (format!("srcToken={src}"), "srcToken=0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "srcToken"),
        (format!("srcToken={src}"), "srcToken=0x0", "srcToken"),
        (format!("destToken={dest}"), "destToken=0xEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE", "destToken"),
        ("amount=100000000".into(), "amount=0", "amount"),
        ("amount=100000000".into(), "amount=1.5", "amount"),
        ("srcDecimals=6".into(), "srcDecimals=18", "srcDecimals"),
        ("side=SELL".into(), "side=sell", "side"),
        ("version=6.2".into(), "version=6", "version"),
    ];
    for (from, to, name) in changes {
        assert!(target.contains(&from), "{from}");
        let details = sandbox.get(&target.replace(&from, to)).refused(400, "InvalidInput");
        assert!(details.contains(name), "{to}: {details}");
    }
    let additions = [
        "userAddress=me",
        "receiver=me",
        "maxImpact=101",
        "maxUSDImpact=-1",
        "partnerFeeBps=201",
        "srcTokenTransferFee=10001",
        "destTokenTransferFee=x",
        "srcTokenDexTransferFee=-1",
        "destTokenDexTransferFee=1.5",
        "otherExchangePrices=yes",
        "excludeRFQ=1",
        "ignoreBadUsdPrice=no",
        "excludeContractMethodsWithoutFeeModel=0",
        "includeContractMethods=simpleSwap",
        "route=USDC",
        "route=USDC-WETH-USDT-PUSD-DAI",
        "route=WETH-DAI",
        "route=USDC-WETH-USDC-DAI",
        "route=USDC-0x00000000000000000000000000000000000f12e4-DAI",
    ];
    for addition in additions {
        let (name, _) = addition.split_once('=').unwrap();
        let details = sandbox.get(&format!("{target}&{addition}")).refused(400, "InvalidInput");
        assert!(details.contains(name), "{addition}: {details}");
    }
    sandbox.get(&target.replace(&dest, &src)).refused(400, "InvalidInput");
}

#[test]
fn a_route_of_four_tokens_is_traded_along() {
    let sandbox = sandbox();
    let swap = MarketSwap { query: "&route=USDC-WETH-USDT-DAI".into(), ..MarketSwap::default() };
    let route = swap.price(&sandbox).route;
    let swaps = route["bestRoute"][0]["swaps"].as_array().unwrap();
    assert_eq!(swaps.len(), 3);
    assert_eq!(swaps[0]["destToken"], sandbox.token("WETH").to_lowercase());
    for pair in swaps.windows(2) {
        assert_eq!(pair[0]["destToken"], pair[1]["srcToken"]);
        assert_eq!(pair[0]["swapExchanges"][0]["destAmount"], pair[1]["swapExchanges"][0]["srcAmount"]);
    }
    assert!(number(&route["destAmount"]) < number(&MarketSwap::default().price(&sandbox).route["destAmount"]));
}

#[test]
fn filters_choose_method_and_exchange() {
    let sandbox = sandbox();
    let chosen = |side: &'static str, query: &str| {
        let amount = if side == "SELL" { 100_000_000 } else { 10_u128.pow(20) };
        let route = MarketSwap { side, amount, query: query.into(), ..MarketSwap::default() }.price(&sandbox).route;
        let exchange = &route["bestRoute"][0]["swaps"][0]["swapExchanges"][0]["exchange"];
        format!("{} {}", route["contractMethod"].as_str().unwrap(), exchange.as_str().unwrap())
    };
    let only = "&includeContractMethods=swapExactAmountInOnCurveV1,swapExactAmountOutOnUniswapV3";
    assert_eq!(chosen("SELL", only), "swapExactAmountInOnCurveV1 CurveV1");
    assert_eq!(chosen("BUY", only), "swapExactAmountOutOnUniswapV3 UniswapV3");
    let without = "&excludeContractMethods=swapExactAmountIn,swapExactAmountOut";
    assert_eq!(chosen("SELL", without), "swapExactAmountInOnUniswapV2 UniswapV2");
    assert_eq!(chosen("SELL", "&excludeDEXS=uniswapv2"), "swapExactAmountIn UniswapV3");
    assert_eq!(chosen("SELL", "&includeDEXS=BalancerV2,CurveV2"), "swapExactAmountIn CurveV2");
    // One pool is all there is.
    assert_eq!(
        chosen("SELL", "&excludePools=0x00000000000000000000000000000000000f12e4"),
        "swapExactAmountIn UniswapV2"
    );
    let pool = sandbox.text("pool").to_lowercase();
    let none = MarketSwap { query: format!("&excludePools=x,{pool}"), ..MarketSwap::default() };
    sandbox.get(&none.prices_target(&sandbox)).refused(400, "PricingError");
    sandbox.settings(json!({"contractMethod": "swapExactAmountInOnBalancerV2"}));
    assert_eq!(chosen("SELL", ""), "swapExactAmountInOnBalancerV2 BalancerV2");
    assert_eq!(chosen("BUY", ""), "swapExactAmountOut UniswapV2");
    sandbox.settings(json!({"contractMethod": "swapExactAmountInOutOnMakerPSM"}));
    assert_eq!(chosen("SELL", ""), "swapExactAmountInOutOnMakerPSM MakerPsm");
    assert_eq!(chosen("SELL", "&excludeContractMethodsWithoutFeeModel=true"), "swapExactAmountIn UniswapV2");
    sandbox.settings(json!({"contractMethod": "swapOnAugustusRFQTryBatchFill"}));
    assert_eq!(chosen("SELL", ""), "swapOnAugustusRFQTryBatchFill AugustusRFQ");
    assert_eq!(chosen("SELL", "&excludeRFQ=true"), "swapExactAmountIn UniswapV2");
    sandbox.post("/sandbox/settings", &json!({"contractMethod": "megaSwap"})).refused(400, "InvalidInput");
    let nothing = MarketSwap { query: "&includeDEXS=Sushi".into(), ..MarketSwap::default() };
    sandbox.get(&nothing.prices_target(&sandbox)).refused(400, "PricingError");
}

#[test]
fn a_method_is_not_chosen_for_what_it_cannot_trade() {
    let sandbox = sandbox();
    let is_priced = |src: &'static str, dest: &'static str, method: &str, more: &str| {
        let query = format!("&includeContractMethods={method}{more}");
        let amount = if src == "ETH" { 10_u128.pow(17) } else { 100_000_000 };
        let answer =
            sandbox.get(&MarketSwap { src, dest, amount, query, ..MarketSwap::default() }.prices_target(&sandbox));
        answer.status == 200 || !answer.refused(400, "PricingError").contains("No routes")
    };
    let over = "&route=USDC-WETH-DAI";
    for method in ["swapExactAmountInOnCurveV1", "swapExactAmountInOnBalancerV2", "swapOnAugustusRFQTryBatchFill"] {
        assert!(is_priced("USDC", "DAI", method, ""), "{method}");
        assert!(!is_priced("USDC", "DAI", method, over), "{method} over two pools");
        assert!(is_priced("ETH", "DAI", method, ""), "{method}");
        assert!(!is_priced("ETH", "WETH", method, ""), "{method} without a pool");
    }
    assert!(is_priced("USDC", "DAI", "swapExactAmountInOutOnMakerPSM", ""));
    assert!(!is_priced("ETH", "DAI", "swapExactAmountInOutOnMakerPSM", ""));
    assert!(!is_priced("USDC", "DAI", "swapExactAmountOut", ""), "it buys");
    assert!(is_priced("ETH", "WETH", "swapExactAmountIn", ""));
}

#[test]
fn other_exchanges_are_shown_within_the_route() {
    let sandbox = sandbox();
    let query = "&otherExchangePrices=true&excludeDEXS=MakerPsm";
    let route = MarketSwap { query: query.into(), ..MarketSwap::default() }.price(&sandbox).route;
    let others = route["others"].as_array().unwrap();
    let listed = sandbox.get("/adapters/list?chainId=31337&version=6.2").ok();
    assert_eq!(others.len(), listed.as_array().unwrap().len() - 2, "all but the chosen and the excluded");
    for other in others {
        assert!(listed.as_array().unwrap().contains(&other["exchange"]));
        assert_eq!(other["srcAmount"], "100000000");
        assert!(number(&other["destAmount"]) < number(&route["destAmount"]));
    }
    sandbox.get("/adapters/list?chainId=1").refused(422, "UnsupportedChain");
}

#[test]
fn excluded_methods_of_older_routers_are_ignored() {
    let sandbox = sandbox();
    let query = "&excludeContractMethods=simpleSwap,swapExactAmountIn,multiSwap".into();
    let route = MarketSwap { query, ..MarketSwap::default() }.price(&sandbox).route;
    assert_eq!(route["contractMethod"], "swapExactAmountInOnUniswapV2");
}

#[test]
fn impact_is_bounded_and_a_higher_bound_is_noted() {
    let sandbox = sandbox();
    let swap = |query: &str| MarketSwap { amount: 20_000_000_000_000, query: query.into(), ..MarketSwap::default() };
    sandbox.get(&swap("").prices_target(&sandbox)).refused(400, "PricingError");
    assert_eq!(swap("&maxImpact=90").price(&sandbox).route["maxImpactReached"], true);
    sandbox.get(&swap("&maxImpact=90&maxUSDImpact=20").prices_target(&sandbox)).refused(400, "PricingError");
    let small = MarketSwap { query: "&maxUSDImpact=1".into(), ..MarketSwap::default() }.price(&sandbox).route;
    assert_eq!(small["maxImpactReached"], false);
    // Dollars: a twentieth of a percent of ten thousand is more than one of them, and less than a hundred.
    let dollars = |most: u32| MarketSwap {
        amount: 10_000_000_000,
        query: format!("&maxUSDImpact={most}"),
        ..MarketSwap::default()
    };
    sandbox.get(&dollars(1).prices_target(&sandbox)).refused(400, "PricingError");
    dollars(150).price(&sandbox);
    let all = MarketSwap { side: "BUY", amount: 10_u128.pow(26), ..MarketSwap::default() };
    sandbox.get(&all.prices_target(&sandbox)).refused(400, "PricingError");
}

#[test]
fn taxes_are_taken_off_the_price_of_a_sale_only() {
    let sandbox = sandbox();
    let amount = |query: &str| {
        let swap = MarketSwap {
            src: "TAX",
            dest: "DAI",
            amount: 10_u128.pow(18),
            query: query.into(),
            ..MarketSwap::default()
        };
        number(&swap.price(&sandbox).route["destAmount"])
    };
    let (free, taxed) = (amount(""), amount("&srcTokenTransferFee=100"));
    assert!(taxed * 10_000 / free == 9_801 || taxed * 10_000 / free == 9_800, "{taxed} of {free}");
    assert_eq!(amount("&destTokenDexTransferFee=1000"), free - free / 10);
    assert_eq!(amount("&destTokenTransferFee=1000"), free - free / 10);
    let purchase = MarketSwap { side: "BUY", query: "&srcTokenTransferFee=100".into(), ..MarketSwap::default() };
    sandbox.get(&purchase.prices_target(&sandbox)).refused(400, "InvalidInput");
}

#[test]
fn the_legacy_version_is_priced_but_has_no_transaction() {
    let sandbox = sandbox();
    for version in ["version=5", "x=1"] {
        let swap = MarketSwap::default();
        let answer = sandbox.get(&swap.prices_target(&sandbox).replace("version=6.2", version));
        assert_eq!(answer.ok()["priceRoute"]["version"], "5");
        let text = answer.body.strip_prefix(r#"{"priceRoute":"#).unwrap().strip_suffix('}').unwrap();
        let details = swap.try_transaction(&sandbox, text).refused(400, "InvalidInput");
        assert!(details.contains("6.2"), "{details}");
    }
}
