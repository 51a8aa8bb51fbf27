//! Trunk and `cargo xtask build` give the same site: every file byte for byte, built and as `trunk serve` serves it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::Outcome;
use super::counts::Counts;
use crate::html::plain_values;
use crate::run::{Cmd, step};
use crate::site::{self, Mode};
use crate::{paths, setup};

/// How long `trunk serve` may take to answer; the release is compiled by then.
const PATIENCE: Duration = Duration::from_secs(300);

pub(super) fn same_site() -> Result<Outcome> {
    if std::env::var_os("CI").is_some() {
        setup::install_trunk()?;
    }
    let Some(trunk) = setup::trunk()? else {
        return Ok(Outcome::Skipped("Trunk is not installed; `cargo xtask setup --trunk` gets it"));
    };
    setup::for_building()?;
    let mut counts = Counts::default();
    let checks: [(&str, &dyn Fn() -> Result<()>); 3] = [
        ("Trunk.toml names the wasm-bindgen of Cargo.lock", &same_version),
        ("`trunk build --release` gives what `cargo xtask build` gives", &|| built(&trunk)),
        ("`trunk serve` serves it", &|| served(&trunk)),
    ];
    site::build(Mode::Release)?;
    for (what, check) in checks {
        let result = check();
        counts += Counts::one(result.is_ok());
        match result {
            Ok(()) => println!("ok - {what}"),
            Err(error) => println!("not ok - {what}: {error:#}"),
        }
    }
    Ok(Outcome::Ran(counts))
}

fn same_version() -> Result<()> {
    let toml = fs::read_to_string(paths::root().join("Trunk.toml")).context("reading Trunk.toml")?;
    let values = plain_values(&toml);
    let (named, locked) = (values.get("tools.wasm_bindgen"), paths::locked_version("wasm-bindgen")?);
    ensure!(named == Some(&locked), "Trunk.toml has {named:?}, Cargo.lock {locked}");
    Ok(())
}

fn command(trunk: &Path, verb: &str, dist: &Path) -> Result<Cmd> {
    let cmd =
        Cmd::new(trunk.join("trunk")).args([verb, "--release", "--skip-version-check", "--dist"]).arg(dist);
    // Trunk reads NO_COLOR as a flag of its own and refuses the value 1.
    cmd.without_env("NO_COLOR").path_first(&setup::wasm_bindgen()?)
}

fn built(trunk: &Path) -> Result<()> {
    let dist = paths::target()?.join("trunk-dist");
    command(trunk, "build", &dist)?.run_quietly()?;
    let (theirs, ours) = (files(&dist)?, files(&site::dist())?);
    let mut differences = Vec::new();
    for name in ours.keys().chain(theirs.keys().filter(|name| !ours.contains_key(*name))) {
        match (ours.get(name), theirs.get(name)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => {
                differences.push(format!("{name} differs ({} and {} bytes)", a.len(), b.len()))
            }
            (None, _) => differences.push(format!("{name} comes from Trunk alone")),
            (_, None) => differences.push(format!("{name} is missing from Trunk's")),
        }
    }
    ensure!(differences.is_empty(), "{} (compare {} with dist)", differences.join("; "), dist.display());
    step(&format!("{} files equal", ours.len()));
    Ok(())
}

/// Every file below a folder, by its path from there.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("listing {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                found.insert(name, fs::read(&path).with_context(|| format!("reading {}", path.display()))?);
            }
        }
    }
    Ok(found)
}

fn served(trunk: &Path) -> Result<()> {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
    let dist = paths::target()?.join("trunk-serve");
    let mut server = command(trunk, "serve", &dist)?.args(["--port", &port.to_string()]).background()?;
    let begin = Instant::now();
    let page = loop {
        if server.has_ended() {
            bail!("`trunk serve` ended by itself; run it to see why");
        }
        match get(port, "/") {
            Ok((head, body)) if head.starts_with("HTTP/1.1 200") => break body,
            _ if begin.elapsed() > PATIENCE => bail!("`trunk serve` gave no page within {PATIENCE:?}"),
            _ => thread::sleep(Duration::from_millis(250)),
        }
    };
    ensure!(page == fs::read(site::dist().join("index.html"))?, "the page differs from that of dist");
    let module = files(&site::dist())?.into_iter().find(|(name, _)| name.ends_with(".wasm"));
    let (name, bytes) = module.context("dist has no wasm")?;
    let (head, body) = get(port, &format!("/{name}"))?;
    ensure!(
        head.to_ascii_lowercase().contains("content-type: application/wasm"),
        "{name} comes with a wrong type: {head}"
    );
    ensure!(body == bytes, "{name} differs from that of dist");
    Ok(())
}

/// The head and body of one answer; the server closes the connection.
fn get(port: u16, path: &str) -> Result<(String, Vec<u8>)> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    write!(
        stream,
        "GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    )?;
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes)?;
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").context("the answer has no head")?;
    // A server may answer a request of HTTP/1.0 in either version.
    let head = String::from_utf8_lossy(&bytes[..end]).replacen("HTTP/1.0", "HTTP/1.1", 1);
    Ok((head, bytes.split_off(end + 4)))
}
