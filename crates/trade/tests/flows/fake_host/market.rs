//! The Market side of the service: price routes, and the router's calls in any of its methods, encoded by another library.

use super::service::{Answer, answer};
use super::tree::{json, text};
use alloy_dyn_abi::{DynSolValue, JsonAbiExt};
use alloy_json_abi::{Function, Param, StateMutability};
use alloy_primitives::{Address, B256, I256, U256, hex};
use std::collections::HashMap;
use verified_swap_trade::host::HttpRequest;
use verify::internal::json::{Json, quoted};

/// The pinned router.
pub const ROUTER: &str = "0x6a000f20005980200259b80c5102003040001068";
/// Chain 1's tokens that its stability modules know.
pub const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
pub const DAI: &str = "0x6B175474E89094C44Da98b954EedeAC495271d0F";
const LITE_PSM: &str = "0xf6e72Db5454dd049d0788e411b06CfAF16853042";

/// The published interface, in the forms of its own documentation.
pub const METHODS: [&str; 14] = [
    "swapExactAmountIn(address executor,(address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) swapData,uint256 partnerAndFee,bytes permit,bytes executorData)",
    "swapExactAmountOut(address executor,(address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) swapData,uint256 partnerAndFee,bytes permit,bytes executorData)",
    "swapExactAmountInOnUniswapV2((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary,bytes pools) uniData,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountOutOnUniswapV2((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary,bytes pools) uniData,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountInOnUniswapV3((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary,bytes pools) uniData,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountOutOnUniswapV3((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary,bytes pools) uniData,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountInOnCurveV1((uint256 curveData,uint256 curveAssets,address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) curveV1Data,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountInOnCurveV2((uint256 curveData,uint256 i,uint256 j,address poolAddress,address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) curveV2Data,uint256 partnerAndFee,bytes permit)",
    "swapExactAmountInOnBalancerV2((uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,uint256 beneficiaryAndApproveFlag) balancerData,uint256 partnerAndFee,bytes permit,bytes data)",
    "swapExactAmountOutOnBalancerV2((uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,uint256 beneficiaryAndApproveFlag) balancerData,uint256 partnerAndFee,bytes permit,bytes data)",
    "swapOnAugustusRFQTryBatchFill((uint256 fromAmount,uint256 toAmount,uint8 wrapApproveDirection,bytes32 metadata,address beneficiary) data,((uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount) order,bytes signature,uint256 takerTokenFillAmount,bytes permitTakerAsset,bytes permitMakerAsset)[] orders,bytes permit)",
    "swapExactAmountInOutOnMakerPSM((address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 toll,uint256 to18ConversionFactor,address exchange,address gemJoinAddress,bytes32 metadata,uint256 beneficiaryDirectionApproveFlag) makerPSMData,bytes permit)",
    "swapExactAmountInPro(address executor,(address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) swapData,uint256 partnerAndFee,bytes permit,bytes executorData)",
    "swapExactAmountOutPro(address executor,(address srcToken,address destToken,uint256 fromAmount,uint256 toAmount,uint256 quotedAmount,bytes32 metadata,address beneficiary) swapData,uint256 partnerAndFee,bytes permit,bytes executorData)",
];

/// `swap` and `batchSwap` of Balancer's vault.
const VAULT: [&str; 2] = [
    "swap((bytes32 poolId,uint8 kind,address assetIn,address assetOut,uint256 amount,bytes userData) singleSwap,(address sender,bool fromInternalBalance,address recipient,bool toInternalBalance) funds,uint256 limit,uint256 deadline)",
    "batchSwap(uint8 kind,(bytes32 poolId,uint256 assetInIndex,uint256 assetOutIndex,uint256 amount,bytes userData)[] swaps,address[] assets,(address sender,bool fromInternalBalance,address recipient,bool toInternalBalance) funds,int256[] limits,uint256 deadline)",
];

/// Raw units of DAI for one of USDC.
const FACTOR: u64 = 1_000_000_000_000;
/// Raw units of the destination token for one of the source token.
const RATE: u64 = 400_000_000;

type Lie = Box<dyn Fn(&mut Json)>;
type DataLie = Box<dyn Fn(&mut Vec<u8>)>;
/// Given an argument's path and honest value, another value.
type ArgumentLie = Box<dyn Fn(&str, &DynSolValue) -> Option<DynSolValue>>;

/// The Market side of the service, under a test's control.
pub struct Market {
    /// An index into [`METHODS`]; the odd one of a pair is its BUY.
    pub method: usize,
    /// With mode ALL, Delta cannot price it.
    pub falls_back: bool,
    /// A member beside the block.
    pub others: Option<&'static str>,
    /// Members of a route beside its own, each with a comma behind it.
    pub more: &'static str,
    /// Changes the route.
    pub route_lie: Option<Lie>,
    /// Changes one of the router's arguments.
    pub argument_lie: Option<ArgumentLie>,
    /// Changes the calldata.
    pub data_lie: Option<DataLie>,
    /// Changes the envelope.
    pub envelope_lie: Option<Lie>,
    /// Bits of `partnerAndFee` beside fee and partner.
    pub fee_bits: U256,
    /// The partner's fee in the transaction.
    pub fee_bps: u16,
    /// Balancer's vault is called with `batchSwap`.
    pub batches: bool,
}

impl Default for Market {
    fn default() -> Market {
        Market {
            method: 0,
            falls_back: false,
            others: None,
            more: "",
            route_lie: None,
            argument_lie: None,
            data_lie: None,
            envelope_lie: None,
            fee_bits: U256::from(1) << 92,
            fee_bps: 1,
            batches: false,
        }
    }
}

/// The two tokens of a trade, and their amounts.
struct Trade {
    src: Address,
    dest: Address,
    from: U256,
    to: U256,
    quoted: U256,
    beneficiary: Address,
    partner_and_fee: U256,
    permit: Vec<u8>,
    buys: bool,
}

impl Market {
    /// The name of the method that is called.
    pub fn name(&self) -> &'static str {
        METHODS[self.method].split('(').next().unwrap()
    }

    /// GET /prices and the market block of GET /v2/quote: the route alone.
    pub fn route(&self, query: &HashMap<String, String>) -> String {
        let amount: U256 = query["amount"].parse().unwrap();
        let buys = query.get("side").is_some_and(|side| side == "BUY");
        // Stablecoins of the same worth on chain 1, where they have 6 and 18 decimals.
        let rate = if self.name().ends_with("PSM") { U256::from(FACTOR) } else { U256::from(RATE) };
        let (src, dest) = match (buys, query["srcToken"] == DAI) {
            (true, _) => (amount / rate, amount),
            (false, false) => (amount, amount * rate),
            (false, true) => (amount, amount / rate),
        };
        let chain = query.get("network").or(query.get("chainId")).unwrap();
        let side = if buys { "BUY" } else { "SELL" };
        let (src_token, dest_token) = (query["srcToken"].to_ascii_lowercase(), query["destToken"].to_ascii_lowercase());
        let (method, more) = (self.name(), self.more);
        // Text that reading and writing again would change: the order of members, 1.0, long integers, escapes.
        let text = format!(
            r#"{{"blockNumber":19000000,"network":{chain},"srcToken":"{src_token}","srcDecimals":6,"srcAmount":"{src}","destToken":"{dest_token}","destDecimals":18,"destAmount":"{dest}", "bestRoute":[{{"percent":100.0,"swaps":[{{"swapExchanges":[{{"exchange":"Caf\u00e9","data":{{"10":"ten","2":1.0}}}}]}}]}}],"gasCostUSD":"0.25","gasCost":"180000","side":"{side}","version":"6.2","contractAddress":"{ROUTER}","tokenTransferProxy":"{ROUTER}","contractMethod":"{method}","partnerFee":0.01,"srcUSD":"100.00","destUSD":"99.90","partner":"anon","maxImpactReached":false,{more}"hmac":"0011","serial":12345678901234567890}}"#
        );
        match &self.route_lie {
            None => text,
            Some(lie) => {
                let mut tree = json(&text);
                lie(&mut tree);
                tree.write()
            }
        }
    }

    /// POST /transactions/{chainId}. The price route has to be the very text of an answer.
    pub fn transaction(&self, request: &HttpRequest, known: &[String]) -> Answer {
        let body = request.body.as_deref().unwrap();
        let route = super::raw(body, "priceRoute");
        if !known.iter().any(|known| known.contains(route)) {
            return answer(400, r#"{"errorType":"InvalidInput","details":"Invalid priceRoute"}"#);
        }
        let body = json(body);
        let route = json(route);
        let trade = self.trade(&body, &route);
        let value = if text(&body, "srcToken") == super::NATIVE { trade.from } else { U256::ZERO };
        let mut data = self.encode(&trade);
        if let Some(lie) = &self.data_lie {
            lie(&mut data);
        }
        let chain = request.url.split("/transactions/").nth(1).unwrap().split('?').next().unwrap();
        let mut envelope = json(&format!(
            r#"{{"from":"{}","to":"{ROUTER}","value":"{value}","data":"{}","gasPrice":"99999999999","gas":"9999999","chainId":{chain}}}"#,
            text(&body, "userAddress"),
            hex::encode_prefixed(data)
        ));
        if let Some(lie) = &self.envelope_lie {
            lie(&mut envelope);
        }
        answer(200, envelope.write())
    }

    /// GET /swap: both in one; the envelope says nothing of gas.
    pub fn swap(&self, query: &HashMap<String, String>) -> String {
        let route = self.route(query);
        let mut members = vec![format!(r#""slippage":{}"#, query["slippage"])];
        for name in ["srcToken", "destToken", "receiver", "partnerAddress"] {
            members.extend(query.get(name).map(|value| format!(r#""{name}":"{value}""#)));
        }
        let trade = self.trade(&json(&format!("{{{}}}", members.join(","))), &json(&route));
        let mut envelope = json(&format!(
            r#"{{"from":"{}","to":"{ROUTER}","value":"{}","data":"{}","gasPrice":"99999999999","chainId":{}}}"#,
            query["userAddress"],
            if query["srcToken"] == super::NATIVE { trade.from } else { U256::ZERO },
            hex::encode_prefixed(self.encode(&trade)),
            query["network"]
        ));
        if let Some(lie) = &self.envelope_lie {
            lie(&mut envelope);
        }
        format!(r#"{{"priceRoute":{route},"txParams":{}}}"#, envelope.write())
    }

    fn trade(&self, body: &Json, route: &Json) -> Trade {
        let amount = |path: &str| -> U256 { text(route, path).parse().unwrap() };
        let or = |after: &str, plain: &str| route.get(after).map_or_else(|| amount(plain), |_| amount(after));
        let slippage: U256 = text(body, "slippage").parse().unwrap();
        let whole = U256::from(10_000);
        let buys = text(route, "side") == "BUY";
        let (from, to, quoted) = if buys {
            let spent = or("srcAmountAfterFee", "srcAmount");
            (spent * (whole + slippage) / whole, amount("destAmount"), amount("srcAmount"))
        } else {
            let least = or("destAmountAfterFee", "destAmount") * (whole - slippage);
            (amount("srcAmount"), least / whole, amount("destAmount"))
        };
        let address = |name: &str| body.get(name).map(|at| at.as_text().unwrap().parse::<Address>().unwrap());
        let partner = U256::from_be_slice(address("partnerAddress").unwrap_or(Address::repeat_byte(0xFE)).as_slice());
        let permit = body.get("permit").map_or(vec![], |permit| hex::decode(permit.as_text().unwrap()).unwrap());
        Trade {
            src: address("srcToken").unwrap(),
            dest: address("destToken").unwrap(),
            from,
            to,
            quoted,
            beneficiary: address("receiver").unwrap_or_default(),
            partner_and_fee: (partner << 96) | self.fee_bits | U256::from(self.fee_bps),
            permit,
            buys,
        }
    }

    /// The calldata.
    fn encode(&self, trade: &Trade) -> Vec<u8> {
        let called = function(METHODS[self.method]);
        let arguments: Vec<DynSolValue> =
            called.inputs.iter().map(|input| self.value(input, &input.name, trade)).collect();
        called.abi_encode_input(&arguments).unwrap()
    }

    fn value(&self, param: &Param, path: &str, trade: &Trade) -> DynSolValue {
        if param.components.is_empty() {
            let honest = self.leaf(param, trade);
            return self.argument_lie.as_ref().and_then(|lie| lie(path, &honest)).unwrap_or(honest);
        }
        let tuple = |path: &str| {
            let inside =
                param.components.iter().map(|inner| self.value(inner, &format!("{path}.{}", inner.name), trade));
            DynSolValue::Tuple(inside.collect())
        };
        match param.ty.ends_with("[]") {
            true => DynSolValue::Array((0..2).map(|index| tuple(&format!("{path}.{index}"))).collect()),
            false => tuple(path),
        }
    }

    fn leaf(&self, param: &Param, trade: &Trade) -> DynSolValue {
        let address = |address: Address| DynSolValue::Address(address);
        let uint = |number: U256| DynSolValue::Uint(number, 256);
        let direction = u8::from(trade.buys);
        let beneficiary = U256::from_be_slice(trade.beneficiary.as_slice());
        match param.name.as_str() {
            "executor" => address(Address::repeat_byte(0xE0)),
            "srcToken" => address(trade.src),
            "destToken" => address(trade.dest),
            "fromAmount" => uint(trade.from),
            "toAmount" => uint(trade.to),
            "quotedAmount" => uint(trade.quoted),
            "metadata" => DynSolValue::FixedBytes(B256::repeat_byte(0x3D), 32),
            "beneficiary" => address(trade.beneficiary),
            "partnerAndFee" => uint(trade.partner_and_fee),
            "permit" => DynSolValue::Bytes(trade.permit.clone()),
            "executorData" => DynSolValue::Bytes(vec![0xED; 70]),
            "pools" => DynSolValue::Bytes(pools(trade, if self.name().ends_with("V2") { 64 } else { 96 })),
            "data" => DynSolValue::Bytes(self.vault(trade)),
            "wrapApproveDirection" => {
                let wraps = u8::from(trade.src == native()) | (u8::from(trade.dest == native()) << 1);
                DynSolValue::Uint(U256::from((direction << 3) | 4 | wraps), 8)
            }
            "beneficiaryAndApproveFlag" => uint(beneficiary | (U256::from(1) << 255)),
            "beneficiaryDirectionApproveFlag" => {
                uint(beneficiary | (U256::from(1) << 255) | (U256::from(direction) << 254))
            }
            "exchange" | "gemJoinAddress" => address(LITE_PSM.parse().unwrap()),
            "toll" => uint(U256::ZERO),
            "to18ConversionFactor" => uint(U256::from(FACTOR)),
            "makerAsset" => address(trade.dest),
            "takerAsset" => address(trade.src),
            "expiry" => DynSolValue::Uint(U256::from(1_900_000_000), 128),
            _ => match param.ty.as_str() {
                "address" => address(Address::repeat_byte(0xAA)),
                "bytes" => DynSolValue::Bytes(vec![0x5A; 65]),
                _ => uint(U256::from(7)),
            },
        }
    }

    /// A call of Balancer's vault, the native token as the zero address.
    fn vault(&self, trade: &Trade) -> Vec<u8> {
        let in_vault = |token: Address| DynSolValue::Address(if token == native() { Address::ZERO } else { token });
        let uint = |number: U256| DynSolValue::Uint(number, 256);
        let router = DynSolValue::Address(ROUTER.parse().unwrap());
        let no = || DynSolValue::Bool(false);
        let funds = DynSolValue::Tuple(vec![router.clone(), no(), router, no()]);
        let pool = || DynSolValue::FixedBytes(B256::repeat_byte(0xB1), 32);
        let kind = DynSolValue::Uint(U256::from(u8::from(trade.buys)), 8);
        let nothing = || DynSolValue::Bytes(vec![]);
        let called = function(VAULT[usize::from(self.batches)]);
        let arguments = if self.batches {
            let hop = |from: u64, to: u64| {
                let (from, to) = (uint(U256::from(from)), uint(U256::from(to)));
                DynSolValue::Tuple(vec![pool(), from, to, uint(trade.from), nothing()])
            };
            let middle = DynSolValue::Address(Address::repeat_byte(0x33));
            let mut assets = vec![in_vault(trade.src), middle, in_vault(trade.dest)];
            if trade.buys {
                assets.reverse();
            }
            let limits = (0..3).map(|_| DynSolValue::Int(I256::ONE, 256)).collect();
            let swaps = DynSolValue::Array(vec![hop(0, 1), hop(1, 2)]);
            vec![kind, swaps, DynSolValue::Array(assets), funds, DynSolValue::Array(limits), uint(U256::MAX)]
        } else {
            let (src, dest) = (in_vault(trade.src), in_vault(trade.dest));
            let single = DynSolValue::Tuple(vec![pool(), kind, src, dest, uint(trade.from), nothing()]);
            vec![single, funds, uint(trade.to), uint(U256::MAX)]
        };
        called.abi_encode_input(&arguments).unwrap()
    }
}

fn native() -> Address {
    super::NATIVE.parse().unwrap()
}

/// Two hops, through a token in between.
pub fn way(src: Address, dest: Address, hop_bytes: usize, exact_output: bool) -> Vec<u8> {
    // The wrapped native token stands for the native one.
    let held = |token: Address| if token == native() { Address::repeat_byte(0xEE) } else { token };
    let middle = Address::repeat_byte(0x33);
    let mut hops = vec![(held(src), middle), (middle, held(dest))];
    if exact_output {
        hops.reverse();
    }
    let mut packed = Vec::new();
    for (from, to) in hops {
        let (first, second, forward) = if from < to { (from, to, true) } else { (to, from, false) };
        let mut hop = vec![0; hop_bytes];
        if hop_bytes == 64 {
            hop[..20].copy_from_slice(first.as_slice());
            hop[20..40].copy_from_slice(second.as_slice());
            hop[63] = u8::from(forward);
        } else {
            hop[0] = u8::from(forward) << 7;
            hop[12..32].copy_from_slice(first.as_slice());
            hop[44..64].copy_from_slice(second.as_slice());
            hop[94] = 1;
        }
        packed.extend(hop);
    }
    packed
}

fn pools(trade: &Trade, hop_bytes: usize) -> Vec<u8> {
    way(trade.src, trade.dest, hop_bytes, trade.buys)
}

/// A function as the library has it, from its signature with names.
pub fn function(signature: &str) -> Function {
    let (name, mut rest) = signature.split_once('(').unwrap();
    Function {
        name: name.into(),
        inputs: params(&mut rest),
        outputs: vec![],
        state_mutability: StateMutability::Payable,
    }
}

/// The parameters up to the closing parenthesis.
fn params(text: &mut &str) -> Vec<Param> {
    let mut found = Vec::new();
    while !text.starts_with(')') {
        let components = match text.strip_prefix('(') {
            Some(rest) => {
                *text = rest;
                let inner = params(text);
                *text = &text[1..];
                inner
            }
            None => vec![],
        };
        let (kind, rest) = text.split_once(' ').unwrap();
        let end = rest.find([',', ')']).unwrap();
        let ty = if components.is_empty() { kind.into() } else { format!("tuple{kind}") };
        found.push(Param { ty, name: rest[..end].into(), components, internal_type: None });
        *text = rest[end..].trim_start_matches(',');
    }
    found
}

/// Another value of the same type.
pub fn other(value: &DynSolValue) -> DynSolValue {
    match value {
        DynSolValue::Address(_) => DynSolValue::Address(Address::repeat_byte(0xBA)),
        DynSolValue::Uint(number, bits) => DynSolValue::Uint(number.wrapping_add(U256::from(1)), *bits),
        DynSolValue::FixedBytes(word, size) => DynSolValue::FixedBytes(!*word, *size),
        DynSolValue::Bytes(bytes) => DynSolValue::Bytes([&bytes[..], &[1; 32]].concat()),
        other => panic!("{other:?}"),
    }
}

/// The paths of a method's arguments, items of arrays by their index.
pub fn paths(method: usize) -> Vec<String> {
    fn below(param: &Param, path: &str, found: &mut Vec<String>) {
        if param.components.is_empty() {
            found.push(path.into());
        }
        let count = if param.ty.ends_with("[]") { 2 } else { 1 };
        for index in 0..count {
            for inner in &param.components {
                let place = if count == 2 { format!("{path}.{index}") } else { path.into() };
                below(inner, &format!("{place}.{}", inner.name), found);
            }
        }
    }
    let mut found = Vec::new();
    for input in &function(METHODS[method]).inputs {
        below(input, &input.name, &mut found);
    }
    found
}

/// A market block, as GET /v2/quote answers it.
pub fn block(market: &Market, query: &HashMap<String, String>) -> String {
    let route = market.route(query);
    let reason = match query["mode"].as_str() {
        "ALL" => format!(
            r#","fallbackReason":{{"errorType":{},"details":"Gas cost exceeds trade amount"}}"#,
            quoted("GasCostExceedsTradeAmount")
        ),
        _ => String::new(),
    };
    format!(r#"{{"market":{route}{reason}}}"#)
}
