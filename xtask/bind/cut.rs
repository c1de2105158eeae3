//! Cuts a module that was linked with `--emit-relocs` ("A module in parts" in docs/size.md): the code comes as
//! NAME_first_bg.wasm, which is bound, and [`PARTS`], which need no binding: they call JavaScript through the first.

use crate::{Call, Outcome};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use wasm_split_cli_support::{Options, transform};
use wasmparser::{Name, NameSectionReader, Parser, Payload, TypeRef};

/// All other parts: the beginning of the splitter's file name (it numbers one), and the end of the file's name beside
/// the first. Two have the code of one split point each; the shared part has the code that both reach.
const PARTS: [(&str, &str); 3] =
    [("chunk_", "_shared.wasm"), ("split_rest", "_rest.wasm"), ("split_trade", "_trade.wasm")];

/// The ends of the names of the splitter's own functions, which stand in for a function of another part, or of
/// JavaScript.
const SHIMS: [&str; 2] = [" indirect_call_shim", " local_shim"];

/// Writes the parts of a module, and the glue of the first.
pub fn cut(call: &Call, linked: &[u8]) -> Outcome<()> {
    let folder = call.folder.join("parts");
    fs::create_dir_all(&folder)?;
    let main = folder.join("main.wasm");
    let mut options = Options::new(linked);
    options.output_dir = &folder;
    options.main_out_path = &main;
    let made = transform(options).map_err(|error| format!("the module cannot be split: {error:#}"))?;
    let mut others = made.split_modules;
    others.sort();
    let are_they = others
        .iter()
        .zip(PARTS)
        .all(|(path, (start, _))| path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with(start)));
    if others.len() != PARTS.len() || !are_they {
        return Err(format!("other parts than {PARTS:?}: {others:?}").into());
    }
    check_parts(linked, [&main].into_iter().chain(&others))?;
    for (path, (_, end)) in others.iter().zip(PARTS) {
        fs::copy(path, call.folder.join(format!("{}{end}", call.name)))?;
    }
    // Parts call each other through the table, which the linker exports.
    call.generate(&format!("{}_first", call.name), fs::read(&main)?, true)?;
    Ok(fs::remove_dir_all(folder)?)
}

/// Refuses parts that leave out a function of the module, or have one twice.
fn check_parts<'a>(linked: &[u8], parts: impl Iterator<Item = &'a PathBuf>) -> Outcome<()> {
    let mut left = functions(linked)?;
    for part in parts {
        for (name, count) in functions(&fs::read(part)?)? {
            let is_shim = SHIMS.iter().any(|end| name.ends_with(end));
            if !is_shim && left.remove(&name) != Some(count) {
                return Err(format!("{name} is not in one part, as it is in the module").into());
            }
        }
    }
    match left.keys().next() {
        Some(name) => Err(format!("{name} is in no part").into()),
        None => Ok(()),
    }
}

/// A module without its relocations.
pub fn without_relocations(module: &[u8]) -> Outcome<Vec<u8>> {
    let (mut kept, mut end) = (Vec::new(), 0);
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        let range = match &payload {
            Payload::Version { range, .. } => range.clone(),
            payload => match payload.as_section() {
                Some((_, range)) => range,
                None => continue,
            },
        };
        let is_relocation = matches!(&payload, Payload::CustomSection(section)
            if section.name().starts_with("reloc.") || section.name() == "linking");
        if !is_relocation {
            // Including its header, which stands between the sections.
            kept.extend(module.get(end..usize::try_from(range.end)?).unwrap_or_default());
        }
        end = usize::try_from(range.end)?;
    }
    Ok(kept)
}

/// The number of functions of each name in a module, without imported ones.
fn functions(module: &[u8]) -> Outcome<BTreeMap<String, usize>> {
    let (mut imported, mut found) = (0, BTreeMap::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                }
            }
            Payload::CustomSection(section) if section.name() == "name" => {
                for subsection in
                    NameSectionReader::new(wasmparser::BinaryReader::new(section.data(), section.data_offset()))
                {
                    let Name::Function(names) = subsection? else { continue };
                    for naming in names {
                        let naming = naming?;
                        if naming.index >= imported {
                            *found.entry(naming.name.to_owned()).or_default() += 1;
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}
