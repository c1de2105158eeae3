//! Every kind of order: each field of it changed in turn, hashed again, and refused by the check that is for it.

use super::fake_host::{BUY, Rig, SELL, WRAPPED, at, json, selling_native, set, text, with};
use alloy_primitives::U256;
use verify::internal::domain::delta::order::{
    EXTERNAL_ORDER, FILLABLE_ORDER, ORDER, TWAP_BUY_ORDER, TWAP_ORDER, fitting_types,
};
use verify::internal::domain::delta::terms::Terms;
use verify::internal::domain::intent::{Defaults, Intent};
use verify::internal::domain::typed_struct::{members, name, part};
use verify::internal::error::{Error, ErrorCode};
use verify::internal::json::{Json, JsonAt};

/// A way to ask for an order, and the type it comes in.
pub struct Kind {
    pub request: String,
    pub options: &'static str,
    pub encoded: &'static str,
    /// The name of the type of an order in parts.
    pub fillable: &'static str,
    /// The address of the native token in the order.
    pub native: Option<&'static str>,
}

/// All of them.
pub fn kinds() -> Vec<Kind> {
    let slices = r#""numSlices":3,"intervalSecs":600"#;
    let kind = |request: &str, options, encoded| {
        let fillable = "FillableOrder";
        Kind { request: request.into(), options, encoded, fillable, native: None }
    };
    // Nothing public says by which of its two names an order sells the native token.
    let native = selling_native(SELL);
    let pair = r#"[{"from":{"chainId":8453,"token":"0x3333333333333333333333333333333333333333"},"to":{"chainId":10,"token":"0x2222222222222222222222222222222222222222"}}]"#;
    let bridge = &format!(r#""destChainId":10,"advanced":{{"bridgeTokens":{pair}}}"#);
    // Nobody says that what enters the bridge is what arrives.
    let promised = r#""destChainId":10,"advanced":{"bridgeTokens":[]}"#;
    let parts = r#"{"limitAmount":"41000000000000000","partiallyFillable":true}"#;
    vec![
        kind(SELL, r#"{"slippageBps":50}"#, ORDER),
        kind(BUY, r#"{"slippageBps":50}"#, ORDER),
        kind(SELL, r#"{"limitAmount":"41000000000000000"}"#, ORDER),
        kind(BUY, r#"{"limitAmount":"99000000"}"#, ORDER),
        kind(SELL, r#"{"type":"LIMIT","slippageBps":50}"#, ORDER),
        kind(SELL, parts, FILLABLE_ORDER),
        Kind { fillable: "Order", ..kind(SELL, parts, ORDER) },
        kind(SELL, r#"{"slippageBps":50,"partiallyFillable":true}"#, FILLABLE_ORDER),
        kind(BUY, r#"{"slippageBps":50,"partiallyFillable":true,"type":"MARKET"}"#, FILLABLE_ORDER),
        kind(&with(SELL, slices), r#"{"slippageBps":50}"#, TWAP_ORDER),
        kind(&with(SELL, slices), r#"{"limitAmount":"13000000000000000"}"#, TWAP_ORDER),
        kind(&with(BUY, slices), r#"{"maxSrcAmount":"101000000"}"#, TWAP_BUY_ORDER),
        kind(&native, r#"{"slippageBps":50}"#, ORDER),
        Kind { native: Some(WRAPPED), ..kind(&native, r#"{"slippageBps":50}"#, ORDER) },
        Kind { native: Some(WRAPPED), ..kind(&with(&native, slices), r#"{"slippageBps":50}"#, TWAP_ORDER) },
        kind(&with(SELL, bridge), r#"{"slippageBps":50}"#, ORDER),
        kind(&with(BUY, bridge), r#"{"slippageBps":50}"#, ORDER),
        kind(&with(SELL, bridge), r#"{"slippageBps":50,"advanced":{"route":0}}"#, ORDER),
        kind(&with(SELL, bridge), r#"{"limitAmount":"41000000000000000000000"}"#, ORDER),
        kind(&with(SELL, &format!("{bridge},{slices}")), r#"{"slippageBps":50}"#, TWAP_ORDER),
        kind(&with(SELL, promised), r#"{"slippageBps":50,"acceptUnguaranteedArrival":true}"#, ORDER),
        kind(
            &with(SELL, promised),
            r#"{"limitAmount":"41000000000000000000000","acceptUnguaranteedArrival":true}"#,
            ORDER,
        ),
        kind(
            &with(SELL, &format!("{promised},{slices}")),
            r#"{"slippageBps":50,"acceptUnguaranteedArrival":true}"#,
            TWAP_ORDER,
        ),
        kind(
            &with(BUY, r#""beneficiary":"0x7777777777777777777777777777777777777777""#),
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0x"}}}"#,
            EXTERNAL_ORDER,
        ),
        kind(
            SELL,
            r#"{"slippageBps":50,"advanced":{"external":{"handler":"0x5555555555555555555555555555555555555555","data":"0xABCD"},"metadata":"0x99","capSurplus":true}}"#,
            EXTERNAL_ORDER,
        ),
    ]
}

impl Kind {
    pub fn rig(&self) -> Rig {
        let rig = Rig::default();
        rig.world.service.borrow_mut().building.fillable = self.fillable;
        rig.world.service.borrow_mut().building.native = self.native;
        rig
    }

    pub fn built(&self, rig: &Rig) -> Result<Json, Error> {
        rig.built_as(&self.request, self.options)
    }

    pub fn built_with(&self, path: &str, value: &str) -> Result<Json, Error> {
        let rig = self.rig();
        let (path, value) = (path.to_owned(), value.to_owned());
        rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| set(build, &path, &value)));
        let outcome = self.built(&rig);
        rig.world.assert_untouched();
        if let Ok(build) = &outcome {
            rig.submit(build).unwrap();
        }
        outcome
    }

    fn sells(&self) -> bool {
        !self.request.contains("BUY")
    }

    /// Every member of the type, with its path and type.
    pub fn fields(&self) -> Vec<(String, &'static str)> {
        let mut all = Vec::new();
        for (name, kind) in members(self.encoded) {
            match part(self.encoded, kind) {
                Some(inner) => all.extend(members(inner).map(|(inner, kind)| (format!("{name}.{inner}"), kind))),
                None => all.push((name.into(), kind)),
            }
        }
        all
    }

    /// Values of a field that no honest order has.
    fn lies(&self, field: &str, kind: &str, honest: &Json) -> Vec<String> {
        let number = |honest: &Json| match honest {
            Json::String(text) | Json::Number(text) => text.parse::<U256>().unwrap(),
            other => panic!("{other:?}"),
        };
        let (one, quoted) = (U256::from(1), |value: U256| format!(r#""{value}""#));
        match kind {
            "address" => vec![r#""0x00000000000000000000000000000000000bad00""#.into()],
            "bytes4" => vec![r#""0x00000001""#.into()],
            "int8" => ["-128", "-7", "-5", "-1", "1", "127"].map(String::from).to_vec(),
            "bytes" if field == "metadata" && !self.options.contains("metadata") => {
                vec![format!(r#""0x{}""#, "00".repeat(1025))]
            }
            "bytes" => vec![r#""0x01""#.into()],
            _ => {
                let honest = number(honest);
                let (below, above) = (quoted(honest.saturating_sub(one)), quoted(honest + one));
                // Bounds pass one way: the lie goes the other. An exact amount can go neither.
                let exact = self.options.contains("limitAmount");
                match field {
                    "destAmount" | "destAmountPerSlice" if self.sells() && !exact => vec![below],
                    "srcAmount" if !self.sells() && !exact => vec![above],
                    "kind" => vec![format!("{}", u8::from(self.sells()))],
                    "partnerAndFee" => vec![above, quoted(one << 8), quoted(one << 10), quoted(one << 95)],
                    _ if honest.is_zero() => vec![above],
                    _ => vec![below, above],
                }
            }
        }
    }
}

#[track_caller]
fn assert_refused(outcome: Result<Json, Error>, fields: &[&str], lie: &str) {
    let error = outcome.expect_err(lie);
    assert_eq!(error.code, ErrorCode::VerifyMismatch, "{lie}: {error:?}");
    assert!(fields.contains(&error.field.as_deref().unwrap()), "{lie}: {error:?}, not {fields:?}");
    let report = json(error.report.as_ref().expect("a report"));
    let Json::Array(checks) = at(&report, "checks") else { panic!() };
    let wrong = checks.iter().filter(|check| text(check, "verdict") == "mismatch");
    let wrong: Vec<&str> = wrong.map(|check| text(check, "field")).collect();
    // No other check was needed to refuse it.
    assert!(wrong.iter().all(|field| fields.contains(field)), "{lie}: {wrong:?}, not only {fields:?}");
}

#[test]
fn every_field_of_every_kind_has_a_check_of_its_own() {
    let mut tried = 0;
    for kind in kinds() {
        let honest = kind.built(&kind.rig()).unwrap_or_else(|error| panic!("{error:?}: {}", kind.options));
        for (field, of) in kind.fields() {
            let was = at(&honest, &format!("typedData.message.{field}"));
            for value in kind.lies(&field, of, was) {
                let own = format!("order.{field}");
                let fields = match field.as_str() {
                    "partnerAndFee" => vec![
                        "order.partnerAndFee.feeBps",
                        "order.partnerAndFee.takeSurplus",
                        "order.partnerAndFee.capSurplus",
                        "order.partnerAndFee.unknownBits",
                    ],
                    // The amount that is paid and the one that is expected of it are held against one another, too.
                    "destAmount" | "srcAmount" => vec![own.as_str(), "order.expectedAmount"],
                    _ => vec![own.as_str()],
                };
                let lie = format!("{} of {}: {field} = {value}", kind.options, name(kind.encoded));
                assert_refused(kind.built_with(&format!("toSign.value.{field}"), &value), &fields, &lie);
                tried += 1;
            }
        }
    }
    assert!(tried > 250, "{tried}");
}

#[test]
fn types_are_those_of_the_kind_that_was_asked_for() {
    // Whatever is asked for, one of these is what is built: with all of its own members.
    let mut templates: Vec<(&str, Json)> = Vec::new();
    for kind in kinds() {
        if templates.iter().all(|(encoded, _)| *encoded != kind.encoded) {
            templates.push((kind.encoded, at(&kind.built(&kind.rig()).unwrap(), "typedData").clone()));
        }
    }
    for kind in kinds() {
        for (encoded, template) in templates.clone() {
            let fits = match kind.options.contains("partiallyFillable") {
                true => [ORDER, FILLABLE_ORDER].contains(&encoded),
                false => kind.encoded == encoded,
            };
            let rig = kind.rig();
            rig.world.service.borrow_mut().build_lie = Some(Box::new(move |build| {
                let mut types = at(&template, "types").clone();
                if let Json::Object(types) = &mut types {
                    types.retain(|(name, _)| name != "EIP712Domain");
                }
                set(build, "toSign.types", &types.write());
                let Json::Object(values) = at(&template, "message") else { panic!() };
                for (name, value) in values {
                    if at(build, "toSign.value").get(name).is_none() {
                        set(build, &format!("toSign.value.{name}"), &value.write());
                    }
                }
            }));
            let outcome = kind.built(&rig);
            rig.world.assert_untouched();
            match outcome {
                Ok(_) => assert!(fits, "{} as {}", kind.options, name(encoded)),
                Err(error) => {
                    assert!(!fits, "{} as {}: {error:?}", kind.options, name(encoded));
                    assert_eq!(error.field.as_deref(), Some("types"), "{error:?}");
                }
            }
        }
    }
}

#[test]
fn the_wallet_is_given_exactly_the_type_that_was_verified() {
    for kind in kinds() {
        let rig = kind.rig();
        let build = kind.built(&rig).unwrap();
        rig.submit(&build).unwrap();
        let typed_data = json(text(&json(&rig.world.wallet_was_asked("eth_signTypedData_v4")[0]), "1"));
        assert!(typed_data.same_as(at(&build, "typedData")));
        assert_eq!(text(&typed_data, "primaryType"), name(kind.encoded));
        let Json::Object(message) = at(&typed_data, "message") else { panic!() };
        let names: Vec<&str> = message.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, members(kind.encoded).map(|(name, _)| name).collect::<Vec<_>>());
    }
}

#[test]
fn a_build_says_what_it_is() {
    for kind in kinds() {
        let rig = kind.rig();
        let build = kind.built(&rig).unwrap();
        let intent = json(&kind.request);
        let intent = Intent::read(&JsonAt::input(&intent, ""), &Defaults::default()).unwrap();
        let terms = Terms::read_options(&JsonAt::input(&json(kind.options), ""), &intent).unwrap();
        assert!(fitting_types(&intent, &terms).contains(&kind.encoded));
        let in_parts = kind.options.contains("partiallyFillable");
        let expected = if in_parts { "FillableOrder" } else { name(kind.encoded) };
        assert_eq!(text(&build, "orderKind"), expected);
        let rests = ["LIMIT", "limit"].iter().any(|word| kind.options.contains(word));
        assert_eq!(text(&build, "type"), if rests { "LIMIT" } else { "MARKET" });
        rig.submit(&build).unwrap();
        let post = json(&rig.world.posts()[0]);
        assert_eq!(text(&post, "type"), text(&build, "type"));
        assert_eq!(post.get("partiallyFillable"), in_parts.then_some(&Json::Bool(true)));
        let sliced = kind.request.contains("numSlices");
        assert_eq!(post.get("onChainOrderType").is_some(), sliced);
        assert_eq!(build.get("twap").is_some(), sliced);
    }
}
