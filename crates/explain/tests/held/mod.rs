//! Files that tests write with `WRITE=1`, and otherwise hold to what they make.

use std::path::Path;
use std::sync::Mutex;

/// One test at a time: several write parts of one page.
static PAGE: Mutex<()> = Mutex::new(());

/// Holds a file, named from the top of the checkout, to a text; of a page with a marker, the part from `<!-- marker -->` to
/// `<!-- /marker -->`.
pub fn hold(file: &str, marker: Option<&str>, made: &str) {
    let _alone = PAGE.lock();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let page = std::fs::read_to_string(&path).unwrap_or_default();
    let made = marker.map_or(made.to_owned(), |marker| {
        let (begin, end) = (format!("<!-- {marker} -->\n"), format!("<!-- /{marker} -->"));
        let (before, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no {marker}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no end of {marker}"));
        format!("{before}{begin}\n{}\n\n{end}{after}", made.trim_end())
    });
    if std::env::var_os("WRITE").is_some() {
        return std::fs::write(&path, made).unwrap();
    }
    let test = format!("-p {} --test {}", env!("CARGO_PKG_NAME"), env!("CARGO_CRATE_NAME"));
    assert!(page == made, "{file} is out of date: WRITE=1 cargo test {test}");
}
