//! The application's key: with every request to the service, and nowhere else.

use super::fake_host::{Rig, SELL, json};
use verify::internal::domain::input::api_key;
use verify::internal::error::ErrorCode;
use verify::internal::json::{Json, JsonAt};

const KEY: &str = "k3y.of-the_app/+==";

fn rig(key: Option<&str>) -> Rig {
    Rig::with(|shared, _| shared.settings.api_key = key.map(String::from))
}

#[test]
fn every_request_to_the_service_carries_the_key_and_no_event_or_error_does() {
    for key in [None, Some(KEY)] {
        let rig = rig(key);
        let build = rig.built(SELL).unwrap();
        let order = rig.submit(&build).unwrap();
        rig.call("order", &Json::String("0b0e7f4e-0000-4000-8000-000000000000".into()), "{}").unwrap_err();
        for status in [400, 429, 500] {
            rig.world.service.borrow_mut().always_is("quote", status, r#"{"errorType":"Odd"}"#);
            let error = rig.quote(SELL).unwrap_err();
            assert!(!format!("{error:?}").contains(KEY));
            // Nor where the service repeats it.
            rig.world.pass(100_000);
            let said = format!(r#"{{"errorType":"no key {KEY}","details":"{KEY} is not known, nor {KEY}"}}"#);
            rig.world.service.borrow_mut().always_is("quote", status, said);
            let error = rig.quote(SELL).unwrap_err();
            assert_eq!(format!("{error:?}").contains(KEY), key.is_none(), "{error:?}");
        }
        let requests = rig.world.requests.borrow();
        assert!(requests.len() > 5);
        assert!(requests.iter().all(|request| request.api_key.as_deref() == key));
        assert!(
            requests.iter().all(|request| !request.url.contains(KEY) && !format!("{:?}", request.body).contains(KEY))
        );
        for text in
            [build.write(), order.write(), format!("{:?}", rig.world.events), format!("{:?}", rig.world.questions)]
        {
            assert!(!text.contains(KEY));
        }
    }
}

#[test]
fn a_key_is_fit_for_a_header_and_not_repeated_where_it_is_not() {
    let read = |text: &str| api_key(&JsonAt::input(&json(text), "apiKey"));
    assert_eq!(read(&format!(r#""{KEY}""#)).unwrap(), KEY);
    assert_eq!(read(&format!(r#""{}""#, "k".repeat(256))).unwrap().len(), 256);
    let long = format!(r#""{}""#, "k".repeat(257));
    for wrong in [
        r#""""#,
        r#""secret key""#,
        r#""secret\r\nx: y""#,
        r#""sécret""#,
        r#""secret\u0000""#,
        "7",
        "true",
        "[\"secret\"]",
        &long,
    ] {
        let error = read(wrong).unwrap_err();
        assert_eq!((error.code, error.field.as_deref()), (ErrorCode::InvalidInput, Some("apiKey")), "{wrong}");
        assert!(!["secret", "kkk"].iter().any(|part| format!("{error:?}").contains(part)), "{error:?}");
    }
}
