//! Text of others (the service's, a token's symbol) made safe to show: characters that are invisible or change how the
//! text around them reads become visible escapes.
//!
//! This is what keeps a symbol such as `USDC\u{202e}` from reversing the rest of a sentence, and a service's value from
//! looking like a check of its own. Letters that merely look alike are not caught.

use alloy_primitives::hex;

/// The text with every hidden character as an escape of its code point, `\u{202e}`; blanks stay.
///
/// ```
/// use verified_swap::domain::visible::{unbroken, visible};
/// assert_eq!(visible("100 USD\u{202e}C"), r"100 USD\u{202e}C");
/// assert_eq!(unbroken("USDC to me"), r"USDC\u{20}to\u{20}me");
/// ```
pub fn visible(text: &str) -> String {
    escaped(text, is_hidden)
}

/// As [`visible`], for a name inside a sentence: blanks are escaped too, because the words behind one would read as
/// part of the sentence.
pub fn unbroken(text: &str) -> String {
    escaped(text, |c| c == ' ' || is_hidden(c))
}

/// The text with every character that `hides` as an escape of its code point.
fn escaped(text: &str, hides: fn(char) -> bool) -> String {
    // The fast path, which nearly all texts take.
    let hides_blanks = hides(' ');
    if text.bytes().all(|byte| (b'!'..=b'~').contains(&byte) || (byte == b' ' && !hides_blanks)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if hides(c) {
            let code = hex::encode(u32::from(c).to_be_bytes());
            out.push_str("\\u{");
            out.push_str(if c == '\0' { "0" } else { code.trim_start_matches('0') });
            out.push('}');
        } else {
            out.push(c);
        }
    }
    out
}

/// Whether a character is a control, a blank other than the space, a mark of direction, or has no glyph: Unicode's
/// `White_Space`, `Bidi_Control` and `Default_Ignorable_Code_Point`, and a few others that look empty.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{1680}')
        || matches!(c, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3000}' | '\u{3164}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
