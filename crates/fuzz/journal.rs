//! Journals that somebody else wrote: a page that finds one opens no prompt by itself, and posts nothing but what was
//! signed.

use super::edits::{Edit, apply, edits};
use super::fake_host::{Rig, SELL, World, answer, json, raw, text};
use alloy_dyn_abi::TypedData;
use alloy_primitives::hex;
use arbitrary::{Result, Unstructured};
use serde_json::Value;
use verified_swap_trade::ledger::record::Entry;
use verify::internal::domain::signature::compact;
use verify::internal::json::{Json, parse};

pub fn run(data: &[u8]) {
    read(&String::from_utf8_lossy(data));
    // An input that ends early has said less.
    let _ = reload(&mut Unstructured::new(data));
}

/// Entries that can be read are written so that they are read the same.
fn read(text: &str) {
    if let Ok(entry) = Entry::read(text) {
        assert_eq!(Entry::read(&entry.write()).ok(), Some(entry));
    }
}

/// How far a trade was when its page died.
#[derive(Clone, Copy, PartialEq)]
enum Death {
    Asking,
    Signed,
    Posted,
}

fn reload(bytes: &mut Unstructured<'_>) -> Result<()> {
    let world = World::new();
    world.browser.has_storage.set(true);
    let rig = Rig::in_world(world.clone(), |_, _| {});
    let death = *bytes.choose(&[Death::Asking, Death::Signed, Death::Posted])?;
    match death {
        Death::Asking => world.signer.borrow_mut().next_fails("eth_signTypedData_v4", -32_603),
        Death::Signed => (0..8).for_each(|_| world.service.borrow_mut().next_is_lost("post")),
        Death::Posted => {}
    }
    let _ = rig.submit(&rig.built(SELL).expect("an honest build"));
    drop(rig);
    let (asked, build) = (world.wallet_was_asked("eth_signTypedData_v4"), world.said("build"));
    let mut service = world.service.borrow_mut();
    service.forget_faults();
    for _ in 0..64 {
        let build = build.clone();
        // The service takes only what it has built itself, to the letter.
        service.next("post", move |service, request| match request.body.as_deref() {
            Some(body) if raw(raw(&build, "toSign"), "value") == raw(body, "order") => service.honest(request),
            _ => answer(400, r#"{"errorType":"InvalidInput"}"#),
        });
    }
    drop(service);
    let is_honest = !change(&world, bytes)?;
    let seconds = bytes.int_in_range(0..=120)?;
    world.pass(seconds * 1_000);
    let before = world.posts().len();

    let page = Rig::in_world(world.clone(), |_, _| {});
    let resumed = page.call("trades.resume", &json("{}"), "{}").expect("a list, whatever is in the storage");
    assert_eq!(world.wallet_was_asked("eth_signTypedData_v4"), asked, "a prompt that nobody asked for");
    // Trying to post took some of the minute in which nobody is asked.
    let is_due = is_honest && death == Death::Signed && seconds <= 10;
    assert!(!is_due || world.posts().len() == before + 1, "what was signed is not posted");
    let listed = page.call("trades.list", &json("{}"), "{}").expect("a list, whatever is in the storage");
    for trades in [&resumed, &listed] {
        let Json::Array(trades) = trades else { panic!("{trades:?} is no list") };
        for trade in trades {
            assert!(!text(trade, "state").is_empty());
            // Entries that cannot be read have neither.
            for again in ["signedOrder", "build"].into_iter().filter_map(|name| trade.get(name)) {
                if *again != Json::Null {
                    let _ = page.submit(again);
                }
            }
        }
    }
    assert!(world.wallet_was_asked("eth_sendTransaction").is_empty());
    assert!(
        world.wallet_was_asked("eth_signTypedData_v4").iter().all(|params| asked.contains(params)),
        "another order"
    );
    let posts = world.posts();
    posts.iter().for_each(|post| check(&world, &asked[0], post));
    assert!(death != Death::Asking || posts.is_empty() || world.prompts() > asked.len(), "posted unsigned");
    page.call("trades.forget", &json("null"), "{}").expect("a number");
    // Requests to the service still count.
    assert!(world.browser.stored.borrow().keys().all(|name| name.starts_with("rateLimit/")));
    Ok(())
}

/// A posted order has the digest of the one that the wallet was asked to sign, and the wallet's signature.
fn check(world: &World, asked: &str, post: &str) {
    let (asked, post): (Value, Value) =
        (serde_json::from_str(asked).expect("JSON"), serde_json::from_str(post).expect("JSON"));
    let mut typed: Value = serde_json::from_str(asked[1].as_str().expect("typed data")).expect("JSON");
    let digest = |typed: &Value| {
        serde_json::from_value::<TypedData>(typed.clone()).expect("typed data").eip712_signing_hash().expect("a hash")
    };
    let hash = digest(&typed);
    typed["message"] = post["order"].clone();
    assert_eq!(digest(&typed), hash, "another order is posted");
    let signature = compact(&world.signer.borrow().sign(hash)).expect("a signature");
    assert_eq!(post["signature"].as_str(), Some(hex::encode_prefixed(signature).as_str()));
}

/// Changes entries, or what is in the payloads of entries, or writes anything; whether it did.
fn change(world: &World, bytes: &mut Unstructured<'_>) -> Result<bool> {
    let place: u8 = bytes.int_in_range(0..=4)?;
    let (entry_edits, payload_edits) = (edits(bytes, [1, 4].contains(&place))?, edits(bytes, [2, 4].contains(&place))?);
    let sealed_edits = edits(bytes, place > 2)?;
    for (name, stored) in world.browser.stored.borrow_mut().iter_mut() {
        let Ok(mut tree) = parse(stored) else { continue };
        if let Json::Object(members) = &mut tree
            && let Some((_, Json::String(payload))) = members.iter_mut().find(|(name, _)| name == "payload")
        {
            *payload = changed(payload, &sealed_edits);
            let mut inner = json(payload);
            apply(&payload_edits, &mut inner);
            *payload = inner.write();
        }
        apply(&entry_edits, &mut tree);
        if name.starts_with("trade/") {
            *stored = tree.write();
        }
    }
    let is_more = bytes.ratio(1, 8)?;
    if is_more {
        let (name, value) = (bytes.arbitrary::<&str>()?, bytes.arbitrary::<&str>()?);
        world.browser.stored.borrow_mut().insert(["trade/", name].concat(), value.into());
    }
    Ok(place > 0 || is_more)
}

/// The payload, with the text that is sealed in it changed as if by somebody who could write it.
fn changed(payload: &str, edits: &[Edit]) -> String {
    let mut tree = json(payload);
    if let Json::Object(members) = &mut tree
        && let Some((_, Json::String(sealed))) = members.iter_mut().find(|(name, _)| name == "sealed")
        && let Some((seal, inner)) = sealed.split_once('.')
        && !edits.is_empty()
    {
        let mut inner = json(inner);
        apply(edits, &mut inner);
        *sealed = [seal, ".", &inner.write()].concat();
    }
    tree.write()
}
