//! The OTC endpoints: posting, one order, lists, fillable balances. Filling and cancelling is the chain's.

use std::collections::HashMap;

use alloy_primitives::{Address, B256, U256};
use serde_json::{Value, json};

use super::Refusal;
use super::call::{Call, Query};
use super::usd;
use crate::app::App;
use crate::chain::{Chain, NATIVE};
use crate::control::{FillableReading, PostReply};
use crate::json::{Json, read_address};
use crate::otc::{
    Condition, Draft, Kind, PostedOrder, State, Trails, cover, is_makers, read_draft, read_trails, rfq_hash,
};

/// Maker funds worth less than that are a small balance.
const SMALL_DOLLARS: f64 = 1.0;

/// POST /ft/p2p/{chainId}/.
pub async fn post(app: &App, call: &Call) -> Result<Json, Refusal> {
    let chain = chain_of(app, call.subject.as_deref().unwrap_or_default())?;
    let draft = read_draft(&call.json()?).map_err(Refusal::invalid)?;
    let mut sight = Sight::of(app, chain).await?;
    require_postable(chain, &draft, sight.now)?;
    let hash = rfq_hash(chain.id, chain.rfq, &draft.order).map_err(Refusal::invalid)?;
    if !is_makers(chain, draft.order.maker, hash, &draft.signature).await? {
        return Err(Refusal::new(400, "InvalidSignature", "Order signature does not recover to maker"));
    }
    let posted = PostedOrder::new(chain.id, draft.order, hash, draft.signature, draft.permit_maker_asset, sight.now);
    let is_new = app.otc().add(posted.clone());
    let settings = app.control.settings();
    if !is_new && settings.duplicate_status != 200 {
        return Err(Refusal::new(settings.duplicate_status, "OrderAlreadyExists", "Order already exists"));
    }
    let order = sight.json(&posted).await?;
    Ok(match settings.otc_post_reply {
        PostReply::Wrapped => json!({"order": order}).into(),
        PostReply::Bare => order.into(),
    })
}

fn require_postable(chain: &Chain, draft: &Draft, now: u64) -> Result<(), Refusal> {
    let order = &draft.order;
    for (name, asset) in [("makerAsset", order.makerAsset), ("takerAsset", order.takerAsset)] {
        if asset == NATIVE || chain.token(asset).is_none() {
            return Err(Refusal::invalid(format!("{name}: Token not supported")));
        }
    }
    let wrong = if order.makerAsset == order.takerAsset {
        "takerAsset must differ from makerAsset"
    } else if order.makerAmount.is_zero() {
        "makerAmount must be positive"
    } else if order.takerAmount.is_zero() {
        "takerAmount must be positive"
    } else if order.maker.is_zero() {
        "maker must not be zero"
    } else if order.expiry != 0 && order.expiry <= u128::from(now) {
        return Err(Refusal::new(400, "OrderExpired", "Order expired"));
    } else {
        return Ok(());
    };
    Err(Refusal::invalid(wrong))
}

/// GET /ft/order/{orderHash}.
pub async fn by_hash(app: &App, call: &Call) -> Result<Json, Refusal> {
    let text = call.subject.as_deref().unwrap_or_default();
    let hash: Option<B256> = text.strip_prefix("0x").and_then(|digits| digits.parse().ok());
    let hash = hash.ok_or_else(|| Refusal::invalid("orderHash must be 32 bytes in 0x-prefixed hex"))?;
    let posted = app.otc().by_hash(hash).cloned().ok_or_else(|| Refusal::not_found("Order"))?;
    let chain = app.chain(posted.chain_id).ok_or_else(|| Refusal::not_found("Order"))?;
    Ok(Sight::of(app, chain).await?.json(&posted).await?.into())
}

/// GET /ft/p2p/{chainId}/maker/{address}.
pub async fn of_maker(app: &App, call: &Call) -> Result<Json, Refusal> {
    let (chain, maker, _) = chain_and_account(app, call)?;
    let orders = app.otc().of_maker(chain.id, maker).into_iter().cloned().collect();
    page(Sight::of(app, chain).await?, orders, &call.query).await
}

/// GET /ft/p2p/{chainId}/taker/{address}.
pub async fn for_taker(app: &App, call: &Call) -> Result<Json, Refusal> {
    let (chain, taker, _) = chain_and_account(app, call)?;
    let orders = app.otc().for_taker(chain.id, taker).into_iter().cloned().collect();
    page(Sight::of(app, chain).await?, orders, &call.query).await
}

/// GET /ft/fillablebalance/{chainId}/{account}[/{token}].
pub async fn fillable_balance(app: &App, call: &Call) -> Result<Json, Refusal> {
    let (chain, account, token) = chain_and_account(app, call)?;
    let mut sight = Sight::of(app, chain).await?;
    let assets = match token {
        Some(text) => vec![read_address(text).ok_or_else(|| Refusal::invalid("token must be an address"))?],
        None => {
            let mut assets: Vec<_> =
                app.otc().of_maker(chain.id, account).iter().map(|posted| posted.order.makerAsset).collect();
            assets.sort();
            assets.dedup();
            assets
        }
    };
    let mut map = serde_json::Map::new();
    for asset in assets {
        let value = sight.fillable_balance(account, asset).await?;
        map.insert(format!("{asset:#x}"), value.to_string().into());
    }
    Ok(Value::from(map).into())
}

/// A list as the query wants it.
async fn page(mut sight: Sight<'_>, orders: Vec<PostedOrder>, query: &Query) -> Result<Json, Refusal> {
    let limit = query.number("limit", 1, 1_000)?.unwrap_or(100);
    let offset = query.number("offset", 0, u64::from(u32::MAX))?.unwrap_or(0);
    let kind = match query.get("type") {
        None => None,
        Some("P2P") => Some(Kind::P2p),
        Some("LIMIT") => Some(Kind::Limit),
        Some(_) => return Err(Refusal::invalid("type must be P2P or LIMIT")),
    };
    let hides_small = match query.get("hideSmallBalances") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(Refusal::invalid("hideSmallBalances must be true or false")),
    };
    let order_by = query.get("orderBy").unwrap_or("createdAt");
    if !["createdAt", "updatedAt", "expiry"].contains(&order_by) {
        return Err(Refusal::invalid("orderBy must be createdAt, updatedAt or expiry"));
    }
    let mut shown = Vec::new();
    for posted in orders.iter().filter(|posted| kind.is_none_or(|kind| kind == Kind::of(&posted.order))) {
        if !hides_small || !sight.is_small(posted).await? {
            shown.push(sight.json(posted).await?);
        }
    }
    // The newest first; of two alike, the one posted later.
    shown.reverse();
    shown.sort_by_key(|order| std::cmp::Reverse(order[order_by].as_u64()));
    let total = shown.len() as u64;
    let (skip, take) = (usize::try_from(offset), usize::try_from(limit));
    let shown = shown.into_iter().skip(skip.unwrap_or(usize::MAX)).take(take.unwrap_or(usize::MAX));
    Ok(json!({
        "orders": shown.collect::<Value>(),
        "limit": limit,
        "offset": offset,
        "total": total,
        "hasMore": offset.saturating_add(limit) < total,
    })
    .into())
}

/// One request's view of a chain: its clock, its events, makers' funds.
struct Sight<'a> {
    app: &'a App,
    chain: &'a Chain,
    now: u64,
    trails: Trails,
    /// By maker and asset.
    funds: HashMap<(Address, Address), U256>,
}

impl<'a> Sight<'a> {
    async fn of(app: &'a App, chain: &'a Chain) -> Result<Self, Refusal> {
        let known = app.otc().trails(chain.id).cloned();
        let trails = match known {
            Some(trails) if !app.control.settings().indexing => trails,
            _ => read_trails(chain).await?,
        };
        app.otc().set_trails(chain.id, trails.clone());
        Ok(Self { app, chain, now: chain.now().await?, trails, funds: HashMap::new() })
    }

    /// The lesser of balance and allowance.
    async fn funds(&mut self, maker: Address, asset: Address) -> Result<U256, Refusal> {
        if let Some(funds) = self.funds.get(&(maker, asset)) {
            return Ok(*funds);
        }
        let (balance, allowance) =
            tokio::join!(self.chain.balance(asset, maker), self.chain.allowance_for(asset, maker, self.chain.rfq));
        let funds = balance?.min(allowance?);
        self.funds.insert((maker, asset), funds);
        Ok(funds)
    }

    async fn condition(&mut self, posted: &PostedOrder) -> Result<Condition, Refusal> {
        let (maker, asset) = (posted.order.maker, posted.order.makerAsset);
        let funds = self.funds(maker, asset).await?;
        let (cover, _) = self.cover(maker, asset, funds, posted.hash);
        let trail = self.trails.get(&(maker, posted.hash)).copied().unwrap_or_default();
        Ok(Condition { state: State::of(&posted.order, &trail, self.now, cover.swappable), trail, cover, funds })
    }

    fn cover(&self, maker: Address, asset: Address, funds: U256, hash: B256) -> (crate::otc::Cover, U256) {
        let book = self.app.otc();
        let mut orders = book.of_maker(self.chain.id, maker);
        orders.retain(|posted| posted.order.makerAsset == asset);
        cover(&orders, &self.trails, funds, self.now, hash)
    }

    async fn json(&mut self, posted: &PostedOrder) -> Result<Value, Refusal> {
        let condition = self.condition(posted).await?;
        let seen = self.app.otc().see(posted.hash, condition.state, condition.trail, self.now);
        Ok(seen.as_ref().unwrap_or(posted).json(&condition))
    }

    async fn is_small(&mut self, posted: &PostedOrder) -> Result<bool, Refusal> {
        let swappable = self.condition(posted).await?.cover.swappable;
        let dollars = usd::value_of(self.chain, posted.order.makerAsset, swappable).await?;
        Ok(dollars.parse::<f64>().is_ok_and(|dollars| dollars < SMALL_DOLLARS))
    }

    /// It has two meanings at the service: what live orders claim, or what is left for another.
    async fn fillable_balance(&mut self, maker: Address, asset: Address) -> Result<U256, Refusal> {
        if self.chain.token(asset).is_none() || asset == NATIVE {
            return Ok(U256::ZERO);
        }
        let funds = self.funds(maker, asset).await?;
        let (_, claimed) = self.cover(maker, asset, funds, B256::ZERO);
        Ok(match self.app.control.settings().otc_fillable {
            FillableReading::Reserved => claimed,
            FillableReading::Available => funds.saturating_sub(claimed),
        })
    }
}

fn chain_of<'a>(app: &'a App, text: &str) -> Result<&'a Chain, Refusal> {
    let chain = text.parse().ok().and_then(|id| app.chain(id));
    chain.map(|chain| &**chain).ok_or_else(|| Refusal::unsupported_chain(text))
}

/// `{chainId}/{address}`, and what comes after it.
fn chain_and_account<'a>(app: &'a App, call: &'a Call) -> Result<(&'a Chain, Address, Option<&'a str>), Refusal> {
    let mut parts = call.subject.as_deref().unwrap_or_default().splitn(3, '/');
    let chain = chain_of(app, parts.next().unwrap_or_default())?;
    let account = parts.next().and_then(read_address);
    let account = account.ok_or_else(|| Refusal::invalid("address must be an address"))?;
    Ok((chain, account, parts.next()))
}
