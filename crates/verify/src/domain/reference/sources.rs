//! The references of a chain: the pools of one factory, and feeds; pinned, or given by the application.

use super::pinned::{FACTORIES, FEEDS, INIT_CODE_HASH, MOST_BACK, blocks_of, feed_decimals};
use crate::domain::asset::{ASSETS, Asset, wrapped_native};
use crate::domain::fields::Fields;
use crate::domain::input::{account, decimals_input, known};
use crate::domain::token::{self, NATIVE, is_native};
use crate::error::Result;
use crate::json::JsonAt;
use alloy_primitives::{Address, B256};

/// The highest number of dollar tokens, and of feeds, of one chain.
const MOST: usize = 32;
/// The chain whose native token is a dollar.
const GNOSIS: u64 = 100;
/// The tickers whose feeds serve tokens of other names.
const ALIASES: [(&str, &str); 2] = [("WBTC", "BTC"), ("cbBTC", "BTC")];

/// Why a reference has no price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It does not exist, or has no price of this pair.
    None,
    /// Pools exist and are deep by now, but have no history, or were not deep in it.
    NoHistory,
    /// The client reads no references (`reference: false`), or there is no client (`verifyOrder`).
    Unasked,
    /// It is pinned or exists, and gave no answer, or none with a price.
    Silent,
    /// Its chain could not be read.
    Unread,
}

/// Each reason with its name in JavaScript.
pub const WHYS: [(Why, &str); 5] = [
    (Why::None, "none"),
    (Why::NoHistory, "noHistory"),
    (Why::Unasked, "unasked"),
    (Why::Silent, "silent"),
    (Why::Unread, "unread"),
];

impl Why {
    /// Its name in JavaScript.
    pub fn name(self) -> &'static str {
        WHYS.iter().find(|(why, _)| *why == self).map_or("", |(_, name)| name)
    }
}

/// A feed of a token's price in dollars, read as Chainlink's aggregators are
/// (<https://docs.chain.link/data-feeds/api-reference>).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feed {
    /// The token; the wrapped form of the native one.
    pub token: Address,
    /// The feed's contract.
    pub feed: Address,
    /// The decimals that its answers must have.
    pub decimals: u8,
    /// The longest time between two updates, in seconds.
    pub heartbeat_secs: u32,
}

/// The references of one chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// The factory of pools with Uniswap V3's interface; zero for none.
    pub factory: Address,
    /// The hash of the code that creates its pools, from which their addresses are derived (CREATE2, EIP-1014).
    pub init_code_hash: B256,
    /// The ERC-20 form of the native token, for which pools have a price; zero for none.
    pub wrapped: Address,
    /// Stablecoins of one dollar, with their decimals.
    pub dollars: Vec<(Address, u8)>,
    /// The price feeds to read.
    pub feeds: Vec<Feed>,
    /// How many blocks back the depth of pools is checked.
    pub blocks_back: u64,
    /// The milliseconds of a block; `None` if they are not known.
    pub block_ms: Option<u64>,
}

impl Sources {
    /// The references that this package has; `None` for a chain that has none.
    pub fn pinned(chain_id: u64) -> Option<Sources> {
        let factory = FACTORIES.iter().find(|(id, _)| *id == chain_id).map(|(_, factory)| *factory)?;
        let mut sources = Sources {
            factory,
            init_code_hash: INIT_CODE_HASH,
            wrapped: wrapped_native(chain_id).unwrap_or_default(),
            blocks_back: blocks_of(chain_id).map_or(MOST_BACK, |(back, _)| back),
            block_ms: blocks_of(chain_id).map(|(_, ms)| ms),
            ..Sources::default()
        };
        for Asset { symbol, is_dollar, tokens } in &ASSETS {
            for (_, token, decimals) in tokens.iter().filter(|(id, token, _)| *id == chain_id && *token != NATIVE) {
                sources.dollars.extend(is_dollar.then_some((*token, *decimals)));
                sources.feeds.extend(feed_of(chain_id, symbol, *token));
            }
        }
        if chain_id == GNOSIS {
            // The native token is a dollar there, and in no row of that table.
            sources.dollars.push((sources.wrapped, 18));
            sources.feeds.extend(feed_of(chain_id, "DAI", sources.wrapped));
        }
        Some(sources)
    }

    /// Reads one entry of the option `references`.
    ///
    /// # Errors
    /// INVALID_INPUT with the member that is missing, unknown or malformed.
    pub fn read(at: &JsonAt<'_>) -> Result<Sources> {
        known(at, &["factory", "initCodeHash", "wrappedNative", "dollars", "feeds", "blocksBack"])?;
        let mut sources = Sources { init_code_hash: INIT_CODE_HASH, blocks_back: MOST_BACK, ..Sources::default() };
        let mut fields = Fields::of(at);
        fields.optional("factory", account, &mut sources.factory);
        fields.optional("initCodeHash", |at| at.fixed::<32>().map(B256::from), &mut sources.init_code_hash);
        fields.optional("wrappedNative", account, &mut sources.wrapped);
        fields.optional("dollars", |at| list(at, dollar), &mut sources.dollars);
        fields.optional("feeds", |at| list(at, feed), &mut sources.feeds);
        fields.optional("blocksBack", blocks, &mut sources.blocks_back);
        fields.finish()?;
        let wrapped = sources.wrapped;
        for feed in sources.feeds.iter_mut().filter(|feed| is_native(feed.token)) {
            feed.token = wrapped;
        }
        Ok(sources)
    }

    /// A token as pools and feeds have it: the wrapped form in place of the native token.
    pub fn token(&self, token: Address) -> Address {
        if is_native(token) { self.wrapped } else { token }
    }

    /// The tokens against which others have pools: the native token's wrapped form first, then the dollars.
    pub fn hubs(&self) -> Vec<Address> {
        let wrapped = Some(self.wrapped).filter(|wrapped| !wrapped.is_zero());
        let dollars = self.dollars.iter().map(|(token, _)| *token).filter(|token| *token != self.wrapped);
        wrapped.into_iter().chain(dollars).collect()
    }

    /// The decimals of a token, if it is one of the dollars.
    pub fn dollar_decimals(&self, token: Address) -> Option<u8> {
        self.dollars.iter().find(|(dollar, _)| *dollar == token).map(|(_, decimals)| *decimals)
    }
}

/// The pinned feed of an asset, as that of its token.
fn feed_of(chain_id: u64, symbol: &str, token: Address) -> Option<Feed> {
    let ticker = ALIASES.iter().find(|(name, _)| *name == symbol).map_or(symbol, |(_, ticker)| *ticker);
    let (_, _, feed, secs) = FEEDS.iter().find(|(id, name, ..)| *id == chain_id && *name == ticker)?;
    Some(Feed { token, feed: *feed, decimals: feed_decimals(chain_id), heartbeat_secs: *secs })
}

/// Reads a list of at most [`MOST`] items.
fn list<T>(at: &JsonAt<'_>, read: fn(&JsonAt<'_>) -> Result<T>) -> Result<Vec<T>> {
    let items: Vec<_> = at.items()?.collect();
    if items.len() > MOST {
        return Err(at.fault("at most 32 items"));
    }
    items.iter().map(read).collect()
}

/// Reads how many blocks back pools are checked: two blocks are read, so it is more than one.
fn blocks(at: &JsonAt<'_>) -> Result<u64> {
    at.integer(MOST_BACK).ok().filter(|back| *back >= 2).ok_or_else(|| at.fault("a number from 2 to 120"))
}

/// Reads `{ address, decimals }`.
fn dollar(at: &JsonAt<'_>) -> Result<(Address, u8)> {
    known(at, &["address", "decimals"])?;
    Ok((account(&at.get("address"))?, decimals_input(&at.get("decimals"))?))
}

/// Reads `{ token, feed, decimals, heartbeatSecs }`.
fn feed(at: &JsonAt<'_>) -> Result<Feed> {
    known(at, &["token", "feed", "decimals", "heartbeatSecs"])?;
    let secs = at.get("heartbeatSecs").integer(u32::MAX.into())?;
    Ok(Feed {
        token: token::read(&at.get("token"))?,
        feed: account(&at.get("feed"))?,
        decimals: decimals_input(&at.get("decimals"))?,
        heartbeat_secs: u32::try_from(secs).unwrap_or(u32::MAX),
    })
}
