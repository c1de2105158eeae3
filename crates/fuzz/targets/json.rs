#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| verified_swap_fuzz::json::run(data));
