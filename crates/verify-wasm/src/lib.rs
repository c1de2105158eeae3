//! The module of `verified-swap/verify`, on wasm32 only: four functions, which take text and return text. So JavaScript
//! reads each value once, before it gets here, and the glue has next to nothing to convert.

#![cfg(target_arch = "wasm32")]

use verified_swap_verify::internal::domain::eip712::hardware_view;
use verified_swap_verify::internal::domain::tables;
use verified_swap_verify::internal::error::Error;
use verified_swap_verify::internal::json::{ObjectWriter, parse};
use verified_swap_verify::internal::verifiers::VERIFIERS;
use wasm_bindgen::prelude::*;

/// The module's allocator, a few kilobytes smaller than the default one.
#[global_allocator]
// SAFETY: the module is compiled without threads, so no two calls into the allocator overlap.
static ALLOCATOR: talc::TalckWasm = unsafe { talc::TalckWasm::new_global() };

/// Runs the verifier of that name on its input, JSON text. `machine` is unix seconds by the machine's clock. Returns JSON
/// text: `{ "report": .. }`, or `{ "error": .., "message": .. }` with the members of a `TradeError`.
#[wasm_bindgen(skip_typescript)]
pub fn run(name: &str, input: &str, machine: u32) -> String {
    let found = VERIFIERS.iter().find(|(known, _)| *known == name);
    answered(match found {
        Some((_, verifier)) => {
            let parsed = parse(input).map_err(|what| Error::input("input", "plain data", what.reason));
            parsed.and_then(|input| verifier(&input, machine.into()))
        }
        None => Err(Error::input("name", "a verifier's name", name)),
    })
}

/// Explains a call to a wallet, without a request: both arguments and the answer are JSON text, as for [`run`]. The
/// call is parsed inside, because text that is no JSON for this package is explained, too.
#[wasm_bindgen(skip_typescript)]
pub fn explain(call: &str, context: &str) -> String {
    answered(verified_swap_explain::explain(call, context))
}

/// The display of a hardware wallet for typed data, JSON text; the answer is as of [`run`].
#[wasm_bindgen(skip_typescript)]
pub fn screen(typed_data: &str) -> String {
    answered(parse(typed_data).map_err(Error::not_json).and_then(|data| hardware_view(&data).map(|(_, view)| view)))
}

/// The compiled-in tables with their days; the answer is as of [`run`].
#[wasm_bindgen(skip_typescript)]
pub fn tables() -> String {
    answered(Ok(tables::write()))
}

/// The answer as JSON text.
fn answered(answer: Result<String, Error>) -> String {
    let mut out = ObjectWriter::object();
    match answer {
        Ok(report) => out.raw("report", &report),
        Err(error) => {
            out.text("message", &error.message);
            out.raw("error", &error.write());
        }
    }
    out.close()
}
