//! House rules as tests: what CONTRIBUTING.md asks of every file, the direction of dependencies, and the absence of
//! things that must not be in the repository. A failure names each place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Longest source file, in lines.
const MOST_LINES: usize = 800;

/// Folders that hold what others wrote or what a build made.
const NOT_OURS: [&str; 5] = [".git", "target", "dist", "node_modules", "out"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' folder lies in the checkout")
}

/// Every file of the repository that is text, with its path from the top.
fn texts() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the checkout can be listed") {
            let path = entry.expect("an entry of it can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_symlink() {
                continue;
            }
            if path.is_dir() {
                if !NOT_OURS.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if let Ok(text) = fs::read_to_string(&path) {
                let shown = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                found.push((shown, text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 20, "the walk found only {} files under {}", found.len(), root().display());
    found
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    Path::new(path).extension().is_some_and(|ext| endings.iter().any(|ending| ext == *ending))
}

fn report(rule: &str, broken: &[String]) {
    assert!(broken.is_empty(), "{rule}\n  {}", broken.join("\n  "));
}

#[test]
fn every_source_file_opens_with_what_it_decides() {
    let openings: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("rs", &["//! "] as &[&str]),
        ("mjs", &["// ", "/**"]),
        ("js", &["// ", "/**"]),
        ("ts", &["// ", "/**"]),
        ("css", &["/* ", "/**"]),
        ("jinja", &["{#"]),
    ]);
    let mut broken = Vec::new();
    for (path, text) in texts() {
        let ending = Path::new(&path).extension().unwrap_or_default().to_string_lossy().into_owned();
        // A script that is run directly names its interpreter first.
        let start =
            if text.starts_with("#!/") { text.split_once('\n').map_or("", |(_, rest)| rest) } else { &text };
        if openings
            .get(ending.as_str())
            .is_some_and(|wanted| !wanted.iter().any(|opening| start.starts_with(opening)))
        {
            broken.push(path);
        }
    }
    report("a file opens with a comment that says what it decides or owns:", &broken);
}

#[test]
fn no_source_file_is_too_long() {
    let long = |(path, text): (String, String)| {
        let lines = text.lines().count();
        // Generated declarations are a golden file, read as a diff.
        let source =
            has_ending(&path, &["rs", "mjs", "js", "ts", "css", "jinja"]) && !path.ends_with(".d.ts");
        (source && lines > MOST_LINES).then(|| format!("{path}: {lines} lines"))
    };
    let broken: Vec<String> = texts().into_iter().filter_map(long).collect();
    report(&format!("a source file has at most {MOST_LINES} lines; find the second concept in it:"), &broken);
}

#[test]
fn nothing_names_a_machine_a_registry_or_unfinished_work() {
    // Written apart, so that this list does not find itself.
    let banned = [
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("/wo", "rk/"),
        concat!("/fa", "rm/"),
        concat!("registry.", "npmjs"),
        concat!("index.", "crates.io"),
        concat!("static.", "crates.io"),
        concat!("pypi", ".org"),
        concat!("to", "do!("),
        concat!("unimpl", "emented!("),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
    ];
    let mut broken = Vec::new();
    for (path, text) in texts() {
        for (at, line) in text.lines().enumerate() {
            for word in banned.iter().filter(|word| line.contains(**word)) {
                broken.push(format!("{path}:{}: `{word}`", at + 1));
            }
        }
    }
    report("these words must not be in the repository:", &broken);
}

#[test]
fn npm_lock_files_record_no_download_address() {
    let mut broken = Vec::new();
    let mut seen = 0;
    for (path, text) in texts().iter().filter(|(path, _)| path.ends_with("package-lock.json")) {
        seen += 1;
        let lock: Value = serde_json::from_str(text).expect("a lock file is JSON");
        for (name, package) in lock["packages"].as_object().into_iter().flatten() {
            if !package["resolved"].is_null() {
                broken.push(format!("{path}: {name}"));
            }
        }
    }
    assert!(seen > 0, "no lock file was found");
    report("npm lock files are written with omit-lockfile-registry-resolved=true:", &broken);
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo answers with JSON");
    metadata["packages"].as_array().expect("a workspace has packages").clone()
}

/// What a package depends on, normally or to be built; what its tests need is theirs to say.
fn dependencies(package: &Value) -> BTreeSet<&str> {
    let all = package["dependencies"].as_array().into_iter().flatten();
    all.filter(|dependency| dependency["kind"] != "dev")
        .filter_map(|dependency| dependency["name"].as_str())
        .collect()
}

#[test]
fn dependencies_point_down_only() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("credence", &[] as &[&str]),
        ("credence-browser", &["credence"]),
        ("credence-sim", &["credence"]),
        ("credence-cli", &["credence", "credence-sim"]),
        ("credence-js", &["credence", "credence-browser"]),
        ("credence-drills", &["credence", "credence-browser"]),
        ("credence-web", &["credence", "credence-browser", "credence-sim"]),
        ("credence-tests", &["credence", "credence-sim"]),
        ("xtask", &[]),
    ]);
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    let mut broken = Vec::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(below) = allowed.get(name) else {
            broken.push(format!("{name} has no place yet: say in this test what it may depend on"));
            continue;
        };
        for dependency in
            dependencies(package).intersection(&ours).filter(|dependency| !below.contains(dependency))
        {
            broken.push(format!("{name} depends on {dependency}"));
        }
    }
    report("core <- browser <- {js, web}; core <- sim <- {cli, web, tests}; xtask stands alone:", &broken);
}

#[test]
fn the_core_names_no_platform() {
    const PLATFORM_CRATES: [&str; 10] = [
        "web-sys",
        "js-sys",
        "wasm-bindgen",
        "gloo-net",
        "indexed_db_futures",
        "tokio",
        "rand",
        "getrandom",
        "reqwest",
        "leptos",
    ];
    const PLATFORM_PATHS: [&str; 11] = [
        "SystemTime::now",
        "Instant::now",
        "std::fs",
        "net::Tcp",
        "net::Udp",
        "net::ToSocketAddrs",
        "std::thread",
        "std::process",
        "std::env",
        "js_sys::",
        "web_sys::",
    ];
    let mut broken = Vec::new();
    let packages = packages();
    let core = packages.iter().find(|package| package["name"] == "credence").expect("the core is a member");
    for name in dependencies(core).intersection(&BTreeSet::from(PLATFORM_CRATES)) {
        broken.push(format!("it depends on {name}"));
    }
    for (path, text) in texts() {
        if !path.starts_with("crates/credence/src/")
            || path.ends_with("/tests.rs")
            || path.contains("/tests/")
        {
            continue;
        }
        // Unit tests at the end of a file may read fixtures.
        let code = text.split("\n#[cfg(test)]").next().unwrap_or_default();
        for (at, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for word in PLATFORM_PATHS.iter().filter(|word| line.contains(**word)) {
                broken.push(format!("{path}:{}: {word}", at + 1));
            }
        }
    }
    report("the core has no clock, randomness, network, storage or browser type:", &broken);
}

#[test]
fn the_documents_name_paths_that_exist() {
    const TOPS: [&str; 7] = ["crates", "web", "pkg", "templates", "tests", "docs", ".ci"];
    let mut broken = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"] {
        let Ok(text) = fs::read_to_string(root().join(document)) else { continue };
        for (at, line) in text.lines().enumerate() {
            // Between backticks: every second part.
            for span in line.split('`').skip(1).step_by(2) {
                let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
                let top = span.split('/').next().unwrap_or_default();
                let made = span.split('/').any(|part| NOT_OURS.contains(&part));
                let path: PathBuf = root().join(span);
                if plain && span.contains('/') && TOPS.contains(&top) && !made && !path.exists() {
                    broken.push(format!("{document}:{}: {span}", at + 1));
                }
            }
        }
    }
    report("paths in the documents exist:", &broken);
}
