//! Chromium and its driver, for the tests, the benchmarks and the screenshots. The demo needs neither.

use std::env;
use std::path::{Path, PathBuf};

use super::debian::{self, on_path};
use crate::failure::Failure;
use crate::job::Job;
use crate::workspace::Workspace;

/// A browser and the program that drives it.
pub struct Browser {
    pub chrome: PathBuf,
    pub driver: PathBuf,
    /// The same engine without a window system, where it is installed: a page takes two thirds of the processor's time.
    pub headless: PathBuf,
}

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ON_MACOS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
/// Debian's packages; Ubuntu's of these names only point to a snap.
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", HEADLESS];
const HEADLESS: &str = "chromium-headless-shell";

/// The browser that `CHROME` names, else the one on PATH or in the usual macOS place; the driver likewise.
pub fn find() -> Option<Browser> {
    let chrome = chrome()?;
    let headless = named("CHROME").or_else(|| on_path(HEADLESS)).unwrap_or_else(|| chrome.clone());
    Some(Browser { chrome, driver: driver()?, headless })
}

pub fn install(workspace: &Workspace, job: &Job<'_>) -> Result<(), Failure> {
    named_in_vain("CHROME")?;
    named_in_vain("CHROMEDRIVER")?;
    let has_headless = || named("CHROME").is_some() || on_path(HEADLESS).is_some();
    if find().is_some() && has_headless() {
        return Ok(());
    }
    debian::install(workspace, job, &PACKAGES)?;
    if find().is_some() {
        return Ok(());
    }
    Err(Failure::because(sentence(chrome().is_none(), driver().is_none())))
}

fn chrome() -> Option<PathBuf> {
    named("CHROME")
        .or_else(|| NAMES.iter().find_map(|name| on_path(name)))
        .or_else(|| ON_MACOS.iter().map(PathBuf::from).find(|place| place.exists()))
}

fn driver() -> Option<PathBuf> {
    named("CHROMEDRIVER").or_else(|| on_path("chromedriver"))
}

fn named(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from).filter(|path| path.exists())
}

/// A variable that names nothing is a mistake to report, not to ignore.
fn named_in_vain(variable: &str) -> Result<(), Failure> {
    match env::var_os(variable) {
        Some(value) if !value.is_empty() && !Path::new(&value).exists() => Err(Failure::because(format!(
            "{variable} is {}, where there is no file: correct it or unset it.",
            value.to_string_lossy()
        ))),
        _ => Ok(()),
    }
}

fn sentence(no_chrome: bool, no_driver: bool) -> String {
    let missing = match (no_chrome, no_driver) {
        (true, true) => "Chromium and chromedriver are missing",
        (true, false) => "Chromium is missing",
        _ => "chromedriver is missing",
    };
    format!(
        "{missing}: Debian: apt install {}; macOS: brew install --cask google-chrome chromedriver; elsewhere: install \
         Chrome and the chromedriver of the same version, and name them in CHROME and CHROMEDRIVER.",
        PACKAGES[..2].join(" ")
    )
}
