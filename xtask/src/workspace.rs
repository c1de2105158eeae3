//! The paths of the project. All outputs go under `target/` and `node_modules/`.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The checkout and the folders inside it.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
    /// The folder for cargo's outputs: `target`, unless `CARGO_TARGET_DIR` is set.
    cargo_output: PathBuf,
}

impl Workspace {
    /// The checkout in which cargo started this program.
    pub fn locate() -> Self {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).parent().map(Path::to_path_buf).unwrap_or_default();
        let cargo_output = match env::var_os("CARGO_TARGET_DIR") {
            Some(folder) => env::current_dir().unwrap_or_default().join(folder),
            None => root.join("target"),
        };
        Workspace { root, cargo_output }
    }

    /// Another checkout, in a folder of this one.
    pub fn at(&self, folder: &str) -> Self {
        let root = self.path(folder);
        Workspace { cargo_output: root.join("target"), root }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    pub fn tools(&self) -> PathBuf {
        self.path("target/tools")
    }

    /// The project's own copies of wasm-bindgen's programs.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.tools().join("bin").join(name)
    }

    /// The assembled npm package.
    pub fn package(&self) -> PathBuf {
        self.path("target/pkg")
    }

    /// The built page.
    pub fn page(&self) -> PathBuf {
        self.path("target/www")
    }

    /// The page on the demo's build of the package.
    pub fn demo_page(&self) -> PathBuf {
        self.path("target/demo/www")
    }

    pub fn tarballs(&self) -> PathBuf {
        self.path("target/package")
    }

    pub fn sandbox_binary(&self) -> PathBuf {
        self.cargo_output.join("debug/sandbox")
    }

    /// The sandbox's program as it is packed.
    pub fn released_sandbox(&self, target: &str) -> PathBuf {
        self.cargo_output.join(target).join("release/sandbox")
    }

    /// The folder of the sandbox's npm packages.
    pub fn sandbox_tarballs(&self) -> PathBuf {
        self.path("target/sandbox/packages")
    }

    pub fn binder_binary(&self) -> PathBuf {
        self.cargo_output.join("debug/bind")
    }

    /// The folder of the program that wasm-pack calls as `wasm-bindgen`, of the one that cuts the module or of the other.
    pub fn binder(&self, splits: bool) -> PathBuf {
        self.path(if splits { "target/bind-split" } else { "target/bind" })
    }

    /// The module as cargo leaves it.
    pub fn compiled_module(&self) -> PathBuf {
        self.cargo_output.join("wasm32-unknown-unknown/release/verified_swap.wasm")
    }

    pub fn contracts(&self) -> PathBuf {
        self.path("target/sandbox/artifacts")
    }

    pub fn log(&self, name: &str) -> PathBuf {
        self.path("target/logs").join(format!("{name}.log"))
    }

    pub fn stamp(&self, name: &str) -> PathBuf {
        self.path("target/stamps").join(name)
    }

    /// The EVM node's binary, from npm's package for this platform.
    pub fn anvil(&self) -> PathBuf {
        let system = match env::consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let processor = match env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        self.path(&format!("node_modules/@foundry-rs/anvil-{system}-{processor}/bin/anvil"))
    }

    /// `program`, to be run in the checkout.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }
}
