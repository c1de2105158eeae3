//! Text of others, shown as it is and never as it wants to look.

use alloy_primitives::hex;

/// Characters that change how the text around them reads, or cannot be seen or told from a blank, as their code points:
/// `\u{202e}`.
pub fn visible(text: &str) -> String {
    escaped(text, is_hidden)
}

/// The same, for a name inside of a sentence: a blank would let it go on as a part of that.
pub fn unbroken(text: &str) -> String {
    escaped(text, |c| c == ' ' || is_hidden(c))
}

fn escaped(text: &str, hides: fn(char) -> bool) -> String {
    // What most texts are, by far the fastest.
    if text.bytes().all(|byte| (b'!'..=b'~').contains(&byte)) {
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

/// Whether a character is a control, a blank other than the usual one, a mark of direction, or one without a glyph of
/// its own: Unicode's `White_Space`, `Bidi_Control` and `Default_Ignorable_Code_Point`, and those that look like
/// nothing.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{1680}')
        || matches!(c, '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2000}'..='\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{2800}' | '\u{3000}' | '\u{3164}')
        || matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}')
        || matches!(c, '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
