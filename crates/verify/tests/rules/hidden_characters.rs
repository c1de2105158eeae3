//! The texts of the service: nothing in them turns the text around them, or goes unseen. Held against Unicode's own
//! categories and properties, as another library has them. Names of tokens: `laws/name.rs`.

use regex_syntax::hir::{Class, HirKind};
use verified_swap_verify::internal::value::visible::visible;

/// Characters that hide by Unicode, or look empty: of Braille, of Khitan, of music. From U+E0000 on there is nothing
/// else.
const HIDDEN: &str = r"[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{White_Space}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}\u{16FE4}\u{1D159}\u{E0000}-\u{10FFFF}]";

#[test]
fn every_character_that_hides_is_written_as_its_code_point_and_no_other() {
    let parsed = regex_syntax::Parser::new().parse(HIDDEN).unwrap();
    let HirKind::Class(Class::Unicode(hidden)) = parsed.kind() else { panic!("a class") };
    for c in '\0'..=char::MAX {
        let text = format!("A{c}B");
        let is_shown = c == ' ' || !hidden.iter().any(|run| (run.start()..=run.end()).contains(&c));
        let expected = if is_shown { text.clone() } else { format!("A\\u{{{:x}}}B", u32::from(c)) };
        assert_eq!(visible(&text), expected, "{:x}", u32::from(c));
    }
}
