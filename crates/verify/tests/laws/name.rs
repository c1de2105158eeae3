//! Laws of names in sentences: no name changes the figure before it or the words around it, and only the table's stands
//! without an address.

use alloy_primitives::{Address, U256, address};
use proptest::prelude::*;
use verified_swap_verify::internal::domain::asset::{ASSETS, name, wrapped_native};
use verified_swap_verify::internal::domain::display::quantity;
use verified_swap_verify::internal::domain::intent::Token;
use verified_swap_verify::internal::domain::token::NATIVE;
use verified_swap_verify::internal::value::amount::format_units;

/// A token of no table.
const STRANGER: Address = address!("0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580e");

/// Characters by which a name could pass for a part of the figure, of another word, or of nothing: of each kind of
/// digit, separator, mark, direction, blank and quote.
const ODD: [&str; 30] = [
    "9",
    "950",
    ",000",
    ".95",
    "0x",
    "e18",
    "-",
    "+",
    "'",
    "\u{2019}",
    "\u{66c}",
    "\u{660}",
    "\u{6f5}",
    "\u{ff11}",
    "\u{b2}",
    "\u{2081}",
    "\u{5d0}",
    "\u{627}",
    "\u{202e}",
    "\u{2066}",
    "\u{336}",
    "\u{20e5}",
    "\u{a0}",
    " ",
    "\u{ad}",
    "\u{0}",
    "\"",
    "\\",
    "\\u{55}",
    "\u{1d7d9}",
];

/// Any name that a caller may give: of odd pieces, of plain ones, of both.
fn any_name() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(ODD.to_vec()).prop_map(String::from),
        prop::sample::select(vec!["USDC", "ETH", "WETH", "a", ".e", " to 0x"]).prop_map(String::from),
        any::<char>().prop_map(String::from),
        "[!-~]{1,3}",
    ];
    prop::collection::vec(piece, 1..5).prop_map(|pieces| pieces.concat().chars().take(64).collect())
}

/// Any token: of the table, of none, native, on chains of the table and on others.
fn any_token() -> impl Strategy<Value = (u64, Address)> {
    let all: Vec<(u64, Address)> =
        ASSETS.iter().flat_map(|asset| asset.tokens).map(|(chain_id, token, _)| (*chain_id, *token)).collect();
    prop_oneof![
        prop::sample::select(all),
        any::<[u8; 20]>().prop_map(|bytes| (1, Address::from(bytes))),
        Just((31_337, NATIVE)),
        Just((56, STRANGER)),
    ]
}

/// A name as the rules have it, read back: what is left behind it, and the name itself.
fn unread(text: &str) -> (String, &str) {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-+".contains(c);
    let Some(quoted) = text.strip_prefix('"') else {
        assert!(text.starts_with(|c: char| c.is_ascii_alphabetic()), "{text}");
        let end = text.find(|c| !plain(c)).unwrap_or(text.len());
        return (text[..end].into(), &text[end..]);
    };
    let (mut name, mut rest) = (String::new(), quoted);
    loop {
        let mut chars = rest.chars();
        match chars.next().expect("a closing quote") {
            '"' => return (name, chars.as_str()),
            '\\' => match chars.next().expect("an escape") {
                'u' => {
                    let (code, behind) = chars.as_str().strip_prefix('{').unwrap().split_once('}').unwrap();
                    name.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                    rest = behind;
                    continue;
                }
                quoted => {
                    assert!(['"', '\\'].contains(&quoted), "{text}");
                    name.push(quoted);
                }
            },
            c => {
                assert!(c.is_ascii_graphic(), "{text}");
                name.push(c);
            }
        }
        rest = chars.as_str();
    }
}

fn token((chain_id, address): (u64, Address), symbol: Option<&str>, decimals: u8) -> Token {
    Token { chain_id, address, decimals, symbol: symbol.map(String::from), ..Token::default() }
}

proptest! {
    #[test]
    fn no_name_changes_the_figure_before_it(
        called in any_name(), place in any_token(), amount in any::<u128>(), decimals in 0_u8..25,
    ) {
        let amount = U256::from(amount);
        let said = quantity(amount, &token(place, Some(&called), decimals));
        let (figure, words) = said.split_once(' ').unwrap();
        prop_assert_eq!(figure, format_units(amount, decimals).unwrap());
        let (read, behind) = unread(words);
        prop_assert_eq!(&read, &called);
        let own = name(place.0, place.1);
        if own == Some(called) {
            prop_assert_eq!(behind, "");
        } else if place.1 == NATIVE {
            prop_assert_eq!(behind, " (the native token)");
        } else {
            let whole = place.1.to_checksum(None);
            prop_assert_eq!(behind, format!(" ({}...{})", &whole[..14], &whole[30..]));
        }
    }
}

#[test]
fn an_amount_without_whole_units_is_told_as_raw_units() {
    let said = |decimals| quantity(U256::from(15), &token((56, STRANGER), Some("FOO"), decimals));
    assert!(said(77).starts_with("0.0"), "{}", said(77));
    assert_eq!(said(78), "15 raw units FOO (0x8aC76A51cC95...D97B32CD580E)");
}

#[test]
fn each_name_of_the_attack_is_told_from_its_figure() {
    let called = |symbol: &str| quantity(U256::from(9), &token((56, STRANGER), Some(symbol), 0));
    for (symbol, expected) in [
        ("FOO", "FOO"),
        ("USDC.e", "USDC.e"),
        ("USDC", "USDC"),
        ("1INCH", r#""1INCH""#),
        ("950USDC", r#""950USDC""#),
        (",000USDC", r#"",000USDC""#),
        (".950", r#"".950""#),
        ("USD\u{20ae}0", r#""USD\u{20ae}0""#),
        ("\u{5d0}USDC", r#""\u{5d0}USDC""#),
        ("\u{ff19}USDC", r#""\u{ff19}USDC""#),
        ("\u{336}USDC", r#""\u{336}USDC""#),
        ("USDC\u{202e}", r#""USDC\u{202e}""#),
        ("USDC to me", r#""USDC\u{20}to\u{20}me""#),
        (r#"A" (ok"#, r#""A\"\u{20}(ok""#),
        (r"\u{55}SDC", r#""\\u{55}SDC""#),
    ] {
        assert_eq!(called(symbol), format!("9 {expected} (0x8aC76A51cC95...D97B32CD580E)"));
    }
}

#[test]
fn only_the_name_that_the_table_has_for_that_very_token_stands_alone() {
    let usdc = address!("0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913");
    let one = |place, symbol| quantity(U256::from(1), &token(place, symbol, 0));
    for symbol in [Some("USDC"), None] {
        assert_eq!(one((8453, usdc), symbol), "1 USDC");
    }
    assert_eq!(one((1, usdc), Some("USDC")), "1 USDC (0x833589fCD6eD...1b54bdA02913)", "of another chain");
    assert_eq!(one((8453, usdc), Some("USDT")), "1 USDT (0x833589fCD6eD...1b54bdA02913)", "of another token");
    assert_eq!(one((8453, usdc), Some("usdc")), "1 usdc (0x833589fCD6eD...1b54bdA02913)");
    assert_eq!(one((1, usdc), None), format!("1 of token {}", usdc.to_checksum(None)));
    assert_eq!(one((8453, NATIVE), None), "1 ETH");
    assert_eq!(one((8453, NATIVE), Some("USDC")), "1 USDC (the native token)");
    assert_eq!(one((31_337, NATIVE), None), "1 of the native token");
    assert_eq!(one((8453, wrapped_native(8453).unwrap()), Some("WETH")), "1 WETH");
    let taken = Token { is_wrapped: true, ..token((31_337, STRANGER), None, 0) };
    let whole = STRANGER.to_checksum(None);
    assert_eq!(quantity(U256::from(1), &taken), format!("1 of the wrapped native token {whole}"));
}
