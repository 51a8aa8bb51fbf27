//! WebAssembly modules as files: finding cargo's, running wasm-bindgen, dropping sections, measuring.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::args::Args;
use crate::run::{Cmd, step};
use crate::{paths, setup};

/// The target triple of everything that runs in a browser.
pub(crate) const TRIPLE: &str = "wasm32-unknown-unknown";

/// Builds one package for the browser and returns the path of its module.
///
/// # Errors
/// When cargo fails, or when the package gives no `.wasm` (a library needs `crate-type = ["cdylib"]`).
pub(crate) fn cargo_build(package: &str, bin: Option<&str>, profile: &str) -> Result<PathBuf> {
    step(&format!("{package}: compiling it for the browser (profile {profile})"));
    let mut cmd =
        Cmd::cargo().args(["build", "--package", package, "--target", TRIPLE, "--profile", profile]);
    cmd = match bin {
        Some(bin) => cmd.args(["--bin", bin]),
        None => cmd.arg("--lib"),
    };
    let messages = cmd.arg("--message-format=json-render-diagnostics").capture()?;
    let wanted = bin.unwrap_or(package).replace('-', "_");
    module_in(&messages, &wanted)
        .with_context(|| format!("cargo built `{package}` but no module `{wanted}.wasm`"))
}

/// The path of the module that cargo's messages name last for this target.
fn module_in(messages: &str, target: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter(|message| {
            message["target"]["name"].as_str().is_some_and(|name| name.replace('-', "_") == target)
        })
        .filter_map(|message| {
            let files = message["filenames"].as_array()?.iter().filter_map(Value::as_str);
            files.map(PathBuf::from).find(|path| path.extension().is_some_and(|ext| ext == "wasm"))
        })
        .next_back()
}

/// Runs wasm-bindgen for the web: `NAME.js`, `NAME_bg.wasm` and, if asked, their `.d.ts` in `out`, which is emptied first.
pub(crate) fn bindgen(module: &Path, out: &Path, name: &str, typescript: bool) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("emptying {}", out.display()))?;
    }
    let mut cmd =
        Cmd::new(setup::wasm_bindgen()?.join("wasm-bindgen")).args(["--target", "web", "--out-name", name]);
    if !typescript {
        cmd = cmd.arg("--no-typescript");
    }
    cmd.arg("--out-dir").arg(out).arg(module).run()
}

/// Drops the sections that only a debugger or a statistician reads: function names and the list of producers.
pub(crate) fn strip(path: &Path) -> Result<()> {
    let module = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    let small = without_sections(&module, &["name", "producers"])
        .with_context(|| format!("reading {}", path.display()))?;
    fs::write(path, small).with_context(|| format!("writing {}", path.display()))
}

/// `cargo xtask strip-wasm [FOLDER]`: strips the modules in FOLDER, or, started by Trunk, in its staging folder when it
/// builds a release. Development builds keep their names: a panic's backtrace is worth more than bytes there.
pub(crate) fn strip_command(mut args: Args) -> Result<()> {
    let folder = match args.positional() {
        Some(folder) => PathBuf::from(folder),
        None => {
            if std::env::var("TRUNK_PROFILE").as_deref() == Ok("debug") {
                return args.finish();
            }
            std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from).context(
                "strip-wasm needs a folder; without one it takes Trunk's staging folder, and Trunk did not start it",
            )?
        }
    };
    args.finish()?;
    for entry in fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ext| ext == "wasm") {
            strip(&path)?;
        }
    }
    Ok(())
}

/// A module without the custom sections of these names.
fn without_sections(module: &[u8], names: &[&str]) -> Result<Vec<u8>> {
    ensure!(module.starts_with(b"\0asm\x01\0\0\0"), "this is no WebAssembly module of version 1");
    let mut out = module[..8].to_vec();
    let mut at = 8;
    while at < module.len() {
        let start = at;
        let id = module[at];
        let (size, body) = leb128(module, at + 1)?;
        at = body
            .checked_add(size)
            .filter(|end| *end <= module.len())
            .context("a section runs past the end")?;
        if id == 0 {
            let (len, text) = leb128(module, body)?;
            let name =
                module.get(text..text.saturating_add(len)).context("a section's name runs past the end")?;
            if names.iter().any(|unwanted| unwanted.as_bytes() == name) {
                continue;
            }
        }
        out.extend_from_slice(&module[start..at]);
    }
    Ok(out)
}

/// An unsigned LEB128 number of at most 32 bits, and where it ends.
fn leb128(bytes: &[u8], mut at: usize) -> Result<(usize, usize)> {
    let mut value = 0usize;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.get(at).context("a number runs past the end")?;
        at += 1;
        value |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok((value, at));
        }
    }
    bail!("a number has more than 32 bits")
}

/// Bytes of a file, raw and as a server would send it (gzip, level 9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) raw: u64,
    pub(crate) gzip: u64,
}

impl Size {
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        Ok(Self { raw: bytes.len() as u64, gzip: gzip_len(bytes)? })
    }

    pub(crate) fn words(self) -> String {
        let kb = |bytes: u64| bytes.div_ceil(1000);
        format!("{} KB, {} KB gzip", kb(self.raw), kb(self.gzip))
    }
}

fn gzip_len(bytes: Vec<u8>) -> Result<u64> {
    let mut child = Command::new("gzip")
        .args(["-9", "-n", "-c"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start `gzip`, which measures compressed sizes; install it")?;
    let mut stdin = child.stdin.take().context("gzip has no standard input")?;
    // Fed from a thread of its own: a pipe filled from both ends would wait for ever.
    let feeder = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output()?;
    ensure!(feeder.join().is_ok_and(|fed| fed.is_ok()) && output.status.success(), "gzip failed");
    Ok(output.stdout.len() as u64)
}

/// Says how large the module of a build is.
pub(crate) fn report_size(path: &Path) -> Result<()> {
    let shown = path.strip_prefix(paths::root()).unwrap_or(path);
    step(&format!("{}: {}", shown.display(), Size::of(path)?.words()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_only_the_named_custom_sections() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        let type_section = [1, 1, 0];
        let name = [0, 6, 4, b'n', b'a', b'm', b'e', 9];
        let features = [0, 4, 2, b'o', b'k', 7];
        module.extend(name);
        module.extend(type_section);
        module.extend(features);
        let mut expected = b"\0asm\x01\0\0\0".to_vec();
        expected.extend(type_section);
        expected.extend(features);
        assert_eq!(without_sections(&module, &["name", "producers"]).unwrap(), expected);
    }

    #[test]
    fn damaged_modules_are_refused() {
        assert!(without_sections(b"\x7fELF....", &[]).is_err());
        assert!(without_sections(b"\0asm\x01\0\0\0\x01\x05\0", &[]).is_err());
        assert!(without_sections(b"\0asm\x01\0\0\0\x01\xff\xff\xff\xff\xff\xff", &[]).is_err());
    }

    #[test]
    fn finds_the_module_of_the_asked_target() {
        let line = |name: &str, file: &str| {
            serde_json::json!({"reason": "compiler-artifact", "target": {"name": name}, "filenames": [file]})
                .to_string()
        };
        let messages =
            [line("dep", "/t/dep.wasm"), line("credence-web", "/t/credence-web.wasm"), "noise".into()]
                .join("\n");
        assert_eq!(module_in(&messages, "credence_web"), Some(PathBuf::from("/t/credence-web.wasm")));
        assert_eq!(module_in(&messages, "credence_js"), None);
    }

    #[test]
    fn gzip_counts_bytes() {
        let zeros = gzip_len(vec![0; 300_000]).unwrap();
        assert!((100..2_000).contains(&zeros), "{zeros}");
    }
}
