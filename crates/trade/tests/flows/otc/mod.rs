//! OTC orders, from the maker's offer to the taker's fill.

pub mod cancel;
mod covered;
mod fill;
pub mod made;
mod reading;
mod refused;
mod remaining;

use super::fake_host::{DEST, RFQ, Rig, SRC, Signer, hex_word, json, otc_hash, set, text};
use alloy_primitives::{Address, B256, U256, hex};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use verified_swap_trade::host::WalletFailure;
use verify::internal::json::Json;

/// 100 of SRC for 0.04 of DEST.
pub const OFFER: &str = r#"{"chainId":8453,"makerAsset":"0x1111111111111111111111111111111111111111","takerAsset":"0x2222222222222222222222222222222222222222","makerAmount":"100000000","takerAmount":"40000000000000000","makerDecimals":6,"takerDecimals":18,"makerSymbol":"USDX","takerSymbol":"WETX","expiry":1800003600}"#;
/// The decimals and symbols for a fill of such an order.
pub const DECIMALS: &str = r#"{"makerDecimals":6,"takerDecimals":18,"makerSymbol":"USDX","takerSymbol":"WETX"}"#;
const MAKER_KEY: [u8; 32] = [9; 32];

pub fn address(text: &str) -> Address {
    text.parse().unwrap()
}

/// The RFQ contract and the two tokens: what each account has, allows, and has left of its orders.
#[derive(Default)]
pub struct Market {
    pub remaining: HashMap<(Address, B256), U256>,
    pub balances: HashMap<(Address, Address), U256>,
    /// To the RFQ contract.
    pub allowances: HashMap<(Address, Address), U256>,
    /// Calls that were tried, but for reads.
    pub tried: Vec<Vec<u8>>,
    /// Calls that are tried revert.
    pub reverts: bool,
}

/// A taker's world, with a maker who has signed.
pub struct Desk {
    pub rig: Rig,
    pub market: Rc<RefCell<Market>>,
    pub maker: Signer,
}

pub fn desk() -> Desk {
    desk_in(Rig::default())
}

pub fn desk_in(rig: Rig) -> Desk {
    let maker = Signer::new(MAKER_KEY);
    let (who, taker) = (maker.accounts[0], rig.owner());
    let plenty = U256::from(10).pow(U256::from(20));
    let held = [(address(SRC), who), (address(DEST), taker)].map(|key| (key, plenty));
    let market = Market { balances: held.into(), allowances: held.into(), ..Market::default() };
    let market = Rc::new(RefCell::new(market));
    let mut chain = rig.world.chain.borrow_mut();
    for contract in [SRC, DEST, RFQ] {
        let (market, contract) = (market.clone(), address(contract));
        chain.node(8453).contracts.insert(contract, Box::new(move |call| market.borrow_mut().answer(contract, call)));
    }
    drop(chain);
    Desk { rig, market, maker }
}

impl Market {
    fn answer(&mut self, contract: Address, call: &Json) -> Result<Json, WalletFailure> {
        let data = hex::decode(text(call, "data")).unwrap();
        let word = |index: usize| B256::from_slice(&data[4 + 32 * index..][..32]);
        let who = |index: usize| Address::from_word(word(index));
        let found = |map: &HashMap<(Address, Address), U256>, owner| map.get(&(contract, owner)).copied();
        let value = match data[..4] {
            [0x31, 0x3c, 0xe5, 0x67] => U256::from(if contract == address(SRC) { 6 } else { 18 }),
            [0x70, 0xa0, 0x82, 0x31] => found(&self.balances, who(0)).unwrap_or_default(),
            [0xdd, 0x62, 0xed, 0x3e] => {
                assert_eq!(who(1), address(RFQ), "nobody else is asked about");
                found(&self.allowances, who(0)).unwrap_or_default()
            }
            [0x0b, 0x57, 0xf0, 0x91] => self.remaining.get(&(who(0), word(1))).copied().unwrap_or_default(),
            _ => {
                self.tried.push(data);
                if self.reverts {
                    let text = "08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000\
                                0d4163636573732064656e69656400000000000000000000000000000000000000";
                    let data = Some(hex::decode(text).unwrap());
                    return Err(WalletFailure { data, ..super::fake_host::failure(3, "execution reverted") });
                }
                return Ok(Json::String("0x".into()));
            }
        };
        Ok(Json::String(hex_word(value)))
    }
}

impl Desk {
    /// The maker's order of those members, signed, as the service tells it.
    pub fn order(&self, changes: &[(&str, &str)]) -> Json {
        let (maker, nobody) = (self.maker.accounts[0], Address::ZERO);
        let mut order = json(&format!(
            r#"{{"nonceAndMeta":"7","expiry":1800003600,"makerAsset":"{SRC}","takerAsset":"{DEST}","maker":"{maker}","taker":"{nobody}","makerAmount":"100000000","takerAmount":"40000000000000000","chainId":8453,"state":"PENDING","permitMakerAsset":null,"extra":1}}"#
        ));
        for (member, value) in changes {
            set(&mut order, member, value);
        }
        self.sign(&mut order);
        order
    }

    /// The maker signs what stands in it now.
    pub fn sign(&self, order: &mut Json) {
        let hash = otc_hash(order);
        set(order, "signature", &format!(r#""{}""#, hex::encode_prefixed(self.maker.sign(hash))));
        set(order, "orderHash", &format!(r#""{hash}""#));
    }

    /// The contract's word on what is left of an order.
    pub fn leaves(&self, order: &Json, remaining: u64) {
        let key = (self.maker.accounts[0], otc_hash(order));
        self.market.borrow_mut().remaining.insert(key, U256::from(remaining));
    }

    /// A fill's options: the decimals and these.
    pub fn fill(&self, order: &Json, more: &str) -> verify::internal::error::Result<Json> {
        let options = [DECIMALS.trim_end_matches('}'), more, "}"].concat();
        self.rig.call("otc.buildFill", order, &options)
    }

    /// The calldata of a build, after it was sent as it is.
    pub fn sent(&self, build: &Json) -> Vec<u8> {
        let sent = self.rig.call("submit", build, "{}").unwrap();
        assert_eq!(text(&sent, "kind"), "sent");
        let asked = self.rig.world.wallet_was_asked("eth_sendTransaction");
        let params = json(asked.last().unwrap());
        assert_eq!(text(&params, "0.to"), RFQ);
        assert_eq!(text(&params, "0.value"), "0x0");
        let data = hex::decode(text(&params, "0.data")).unwrap();
        assert_eq!(self.market.borrow().tried.last(), Some(&data), "what is sent was tried");
        assert_eq!(hex::encode_prefixed(&data), text(build, "transaction.data"));
        data
    }
}

/// A rig that reads no chain.
pub fn unread() -> Rig {
    let rig = Rig::with(|shared, _| shared.settings.rpc.clear());
    rig.world.signer.borrow_mut().chain_id = 1;
    rig
}
