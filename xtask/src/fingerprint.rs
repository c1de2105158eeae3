//! Decides whether an output has to be made anew: by a digest over its sources.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// A digest over the contents and names of files and folders. A path that is not there counts as empty.
pub fn of(paths: &[PathBuf]) -> Result<String, Failure> {
    let mut hasher = DefaultHasher::new();
    for path in paths {
        add(&mut hasher, path, Path::new(""))?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// A digest over the names and contents of these files of a folder.
pub fn of_files<'a>(root: &Path, files: impl IntoIterator<Item = &'a PathBuf>) -> Result<String, Failure> {
    let mut hasher = DefaultHasher::new();
    for file in files {
        add(&mut hasher, &root.join(file), file)?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Makes `output`, unless it is there and `stamp` shows that it was made from exactly these sources.
pub fn unless_made(
    stamp: &Path,
    output: &Path,
    sources: &[PathBuf],
    make: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    let fingerprint = of(sources)?;
    if output.exists() && fs::read_to_string(stamp).is_ok_and(|text| text == fingerprint) {
        return Ok(());
    }
    make()?;
    write(stamp, &fingerprint)
}

/// Writes a file, and makes its folder if missing.
pub fn write(file: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(file, text)?)
}

fn add(hasher: &mut DefaultHasher, path: &Path, name: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(|entry| entry.file_name());
        for entry in entries {
            let entry_name = entry.file_name();
            if entry_name != "node_modules" && entry_name != "dist" && entry_name != "target" {
                add(hasher, &entry.path(), &name.join(entry_name))?;
            }
        }
    } else if path.exists() {
        let contents = fs::read(path)?;
        add_sized(hasher, name.as_os_str().as_encoded_bytes());
        add_sized(hasher, &contents);
    }
    Ok(())
}

/// Length first: otherwise bytes could move from one file to the next unnoticed.
fn add_sized(hasher: &mut DefaultHasher, bytes: &[u8]) {
    hasher.write_usize(bytes.len());
    hasher.write(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_names_and_new_files_all_change_the_fingerprint() {
        let folder = std::env::temp_dir().join(format!("xtask-fingerprint-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).expect("a folder in the temporary one");
        let print = || of(std::slice::from_ref(&folder)).expect("readable");
        let mut seen = vec![print()];
        for (file, contents) in [("inner/a", "x"), ("inner/a", "y"), ("b", ""), ("inner/c", "y")] {
            fs::write(folder.join(file), contents).expect("writable");
            let now = print();
            assert!(!seen.contains(&now), "{file} = {contents} changed nothing");
            assert_eq!(now, print());
            seen.push(now);
        }
        fs::remove_dir_all(&folder).expect("the folder made above");
    }
}
