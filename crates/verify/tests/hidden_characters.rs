//! What a text of the service may contain: nothing in it turns the text around it, or goes unseen. Held against the ranges of
//! Unicode's own property files (PropList.txt, DerivedCoreProperties.txt). Names of tokens: `name_laws.rs`.

use verified_swap_verify::internal::domain::visible::visible;

const WHITE_SPACE: [(u32, u32); 10] = [
    (0x9, 0xD),
    (0x20, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
];
const BIDI_CONTROL: [(u32, u32); 4] = [(0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)];
const DEFAULT_IGNORABLE: [(u32, u32); 17] = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];
/// Controls, the marks of interlinear annotation, and glyphs that are blank: of Braille, and of music.
const OTHERS: [(u32, u32); 5] = [(0, 0x1F), (0x7F, 0x9F), (0xFFF9, 0xFFFB), (0x2800, 0x2800), (0x1D159, 0x1D159)];

fn is_hidden(c: char) -> bool {
    let all = WHITE_SPACE.iter().chain(&BIDI_CONTROL).chain(&DEFAULT_IGNORABLE).chain(&OTHERS);
    all.clone().any(|(first, last)| (*first..=*last).contains(&u32::from(c)))
}

#[test]
fn every_character_that_hides_is_written_as_its_code_point_and_no_other() {
    for c in '\0'..=char::MAX {
        let text = format!("A{c}B");
        let is_shown = c == ' ' || !is_hidden(c);
        let expected = if is_shown { text.clone() } else { format!("A\\u{{{:x}}}B", u32::from(c)) };
        assert_eq!(visible(&text), expected, "{:x}", u32::from(c));
    }
}
