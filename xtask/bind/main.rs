//! The program that wasm-pack calls as `wasm-bindgen`: the same library, without what is never used here. With the feature
//! `split` it also cuts the module.

#[cfg(feature = "split")]
mod cut;

use std::env;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let outcome = if args == ["--version"] {
        println!("wasm-bindgen {}", wasm_bindgen_shared::version());
        Ok(())
    } else {
        Call::read(args).and_then(|call| call.bind())
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments with which wasm-pack calls. Any other one is refused: this program does not do what it means.
#[derive(Default)]
struct Call {
    module: PathBuf,
    folder: PathBuf,
    name: String,
}

impl Call {
    fn read(args: Vec<String>) -> Outcome<Self> {
        let mut call = Call::default();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} has no value"));
            match arg.as_str() {
                "--out-dir" => call.folder = value()?.into(),
                "--out-name" => call.name = value()?,
                "--target" if value()? == "web" => {}
                // The package has its own declarations, and its glue is one for all builds.
                "--no-typescript" | "--debug" => {}
                module if Path::new(module).extension() == Some(OsStr::new("wasm")) => call.module = arg.into(),
                _ => return Err(format!("{arg} is not known here").into()),
            }
        }
        Ok(call)
    }

    #[cfg(not(feature = "split"))]
    fn bind(&self) -> Outcome<()> {
        self.generate(&self.name, fs::read(&self.module)?, false)
    }

    #[cfg(feature = "split")]
    fn bind(&self) -> Outcome<()> {
        let linked = fs::read(&self.module)?;
        self.generate(&self.name, cut::without_relocations(&linked)?, false)?;
        cut::cut(self, &linked)
    }

    /// Writes a module and its glue: NAME_bg.wasm and NAME.js.
    fn generate(&self, name: &str, module: Vec<u8>, keep_lld_exports: bool) -> Outcome<()> {
        let mut bindgen = Bindgen::new();
        bindgen.web(true)?.typescript(false).keep_lld_exports(keep_lld_exports);
        // Where the module lies is for the package's entries to say.
        bindgen.omit_default_module_path(true).input_bytes(name, module);
        Ok(bindgen.generate(&self.folder)?)
    }
}
