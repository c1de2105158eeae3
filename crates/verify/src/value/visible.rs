//! Foreign text (the service's, a token's symbol) made safe to show: characters that are invisible or change how the
//! text around them reads become visible escapes.
//!
//! This prevents a symbol such as `USDC\u{202e}` from reversing the rest of a sentence, and a service's value from
//! looking like a check of its own. Letters that merely look alike are not caught.

use alloy_primitives::hex;

/// The text with every hidden character as an escape of its code point, `\u{202e}`; blanks stay.
///
/// ```
/// use verified_swap_verify::internal::value::visible::visible;
/// assert_eq!(visible("100 USD\u{202e}C"), r"100 USD\u{202e}C");
/// ```
pub fn visible(text: &str) -> String {
    // The fast path of nearly all texts.
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { push_code(&mut out, c) } else { out.push(c) }
    }
    out
}

/// A token's name in a sentence, after a figure. Plain names are letters, digits, `.`, `-` and `+` of ASCII after a
/// letter. Every other name is quoted, and everything in it but visible ASCII, also a blank, is an escape of its code
/// point: nothing in a name can be read as a part of the figure or of the sentence, or reverse the text around it.
///
/// ```
/// use verified_swap_verify::internal::value::visible::name;
/// assert_eq!(name("USDC.e"), "USDC.e");
/// assert_eq!(name("1INCH"), r#""1INCH""#);
/// assert_eq!(name("USD\u{20ae}0"), r#""USD\u{20ae}0""#);
/// assert_eq!(name(r#"A" to me"#), r#""A\"\u{20}to\u{20}me""#);
/// ```
pub fn name(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.bytes().all(is_plain) {
        return text.into();
    }
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '!'..='~' => out.push(c),
            _ => push_code(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// Adds the escape of a character's code point, `\u{202e}`.
fn push_code(out: &mut String, c: char) {
    let code = hex::encode(u32::from(c).to_be_bytes());
    out.push_str("\\u{");
    out.push_str(if c == '\0' { "0" } else { code.trim_start_matches('0') });
    out.push('}');
}

/// Runs of hidden characters, first and last, beside those that [`is_hidden`] finds by a rule.
const HIDDEN: [(char, char); 32] = [
    ('\u{a0}', '\u{a0}'),
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{2000}', '\u{200f}'),
    ('\u{2028}', '\u{202f}'),
    ('\u{205f}', '\u{206f}'),
    // An empty cell of Braille.
    ('\u{2800}', '\u{2800}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{e000}', '\u{f8ff}'),
    ('\u{fdd0}', '\u{fdef}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    // A filler of Khitan, a note without a head.
    ('\u{16fe4}', '\u{16fe4}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d159}', '\u{1d159}'),
    ('\u{1d173}', '\u{1d17a}'),
];

/// Whether a character is a control, a blank other than the space, a mark of format or of direction, for private use,
/// or has no glyph: Unicode's categories `Cc`, `Cf`, `Co`, `Zl`, `Zp` and `Zs`, its properties
/// `Default_Ignorable_Code_Point` and `Noncharacter_Code_Point`, and a few others that look empty. From U+E0000 on there
/// are only such.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || c >= '\u{e0000}'
        || u32::from(c) & 0xFFFE == 0xFFFE
        || HIDDEN.iter().any(|(first, last)| (*first..=*last).contains(&c))
}
