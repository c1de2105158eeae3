//! The program that wasm-pack calls as `wasm-bindgen`. Through the real wasm-bindgen it writes the whole module, and
//! beside it the same code in parts ("Parts" in docs/architecture.md): NAME_first_bg.wasm, which the real one binds as
//! well, and [`PARTS`], which need no binding: they call JavaScript through the first.
//!
//! The module has to be linked with `--emit-relocs`: the splitter reads the relocations.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use wasm_split_cli_support::{Options, transform};
use wasmparser::{Name, NameSectionReader, Parser, Payload, TypeRef};

/// The environment variable with the path of the real wasm-bindgen.
const REAL: &str = "WASM_BINDGEN";
/// All other parts: the beginning of the splitter's file name (it numbers one), and the end of the file's name beside
/// the first. Two have the code of one split point each; the shared part has the code that both reach.
const PARTS: [(&str, &str); 3] =
    [("chunk_", "_shared.wasm"), ("split_rest", "_rest.wasm"), ("split_trade", "_trade.wasm")];

/// The ends of the names of the splitter's own functions, which stand in for a function of another part, or of
/// JavaScript.
const SHIMS: [&str; 2] = [" indirect_call_shim", " local_shim"];

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let args: Vec<OsString> = env::args_os().skip(1).collect();
    match bind(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn bind(args: &[OsString]) -> Outcome<()> {
    let is_module = |arg: &&OsString| Path::new(arg).extension().is_some_and(|extension| extension == "wasm");
    // wasm-pack also asks for the version.
    let Some(module) = args.iter().find(is_module) else { return call_real(args) };
    let [folder, name] = ["--out-dir", "--out-name"].map(|option| behind(args, option));
    let (folder, name) = (PathBuf::from(folder?), name?);
    let named = |end: &str| {
        let mut named = name.clone();
        named.push(end);
        named
    };

    let linked = fs::read(module)?;
    let cut = folder.join("parts");
    fs::create_dir_all(&cut)?;
    let [whole, main] = ["whole.wasm", "main.wasm"].map(|name| cut.join(name));
    fs::write(&whole, without_relocations(&linked)?)?;
    call_real(&replaced(args, module, whole.as_os_str()))?;

    let mut options = Options::new(&linked);
    options.output_dir = &cut;
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
    check_parts(&linked, [&main].into_iter().chain(&others))?;
    for (path, (_, end)) in others.iter().zip(PARTS) {
        fs::copy(path, folder.join(named(end)))?;
    }
    let mut args = replaced(&replaced(args, module, main.as_os_str()), &name, &named("_first"));
    // Exports the table through which parts call each other.
    args.push("--keep-lld-exports".into());
    call_real(&args)?;
    Ok(fs::remove_dir_all(cut)?)
}

fn replaced(args: &[OsString], one: &OsStr, other: &OsStr) -> Vec<OsString> {
    args.iter().map(|arg| if arg == one { other.to_owned() } else { arg.clone() }).collect()
}

fn call_real(args: &[OsString]) -> Outcome<()> {
    let real = env::var_os(REAL).ok_or_else(|| format!("{REAL} does not say where wasm-bindgen is"))?;
    let status = Command::new(real).args(args).status()?;
    if status.success() { Ok(()) } else { Err(format!("wasm-bindgen ended with {status}").into()) }
}

fn behind(args: &[OsString], option: &str) -> Outcome<OsString> {
    let at = args.iter().position(|arg| arg == option).and_then(|at| args.get(at + 1));
    at.cloned().ok_or_else(|| format!("wasm-pack passed no {option}").into())
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
fn without_relocations(module: &[u8]) -> Outcome<Vec<u8>> {
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
