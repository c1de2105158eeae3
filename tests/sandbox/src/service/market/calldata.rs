//! The call to the router, in each of its methods.

use alloy_primitives::{Address, B256, Bytes, U256};
use alloy_sol_types::{SolCall, SolValue};

use super::abi::{IRouter, IVault};
use super::issued::PriceRoute;
use super::method::Method;
use super::terms::Terms;
use crate::chain::{Chain, NATIVE};
use crate::random;

/// The pool's fee as Uniswap V3 writes it, in hundredths of a bps.
const POOL_FEE: u64 = 500;

/// A trade to encode.
pub struct Swap<'a> {
    pub chain: &'a Chain,
    pub route: &'a PriceRoute,
    pub terms: &'a Terms,
    /// A maker's offer, where the method fills makers' orders.
    pub offer: Option<IRouter::OrderInfo>,
    /// The block the service saw.
    pub height: u64,
}

impl Swap<'_> {
    /// Calldata of the route's method.
    pub fn calldata(&self) -> Bytes {
        let (fee, permit) = (self.terms.partner_and_fee, self.terms.permit.clone());
        macro_rules! encoded {
            ($call:ident { $($field:ident : $value:expr),* $(,)? }) => {
                IRouter::$call { $($field: $value,)* permit, partnerAndFee: fee }.abi_encode()
            };
        }
        let executor = self.chain.market_executor;
        let bytes = match self.route.method {
            Method::AmountIn => encoded!(swapExactAmountInCall {
                executor: executor,
                swapData: self.generic(),
                executorData: self.executor_data(),
            }),
            Method::AmountOut => encoded!(swapExactAmountOutCall {
                executor: executor,
                swapData: self.generic(),
                executorData: self.executor_data(),
            }),
            Method::AmountInPro => encoded!(swapExactAmountInProCall {
                executor: executor,
                swapData: self.generic(),
                executorData: self.executor_data(),
            }),
            Method::AmountOutPro => encoded!(swapExactAmountOutProCall {
                executor: executor,
                swapData: self.generic(),
                executorData: self.executor_data(),
            }),
            Method::InOnUniswapV2 => encoded!(swapExactAmountInOnUniswapV2Call { uniData: self.uni(v2_hop) }),
            Method::OutOnUniswapV2 => encoded!(swapExactAmountOutOnUniswapV2Call { uniData: self.uni(v2_hop) }),
            Method::InOnUniswapV3 => encoded!(swapExactAmountInOnUniswapV3Call { uniData: self.uni(v3_hop) }),
            Method::OutOnUniswapV3 => encoded!(swapExactAmountOutOnUniswapV3Call { uniData: self.uni(v3_hop) }),
            Method::InOnCurveV1 => encoded!(swapExactAmountInOnCurveV1Call { curveV1Data: self.curve_v1() }),
            Method::InOnCurveV2 => encoded!(swapExactAmountInOnCurveV2Call { curveV2Data: self.curve_v2() }),
            Method::InOnBalancerV2 => {
                encoded!(swapExactAmountInOnBalancerV2Call { balancerData: self.balancer(), data: self.vault_call() })
            }
            Method::OutOnBalancerV2 => {
                encoded!(swapExactAmountOutOnBalancerV2Call { balancerData: self.balancer(), data: self.vault_call() })
            }
            Method::RfqBatchFill => {
                let orders = self.offer.clone().into_iter().collect();
                IRouter::swapOnAugustusRFQTryBatchFillCall { data: self.rfq(), orders, permit }.abi_encode()
            }
            Method::MakerPsm => {
                IRouter::swapExactAmountInOutOnMakerPSMCall { makerPSMData: self.maker_psm(), permit }.abi_encode()
            }
        };
        bytes.into()
    }

    /// The transaction's `value`: the native token that is sold.
    pub fn value(&self) -> U256 {
        if self.route.src == NATIVE { self.terms.from_amount } else { U256::ZERO }
    }

    /// 16 random bytes, and the block.
    fn metadata(&self) -> B256 {
        let mut bytes = random::nonce().to_be_bytes::<32>();
        bytes[16..].copy_from_slice(&u128::from(self.height).to_be_bytes());
        bytes.into()
    }

    /// The route's free side: what the surplus is reckoned from.
    fn quoted(&self) -> U256 {
        if self.route.is_sell { self.route.dest_amount } else { self.route.src_amount }
    }

    fn generic(&self) -> IRouter::GenericData {
        IRouter::GenericData {
            srcToken: self.route.src,
            destToken: self.route.dest,
            fromAmount: self.terms.from_amount,
            toAmount: self.terms.to_amount,
            quotedAmount: self.quoted(),
            metadata: self.metadata(),
            beneficiary: self.terms.beneficiary,
        }
    }

    fn uni(&self, hop: impl Fn(Address, Address) -> Vec<u8>) -> IRouter::UniData {
        let mut hops: Vec<_> = self.route.path.windows(2).map(|pair| hop(pair[0], pair[1])).collect();
        if !self.route.is_sell {
            hops.reverse();
        }
        let data = self.generic();
        IRouter::UniData {
            srcToken: data.srcToken,
            destToken: data.destToken,
            fromAmount: data.fromAmount,
            toAmount: data.toAmount,
            quotedAmount: data.quotedAmount,
            metadata: data.metadata,
            beneficiary: data.beneficiary,
            pools: hops.concat().into(),
        }
    }

    /// The path, and of a purchase how much to buy.
    fn executor_data(&self) -> Bytes {
        let wanted = if self.route.is_sell { U256::ZERO } else { self.terms.to_amount };
        (self.route.path.clone(), wanted).abi_encode_params().into()
    }

    fn curve_v1(&self) -> IRouter::CurveV1Data {
        let data = self.generic();
        let wrapping = u64::from(data.srcToken == NATIVE) + 2 * u64::from(data.destToken == NATIVE);
        let flags = U256::from(1 | (wrapping << 1)) << 160usize;
        IRouter::CurveV1Data {
            curveData: flags | word(self.chain.pool),
            curveAssets: (U256::from(self.index(0)) << 128usize) | U256::from(self.index(1)),
            srcToken: data.srcToken,
            destToken: data.destToken,
            fromAmount: data.fromAmount,
            toAmount: data.toAmount,
            quotedAmount: data.quotedAmount,
            metadata: data.metadata,
            beneficiary: data.beneficiary,
        }
    }

    fn curve_v2(&self) -> IRouter::CurveV2Data {
        let data = self.curve_v1();
        IRouter::CurveV2Data {
            curveData: data.curveData,
            i: U256::from(self.index(0)),
            j: U256::from(self.index(1)),
            poolAddress: self.chain.pool,
            srcToken: data.srcToken,
            destToken: data.destToken,
            fromAmount: data.fromAmount,
            toAmount: data.toAmount,
            quotedAmount: data.quotedAmount,
            metadata: data.metadata,
            beneficiary: data.beneficiary,
        }
    }

    /// Where a token of the pair is in a pool that holds both in order of their addresses.
    fn index(&self, end: usize) -> u8 {
        let path = &self.route.path;
        let is_first = path.first() < path.last();
        u8::from(is_first == (end == 1))
    }

    fn balancer(&self) -> IRouter::BalancerV2Data {
        IRouter::BalancerV2Data {
            fromAmount: self.terms.from_amount,
            toAmount: self.terms.to_amount,
            quotedAmount: self.quoted(),
            metadata: self.metadata(),
            beneficiaryAndApproveFlag: (U256::from(1) << 255usize) | word(self.terms.beneficiary),
        }
    }

    /// The vault calls the native token the zero address.
    fn vault_call(&self) -> Bytes {
        let (from, to) = (self.terms.from_amount, self.terms.to_amount);
        let asset = |token: Address| if token == NATIVE { Address::ZERO } else { token };
        let mut pool_id = [0; 32];
        pool_id[..20].copy_from_slice(self.chain.pool.as_slice());
        let call = IVault::swapCall {
            singleSwap: IVault::SingleSwap {
                poolId: pool_id.into(),
                kind: u8::from(!self.route.is_sell),
                assetIn: asset(self.route.src),
                assetOut: asset(self.route.dest),
                amount: if self.route.is_sell { from } else { to },
                userData: Bytes::new(),
            },
            funds: IVault::FundManagement {
                sender: self.chain.router,
                fromInternalBalance: false,
                recipient: self.chain.router,
                toInternalBalance: false,
            },
            limit: if self.route.is_sell { to } else { from },
            deadline: U256::MAX,
        };
        call.abi_encode().into()
    }

    fn rfq(&self) -> IRouter::AugustusRFQData {
        let native = u8::from(self.route.src == NATIVE) + 2 * u8::from(self.route.dest == NATIVE);
        IRouter::AugustusRFQData {
            fromAmount: self.terms.from_amount,
            toAmount: self.terms.to_amount,
            wrapApproveDirection: native | 4 | (8 * u8::from(!self.route.is_sell)),
            metadata: self.metadata(),
            beneficiary: self.terms.beneficiary,
        }
    }

    fn maker_psm(&self) -> IRouter::MakerPSMData {
        let data = self.generic();
        let flags = (U256::from(1) << 255usize) | (U256::from(u8::from(!self.route.is_sell)) << 254usize);
        IRouter::MakerPSMData {
            srcToken: data.srcToken,
            destToken: data.destToken,
            fromAmount: data.fromAmount,
            toAmount: data.toAmount,
            toll: U256::ZERO,
            to18ConversionFactor: U256::from(10).pow(U256::from(12)),
            exchange: self.chain.pool,
            gemJoinAddress: self.chain.pool,
            metadata: data.metadata,
            beneficiaryDirectionApproveFlag: flags | word(data.beneficiary),
        }
    }
}

fn word(address: Address) -> U256 {
    U256::from_be_slice(address.as_slice())
}

/// 64 bytes: both tokens in order, and whether the trade goes from the first to the second.
fn v2_hop(from: Address, to: Address) -> Vec<u8> {
    let (first, second) = if from < to { (from, to) } else { (to, from) };
    [first.as_slice(), second.as_slice(), &[0; 23], &[u8::from(from < to)]].concat()
}

/// 96 bytes: the direction above the first token, the second token, the fee.
fn v3_hop(from: Address, to: Address) -> Vec<u8> {
    let (first, second) = if from < to { (from, to) } else { (to, from) };
    let head = (U256::from(u8::from(from < to)) << 255usize) | word(first);
    [head, word(second), U256::from(POOL_FEE)].iter().flat_map(|word| word.to_be_bytes::<32>()).collect()
}
