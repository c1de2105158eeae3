//! COMPLETED, as the chain shows it or does not.

use super::fake_host::{DELTA, DEST, NATIVE, Node, Rig, SELL, SRC, Watched, at, hex_word, json, set, text, with};
use super::kinds::{Kind, kinds};
use alloy_primitives::{Address, B256, U256, keccak256};
use verify::internal::json::Json;

/// The transaction of a fill, here and on another chain.
const FILL: &str = "0xf111111111111111111111111111111111111111111111111111111111111111";
const ARRIVAL: &str = "0xa111111111111111111111111111111111111111111111111111111111111111";
const SECOND: &str = "0xf222222222222222222222222222222222222222222222222222222222222222";

fn word(address: &str) -> String {
    hex_word(address.parse::<Address>().unwrap().into_word().into())
}

fn transfer(token: &str, from: &str, to: &str, amount: U256) -> String {
    let topic = keccak256("Transfer(address,address,uint256)");
    let (from, to, amount) = (word(from), word(to), hex_word(amount));
    format!(r#"{{"address":"{token}","topics":["{topic}","{from}","{to}"],"data":"{amount}"}}"#)
}

/// The log of an order by the contract. Its name is not public; the hash may as well be in the data.
fn settled_log(address: &str, hash: &str) -> String {
    let topic = keccak256("SomethingSettled(bytes32)");
    format!(r#"{{"address":"{address}","topics":["{topic}","{hash}"],"data":"0x"}}"#)
}

fn receipt(status: u8, logs: &[String]) -> Json {
    json(&format!(r#"{{"status":"{status:#x}","blockNumber":"0x64","logs":[{}]}}"#, logs.join(",")))
}

/// An order of that kind that is COMPLETED by one fill, another client in the same world, and the least that has to arrive.
struct Done {
    rig: Rig,
    other: Rig,
    order: Json,
    least: U256,
}

impl Done {
    fn new(kind: &Kind) -> Done {
        let rig = kind.rig();
        rig.world.chain.borrow_mut().node(10);
        let build = kind.built(&rig).unwrap();
        let order = rig.submit(&build).unwrap();
        let other = Rig::in_world(rig.world.clone(), |_, _| {});
        let arrives = build.get("destination").map(|destination| text(destination, "minReceived"));
        let least = arrives.unwrap_or_else(|| text(&build, "minReceived")).parse().unwrap();
        rig.world.service.borrow_mut().statuses = ["COMPLETED"].into();
        let done = Done { rig, other, order, least };
        done.fills(&[FILL]);
        done
    }

    fn of(request: &str) -> Done {
        let mut kind = kinds().remove(0);
        kind.request = request.into();
        Done::new(&kind)
    }

    fn fills(&self, hashes: &[&str]) {
        let fill = |hash: &&str| {
            format!(
                r#"{{"originTx":"{hash}","destinationTx":"{ARRIVAL}","filledPercent":50.00,"spentAmount":"1","receivedAmount":"1"}}"#
            )
        };
        let fills: Vec<String> = hashes.iter().map(fill).collect();
        self.rig.world.service.borrow_mut().fills = format!("[{}]", fills.join(","));
    }

    fn hash(&self) -> &str {
        text(&self.order, "orderHash")
    }

    fn node(&self, change: impl FnOnce(&mut Node)) {
        change(self.rig.world.chain.borrow_mut().node(8453));
    }

    fn mined(&self, hash: &str, receipt: Json) {
        self.node(|node| drop(node.mined.insert(hash.into(), receipt)));
    }

    /// The payment of the token that is bought on this chain to the beneficiary.
    fn paid(&self, amount: U256) -> String {
        transfer(DEST, DELTA, text(&self.order, "beneficiary"), amount)
    }

    fn honest(&self) -> Vec<String> {
        vec![settled_log(DELTA, self.hash()), self.paid(self.least)]
    }

    #[track_caller]
    fn is(&self, settled: &str) {
        for name in ["id", "orderHash"] {
            let read = self.rig.call("order", at(&self.order, name), "{}").unwrap();
            assert_eq!(text(&read, "settled"), settled, "by {name}");
        }
        assert_eq!(text(&waited(&self.rig, &self.order), "settled"), settled, "waited for");
    }
}

fn waited(rig: &Rig, order: &Json) -> Json {
    let mut watched = Watched::of(order);
    let last = watched.one(rig).unwrap().unwrap();
    assert_eq!(watched.one(rig).unwrap(), None);
    last
}

#[test]
fn a_fill_that_the_chain_shows_is_seen_by_any_client() {
    let done = Done::of(SELL);
    done.mined(FILL, receipt(1, &done.honest()));
    done.is("seen");
    let read = done.other.call("order", at(&done.order, "id"), "{}").unwrap();
    assert_eq!(text(&read, "settled"), "seen");
    // More than the least, in several transfers, the hash among the data.
    let (one, hash) = (U256::from(1), done.hash().trim_start_matches("0x"));
    let told = format!(r#"{{"address":"{DELTA}","topics":[],"data":"0x{}{hash}"}}"#, "00".repeat(32));
    done.mined(FILL, receipt(1, &[told, done.paid(one), done.paid(done.least)]));
    done.is("seen");
}

#[test]
fn with_two_nodes_both_have_to_show_it() {
    let mut done = Done::of(SELL);
    done.other.with_references();
    let read = |done: &Done| {
        let read = done.other.call("order", at(&done.order, "id"), "{}").unwrap();
        text(&read, "settled").to_owned()
    };
    // A receipt that one of them made up, or that one of them has and the other denies.
    let shown = receipt(1, &done.honest());
    for known in [Json::Null, receipt(0, &[]), receipt(1, &[])] {
        for liar in [8453, 2] {
            done.mined(FILL, known.clone());
            let told = shown.clone();
            let lie = move |method: &str, _: &Json, known| {
                if method == "eth_getTransactionReceipt" { Ok(told.clone()) } else { known }
            };
            done.rig.world.chain.borrow_mut().liar = Some((liar, Box::new(lie)));
            assert_eq!(read(&done), "claimed");
        }
    }
    done.rig.world.chain.borrow_mut().liar = None;
    done.mined(FILL, shown);
    assert_eq!(read(&done), "seen");
}

#[test]
fn an_order_with_any_proof_missing_is_claimed() {
    let done = Done::of(SELL);
    let (honest, owner) = (done.honest(), text(&done.order, "owner").to_owned());
    let (log, paid) = (honest[0].clone(), honest[1].clone());
    let other = format!("0x{}", "ab".repeat(32));
    let short = done.least - U256::from(1);
    for (name, receipt) in [
        ("no receipt", Json::Null),
        ("it reverted", receipt(0, &honest)),
        ("a node that says no status", json(&format!(r#"{{"blockNumber":"0x64","logs":[{}]}}"#, honest.join(",")))),
        ("no logs", receipt(1, &[])),
        ("nothing of the order", receipt(1, std::slice::from_ref(&paid))),
        ("another order's", receipt(1, &[settled_log(DELTA, &other), paid.clone()])),
        ("another contract's word", receipt(1, &[settled_log(SRC, done.hash()), paid.clone()])),
        ("nothing paid", receipt(1, std::slice::from_ref(&log))),
        ("a unit too little", receipt(1, &[log.clone(), done.paid(short)])),
        ("paid to somebody else", receipt(1, &[log.clone(), transfer(DEST, DELTA, SRC, done.least)])),
        ("another token", receipt(1, &[log.clone(), transfer(SRC, DELTA, &owner, done.least)])),
        ("what went out", receipt(1, &[log.clone(), transfer(DEST, &owner, DELTA, done.least)])),
        ("to himself", receipt(1, &[log.clone(), transfer(DEST, &owner, &owner, done.least)])),
        ("another event", receipt(1, &[log, paid.replacen("0xddf252ad", "0xddf252ae", 1)])),
        ("nonsense", json("[]")),
        ("nonsense inside", json(r#"{"status":"0x1","blockNumber":"0x64","logs":[7,{"address":"x"},null]}"#)),
    ] {
        done.mined(FILL, receipt);
        let read = done.rig.call("order", at(&done.order, "id"), "{}").unwrap();
        assert_eq!(text(&read, "settled"), "claimed", "{name}");
    }
    done.mined(FILL, receipt(1, &honest));
    done.is("seen");
    for fills in ["[]", "null", "7", r#"[{"originTx":null}]"#, r#"[{"originTx":"0x12"}]"#, r#"[{}]"#] {
        done.rig.world.service.borrow_mut().fills = fills.into();
        done.is("claimed");
    }
    done.fills(&[FILL]);
    done.node(|node| node.unreachable = true);
    done.is("claimed");
    done.node(|node| node.unreachable = false);
    done.is("seen");
    // Nothing that could read the chain.
    done.rig.world.signer.borrow_mut().chain_id = 1;
    let blind = Rig::in_world(done.rig.world.clone(), |shared, _| shared.settings.rpc.clear());
    assert_eq!(text(&waited(&blind, &done.order), "settled"), "claimed");
    // The wallet, where it is on that chain.
    done.rig.world.signer.borrow_mut().chain_id = 8453;
    assert_eq!(text(&waited(&blind, &done.order), "settled"), "seen");
}

#[test]
fn only_what_is_completed_is_looked_at_and_no_list_is() {
    let done = Done::of(SELL);
    done.mined(FILL, receipt(1, &done.honest()));
    done.rig.world.service.borrow_mut().lists = true;
    let asked = done.rig.world.questions.borrow().len();
    let page =
        done.rig.call("orders", &json(&format!(r#"{{"account":"{}"}}"#, text(&done.order, "owner"))), "{}").unwrap();
    assert_eq!(at(&page, "orders.0").get("settled"), None);
    for status in ["ACTIVE", "FAILED", "CANCELLED", "BRIDGING", "completed"] {
        done.rig.world.service.borrow_mut().statuses = [status].into();
        let read = done.rig.call("order", at(&done.order, "id"), "{}").unwrap();
        assert_eq!(read.get("settled"), None, "{status}");
    }
    assert_eq!(done.rig.world.questions.borrow().len(), asked);
}

#[test]
fn a_nonce_that_became_used_in_the_fills_block_shows_the_order_too() {
    let done = Done::of(SELL);
    done.mined(FILL, receipt(1, &[done.paid(done.least)]));
    for (used_from, settled) in [(Some(100), "seen"), (Some(99), "claimed"), (Some(101), "claimed"), (None, "claimed")]
    {
        done.node(|node| node.nonces_used_from = used_from);
        done.is(settled);
    }
    // Several fills show none.
    done.node(|node| node.nonces_used_from = Some(100));
    done.mined(SECOND, receipt(1, &[done.paid(done.least)]));
    done.fills(&[FILL, SECOND]);
    done.is("claimed");
}

#[test]
fn several_fills_are_summed_and_each_is_the_orders() {
    let done = Done::of(SELL);
    let half = done.least / U256::from(2);
    let part = |amount| receipt(1, &[settled_log(DELTA, done.hash()), done.paid(amount)]);
    done.mined(FILL, part(half));
    done.is("claimed");
    done.fills(&[FILL, SECOND]);
    done.is("claimed");
    done.mined(SECOND, part(done.least - half));
    done.is("seen");
    // The same one twice is one.
    done.fills(&[FILL, FILL]);
    done.is("claimed");
    done.fills(&[FILL, SECOND]);
    done.mined(SECOND, receipt(1, &[done.paid(done.least)]));
    done.is("claimed");
    // More than anybody looks at.
    let many: Vec<String> = (0..33).map(|number| hex_word(U256::from(1_000 + number))).collect();
    for hash in &many {
        done.mined(hash, part(done.least));
    }
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let asked = done.rig.world.questions.borrow().len();
    done.fills(&many);
    done.is("claimed");
    assert_eq!(done.rig.world.questions.borrow().len(), asked, "nothing is asked for so many");
    done.fills(&many[..32]);
    done.is("seen");
}

#[test]
fn native_payments_are_seen_by_the_balance_before_and_after() {
    let done = Done::of(&SELL.replace(DEST, NATIVE));
    let beneficiary: Address = text(&done.order, "beneficiary").parse().unwrap();
    done.mined(FILL, receipt(1, &[settled_log(DELTA, done.hash())]));
    let one = U256::from(1);
    for (before, after, settled) in [
        (one, done.least + one, "seen"),
        (one, done.least, "claimed"),
        (done.least, one, "claimed"),
        (U256::ZERO, U256::ZERO, "claimed"),
    ] {
        done.node(|node| {
            node.past_native_balances.insert((beneficiary, 99), before);
            node.past_native_balances.insert((beneficiary, 100), after);
        });
        done.is(settled);
    }
    // Two fills in one block brought what they brought once.
    let half = done.least / U256::from(2) + one;
    done.node(|node| {
        node.past_native_balances.insert((beneficiary, 99), U256::ZERO);
        node.past_native_balances.insert((beneficiary, 100), half);
    });
    done.mined(SECOND, receipt(1, &[settled_log(DELTA, done.hash())]));
    done.fills(&[FILL, SECOND]);
    done.is("claimed");
}

#[test]
fn crosschain_both_chains_have_to_show_it() {
    let bridge = with(SELL, r#""destChainId":10"#);
    let done = Done::of(&bridge);
    let rig = Rig::in_world(done.rig.world.clone(), |shared, _| {
        shared.settings.rpc.push((10, super::fake_host::Place::Node(10)));
        shared.ledger.records = std::cell::RefCell::new(done.rig.client.shared.ledger.records.borrow().clone());
    });
    let done = Done { rig, ..done };
    let arrives = |amount: U256| {
        let log = transfer(DEST, SRC, text(&done.order, "beneficiary"), amount);
        done.rig.world.chain.borrow_mut().node(10).mined.insert(ARRIVAL.into(), receipt(1, &[log]));
    };
    done.mined(FILL, receipt(1, &[settled_log(DELTA, done.hash())]));
    done.is("claimed");
    arrives(done.least - U256::from(1));
    done.is("claimed");
    arrives(done.least);
    done.is("seen");
    // An arrival on this chain is none on that one.
    done.mined(FILL, receipt(1, &[done.paid(done.least)]));
    done.is("claimed");
    done.mined(FILL, receipt(1, &[settled_log(DELTA, done.hash())]));
    done.rig.world.chain.borrow_mut().node(10).unreachable = true;
    done.is("claimed");
    done.rig.world.chain.borrow_mut().node(10).unreachable = false;
    done.is("seen");
    // How much has to arrive, only the client knows that was told.
    let rig = Rig::in_world(done.rig.world.clone(), |shared, _| {
        shared.settings.rpc.push((10, super::fake_host::Place::Node(10)));
    });
    let read = rig.call("order", at(&done.order, "id"), "{}").unwrap();
    assert_eq!((text(&read, "settled"), read.get("unverified")), ("claimed", None));
}

#[test]
fn each_kind_on_one_chain_is_seen_with_what_it_guarantees_and_not_below() {
    for kind in kinds().iter().filter(|kind| !kind.request.contains("destChainId")) {
        let done = Done::new(kind);
        let has_handler = kind.options.contains("handler");
        for (amount, settled) in [(done.least, "seen"), (done.least - U256::from(1), "claimed")] {
            done.mined(FILL, receipt(1, &[settled_log(DELTA, done.hash()), done.paid(amount)]));
            for rig in [&done.rig, &done.other] {
                let read = rig.call("order", at(&done.order, "id"), "{}").unwrap();
                // The use that a handler makes of it is its own affair.
                let settled = if has_handler { "claimed" } else { settled };
                assert_eq!(text(&read, "settled"), settled, "{}", kind.options);
            }
        }
    }
}

#[test]
fn an_order_that_cannot_be_made_sure_of_is_claimed() {
    let done = Done::of(SELL);
    done.mined(FILL, receipt(1, &done.honest()));
    done.rig.world.service.borrow_mut().order_lie = Some(Box::new(|order| set(order, "order", "null")));
    let read = done.other.call("order", at(&done.order, "id"), "{}").unwrap();
    assert_eq!((text(&read, "settled"), at(&read, "unverified")), ("claimed", &Json::Bool(true)));
    // The client that had it signed needs no struct.
    done.is("seen");
    let hash: B256 = done.hash().parse().unwrap();
    assert!(done.rig.client.shared.ledger.signed(Some(hash), None).is_some());
}
