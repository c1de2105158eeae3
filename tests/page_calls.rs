//! How this package writes the calls that the page's gate has to know (`www-example/src/client/prompts.ts`), as patterns:
//! `WRITE=1 cargo test --test page_calls`. Without it, the page's file is compared with what the encoders give.

use alloy_primitives::{Address, B256, U256, hex};
use std::path::Path;
use verified_swap::domain::delta::calls::{deposit_and_pre_sign, pre_sign};
use verified_swap::domain::erc20::approve;

const TOP: &str = "/* The calls that are steps of their own, as the package writes them: made from its encoders by `WRITE=1 cargo test --test
   page_calls`. */";

#[test]
fn the_page_knows_the_calls_as_the_package_writes_them() {
    let (address, word) = ([0x11; 20], [0x22; 32]);
    let order = B256::from(word);
    let calls = [
        ("approve", approve(Address::from(address), U256::from_be_bytes(word)), ["spender", "amount"]),
        ("preSign", pre_sign(order), ["", "orderHash"]),
        ("deposit", deposit_and_pre_sign(order), ["", "orderHash"]),
    ];
    let lines = calls.map(|(name, data, [of_address, of_word])| {
        let mut pattern = hex::encode_prefixed(data);
        for (name, sample) in
            [(of_address, &address[..]), (of_word, &word[..])].into_iter().filter(|(name, _)| !name.is_empty())
        {
            let group = format!("(?<{name}>[0-9a-f]{{{}}})", sample.len() * 2);
            let around: Vec<String> = pattern.split(&hex::encode(sample)).map(String::from).collect();
            assert_eq!(around.len(), 2, "{name} stands in it once");
            pattern = around.join(&group);
        }
        format!("  {name}: /^{pattern}$/,\n")
    });
    let given = format!("{TOP}\n\nexport const written = {{\n{}}};\n", lines.concat());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("www-example/src/client/calls.ts");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, &given).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    assert_eq!(known, given, "WRITE=1 cargo test --test page_calls");
}
