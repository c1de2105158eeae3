//! Tables of docs/attacks.md that tests write with `WRITE=1`, and otherwise hold to what happens.

use std::path::Path;
use std::sync::Mutex;

/// One table at a time: tests run beside each other, and write to one page.
static PAGE: Mutex<()> = Mutex::new(());

/// Compares rows of cells with the table below the marker `<!-- name -->`, or writes them there.
pub fn hold(name: &str, rows: &[Vec<String>]) {
    let _page = PAGE.lock();
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let rule: Vec<String> = (0..rows[0].len()).map(|place| if place == 0 { "---" } else { "--" }.into()).collect();
    let lines = [line(&rows[0]), line(&rule)].into_iter().chain(rows[1..].iter().map(|row| line(row)));
    let made = lines.collect::<Vec<_>>().join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/attacks.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(&format!("<!-- {name} -->\n")).unwrap_or_else(|| panic!("no {name}"));
    let (published, tail) = rest.split_once("\n\n").unwrap_or((rest.trim_end(), ""));
    if std::env::var_os("WRITE").is_some() {
        let tail = if tail.is_empty() { "\n".into() } else { format!("\n\n{tail}") };
        std::fs::write(&path, format!("{head}<!-- {name} -->\n{made}{tail}")).unwrap();
    } else {
        assert_eq!(made, published, "{name}: WRITE=1 cargo test -p verified-swap-verify --test rules");
    }
}
