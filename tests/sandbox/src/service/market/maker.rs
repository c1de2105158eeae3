//! The market maker whose signed order the router fills: at the route's price, with tokens made for it.

use alloy_primitives::{Address, Bytes, U256};
use serde_json::json;

use super::abi::IRouter::{Order, OrderInfo};
use super::issued::PriceRoute;
use super::terms::Terms;
use crate::chain::{Chain, TokenKind};
use crate::order::write_struct;
use crate::otc::{rfq_domain, rfq_types};
use crate::random;
use crate::service::Refusal;

/// How long an offer is good for.
const LIFE_SECS: u64 = 300;

/// An order over the whole trade, signed; its asset is held and approved.
pub async fn offer(chain: &Chain, route: &PriceRoute, terms: &Terms) -> Result<OrderInfo, Refusal> {
    let maker = chain.market_maker();
    let (maker_asset, taker_asset) = (chain.asset(route.dest), chain.asset(route.src));
    let (maker_amount, taker_amount) =
        if route.is_sell { (route.dest_amount, terms.from_amount) } else { (terms.to_amount, route.src_amount) };
    if chain.token(maker_asset).is_none_or(|token| token.kind == TokenKind::SignOnly) {
        return Err(Refusal::pricing("No maker offers this token"));
    }
    chain.give(maker_asset, maker, maker_amount).await?;
    chain.approve(maker_asset, maker, chain.rfq, U256::MAX).await?;
    let order = Order {
        nonceAndMeta: (random::nonce() >> 160usize) << 160usize,
        expiry: u128::from(chain.now().await?.saturating_add(LIFE_SECS)),
        makerAsset: maker_asset,
        takerAsset: taker_asset,
        maker,
        taker: Address::ZERO,
        makerAmount: maker_amount,
        takerAmount: taker_amount,
    };
    Ok(OrderInfo {
        signature: signature(chain, &order).await?,
        takerTokenFillAmount: taker_amount,
        permitTakerAsset: Bytes::new(),
        permitMakerAsset: Bytes::new(),
        order,
    })
}

/// By the node, which has the maker's key.
async fn signature(chain: &Chain, order: &Order) -> Result<Bytes, Refusal> {
    let mut types = rfq_types();
    types["EIP712Domain"] = json!([
        {"name": "name", "type": "string"},
        {"name": "version", "type": "string"},
        {"name": "chainId", "type": "uint256"},
        {"name": "verifyingContract", "type": "address"},
    ]);
    let message = write_struct(order);
    let domain = rfq_domain(chain.id, chain.rfq);
    let typed = json!({"types": types, "primaryType": "Order", "domain": domain, "message": message});
    Ok(chain.rpc.call("eth_signTypedData_v4", json!([order.maker, typed.to_string()])).await?)
}
