//! The answers of `explain` to the honest payloads of twelve services, to lies in each of them, and to payloads that let
//! others act for an account. Calldata is encoded from the services' published signatures by another library, and addresses
//! stand here a second time: nothing is made from the tables under test.
//!
//! docs/explain.md has the figures and the table of contracts: `WRITE=1 cargo test -p verified-swap-explain --test services`.

#![allow(clippy::restriction, clippy::cast_possible_truncation)]

mod held;
mod payloads;
#[path = "../../verify/tests/rules/pointers.rs"]
mod pointers;

use alloy_primitives::{Address, U256, address, hex};
use held::hold;
use payloads::data;
use pointers::pointers;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use verified_swap_explain::SERVICES;
use verified_swap_explain::explain;

const OWNER: Address = address!("0x4a62316623ad457f02cdc5d997ded67a383ec569");
/// Another account of the same user.
const SECOND: Address = address!("0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
const THIEF: Address = address!("0xBaD0000000000000000000000000000000000BAD");
const STRANGER: &str = "0x7777000000000000000000000000000000007778";
const PERMIT2: &str = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const NATIVE: &str = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const ZERO: &str = "0x0000000000000000000000000000000000000000";
const NOW: u64 = 1_800_000_000;
const SOON: u64 = NOW + 1_200;
const HASH: &str = "0x5ed1f6b1b8f9d8a6b5c4d3e2f1a0b9c8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3a2";

/// Chains with USDC, a second token, the wrapped native token, and whether an amount of USDC has 18 decimals.
const CHAINS: [(u64, &str, &str, &str, bool); 8] = [
    (
        1,
        "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
        "0xdAC17F958D2ee523a2206206994597C13D831ec7",
        "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        false,
    ),
    (
        10,
        "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
        "0x94b008aA00579c1307B0EF2c499aD98a8ce58e58",
        "0x4200000000000000000000000000000000000006",
        false,
    ),
    (
        56,
        "0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d",
        "0x55d398326f99059fF775485246999027B3197955",
        "0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c",
        true,
    ),
    (
        130,
        "0x078D782b760474a361dDA0AF3839290b0EF57AD6",
        "0x9151434b16b9763660705744891fA906F660EcC5",
        "0x4200000000000000000000000000000000000006",
        false,
    ),
    (
        137,
        "0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359",
        "0xc2132D05D31c914a87C6611C10748AEb04B58e8F",
        "0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270",
        false,
    ),
    (
        8453,
        "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf",
        "0x4200000000000000000000000000000000000006",
        false,
    ),
    (
        42161,
        "0xaf88d065e77c8cC2239327C5EDb3A432268e5831",
        "0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9",
        "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1",
        false,
    ),
    (
        43114,
        "0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
        "0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7",
        "0xB31f66AA3C1e785363F0875A1B74E27b85FD66c7",
        false,
    ),
];

/// The contracts of the services by chain, as their own documentation has them (docs/explain.md names it).
#[rustfmt::skip]
const DEPLOYED: &[(&str, &[(u64, &str)])] = &[
    ("SwapRouter02", &[
        (1, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"), (10, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"),
        (56, "0xB971eF87ede563556b2ED4b1C0b0019111Dd85d2"), (130, "0x73855d06DE49d0fe4A9c42636Ba96c62da12FF9C"),
        (137, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"), (8453, "0x2626664c2603336E57B271c5C0b26F421741e481"),
        (42161, "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"),
    ]),
    ("UniversalRouter", &[
        (1, "0x66a9893cc07d91d95644aedd05d03f95e1dba8af"), (10, "0x851116d9223fabed8e56c0e6b8ad0c31d98b3507"),
        (56, "0x1906c1d672b88cd1b9ac7593301ca990f94eae07"), (130, "0xef740bf23acae26f6492b10de645d6b98dc8eaf3"),
        (137, "0x1095692a6237d83c6a72f3f5efedb9a670c49223"), (8453, "0x6ff5693b99212da76ad316178a184ab56d299b43"),
        (42161, "0xa51afafe0263b40edaef0df8781ea9aa03e381a3"),
    ]),
    ("UniswapX", &[(1, "0x00000011F84B9aa48e5f8aA8B9897600006289Be"), (42161, "0xB274d5F4b833b61B340b654d600A864fB604a87c")]),
    ("Aave", &[
        (1, "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2"), (10, "0x794a61358D6845594F94dc1DB02A252b5b4814aD"),
        (56, "0x6807dc923806fE8Fd134338EABCA509979a7e0cB"), (137, "0x794a61358D6845594F94dc1DB02A252b5b4814aD"),
        (8453, "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5"), (42161, "0x794a61358D6845594F94dc1DB02A252b5b4814aD"),
        (43114, "0x794a61358D6845594F94dc1DB02A252b5b4814aD"),
    ]),
    ("Across", &[
        (1, "0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5"), (10, "0x6f26Bf09B1C792e3228e5467807a900A503c0281"),
        (56, "0x4e8E101924eDE233C13e2D8622DC8aED2872d505"), (130, "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64"),
        (137, "0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096"), (8453, "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64"),
        (42161, "0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A"),
    ]),
    ("Odos", &[
        (1, "0xCf5540fFFCdC3d510B18bFcA6d2b9987b0772559"), (10, "0xCa423977156BB05b13A2BA3b76Bc5419E2fE9680"),
        (56, "0x89b8AA89FDd0507a99d334CBe3C808fAFC7d850E"), (130, "0x6409722F3a1C4486A3b1FE566cBDd5e9D946A1f3"),
        (137, "0x4E3288c9ca110bCC82bf38F09A7b425c095d92Bf"), (8453, "0x19cEeAd7105607Cd444F5ad10dd51356436095a1"),
        (42161, "0xa669e7A0d4b3e4Fa48af2dE86BD4CD7126Be4e13"), (43114, "0x88de50B233052e4Fb783d4F6db78Cc34fEa3e9FC"),
    ]),
    ("0x", &[
        (1, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"), (10, "0xdef1abe32c034e558cdd535791643c58a13acc10"),
        (56, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"), (137, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"),
        (8453, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"), (42161, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"),
        (43114, "0xdef1c0ded9bec7f1a1670819833240f027b25eff"),
    ]),
    ("LI.FI", &[
        (1, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"), (10, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"),
        (56, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"), (130, "0x864b314D4C5a0399368609581d3E8933a63b9232"),
        (137, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"), (8453, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"),
        (42161, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"), (43114, "0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE"),
    ]),
];
const ONE_INCH: &str = "0x111111125421cA6dc452d289314280a0f8842A65";
const COW: &str = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";
const COW_RELAYER: &str = "0xC92E8bdf79f0507f65a392b0ab4667716BFE0110";
const ALLOWANCE_HOLDER: &str = "0x0000000000001fF3684f28c67538d4D072C22734";
const KYBER: &str = "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5";
const CONDUIT: &str = "0x1E0049783F008A0085193E00003D00cd54003c71";
const SEAPORT: &str = "0x0000000000000068F116a894984e2DB1123eB395";
const ACROSS_PERIPHERY: &str = "0x10D8b8DaA26d307489803e10477De69C0492B610";
const VELORA: &str = "0x6A000F20005980200259B80c5102003040001068";
const VELORA_DELTA: &str = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
/// Where tokens are bridged by their issuer (CCTP), on chain 1.
const CCTP: &str = "0xBd3fa81B58Ba92a82136038B25aDec7066af3155";
/// A collection of items on chain 1.
const COLLECTION: &str = "0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D";
const COSIGNER: &str = "0x4449Cd34d1eb1FEDCF02A1Be3834FfDe8E6A6180";
const DELEGATION_MANAGER: &str = "0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3";

/// A contract of a service on a chain.
fn deployed(name: &str, chain: u64) -> Option<&'static str> {
    let (_, all) = DEPLOYED.iter().find(|(known, _)| *known == name).unwrap();
    all.iter().find(|(known, _)| *known == chain).map(|(_, address)| *address)
}

fn sent(chain: u64, to: &str, value: u128, data: &str) -> Value {
    json!({ "method": "eth_sendTransaction", "params": [{ "from": OWNER.to_string(), "to": to, "data": data,
        "value": format!("{value:#x}"), "chainId": format!("{chain:#x}") }] })
}

fn typed(domain: Value, encoded: &str, message: Value) -> Value {
    payloads::typed(&OWNER.to_string(), &domain, encoded, &message)
}

fn explained_on(chain: u64, call: &Value) -> Value {
    let context = json!({ "accounts": [OWNER.to_string(), SECOND.to_string()], "chainId": chain, "now": NOW });
    serde_json::from_str(&explain(&call.to_string(), &context.to_string()).unwrap()).unwrap()
}

fn found(answer: &Value) -> Vec<(&str, &str)> {
    let all = answer["findings"].as_array().unwrap();
    all.iter().map(|one| (one["severity"].as_str().unwrap(), one["id"].as_str().unwrap())).collect()
}

fn dangers(answer: &Value) -> BTreeSet<&str> {
    found(answer).into_iter().filter(|(severity, _)| *severity == "danger").map(|(_, id)| id).collect()
}

struct Payload {
    service: &'static str,
    name: String,
    chain: u64,
    call: Value,
}

const PERMIT: &str = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
const PERMIT_SINGLE: &str = concat!(
    "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)",
    "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
);
const TRANSFER: &str = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)";
const DELEGATION: &str = "Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)";

fn usdc_domain(chain: u64, usdc: &str) -> Value {
    json!({ "name": "USD Coin", "version": "2", "chainId": chain, "verifyingContract": usdc })
}

fn permit2_domain(chain: u64) -> Value {
    json!({ "name": "Permit2", "chainId": chain, "verifyingContract": PERMIT2 })
}

/// The calls that stand in a batch behind their approval, too.
const BATCHED: [&str; 6] =
    ["swap 0", "swap 1", "exactInputSingle 0", "transformERC20", "supply 1500000000", "deposit for 1"];

/// Payloads as the services build them for a user who gets what comes out at `receiver`; tokens are let to `other` in place of
/// the service, if there is one.
fn corpus(receiver: Address, other: Option<&str>) -> Vec<Payload> {
    let (owner, receiver) = (OWNER.to_string(), receiver.to_string());
    let mut all = Vec::new();
    for (chain, usdc, second, wrapped, is_wide) in CHAINS {
        let dollars = |amount: u128| amount * if is_wide { 1_000_000_000_000_000_000 } else { 1_000_000 };
        let (spent, least, ether) = (dollars(1_500), 590_000_000_000_000_000_u128, 600_000_000_000_000_000_u128);
        let back = dollars(1_470);
        let mut add = |service: &'static str, name: &str, call: Value| {
            all.push(Payload { service, name: name.to_owned(), chain, call });
        };
        let call = |to: &str, signature: &str, arguments: &str| sent(chain, to, 0, &data(signature, arguments));
        let paid = |to: &str, signature: &str, arguments: &str| sent(chain, to, ether, &data(signature, arguments));
        let approve = |token: &str, spender: &str, amount: String| {
            call(token, "approve(address,uint256)", &format!("({},{amount})", other.unwrap_or(spender)))
        };
        let permit = |spender: &str| {
            let spender = other.unwrap_or(spender);
            let message = json!({ "owner": owner, "spender": spender, "value": spent.to_string(), "nonce": "4",
                "deadline": SOON.to_string() });
            typed(usdc_domain(chain, usdc), PERMIT, message)
        };
        // Payloads that a service needs before it trades: two tokens let to it, one of them taken back, and a permit.
        let spenders = [
            ("Uniswap", deployed("SwapRouter02", chain)),
            ("1inch", Some(ONE_INCH)),
            ("CoW Protocol", Some(COW_RELAYER).filter(|_| ![10, 130].contains(&chain))),
            ("0x", Some(ALLOWANCE_HOLDER)),
            ("0x", deployed("0x", chain)),
            ("Aave", deployed("Aave", chain)),
            ("LI.FI", deployed("LI.FI", chain)),
            ("Across", deployed("Across", chain)),
            ("KyberSwap", Some(KYBER).filter(|_| chain != 130)),
            ("Odos", deployed("Odos", chain)),
            ("OpenSea", Some(CONDUIT).filter(|_| chain != 130)),
            ("Velora", Some(VELORA)),
            ("Velora", Some(VELORA_DELTA).filter(|_| chain != 43114)),
        ];
        for (service, spender) in spenders.into_iter().filter_map(|(service, spender)| Some((service, spender?))) {
            let tokens = if service == "OpenSea" { vec![wrapped] } else { vec![usdc, second, wrapped] };
            for (index, token) in tokens.iter().enumerate() {
                let amount = [spent, 2_000_000, ether][index];
                add(
                    service,
                    &format!("approval {index} of {}", &spender[..6]),
                    approve(token, spender, amount.to_string()),
                );
            }
            add(service, &format!("approval of {} taken back", &spender[..6]), approve(tokens[0], spender, "0".into()));
            if service != "OpenSea" {
                add(service, &format!("permit for {}", &spender[..6]), permit(spender));
            }
            // On one chain as many ask for it.
            if chain == 1 && ![VELORA_DELTA, deployed("0x", 1).unwrap()].contains(&spender) {
                add(service, "approval without bound", approve(tokens[0], spender, U256::MAX.to_string()));
            }
        }
        let pairs =
            [(usdc, wrapped, spent, least), (usdc, second, spent, dollars(1_490)), (wrapped, usdc, ether, back)];
        let swaps = || pairs.into_iter().enumerate().map(|(index, pair)| (format!("swap {index}"), pair));
        let v3 = [(usdc, second, spent, dollars(1_490)), (wrapped, usdc, ether, back), (usdc, wrapped, spent, least)];
        if let Some(router) = deployed("SwapRouter02", chain) {
            let single = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))";
            for (index, (give, get, given, got)) in v3.into_iter().enumerate() {
                let arguments = format!("(({give},{get},500,{receiver},{given},{got},0))");
                add("Uniswap", &format!("exactInputSingle {index}"), call(router, single, &arguments));
                let inner = format!("({SOON},[{}])", data(single, &arguments));
                add("Uniswap", &format!("multicall {index}"), call(router, "multicall(uint256,bytes[])", &inner));
                let hop = format!("{}0001f4{}", give.to_lowercase(), &get.to_lowercase()[2..]);
                let path = format!("(({hop},{receiver},{given},{got}))");
                let by_path = "exactInput((bytes,address,uint256,uint256))";
                add("Uniswap", &format!("exactInput {index}"), call(router, by_path, &path));
                let v2 = format!("({given},{got},[{give},{get}],{receiver})");
                let by_list = "swapExactTokensForTokens(uint256,uint256,address[],address)";
                add("Uniswap", &format!("swapExactTokensForTokens {index}"), call(router, by_list, &v2));
            }
            let arguments = format!("(({wrapped},{usdc},500,{receiver},{ether},{back},0))");
            add("Uniswap", "native token", paid(router, single, &arguments));
            for (name, amount) in [("Permit2", spent.to_string()), ("Permit2 without bound", U256::MAX.to_string())] {
                add("Uniswap", name, approve(usdc, PERMIT2, amount));
            }
        }
        if let Some(router) = deployed("UniversalRouter", chain) {
            let message = json!({ "details": { "token": usdc, "amount": spent.to_string(),
                "expiration": (NOW + 1_209_600).to_string(), "nonce": "0" }, "spender": other.unwrap_or(router), "sigDeadline": SOON.to_string() });
            add("Uniswap", "PermitSingle", typed(permit2_domain(chain), PERMIT_SINGLE, message));
            let commands = format!("(0x0b00,[0x{:064x},0x{:064x}],{SOON})", 2, 1);
            add("Uniswap", "Universal Router", paid(router, "execute(bytes,bytes[],uint256)", &commands));
        }
        if let Some(reactor) = deployed("UniswapX", chain) {
            let witness = "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,V2DutchOrder witness)DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)TokenPermissions(address token,uint256 amount)V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)";
            let info = json!({ "reactor": reactor, "swapper": owner, "nonce": "7", "deadline": SOON.to_string(),
                "additionalValidationContract": ZERO, "additionalValidationData": "0x" });
            let output = json!({ "token": wrapped, "startAmount": ether.to_string(), "endAmount": least.to_string(), "recipient": receiver });
            let message = json!({ "permitted": { "token": usdc, "amount": spent.to_string() }, "spender": other.unwrap_or(reactor), "nonce": "7",
                "deadline": SOON.to_string(), "witness": { "info": info, "cosigner": COSIGNER, "baseInputToken": usdc,
                "baseInputStartAmount": spent.to_string(), "baseInputEndAmount": spent.to_string(), "baseOutputs": [output] } });
            add("Uniswap", "UniswapX order", typed(permit2_domain(chain), witness, message));
        }
        let described = "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)";
        let executor = "0x5141B82f5fFDa4c6fE1E372978F1C5427640a190";
        let native = ("swap for native".to_owned(), (usdc, NATIVE, spent, least));
        for (name, (give, get, given, got)) in swaps().chain([native]) {
            let arguments = format!("({executor},({give},{get},{executor},{receiver},{given},{got},0),0x0102)");
            add("1inch", &name, call(ONE_INCH, described, &arguments));
        }
        let native = format!("({executor},({NATIVE},{usdc},{executor},{receiver},{ether},{back},0),0x0102)");
        add("1inch", "swap of native", paid(ONE_INCH, described, &native));
        add(
            "1inch",
            "unoswap",
            call(
                ONE_INCH,
                "unoswap(uint256,uint256,uint256,uint256)",
                &format!("({},{spent},{least},99)", U256::from(7)),
            ),
        );
        let inch = "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)";
        let domain = json!({ "name": "1inch Aggregation Router", "version": "6", "chainId": chain, "verifyingContract": ONE_INCH });
        for (name, traits) in [("limit order", U256::ZERO), ("Fusion order", U256::from(1).wrapping_shl(249))] {
            let traits = traits | U256::from(SOON).wrapping_shl(80);
            let message = json!({ "salt": "91", "maker": owner, "receiver": receiver, "makerAsset": usdc, "takerAsset": wrapped,
                "makingAmount": spent.to_string(), "takingAmount": least.to_string(), "makerTraits": traits.to_string() });
            add("1inch", name, typed(domain.clone(), inch, message));
        }
        if ![10, 130].contains(&chain) {
            let cow = "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)";
            let domain =
                json!({ "name": "Gnosis Protocol", "version": "v2", "chainId": chain, "verifyingContract": COW });
            for (name, buy, kind) in [
                ("sale", wrapped, "sell"),
                ("purchase", wrapped, "buy"),
                ("sale for native", NATIVE, "sell"),
                ("limit order", second, "sell"),
            ] {
                let message = json!({ "sellToken": usdc, "buyToken": buy, "receiver": receiver, "sellAmount": spent.to_string(),
                    "buyAmount": least.to_string(), "validTo": SOON, "appData": HASH, "feeAmount": "0", "kind": kind,
                    "partiallyFillable": name == "limit order", "sellTokenBalance": "erc20", "buyTokenBalance": "erc20" });
                add("CoW Protocol", name, typed(domain.clone(), cow, message));
            }
            let uid = format!("({HASH}{}{:08x},true)", hex::encode(OWNER), SOON);
            add("CoW Protocol", "pre-signature", call(COW, "setPreSignature(bytes,bool)", &uid));
        }
        let exec = format!("({executor},{usdc},{spent},{executor},0x1fff991f00)");
        add("0x", "exec", call(ALLOWANCE_HOLDER, "exec(address,address,uint256,address,bytes)", &exec));
        if let (Some(proxy), true) = (deployed("0x", chain), receiver == owner) {
            let transform = "transformERC20(address,address,uint256,uint256,(uint32,bytes)[])";
            for (name, get) in [("transformERC20", wrapped), ("transformERC20 for native", NATIVE)] {
                let arguments = format!("({usdc},{get},{spent},{least},[(27,0x01)])");
                add("0x", name, call(proxy, transform, &arguments));
            }
        }
        if let Some(pool) = deployed("Aave", chain) {
            for (token, given) in [(usdc, spent), (wrapped, ether)] {
                let calls = [
                    ("supply(address,uint256,address,uint16)", format!("({token},{given},{receiver},0)")),
                    ("withdraw(address,uint256,address)", format!("({token},{given},{receiver})")),
                    ("repay(address,uint256,uint256,address)", format!("({token},{given},2,{receiver})")),
                    ("borrow(address,uint256,uint256,uint16,address)", format!("({token},{given},2,0,{owner})")),
                ];
                for (signature, arguments) in calls {
                    let name = format!("{} {given}", signature.split('(').next().unwrap());
                    add("Aave", &name, call(pool, signature, &arguments));
                }
            }
            let all = format!("({usdc},{},{receiver})", U256::MAX);
            add("Aave", "withdraw all", call(pool, "withdraw(address,uint256,address)", &all));
        }
        if let Some(diamond) = deployed("LI.FI", chain) {
            let rest = "(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))";
            let arguments = |give: &str, get: &str, given, got| {
                format!("({HASH},app,{ZERO},{receiver},{got},({executor},{executor},{give},{get},{given},0x0102,true))")
            };
            let method = |name: &str| format!("swapTokensSingleV3{name}{rest}");
            for (name, (give, get, given, got)) in swaps() {
                add("LI.FI", &name, call(diamond, &method("ERC20ToERC20"), &arguments(give, get, given, got)));
            }
            add(
                "LI.FI",
                "swap for native",
                call(diamond, &method("ERC20ToNative"), &arguments(usdc, ZERO, spent, least)),
            );
            add(
                "LI.FI",
                "swap of native",
                paid(diamond, &method("NativeToERC20"), &arguments(ZERO, usdc, ether, back)),
            );
            let bridge = format!("(({HASH},across,app,{ZERO},{usdc},{receiver},{spent},10,false,false),0x0102)");
            let bridge_method = "startBridgeTokensViaAcrossV4((bytes32,string,string,address,address,address,uint256,uint256,bool,bool),bytes)";
            add("LI.FI", "bridge", call(diamond, bridge_method, &bridge));
        }
        if let Some(pool) = deployed("Across", chain) {
            let deposit =
                "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)";
            for (there, token, _, ether_there, wide_there) in CHAINS.into_iter().filter(|(id, ..)| *id != chain).take(3)
            {
                let got = if wide_there { 1_495 * 10_u128.pow(18) } else { 1_495_000_000 };
                let tail = format!("{ZERO},{NOW},{SOON},0,0x)");
                let arguments = format!("({owner},{receiver},{usdc},{token},{spent},{got},{there},{tail}");
                add("Across", &format!("deposit for {there}"), call(pool, deposit, &arguments));
                let arguments = format!("({owner},{receiver},{wrapped},{ether_there},{ether},{least},{there},{tail}");
                add("Across", &format!("deposit of native for {there}"), paid(pool, deposit, &arguments));
            }
            let receive = TRANSFER.replace("TransferWith", "ReceiveWith");
            let message = json!({ "from": owner, "to": ACROSS_PERIPHERY, "value": spent.to_string(), "validAfter": "0",
                "validBefore": SOON.to_string(), "nonce": HASH });
            if chain != 130 {
                add("Across", "deposit by signature", typed(usdc_domain(chain, usdc), &receive, message));
            }
        }
        if chain != 130 {
            let kyber = "swap((address,address,bytes,(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))";
            let arguments = |give: &str, get: &str, given, got| {
                format!(
                    "(({executor},{ZERO},0x0102,({give},{get},[{executor}],[{given}],[],[],{receiver},{given},{got},512,0x),0x7b7d))"
                )
            };
            for (name, (give, get, given, got)) in swaps() {
                add("KyberSwap", &name, call(KYBER, kyber, &arguments(give, get, given, got)));
            }
            add("KyberSwap", "swap for native", call(KYBER, kyber, &arguments(usdc, NATIVE, spent, least)));
            add("KyberSwap", "swap of native", paid(KYBER, kyber, &arguments(NATIVE, usdc, ether, back)));
            let basic = "fulfillBasicOrder_efficient_6GL6yc((address,uint256,uint256,address,address,address,uint256,uint256,uint8,uint256,uint256,bytes32,uint256,bytes32,bytes32,uint256,(uint256,address)[],bytes))";
            let order = format!(
                "(({ZERO},0,{ether},{executor},{ZERO},{COLLECTION},77,1,0,{NOW},{SOON},{HASH},5,{HASH},{HASH},1,[(1000,{executor})],0x01))"
            );
            add("OpenSea", "purchase", paid(SEAPORT, basic, &order));
            let listing = "OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)";
            let domain = json!({ "name": "Seaport", "version": "1.6", "chainId": chain, "verifyingContract": SEAPORT });
            let offer = json!([{ "itemType": 2, "token": COLLECTION, "identifierOrCriteria": "77", "startAmount": "1", "endAmount": "1" }]);
            let consideration = json!([{ "itemType": 0, "token": ZERO, "identifierOrCriteria": "0", "startAmount": ether.to_string(),
                "endAmount": ether.to_string(), "recipient": receiver }]);
            let message = json!({ "offerer": owner, "zone": ZERO, "offer": offer, "consideration": consideration, "orderType": 0,
                "startTime": NOW.to_string(), "endTime": SOON.to_string(), "zoneHash": HASH, "salt": "5", "conduitKey": HASH, "counter": "0" });
            add("OpenSea", "listing", typed(domain, listing, message));
            if chain == 1 {
                let all_items = call(
                    COLLECTION,
                    "setApprovalForAll(address,bool)",
                    &format!("({},true)", other.unwrap_or(CONDUIT)),
                );
                add("OpenSea", "approval of a collection", all_items);
            }
        }
        if let Some(router) = deployed("Odos", chain) {
            let odos = "swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)";
            let arguments = |give: &str, get: &str, given, got| {
                format!("(({give},{given},{executor},{get},{got},{got},{receiver}),0x0102,{executor},0)")
            };
            for (name, (give, get, given, got)) in swaps() {
                add("Odos", &name, call(router, odos, &arguments(give, get, given, got)));
            }
            add("Odos", "swap for native", call(router, odos, &arguments(usdc, ZERO, spent, least)));
            add("Odos", "swap of native", paid(router, odos, &arguments(ZERO, usdc, ether, back)));
            add("Odos", "swapCompact", sent(chain, router, 0, "0x83bd37f9000100010203"));
        }
        let own = if receiver == owner { SECOND.to_string() } else { receiver.clone() };
        let authorized = json!({ "from": owner, "to": own, "value": spent.to_string(), "validAfter": "0",
            "validBefore": SOON.to_string(), "nonce": HASH });
        add("Circle", "transfer by signature", typed(usdc_domain(chain, usdc), TRANSFER, authorized));
        let cancel = json!({ "authorizer": owner, "nonce": HASH });
        let cancelled = "CancelAuthorization(address authorizer,bytes32 nonce)";
        add("Circle", "transfer by signature taken back", typed(usdc_domain(chain, usdc), cancelled, cancel));
        for (name, amount) in [("transfer", spent), ("transfer of little", dollars(20))] {
            add("Circle", name, call(usdc, "transfer(address,uint256)", &format!("({own},{amount})")));
        }
        if chain == 1 {
            let burn = format!("({spent},6,0x{:0>64},{usdc})", hex::encode(OWNER));
            add("Circle", "bridge", call(CCTP, "depositForBurn(uint256,uint32,bytes32,address)", &burn));
        }
        let velora =
            "swapExactAmountIn(address,(address,address,uint256,uint256,uint256,bytes32,address),uint256,bytes,bytes)";
        let native = ("swap for native".to_owned(), (usdc, NATIVE, spent, least));
        for (name, (give, get, given, got)) in swaps().chain([native]) {
            let arguments = format!("({executor},({give},{get},{given},{got},{got},{HASH},{receiver}),0,0x,0x0102)");
            add("Velora", &name, call(VELORA, velora, &arguments));
        }
    }
    // A wallet may be asked for the approval and the trade at once (EIP-5792).
    let mut batches = Vec::new();
    for one in all.iter().filter(|one| BATCHED.contains(&&*one.name)) {
        let trade = &one.call["params"][0];
        let usdc = CHAINS.iter().find(|(chain, ..)| *chain == one.chain).unwrap().1;
        let spender = other.map_or(trade["to"].clone(), |other| json!(other));
        let approval = data("approve(address,uint256)", &format!("({},1500)", spender.as_str().unwrap()));
        let calls = json!([{ "to": usdc, "data": approval }, { "to": trade["to"], "data": trade["data"], "value": trade["value"] }]);
        let call = json!({ "method": "wallet_sendCalls", "params": [{ "version": "2.0.0", "from": OWNER.to_string(),
            "chainId": trade["chainId"], "calls": calls, "atomicRequired": true }] });
        batches.push(Payload {
            service: one.service,
            name: format!("{} with approval", one.name),
            chain: one.chain,
            call,
        });
    }
    all.extend(batches);
    all
}

/// The figures of docs/explain.md: at most one danger of a hundred, each named, and at most ten unread.
#[test]
fn honest_payloads_of_twelve_services_are_seldom_a_danger() {
    let all = corpus(OWNER, None);
    let mut rows: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let (mut named, mut unread) = (BTreeSet::new(), BTreeSet::new());
    for Payload { service, name, chain, call } in &all {
        let answer = explained_on(*chain, call);
        let severities: BTreeSet<_> = found(&answer).into_iter().map(|(severity, _)| severity).collect();
        let row = rows.entry(service).or_default();
        row[0] += 1;
        if answer["verdict"] == "unread" {
            row[4] += 1;
            unread.insert(format!("{service}: {name} | `unread`"));
        }
        let ids: Vec<_> = dangers(&answer).into_iter().map(|id| format!("`{id}`")).collect();
        if !ids.is_empty() {
            named.insert(format!("{service}: {name} | `danger`: {}", ids.join(", ")));
        }
        row[if severities.contains("danger") {
            3
        } else if severities.contains("caution") {
            2
        } else {
            1
        }] += 1;
    }
    let sum = rows.values().fold([0; 5], |sum: [usize; 5], row| std::array::from_fn(|index| sum[index] + row[index]));
    let line =
        |name: &str, row: &[usize; 5]| format!("| {name} | {} |\n", row.map(|count| count.to_string()).join(" | "));
    let mut table = String::from(
        "| service | payloads | nothing above `info` | `caution` | `danger` | `unread` |\n|---|---|---|---|---|---|\n",
    );
    for (name, row) in &rows {
        table += &line(name, row);
    }
    table += &line("all", &sum);
    table += "\n| payload | is |\n|---|---|\n";
    for one in named.iter().chain(&unread) {
        table += &format!("| {} |\n", one);
    }
    println!("{table}");
    assert_eq!(rows.len(), 12);
    assert!(sum[0] >= 500, "{sum:?}");
    assert!(sum[3] * 100 <= sum[0], "more than 1 % danger: {sum:?}");
    assert!(sum[4] * 10 <= sum[0], "more than 10 % unread: {sum:?}");
    hold("docs/explain.md", Some("services"), &table);
}

/// All that is said of the payloads on one chain, and of what lets others act: tests/explained_services.txt, where a change of it
/// is seen by whoever reviews it.
#[test]
fn what_is_said_of_services_is_what_was_reviewed() {
    let rule = json!({ "rules": [{ "type": "expiry", "data": { "timestamp": SOON } }] });
    let periodic = json!({ "periodAmount": "0x989680", "periodDuration": 86_400 });
    let stream = json!({ "amountPerSecond": "0x5af3107a4000", "initialAmount": "0x2386f26fc10000", "maxAmount": "0xde0b6b3a7640000" });
    let chain = json!({ "chainId": "0x2105", "chainName": "Base", "rpcUrls": ["https://base.example/rpc"],
        "nativeCurrency": { "name": "Ether", "symbol": "USDC", "decimals": 18 } });
    let token = json!({ "type": "ERC20", "options": { "address": STRANGER, "symbol": "USDC", "decimals": 6 } });
    let more = [
        ("a delegation without caveats", delegation(&[])),
        ("a delegation with a caveat", delegation(&["0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc", STRANGER])),
        ("a permission by period", permission("erc20-token-periodic", periodic, rule.clone())),
        ("a permission that streams", permission("native-token-stream", stream, rule.clone())),
        ("a permission that is not known", permission("contract-call", json!({}), rule)),
        ("a chain", json!({ "method": "wallet_addEthereumChain", "params": [chain] })),
        ("a token", json!({ "method": "wallet_watchAsset", "params": token })),
    ];
    let of_chain = corpus(OWNER, None).into_iter().filter(|one| one.chain == 8453);
    let named = of_chain.map(|one| (format!("{}: {}", one.service, one.name), one.call));
    let mut made = Vec::new();
    for (name, call) in named.chain(more.map(|(name, call)| (name.to_owned(), call))) {
        let answer = explained_on(8453, &call);
        let text = |name: &str| answer[name].as_str().unwrap();
        made.push(format!("# {name}\n{} ({}): {}", text("kind"), text("verdict"), text("sentence")));
        for one in answer["findings"].as_array().unwrap() {
            made.push(format!(
                "- {} in {}: {}",
                one["severity"].as_str().unwrap(),
                one["field"],
                one["text"].as_str().unwrap()
            ));
        }
        made.push(format!("- {} {}\n", answer["facts"], answer["opaque"]));
    }
    hold("crates/explain/tests/explained_services.txt", None, &made.join("\n"));
}

/// With a stranger where the user gets what comes out, and with one where the service takes: each is a danger, or is not
/// called read.
#[test]
fn a_stranger_in_any_of_them_is_a_danger() {
    for (name, lies) in [("receiver", corpus(THIEF, None)), ("spender", corpus(OWNER, Some(STRANGER)))] {
        let honest: BTreeMap<_, _> =
            corpus(OWNER, None).into_iter().map(|one| ((one.service, one.name, one.chain), one.call)).collect();
        let mut count = 0;
        for one in lies {
            let (service, call, chain) = (one.service, one.name, one.chain);
            let key = (service, call.clone(), chain);
            if honest.get(&key).is_none_or(|honest| *honest == one.call) {
                continue;
            }
            let answer = explained_on(chain, &one.call);
            let (all, dangers) = (found(&answer), dangers(&answer));
            // Allowances taken back leave no spender, and a transfer only gives away.
            let is_less = call.ends_with("taken back") || call.starts_with("transfer of little") || call == "transfer";
            let is_seen = !dangers.is_empty() || answer["verdict"] == "unread" || is_less;
            assert!(is_seen, "{name} of {service}, {call} on {chain}: {all:?}");
            count += 1;
        }
        assert!(count > 200, "{name}: {count}");
    }
}

/// Arguments by which a service's contract does something else than the trade that it names.
#[test]
fn what_a_service_does_beside_the_trade_is_found() {
    let (chain, usdc, _, wrapped, _) = CHAINS[0];
    let answer = |to: &str, signature: &str, arguments: String| {
        explained_on(chain, &sent(chain, to, 0, &data(signature, &arguments)))
    };
    let one = OWNER.to_string();
    let kyber = |sources: &str, fees: &str, flags: u16| {
        let list = if fees.is_empty() { String::new() } else { STRANGER.to_owned() };
        let arguments = format!(
            "(({STRANGER},{ZERO},0x01,({usdc},{wrapped},[{STRANGER}],[{sources}],[{list}],[{fees}],{one},1000,5,{flags},0x),0x))"
        );
        answer(
            KYBER,
            "swap((address,address,bytes,(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))",
            arguments,
        )
    };
    assert!(dangers(&kyber("990", "10", 512)).is_empty());
    assert_eq!(dangers(&kyber("991", "10", 512)), BTreeSet::from(["route.argument"]));
    assert_eq!(dangers(&kyber("1001", "", 512)), BTreeSet::from(["route.argument"]));
    assert_eq!(kyber("1000", "", 512)["verdict"], "explained");
    // More than are added up.
    assert_eq!(kyber("0,".repeat(65).trim_end_matches(','), "", 512)["verdict"], "unread");
    let router = deployed("SwapRouter02", chain).unwrap();
    let single = |receiver: &str, given: u32| {
        let arguments = format!("(({usdc},{wrapped},500,{receiver},{given},5,0))");
        answer(router, "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", arguments)
    };
    let (sender, itself) = ("0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000002");
    assert_eq!(single(sender, 7)["facts"]["to"], OWNER.to_string());
    assert_eq!((single(sender, 7)["verdict"].as_str(), dangers(&single(sender, 7)).len()), (Some("explained"), 0));
    // The zero address is burnt there, and the sender at some.
    assert_eq!(dangers(&single(ZERO, 7)), BTreeSet::from(["receiver.other"]));
    let odos = "swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)";
    let by_odos = |given: u32| {
        let arguments = format!("(({usdc},{given},{STRANGER},{wrapped},5,5,{one}),0x01,{STRANGER},0)");
        answer(deployed("Odos", chain).unwrap(), odos, arguments)
    };
    let described = format!("({STRANGER},({usdc},{wrapped},{STRANGER},{ZERO},7,5,0),0x01)");
    let described =
        answer(ONE_INCH, "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)", described);
    assert_eq!((described["verdict"].as_str(), described["facts"]["to"].as_str()), (Some("explained"), Some(&*one)));
    let deposit = format!("({one},{one},{usdc},{ZERO},7,7,10,{ZERO},{NOW},{SOON},0,0x)");
    let deposit_method =
        "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)";
    for (name, unread) in [
        ("a part", kyber("1000", "", 513)),
        ("a fee of what comes out", kyber("1000", "", 576)),
        ("all there is", single(sender, 0)),
        ("all that the account has", by_odos(0)),
        ("what the router holds", single(itself, 7)),
        ("any token there", answer(deployed("Across", chain).unwrap(), deposit_method, deposit)),
    ] {
        assert_eq!((unread["verdict"].as_str(), dangers(&unread).len()), (Some("unread"), 0), "{name}: {unread:#}");
    }
    // A deposit that a stranger gets back; an order of another's.
    let refund = format!("({STRANGER},{one},{usdc},{usdc},7,7,10,{ZERO},{NOW},{SOON},0,0x)");
    let refunded = answer(deployed("Across", chain).unwrap(), deposit_method, refund);
    assert_eq!(dangers(&refunded), BTreeSet::from(["receiver.repaid"]));
}

/// Trades that are not what their arguments look like: each does what the contract's source has, not what the names suggest.
#[test]
fn a_trade_is_what_its_contract_makes_of_it() {
    let (_, usdc, usdt, wrapped, _) = CHAINS[0];
    let (base_usdc, base_wrapped) = (CHAINS[5].1, CHAINS[5].3);
    let own = SECOND.to_string();
    let evil = "0xbAdC0DE0bAdC0DE0BADc0de0baDc0de0baDC0De0";
    let fake = "0xFA4e00000000000000000000000000000000Fa4e";
    let at = |name: &str| deployed(name, 1).unwrap();
    let router = at("SwapRouter02");
    let ether = 1_000_000_000_000_000_000_u128;
    let single = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))";
    let ether_for =
        |receiver: &str, least: u64| data(single, &format!("(({wrapped},{usdc},500,{receiver},{ether},{least},0))"));
    let by_path = "exactInput((bytes,address,uint256,uint256))";
    let many = |deadline: u64, calls: &[String]| {
        data("multicall(uint256,bytes[])", &format!("({deadline},[{}])", calls.join(",")))
    };
    let hops = |hops: &[&str]| format!("0x{}", hops.iter().map(|hop| hop.trim_start_matches("0x")).collect::<String>());
    let along = |path: String, given: u64, least: u128| data(by_path, &format!("(({path},{own},{given},{least}))"));
    let lifi = |name: &str, give: &str, get: &str, given: u128, least: u128, receiver: &str, value: u128| {
        let rest = "(bytes32,string,string,address,uint256,(address,address,address,address,uint256,bytes,bool))";
        let id = "ab".repeat(32);
        let arguments = format!("(0x{id},x,y,{receiver},{least},({evil},{evil},{give},{get},{given},0x1234,true))");
        sent(1, at("LI.FI"), value, &data(&format!("swapTokensSingleV3{name}{rest}"), &arguments))
    };
    let odos = |give: &str, given: u128, get: &str, least: u128, receiver: &str, value: u128| {
        let signature = "swap((address,uint256,address,address,uint256,uint256,address),bytes,address,uint32)";
        let arguments = format!("(({give},{given},{evil},{get},{least},{least},{receiver}),0x12,{evil},0)");
        sent(1, at("Odos"), value, &data(signature, &arguments))
    };
    let across = |depositor: &str,
                  receiver: &str,
                  (give, get): (&str, &str),
                  (given, least, value): (u128, u128, u128),
                  (from, until): (u64, u64),
                  bytes: &str| {
        let signature =
            "depositV3(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes)";
        let arguments =
            format!("({depositor},{receiver},{give},{get},{given},{least},8453,{ZERO},{from},{until},0,{bytes})");
        sent(1, at("Across"), value, &data(signature, &arguments))
    };
    let transform = |give: &str, get: &str, given: U256, least: u128, value: u128| {
        let signature = "transformERC20(address,address,uint256,uint256,(uint32,bytes)[])";
        sent(1, at("0x"), value, &data(signature, &format!("({give},{get},{given},{least},[])")))
    };
    let limit = |get: &str, least: &str, traits: &str| {
        let order = "Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)";
        let domain =
            json!({ "name": "1inch Aggregation Router", "version": "6", "chainId": 1, "verifyingContract": ONE_INCH });
        let message = json!({ "salt": "1", "maker": own, "receiver": ZERO, "makerAsset": usdc, "takerAsset": get,
            "makingAmount": "100000000000", "takingAmount": least, "makerTraits": traits });
        typed(domain, order, message)
    };
    let cow = |get: &str, least: &str, is_partial: bool, balance: &str| {
        let order = "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)";
        let domain = json!({ "name": "Gnosis Protocol", "version": "v2", "chainId": 1, "verifyingContract": COW });
        let message = json!({ "sellToken": usdc, "buyToken": get, "receiver": own, "sellAmount": "100000000000",
            "buyAmount": least, "validTo": 1_795_943_762, "appData": format!("0x{}", "0".repeat(64)), "feeAmount": "0", "kind": "sell",
            "partiallyFillable": is_partial, "sellTokenBalance": balance, "buyTokenBalance": balance });
        typed(domain, order, message)
    };
    let extra_at_1inch = format!("({evil},({wrapped},{usdc},{evil},{own},{ether},3000000000,2),0x12)");
    let extra_at_1inch =
        data("swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)", &extra_at_1inch);
    let extra_at_kyber =
        format!("(({evil},{evil},0x12,({wrapped},{usdc},[],[],[],[],{own},{ether},3000000000,2,0x),0x))");
    let extra_at_kyber = data(
        "swap((address,address,bytes,(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))",
        &extra_at_kyber,
    );
    let two_hops = hops(&[usdc, "0001f4", usdt, "0001f4", fake, wrapped]);
    let unwraps = "226156424291633194186662080095093570025920109962354726500018091647874105344";
    let unwraps_usdt = "226156424291633194186662080095093570025920109962138328778307073025601699840";
    let repaid = format!("({usdc},5000000,2,{evil})");
    let both = ["1 WETH", "1 ETH"];
    let opened = ["caution member.unread"];
    // The name, the call, whether it is read, the sentence has and has not, what is given, the findings above `info`.
    type Row<'a> = (&'a str, Value, bool, &'a str, &'a str, &'a [&'a str], &'a [&'a str]);
    #[rustfmt::skip]
    let rows: &[Row<'_>] = &[
        ("70b", sent(1, router, 0, &along(hops(&[usdc, "0001f4", fake, wrapped]), 1_000_000_000, ether / 10)), false, "The trade cannot be read", "WETH", &[], &opened),
        ("70c", sent(1, router, 0, &many(1_795_943_536, &[along(two_hops, 1_000_000_000_000, 300 * ether)])), false, "The trade cannot be read", "WETH", &[], &opened),
        ("a path of nothing", sent(1, router, 0, &along("0x".into(), 5, 5)), false, "The trade cannot be read", "ETH", &[], &opened),
        ("44e", limit(fake, "30000000000000000000", unwraps), true, fake, "ETH", &["100000 USDC"], &[]),
        ("44b", limit(usdt, "30000000000", unwraps_usdt), true, "at least 30000 USDT", "ETH", &["100000 USDC"], &[]),
        ("the wrapped one of them", limit(wrapped, "30000000000000000000", unwraps), true, "at least 30 ETH", "WETH", &["100000 USDC"], &[]),
        ("51", lifi("ERC20ToNative", usdt, usdc, 3_000_000_000, 3_000_000_000, &own, 0), true, "at least 0.000000003 ETH", "USDC", &["3000 USDT"], &["caution price.none", "danger route.argument"]),
        ("51b", lifi("ERC20ToERC20", usdt, usdc, 3_000_000_000, 3_000_000_000, ZERO, 0), true, "to 0x0000000000000000000000000000000000000000", &own, &["3000 USDT"], &["danger receiver.other"]),
        ("51c", lifi("NativeToERC20", usdc, usdt, 5_000_000, 5_000_000, &own, 10 * ether), true, "Sell 10 ETH", "5 USDC", &["10 ETH"], &["danger route.argument", "danger route.argument"]),
        ("51e", lifi("ERC20ToERC20", ZERO, usdc, ether, 3_000_000_000, &own, ether), false, "The trade cannot be read", "Sell 1 ETH", &["1 ETH"], &["caution call.unknownPaid", "caution member.unread"]),
        ("51f", lifi("ERC20ToNative", usdt, ZERO, 3_000_000_000, ether, ZERO, 0), true, "at least 1 ETH", &own, &["3000 USDT"], &["danger receiver.other"]),
        ("52", odos(usdc, 3_000_000_000, ZERO, ether, ZERO, 0), true, "to 0x0000000000000000000000000000000000000000", &own, &["3000 USDC"], &["danger receiver.other"]),
        ("52b", odos(usdc, 3_000_000_000, &NATIVE.to_lowercase(), ether, &own, 0), false, "The trade cannot be read", "ETH", &[], &opened),
        ("52c", odos(wrapped, ether, usdc, 3_000_000_000, &own, ether), true, "Sell 1 WETH", "Sell 1 ETH", &both, &["caution value.other"]),
        ("45e", sent(1, ONE_INCH, ether, &extra_at_1inch), true, "Sell 1 WETH", "Sell 1 ETH", &both, &["caution value.other"]),
        ("53d", sent(1, KYBER, ether, &extra_at_kyber), true, "Sell 1 WETH", "Sell 1 ETH", &both, &["caution value.other"]),
        ("54b", transform(wrapped, usdc, U256::from(ether), 3_000_000_000, ether), true, "Sell 1 WETH", "Sell 1 ETH", &both, &["caution value.other"]),
        ("54", transform(usdc, wrapped, U256::MAX, ether, 0), false, "The trade cannot be read", "1157920", &[], &opened),
        ("48", across(&own, &own, (usdc, base_usdc), (1_000_000_000, 2, 0), (1_795_942_562, 1_795_949_762), "0x"), true, "at least 0.000002 USDC", "ETH", &["1000 USDC"], &["caution price.poor"]),
        ("48c", across(evil, &own, (wrapped, base_wrapped), (ether, ether / 100 * 99, ether), (1_795_942_562, 1_795_949_762), "0x1234"), true, "Sell 1 ETH", "WETH on Ethereum", &["1 ETH"], &["danger receiver.repaid"]),
        ("48d", across(&own, ZERO, (wrapped, base_wrapped), (ether, ether / 100 * 99, 0), (1_795_942_741, 1_795_949_941), "0x"), true, "to 0x0000000000000000000000000000000000000000", &own, &["1 WETH"], &["danger receiver.other"]),
        ("43c", cow(wrapped, "2", false, "erc20"), true, "at least 0.000000000000000002 WETH", "parts", &["100000 USDC"], &["caution price.none"]),
        ("43d", cow(wrapped, "30000000000000000000", true, "internal"), false, "; may be filled in parts", "1 ETH", &["100000 USDC"], &["caution member.unread", "caution member.unread"]),
        ("43i", cow(ZERO, "30000000000000000000", false, "erc20"), false, "The trade cannot be read", "ETH", &[], &opened),
        ("12", sent(1, router, ether, &many(1_795_942_997, &[ether_for(&own, 2_000_000_000)])), true, "and send 1 ETH along: Sell 1 ETH on Ethereum for at least 2000 USDC to 0x19", "WETH", &["1 ETH", "1 ETH"], &[]),
        ("46d", sent(1, router, 2 * ether, &many(1_795_943_162, &[ether_for(&own, 3_000_000_000), ether_for(evil, 3_000_000_000)])), true, "Sell 1 ETH", "WETH", &["2 ETH", "1 ETH", "1 ETH"], &["danger receiver.other"]),
        ("one of two is paid for", sent(1, router, ether + 5, &many(1_795_943_162, &[ether_for(&own, 3_000_000_000), ether_for(&own, 3_000_000_000)])), true, "Sell 1 WETH", "", &["1.000000000000000005 ETH", "1 ETH", "1 WETH"], &["caution value.extra"]),
        ("one that is not read", sent(1, router, 2 * ether, &many(1_795_943_162, &[ether_for(&own, 3_000_000_000), "0x12210e8a".into()])), false, "Sell 1 ETH", "", &["2 ETH", "1 ETH"], &["caution call.unknown", "caution call.unknownPaid"]),
        ("a batch in a batch", sent(1, router, ether, &many(1_795_943_162, &[many(1_795_943_162, &[ether_for(&own, 3_000_000_000)])])), true, "Sell 1 ETH", "WETH", &["1 ETH"], &[]),
        ("a batch elsewhere", sent(1, at("LI.FI"), ether, &many(1_795_943_162, &[])), true, "send 1 ETH along", "", &["1 ETH"], &["caution value.extra"]),
        ("46b", sent(1, router, 1, &ether_for(&own, 3_000_000_000)), true, "Sell 1 WETH", "Sell 1 ETH", &["1 WETH", "0.000000000000000001 ETH"], &["caution value.other"]),
        ("47c", sent(1, at("Aave"), 0, &data("repay(address,uint256,uint256,address)", &repaid)), true, "repay 5 USDC", "ETH", &["5 USDC"], &["danger receiver.repaid"]),
        ("a loan of no token", sent(1, at("Aave"), 0, &data("supply(address,uint256,address,uint16)", &format!("({ZERO},5,{own},0)"))), false, "The loan cannot be read", "ETH", &[], &[]),
    ];
    let context = json!({ "accounts": [own], "chainId": 1, "now": 1_795_942_500 });
    let mut wrong = Vec::new();
    for (name, call, is_read, has, has_not, gives, expected) in rows {
        let call = call.to_string().replace(&OWNER.to_string(), &own);
        let answer: Value = serde_json::from_str(&explain(&call, &context.to_string()).unwrap()).unwrap();
        let sentence = answer["sentence"].as_str().unwrap();
        let mut given = Vec::new();
        let inner = answer["inner"].as_array().unwrap();
        for one in std::iter::once(&answer).chain(inner) {
            given.extend(
                one["facts"]["gives"].as_array().into_iter().flatten().map(|one| one["display"].as_str().unwrap()),
            );
        }
        let all: Vec<_> = found(&answer)
            .into_iter()
            .filter(|(severity, _)| *severity != "info")
            .map(|(severity, id)| format!("{severity} {id}"))
            .collect();
        let is_as_expected = (answer["verdict"] == "explained") == *is_read
            && sentence.contains(has)
            && (has_not.is_empty() || !sentence.contains(has_not))
            && given == *gives
            && all == *expected;
        if !is_as_expected {
            wrong.push(format!("{name} ({}): {sentence} {given:?} {all:?}", answer["verdict"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A contract that the table has for another chain, or one with a digit less, is a stranger.
#[test]
fn a_services_contract_is_known_on_its_chains_only() {
    let approve = |chain: u64, token: &str, spender: &str, amount: &str| {
        let call = sent(chain, token, 0, &data("approve(address,uint256)", &format!("({spender},{amount})")));
        let answer = explained_on(chain, &call);
        found(&answer).into_iter().map(|(_, id)| id.to_owned()).collect::<Vec<_>>()
    };
    let (_, base_usdc, ..) = CHAINS[5];
    let sushi = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";
    assert_eq!(approve(1, CHAINS[0].1, sushi, "5"), ["spender.service"]);
    assert_eq!(approve(8453, base_usdc, sushi, "5"), ["spender.unknown"]);
    let unlimited = U256::MAX.to_string();
    assert_eq!(approve(1, CHAINS[0].1, sushi, &unlimited), ["amount.unlimitedUnknown", "spender.service"]);
    // The settlement's solvers make any call as it.
    assert_eq!(approve(1, CHAINS[0].1, COW, "5"), ["spender.unknown"]);
    let similar = "0x1111000000000000000000000000000000002A65";
    assert_eq!(approve(1, CHAINS[0].1, similar, "5"), ["address.resembles", "spender.unknown"]);
    for (name, is_spender, chains, address) in SERVICES {
        for chain in *chains {
            let (_, usdc, ..) = CHAINS.into_iter().find(|(known, ..)| known == chain).unwrap();
            let found = approve(*chain, usdc, &address.to_string(), "5");
            assert_eq!(found, [if *is_spender { "spender.service" } else { "spender.unknown" }], "{name} on {chain}");
        }
    }
}

/// The finding ids of typed data, or of a request, of this context.
fn ids(call: &Value) -> Vec<String> {
    let answer = explained_on(8453, call);
    let mut all: Vec<_> = found(&answer).into_iter().map(|(severity, id)| format!("{severity} {id}")).collect();
    all.retain(|one| !one.starts_with("info"));
    all
}

#[test]
fn a_transfer_by_signature_is_read_whole() {
    let (chain, usdc, ..) = CHAINS[5];
    let message = |to: &str| {
        json!({ "from": OWNER.to_string(), "to": to, "value": "12345678", "validAfter": (NOW + 60).to_string(),
            "validBefore": SOON.to_string(), "nonce": HASH })
    };
    let domain = usdc_domain(chain, usdc);
    for kind in ["TransferWith", "ReceiveWith"] {
        let encoded = TRANSFER.replace("TransferWith", kind);
        let call = typed(domain.clone(), &encoded, message(STRANGER));
        assert_eq!(ids(&call), ["danger transfer.signed"], "{kind}");
        let answer = explained_on(chain, &call);
        assert_eq!(
            (answer["verdict"].as_str(), answer["kind"].as_str()),
            (Some("explained"), Some("erc20.authorization"))
        );
        let sentence = answer["sentence"].as_str().unwrap();
        assert!(sentence.starts_with("Move 12.345678 USDC from "), "{sentence}");
        assert!(
            sentence.contains(&format!("to {STRANGER} on Base, by this signature; not before 2027-01-15")),
            "{sentence}"
        );
        assert_eq!(answer["facts"]["nonce"], HASH);
        assert_eq!(answer["facts"]["gives"][0]["value"], "12345678");
        assert_eq!(answer["coverage"]["fields"]["read"], answer["coverage"]["fields"]["total"]);
        assert!(ids(&typed(domain.clone(), &encoded, message(&SECOND.to_string()))).is_empty(), "{kind}");
        // A table's contract is no stranger, and none of the user's.
        assert_eq!(
            ids(&typed(domain.clone(), &encoded, message(ACROSS_PERIPHERY))),
            ["caution transfer.out"],
            "{kind}"
        );
        // Tokens from another account, and without an end.
        let mut other = message(&SECOND.to_string());
        other["from"] = json!(STRANGER);
        other["validBefore"] = json!(U256::MAX.to_string());
        assert_eq!(
            ids(&typed(domain.clone(), &encoded, other)),
            ["caution sender.other", "caution deadline.none"],
            "{kind}"
        );
    }
    // Sent, it is a transfer: what it gives away is all that it does.
    let by_call = "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)";
    let arguments = |from: &str| format!("({from},{STRANGER},5,0,{SOON},{HASH},27,{HASH},{HASH})");
    let call = |from: &str| sent(chain, usdc, 0, &data(by_call, &arguments(from)));
    assert_eq!(ids(&call(&OWNER.to_string())), ["caution transfer.out"]);
    assert_eq!(ids(&call(STRANGER)), ["caution sender.other", "caution transfer.out"]);
    let cancel = "CancelAuthorization(address authorizer,bytes32 nonce)";
    let call = typed(domain, cancel, json!({ "authorizer": OWNER.to_string(), "nonce": HASH }));
    assert!(ids(&call).is_empty());
    assert!(explained_on(chain, &call)["sentence"].as_str().unwrap().contains(HASH));
}

/// A delegation of the account with these caveats.
fn delegation(caveats: &[&str]) -> Value {
    let domain = json!({ "name": "DelegationManager", "version": "1", "chainId": 8453, "verifyingContract": DELEGATION_MANAGER });
    let caveats: Vec<_> = caveats.iter().map(|one| json!({ "enforcer": one, "terms": "0x0102" })).collect();
    let message = json!({ "delegate": STRANGER, "delegator": OWNER.to_string(), "authority": format!("0x{}", "ff".repeat(32)),
        "caveats": caveats, "salt": "1" });
    typed(domain, DELEGATION, message)
}

#[test]
fn a_delegation_of_the_account_names_its_caveats() {
    let transfer = "0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc";
    let (native, calldata) =
        ("0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9", "0x99F2e9bF15ce5eC84685604836F71aB835DBBdED");
    let timestamp = "0x1046bb45C8d673d4ea75321280DB34899413c069";
    for (caveats, expected) in [
        (&[][..], "danger delegation.open"),
        (&[timestamp], "danger delegation.open"),
        (&[STRANGER], "danger delegation.open"),
        // How much of the native token goes along says nothing of the tokens.
        (&[native], "danger delegation.open"),
        (&[native, timestamp], "danger delegation.open"),
        (&[native, calldata], "caution delegation.bounded"),
        (&[transfer], "caution delegation.bounded"),
        (&[timestamp, transfer, STRANGER], "caution delegation.bounded"),
    ] {
        let call = delegation(caveats);
        assert_eq!(ids(&call), [expected], "{caveats:?}");
        let answer = explained_on(8453, &call);
        assert_eq!(answer["verdict"], if caveats.is_empty() { "explained" } else { "unread" }, "{caveats:?}");
        assert_eq!(answer["facts"]["delegate"], STRANGER);
        let sentence = answer["sentence"].as_str().unwrap();
        assert!(sentence.contains(&format!("within {} caveats", caveats.len())), "{sentence}");
        assert_eq!(sentence.contains("ERC20TransferAmount"), caveats.contains(&transfer), "{sentence}");
    }
    let call = typed(
        json!({ "chainId": 8453, "verifyingContract": STRANGER }),
        DELEGATION,
        json!({ "delegate": STRANGER,
        "delegator": OWNER.to_string(), "authority": HASH, "caveats": [], "salt": "1" }),
    );
    assert_eq!(ids(&call), ["caution contract.unknown", "danger delegation.open"]);
}

/// A request for a permission by these members.
fn permission(kind: &str, more: Value, outside: Value) -> Value {
    let mut data = json!({ "tokenAddress": CHAINS[5].1, "startTime": NOW, "justification": "A subscription" });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut one = json!({ "chainId": "0x2105", "to": STRANGER, "permission": { "type": kind, "data": data, "isAdjustmentAllowed": true } });
    one.as_object_mut().unwrap().extend(outside.as_object().unwrap().clone());
    json!({ "method": "wallet_requestExecutionPermissions", "params": [one] })
}

#[test]
fn a_permission_says_what_may_be_taken() {
    let rule = json!({ "rules": [{ "type": "expiry", "data": { "timestamp": SOON } }] });
    let never = json!({});
    let sentence = |call: &Value| explained_on(8453, call)["sentence"].as_str().unwrap().to_owned();
    let allowance = permission("erc20-token-allowance", json!({ "allowanceAmount": "0x989680" }), rule.clone());
    assert_eq!(ids(&allowance), ["danger spender.signed"]);
    assert!(sentence(&allowance).contains("take 10 USDC on Base; expires 2027-01-15"), "{}", sentence(&allowance));
    let periodic = json!({ "periodAmount": "0x989680", "periodDuration": 86_400 });
    let call = permission("erc20-token-periodic", periodic.clone(), rule.clone());
    assert_eq!(ids(&call), ["danger spender.signed"]);
    assert!(
        sentence(&call).contains("take 10 USDC on Base, and as much again every 86400 s; expires"),
        "{}",
        sentence(&call)
    );
    // Without an end it grows for ever.
    let call = permission("erc20-token-periodic", periodic, never.clone());
    assert_eq!(ids(&call), ["danger amount.unlimitedUnknown", "danger spender.signed", "caution deadline.none"]);
    let stream = json!({ "amountPerSecond": "0x5af3107a4000", "initialAmount": "0x2386f26fc10000" });
    let bounded = json!({ "amountPerSecond": "0x5af3107a4000", "maxAmount": "0xde0b6b3a7640000" });
    let call = permission("native-token-stream", stream, never.clone());
    assert_eq!(ids(&call), ["danger amount.unlimitedUnknown", "danger spender.signed", "caution deadline.none"]);
    let call = permission("native-token-stream", bounded, json!({ "expiry": SOON }));
    assert_eq!(ids(&call), ["danger spender.signed"]);
    assert!(
        sentence(&call).contains("take 0.0001 ETH on Base, and as much again every 1 s, 1 ETH in all"),
        "{}",
        sentence(&call)
    );
    let unlimited = json!({ "allowanceAmount": format!("0x{}", "ff".repeat(32)) });
    let call = permission("native-token-allowance", unlimited, rule.clone());
    assert_eq!(ids(&call), ["danger amount.unlimitedUnknown", "danger spender.signed"]);
    // Members of another form bound nothing here; a period of nothing is none; the later of two ends counts.
    let foreign = json!({ "periodAmount": "0x1", "periodDuration": 86_400, "maxAmount": "0x5" });
    let call = permission("erc20-token-periodic", foreign, never.clone());
    assert_eq!(ids(&call)[..2], ["caution member.unread", "danger amount.unlimitedUnknown"], "{:?}", ids(&call));
    let call = permission("erc20-token-periodic", json!({ "periodAmount": "0x1", "periodDuration": 0 }), rule.clone());
    assert_eq!(ids(&call), ["danger amount.unlimitedUnknown", "danger spender.signed"]);
    let two_ends = json!({ "expiry": NOW + 9_000_000, "rules": rule["rules"] });
    let call = permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), two_ends);
    assert_eq!(ids(&call), ["danger spender.signed", "caution deadline.far"]);
    // To another account of the user's.
    let own = json!({ "to": SECOND.to_string(), "rules": rule["rules"] });
    let call = permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), own);
    assert!(ids(&call).is_empty(), "{:?}", ids(&call));
    // The form before: a signer, and an expiry beside it.
    let mut before =
        permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), json!({ "expiry": SOON }));
    before["method"] = json!("wallet_grantPermissions");
    before["params"][0].as_object_mut().unwrap().remove("to");
    before["params"][0]["signer"] = json!({ "type": "account", "data": { "address": STRANGER } });
    assert_eq!(ids(&before), ["danger spender.signed"]);
    // Whatever is not known, or not of its form, is not said to be nothing.
    let unknown = [
        permission("contract-call", json!({}), rule.clone()),
        permission("erc20-token-allowance", json!({}), rule.clone()),
        permission("erc20-token-allowance", json!({ "allowanceAmount": true }), rule.clone()),
        permission("erc20-token-allowance", json!({ "allowanceAmount": "0x1", "tokenAddress": 5 }), rule.clone()),
        permission("erc20-token-periodic", json!({ "periodAmount": "0x1" }), rule.clone()),
        permission("native-token-stream", json!({ "amountPerSecond": "0x1", "maxAmount": {} }), rule.clone()),
        permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), json!({ "to": 5 })),
        permission(
            "native-token-allowance",
            json!({ "allowanceAmount": "0x1" }),
            json!({ "signer": { "data": { "address": OWNER } } }),
        ),
        permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), json!({ "expiry": "soon" })),
        permission("native-token-allowance", json!({ "allowanceAmount": "0x1" }), json!({ "chainId": {} })),
        json!({ "method": "wallet_grantPermissions", "params": [{ "permissions": [] }] }),
    ];
    for call in unknown {
        assert_eq!(ids(&call), ["danger permission.unknown"], "{call}");
        assert_eq!(explained_on(8453, &call)["verdict"], "unread", "{call}");
    }
    let more = json!({ "context": "0x", "rules": [{ "type": "redeemer", "data": {} }] });
    let call = permission("native-token-allowance", json!({ "allowanceAmount": "0x1", "to": STRANGER }), more);
    let all = ids(&call);
    assert_eq!(all.iter().filter(|one| *one == "caution member.unread").count(), 3, "{all:?}");
    // Several are a batch; of none nothing can be said.
    let mut two = allowance.clone();
    two["params"].as_array_mut().unwrap().push(allowance["params"][0].clone());
    assert_eq!(explained_on(8453, &two)["inner"].as_array().unwrap().len(), 2);
    assert!(ids(&two).contains(&"danger spender.signed".into()));
    let none = json!({ "method": "wallet_grantPermissions", "params": [] });
    assert_eq!(explained_on(8453, &none)["verdict"], "unread");
    // On another chain.
    let call = permission(
        "native-token-allowance",
        json!({ "allowanceAmount": "0x1" }),
        json!({ "chainId": "0x1", "expiry": SOON }),
    );
    assert_eq!(ids(&call), ["danger chain.other", "danger spender.signed"]);
}

#[test]
fn an_own_account_as_the_contract_is_found() {
    let domain =
        |contract: &str| json!({ "name": "Account", "version": "1", "chainId": 8453, "verifyingContract": contract });
    let execute = "Execute(address to,uint256 value,bytes data)";
    let message = json!({ "to": STRANGER, "value": "0", "data": "0x" });
    let call = typed(domain(&SECOND.to_string()), execute, message.clone());
    assert_eq!(ids(&call), ["danger domain.own", "caution typedData.unknown"]);
    assert_eq!(
        ids(&typed(domain(STRANGER), execute, message)),
        ["caution contract.unknown", "caution typedData.unknown"]
    );
    // A permit of the account as if it were a token; what an account signs as such is none.
    let permit = json!({ "owner": OWNER.to_string(), "spender": SECOND.to_string(), "value": "5", "nonce": "1", "deadline": SOON.to_string() });
    assert_eq!(ids(&typed(domain(&OWNER.to_string()), PERMIT, permit)), ["danger domain.own"]);
    let signed = json!({ "prefixed": hex::encode_prefixed("\u{19}Ethereum Signed Message:\n2hi") });
    assert!(ids(&typed(domain(&SECOND.to_string()), "PersonalSign(bytes prefixed)", signed)).is_empty());
}

#[test]
fn typed_data_without_its_primary_type_is_found() {
    let (chain, usdc, ..) = CHAINS[5];
    let permit = json!({ "owner": OWNER.to_string(), "spender": VELORA, "value": "5", "nonce": "1", "deadline": SOON.to_string() });
    let mut call = typed(usdc_domain(chain, usdc), PERMIT, permit);
    assert!(ids(&call).is_empty());
    let mut data: Value = serde_json::from_str(call["params"][1].as_str().unwrap()).unwrap();
    data.as_object_mut().unwrap().remove("primaryType");
    call["params"][1] = json!(data.to_string());
    assert_eq!(ids(&call), ["caution typedData.unhashable"]);
}

#[test]
fn chains_and_tokens_for_a_wallet_are_explained() {
    let chain = |more: Value| {
        let mut one = json!({ "chainId": "0x2105", "chainName": "Base", "rpcUrls": ["https://base.example/rpc"],
            "nativeCurrency": { "name": "Ether", "symbol": "ETH", "decimals": 18 }, "blockExplorerUrls": ["https://basescan.org"] });
        one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "method": "wallet_addEthereumChain", "params": [one] })
    };
    assert_eq!(ids(&chain(json!({}))), ["caution chain.nodes"]);
    // Wallets add a chain while they are on another one.
    let answer = explained_on(1, &chain(json!({})));
    assert!(dangers(&answer).is_empty());
    assert_eq!((answer["verdict"].as_str(), answer["kind"].as_str()), (Some("explained"), Some("chain")));
    let sentence = answer["sentence"].as_str().unwrap();
    for part in ["Base", "\"https://base.example/rpc\"", "\"ETH\""] {
        assert!(sentence.contains(part), "{sentence}");
    }
    for currency in [json!({ "symbol": "USDC", "decimals": 18 }), json!({ "symbol": "ETH", "decimals": 6 }), json!({})]
    {
        let call = chain(json!({ "nativeCurrency": currency }));
        assert_eq!(ids(&call), ["caution chain.nodes", "danger chain.currency"]);
    }
    // A chain that no table has: what it is called is its own.
    let unknown = chain(json!({ "chainId": "0x539", "nativeCurrency": { "symbol": "GO", "decimals": 18 } }));
    assert_eq!(ids(&unknown), ["caution chain.nodes"]);
    for more in [
        json!({ "chainId": {} }),
        json!({ "chainId": format!("0x1{}", "0".repeat(16)) }),
        json!({ "rpcUrls": "https://a" }),
    ] {
        assert_eq!(ids(&chain(more)), ["caution json.refused"]);
    }
    assert_eq!(ids(&chain(json!({ "iframe": true })))[0], "caution member.unread");
    let token = |address: &str, symbol: &str, decimals: u8| json!({ "method": "wallet_watchAsset", "params": { "type": "ERC20", "options": { "address": address, "symbol": symbol, "decimals": decimals, "image": "https://example.com/a.png" } } });
    let (_, usdc, ..) = CHAINS[5];
    assert!(ids(&token(usdc, "USDC", 6)).is_empty());
    assert!(ids(&token(STRANGER, "GO", 18)).is_empty());
    for (address, symbol, decimals) in
        [(STRANGER, "USDC", 6), (STRANGER, " usdc ", 18), (usdc, "GO", 6), (usdc, "USDC", 18)]
    {
        assert_eq!(ids(&token(address, symbol, decimals)), ["caution token.alias"], "{symbol}");
    }
    assert_eq!(ids(&token("", "GO", 18)), ["caution json.refused"]);
    let answer = explained_on(8453, &token(STRANGER, "USDC", 6));
    assert!(answer["sentence"].as_str().unwrap().contains(STRANGER), "{answer}");
    let mut list = token(usdc, "USDC", 6);
    list["params"] = json!([list["params"]]);
    assert!(ids(&list).is_empty());
}

/// A member that is missing, or of another form, makes no request milder, and has an answer.
#[test]
fn no_member_of_a_permission_excuses_by_its_absence() {
    let rule = json!({ "rules": [{ "type": "expiry", "data": { "timestamp": SOON } }] });
    let stream =
        json!({ "amountPerSecond": "0x5af3107a4000", "initialAmount": "0x1", "maxAmount": "0xde0b6b3a7640000" });
    let periodic = json!({ "periodAmount": "0x5", "periodDuration": 86_400 });
    for request in [
        permission("native-token-stream", stream, json!({})),
        permission("erc20-token-periodic", periodic, rule.clone()),
        permission("erc20-token-allowance", json!({ "allowanceAmount": "0x5" }), rule),
    ] {
        let mut all = Vec::new();
        pointers(&request["params"][0], "/params/0", &mut all);
        for pointer in &all {
            let odd = [
                json!(null),
                json!(true),
                json!([]),
                json!({}),
                json!(""),
                json!("0x"),
                json!(-1),
                json!(1e300),
                json!("\u{202e}"),
            ];
            for other in odd {
                let mut call = request.clone();
                *call.pointer_mut(pointer).unwrap() = other;
                assert!(!dangers(&explained_on(8453, &call)).is_empty(), "{call}");
            }
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            let mut call = request.clone();
            if let Some(members) = call.pointer_mut(parent).unwrap().as_object_mut() {
                members.remove(name);
            }
            assert!(!dangers(&explained_on(8453, &call)).is_empty(), "{call}");
        }
    }
}

/// The contracts of docs/explain.md are those of the table, each with its chains.
#[test]
fn the_pages_contracts_are_the_tables() {
    let mut table = String::from("| contract | chains | address |\n|---|---|---|\n");
    for (name, is_spender, chains, address) in SERVICES {
        let chains: Vec<_> = chains.iter().map(u64::to_string).collect();
        let note = if *is_spender { "" } else { " (no spender)" };
        table += &format!("| {name}{note} | {} | `{address}` |\n", chains.join(", "));
    }
    hold("docs/explain.md", Some("contracts"), &table);
}
