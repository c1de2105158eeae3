//! A call that reads pools or feeds of a chain: an `eth_call` without `to`, whose data is the code of a small contract
//! and its input. The return data of the creation is the answer, so that nothing has to be deployed. A Multicall3 could
//! not walk a pool's ticks, and would need a call for every window of every pool that may exist.
//!
//! The code is `tests/sandbox/contracts/reference/Lens.yul`, which documents input and output.
//! `tests/vectors/pinned.test.mjs` compares it with the compiler's output.

use super::chain_prices::ChainPrices;
use super::pools::{Block, History, Place, Pool};
use super::sources::{Feed, Sources};
use alloy_primitives::{Address, U256, hex, keccak256};

/// The compiled lens.
pub const LENS: [u8; 1010] = hex!(
    "6b313ce567feaf968c883bdbfd6020526020604052600360605261012c60a0524260e052436101005263a3b1b31d5f5260205f6004601c60"
    "6461c350fa60203d14166101b5575b6103f2610120600182601f39600160ff5f51169201915b38831061006d575060df190160e0f35b6020"
    "835f395f5160601c905f92602091805f1461016a575f190193606082019361009785826101c0565b6100ae575b50601493505b8152019201"
    "919061005d565b919250506001906060936100d26100c582846101ef565b8060208701528284610304565b604085015267012c025804b007"
    "08805b6100f2575b50849392915061009c565b61ffff8116806080526101408360a4603c87620f4240fa6101403d14166003610120880151"
    "14600360a0890151141660c0608089015114604086511416161661013f575060101c806100e2565b91949350506014945060609150928160"
    "c0840180925e6101408301905e610120925f809392936100e7565b938360808360046038875f83603460149c6207a120fa601f3d11166101"
    "005f511016946207a120fa609f3d111616156100a257505f51606080830151604084015292506001016100a2565b5f516101005261004656"
    "5b906040816024815f9695633850c7bd60e01b82525f600483015261c350fa601f3d11166101ea5750565b519150565b906040816024815f"
    "9695633850c7bd60e01b82525f600483015261c350fa603f3d11166102195750565b602001519150565b906040816024815f96956334324e"
    "9f60e21b82525f600483015261c350fa601f3d11166101ea5750565b906040816024815f9695630d34328160e11b82525f600483015261c3"
    "50fa601f3d11166101ea5750565b63299ce14b60e11b8252600884901d600483019081525f959493866040856024818761c350fa601f3d11"
    "166102fc575b60ff86161c6001166102b9575b5050505050565b83949596509280926024926040955f9863f30dba9360e01b855202905261"
    "c350fa603f3d11166102f0575b50905f808080806102b2565b6020915001515f6102e4565b5083516102a5565b5f93926103118383610221"
    "565b5f811361031f575b50505050565b8091929395505f1981015f841202830305945f199360015b6003810161035457505050505060c891"
    "925004905f808080610319565b600181148801610364848461024b565b9060c8830287015f9288905b858383036103a65750505050505f81"
    "1261039f575b868110610397575b5060011901610337565b95505f61038d565b505f610385565b9091929394898602935f86860384021361"
    "03ea575b84038202830201948484036103d4575b01929190610370565b916103e1838b8b8b610275565b820201916103cb565b8594506103"
    "bb56"
);

/// The fees of the pools that may be references, in hundredths of a basis point: those that every factory has.
pub const FEES: [u32; 4] = [100, 500, 3_000, 10_000];
/// The highest number of pools in one call: the count is one byte.
const MOST_POOLS: usize = 255;

/// The query to the references of one chain for some tokens.
pub struct LensCall {
    /// The references to read.
    pub sources: Sources,
    /// The pools, in the order of the call.
    pub pools: Vec<Place>,
    /// The feeds, in the order of the call.
    pub feeds: Vec<Feed>,
}

impl LensCall {
    /// Queries the pools of each token with each hub, of the native token with the dollars, and the feeds of all of
    /// these. A native token stands for its wrapped form.
    pub fn of(sources: Sources, tokens: &[Address]) -> LensCall {
        let hubs = sources.hubs();
        let wrapped = Some(sources.wrapped).filter(|wrapped| !wrapped.is_zero());
        let mut asked: Vec<Address> = Vec::new();
        let mut pools: Vec<Place> = Vec::new();
        for token in tokens.iter().map(|token| sources.token(*token)).chain(wrapped) {
            if asked.contains(&token) || token.is_zero() {
                continue;
            }
            asked.push(token);
            for hub in hubs.iter().filter(|hub| **hub != token && !sources.factory.is_zero()) {
                let (token0, token1) = if *hub < token { (*hub, token) } else { (token, *hub) };
                if pools.iter().any(|known| (known.token0, known.token1) == (token0, token1)) {
                    continue;
                }
                pools.extend(FEES.map(|fee| Place { token0, token1, address: sources.pool(token0, token1, fee) }));
            }
        }
        pools.truncate(MOST_POOLS);
        // The feeds of the hubs too: the bridge input is one of them, which is not known yet.
        let is_asked = |feed: &&Feed| asked.contains(&feed.token) || hubs.contains(&feed.token);
        let feeds = sources.feeds.iter().filter(is_asked).cloned().collect();
        LensCall { sources, pools, feeds }
    }

    /// The data of the call that reads these pools.
    pub fn pool_data(pools: &[Place]) -> Vec<u8> {
        data(pools.len(), pools.iter().map(|pool| pool.address))
    }

    /// The data of the call that reads the feeds.
    pub fn feed_data(&self) -> Vec<u8> {
        data(0, self.feeds.iter().map(|feed| feed.feed))
    }

    /// The answer for these pools; `None` if its words do not match the call.
    pub fn read_pools(places: &[Place], answer: &[u8]) -> Option<Block> {
        let mut words = Words::of(answer)?;
        let mut block = Block { time: words.number()?, number: words.number()?, pools: vec![] };
        for place in places {
            let window = words.next()?;
            if window.is_zero() {
                continue;
            }
            let (tick, around) = (words.next()?, words.next()?);
            // A window of one second stands for none.
            let history = match window == U256::from(1) {
                true => None,
                false => Some(History { window, ticks: words.three()?, seconds: words.three()? }),
            };
            block.pools.extend(Pool::of(place, tick, around, history));
        }
        words.is_over().then_some(block)
    }

    /// Adds the answer of the feeds. Returns whether its words match this call.
    pub fn read_feeds(&self, answer: &[u8], reading: &mut ChainPrices) -> bool {
        let read = || {
            let mut words = Words::of(answer)?;
            let mut heard = ChainPrices::new(&self.sources);
            heard.time = words.number()?;
            words.next()?;
            for feed in &self.feeds {
                let decimals = words.next()?;
                if !decimals.is_zero() {
                    heard.read_feed(feed, decimals, words.next()?, words.next()?);
                }
            }
            words.is_over().then_some(heard)
        };
        let heard = read();
        let is_answer = heard.is_some();
        heard.into_iter().for_each(|heard| reading.add_feeds(heard));
        is_answer
    }
}

/// The lens with its input.
fn data(pools: usize, addresses: impl Iterator<Item = Address>) -> Vec<u8> {
    let mut data = LENS.to_vec();
    data.push(u8::try_from(pools).unwrap_or_default());
    addresses.for_each(|address| data.extend_from_slice(address.as_slice()));
    data
}

/// The words of an answer, one after the other.
struct Words<'a>(std::slice::Iter<'a, [u8; 32]>);

impl Words<'_> {
    /// `None` if the last word is incomplete.
    fn of(answer: &[u8]) -> Option<Words<'_>> {
        let (words, rest) = answer.as_chunks::<32>();
        rest.is_empty().then(|| Words(words.iter()))
    }

    fn next(&mut self) -> Option<U256> {
        self.0.next().map(|word| U256::from_be_bytes(*word))
    }

    fn number(&mut self) -> Option<u64> {
        u64::try_from(self.next()?).ok()
    }

    fn three(&mut self) -> Option<[U256; 3]> {
        Some([self.next()?, self.next()?, self.next()?])
    }

    fn is_over(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}

impl Sources {
    /// The address of the pool of two tokens, the lower one first, with that fee: CREATE2 of the factory, with the hash
    /// of the three as salt.
    ///
    /// ```
    /// use alloy_primitives::address;
    /// use verified_swap_verify::internal::domain::reference::sources::Sources;
    /// let (usdc, weth) =
    ///     (address!("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"), address!("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"));
    /// let pool = Sources::pinned(1).unwrap().pool(usdc, weth, 500);
    /// assert_eq!(pool, address!("0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640"));
    /// ```
    pub fn pool(&self, token0: Address, token1: Address, fee: u32) -> Address {
        let words = [token0.into_word(), token1.into_word(), U256::from(fee).into()];
        self.factory.create2(keccak256(words.map(|word| word.0).as_flattened()), self.init_code_hash)
    }
}
