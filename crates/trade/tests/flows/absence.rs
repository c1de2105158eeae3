//! A reading of a chain is evidence: where one is missing, a price that was refused or asked about is
//! not signed without a word.

use super::fake_host::{Rig, SRC, at, failure, verdicts};
use super::kinds::{Kind, kinds};
use alloy_primitives::{Address, U256};
use verify::internal::error::Error;
use verify::internal::json::Json;

/// A piece of what is read: what a feed says, or the price of gas.
type Piece = Option<Address>;

/// SRC is worth so many percent more than the service gives for it, of what is read without that piece.
fn built(kind: &Kind, percent: u64, without: Option<Piece>) -> Result<Json, Error> {
    let rig = kind.rig();
    let mut chain = rig.world.chain.borrow_mut();
    let src = SRC.parse::<Address>().unwrap();
    let feed = Address::from_word((U256::from_be_bytes(src.into_word().0) - U256::from(1)).into());
    for id in [8453, 10] {
        let told = &mut chain.node(id).told;
        told.get_mut(&feed).unwrap()[1] = U256::from(10_000_000_000_u64 / (100 - percent));
        if let Some(Some(piece)) = without {
            told.remove(&piece);
        }
    }
    if without == Some(None) {
        chain.liar = Some((
            8453,
            Box::new(|method, _, known| match method {
                "eth_gasPrice" => Err(failure(-32_601, "the method does not exist")),
                _ => known,
            }),
        ));
    }
    drop(chain);
    kind.built(&rig)
}

fn is_calm(outcome: &Result<Json, Error>) -> bool {
    outcome.as_ref().is_ok_and(|build| matches!(at(build, "report.questions"), Json::Array(all) if all.is_empty()))
}

#[test]
fn no_missing_reading_makes_a_price_milder() {
    let pieces: Vec<_> = Rig::default().world.chain.borrow_mut().node(8453).told.keys().copied().map(Some).collect();
    let mut wrong = Vec::new();
    for kind in kinds() {
        for percent in [8, 13, 30] {
            let whole = built(&kind, percent, None);
            if is_calm(&whole) {
                continue;
            }
            for piece in pieces.iter().copied().chain([None]) {
                let without = built(&kind, percent, Some(piece));
                // Across chains what enters may be not judged, and what arrives by both chains' gas.
                let field = whole.as_ref().err().and_then(|error| error.field.clone()).unwrap_or_default();
                let is_said = without.as_ref().is_ok_and(|build| verdicts(build, &field) == ["unknown"]);
                if is_calm(&without) && !is_said {
                    wrong.push(format!("{} {}: {percent} % worse, without {piece:?}", kind.request, kind.options));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} {wrong:#?}", wrong.len());
}
