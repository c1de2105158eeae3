//! One question that all witnesses of a chain answer: an `eth_call` without `to`, whose data is the code of a small
//! contract and its input. What a creation returns is the answer, so that nothing has to be deployed. A Multicall3 could
//! not walk a pool's ticks, and would have to be asked for every window of every pool that may exist.
//!
//! The code is `tests/sandbox/contracts/witness/Lens.yul`, which says what goes in and what comes out.
//! `tests/vectors/pinned.test.mjs` compares it with what the compiler makes of that.

use super::pools::Place;
use super::reading::Reading;
use super::sources::{Feed, Sources};
use alloy_primitives::{Address, U256, hex, keccak256};

/// The compiled lens.
pub const LENS: [u8; 882] = hex!(
    "6b313ce567feaf968c883bdbfd6020526020604052600360605261012c60a0524260e05261010061037290600182601f3960015f51920191"
    "5b388310610048575060df190160e0f35b6020835f395f5160601c915f602092805f14610111575f19019367012c025804b00708805b6100"
    "86575b505090601492915b81520192019190610038565b61ffff8116806080526101408560a4603c86620f4240fa6101403d141690600360"
    "c08701511460036040880151141691602087019260c084511460408951141616166100d757505060101c8061006d565b6014965094935060"
    "609150818401905e61010260e0830191606083608086015e610100840190610279565b9052610100925f929192610072565b939081608084"
    "60046038885f83603460149c9b9a6207a120fa601f3d11166101005f511016946207a120fa609f3d1116161561007a57505f516060808301"
    "516040840152925060010161007a565b906040816024815f9695633850c7bd60e01b82525f600483015261c350fa603f3d11166101895750"
    "565b602001519150565b906040816024815f96956334324e9f60e21b82525f600483015261c350fa601f3d11166101bb5750565b51915056"
    "5b906040816024815f9695630d34328160e11b82525f600483015261c350fa601f3d11166101bb5750565b63299ce14b60e11b8252600884"
    "901d600483019081525f959493866040856024818761c350fa601f3d1116610271575b60ff86161c60011661022e575b5050505050565b83"
    "949596509280926024926040955f9863f30dba9360e01b855202905261c350fa603f3d1116610265575b50905f80808080610227565b6020"
    "915001515f610259565b50835161021a565b905f9291610287828261015f565b6102918383610191565b5f811361029f575b50505050565b"
    "8091929395505f1981015f841202830305945f199360015b600381016102d457505050505060c891925004905f808080610299565b600181"
    "1488016102e484846101c0565b9060c8830287015f9288905b858383036103265750505050505f811261031f575b868110610317575b5060"
    "0119016102b7565b95505f61030d565b505f610305565b9091929394898602935f86860384021361036a575b840382028302019484840361"
    "0354575b019291906102f0565b91610361838b8b8b6101ea565b8202019161034b565b85945061033b56"
);

/// The fees of the pools that may testify, in hundredths of a basis point: those that every factory has.
pub const FEES: [u32; 4] = [100, 500, 3_000, 10_000];
/// The highest number of pools in one question, whose count is one byte.
const MOST_POOLS: usize = 255;

/// What the witnesses of one chain are asked about some tokens.
pub struct Question {
    /// Who is asked.
    pub sources: Sources,
    /// The pools, in the order in which they are asked.
    pub pools: Vec<Place>,
    /// The feeds, in that order.
    pub feeds: Vec<Feed>,
}

impl Question {
    /// Asks for the pools of each token with each hub, of the native token with the dollars, and for the feeds of all of
    /// these. A native token stands for its wrapped form.
    pub fn of(sources: Sources, tokens: &[Address]) -> Question {
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
        // The feeds of the hubs too: what enters a bridge is one of them, which is not known yet.
        let is_asked = |feed: &&Feed| asked.contains(&feed.token) || hubs.contains(&feed.token);
        let feeds = sources.feeds.iter().filter(is_asked).cloned().collect();
        Question { sources, pools, feeds }
    }

    /// The data of the call.
    pub fn data(&self) -> Vec<u8> {
        let mut data = LENS.to_vec();
        data.push(u8::try_from(self.pools.len()).unwrap_or_default());
        let feeds = self.feeds.iter().map(|feed| feed.feed);
        for address in self.pools.iter().map(|pool| pool.address).chain(feeds) {
            data.extend_from_slice(address.as_slice());
        }
        data
    }

    /// What the witnesses answered; `None` if those are not the words of an answer to this question.
    pub fn read(&self, answer: &[u8]) -> Option<Reading> {
        let (words, rest) = answer.as_chunks::<32>();
        let mut words = words.iter().map(|word| U256::from_be_bytes(*word));
        let time = u64::try_from(words.next()?).ok()?;
        let mut reading = Reading::new(&self.sources, time);
        for place in &self.pools {
            let window = words.next()?;
            if !window.is_zero() {
                let mut said = [U256::ZERO; 7];
                for word in &mut said {
                    *word = words.next()?;
                }
                reading.hear_pool(place, window, said);
            }
        }
        for feed in &self.feeds {
            let decimals = words.next()?;
            if !decimals.is_zero() {
                reading.hear_feed(feed, decimals, words.next()?, words.next()?);
            }
        }
        (rest.is_empty() && words.next().is_none()).then_some(reading)
    }
}

impl Sources {
    /// The address of the pool of two tokens, the lower one first, with that fee: CREATE2 of the factory, with the hash of
    /// the three as salt.
    ///
    /// ```
    /// use alloy_primitives::address;
    /// use verified_swap::domain::witness::sources::Sources;
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
