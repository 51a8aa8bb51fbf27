//! Reads `web/index.html` and `Trunk.toml` the way Trunk does, as far as this project uses them.
//!
//! What is not understood is an error, never a silent difference: the two builds give the same site, and the `trunk`
//! stage of `cargo xtask test` compares them byte by byte.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

/// The settings of `Trunk.toml` that shape the page.
#[derive(Debug)]
pub(crate) struct Settings {
    /// In front of every address: `./` or `/some/folder/`.
    base: String,
    script: String,
    preload: String,
}

impl Settings {
    pub(crate) fn read(toml: &str) -> Result<Self> {
        let mut values = plain_values(toml);
        for (key, wanted) in [("build.filehash", "false"), ("build.no_sri", "true")] {
            if values.get(key).map(String::as_str) != Some(wanted) {
                bail!(
                    "Trunk.toml: `{key}` must be {wanted}; `cargo xtask build` keeps file names and adds no digests"
                );
            }
        }
        let mut take = |key: &str| {
            values
                .remove(key)
                .with_context(|| format!("Trunk.toml: `{key}` is missing or not a string on one line"))
        };
        Ok(Self {
            base: take("build.public_url")?,
            script: take("build.pattern_script")?,
            preload: take("build.pattern_preload")?,
        })
    }
}

/// The `key = "text"`, `key = 'text'` and `key = true` lines of a TOML file, as `section.key`. Others are left out.
pub(crate) fn plain_values(toml: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    let mut section = String::new();
    for line in toml.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim_matches(['[', ']']).to_owned();
        } else if let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            let value = value.trim();
            let quoted = ['"', '\''].iter().find_map(|&q| value.strip_prefix(q)?.strip_suffix(q));
            let bare = matches!(value, "true" | "false").then_some(value);
            if let Some(value) = quoted.or(bare) {
                values.insert(format!("{section}.{}", key.trim()), value.to_owned());
            }
        }
    }
    values
}

/// A file or folder that the page asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    /// Path below `web/`.
    pub(crate) source: String,
    /// Folder below `dist/`; empty for the top.
    pub(crate) folder: String,
    /// A folder is copied under its own name.
    pub(crate) is_folder: bool,
}

/// The app that the page starts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct App {
    /// Name of the binary, and of its `.js` and `_bg.wasm`.
    pub(crate) bin: String,
    /// Cargo profile of a development build; that of a release is `release`.
    pub(crate) dev_profile: String,
}

/// The page as it goes to `dist/`, and what has to lie beside it.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) html: String,
    pub(crate) assets: Vec<Asset>,
    pub(crate) app: App,
}

impl Page {
    pub(crate) fn read(source: &str, settings: &Settings) -> Result<Self> {
        let mut html = String::with_capacity(source.len());
        let mut assets = Vec::new();
        let mut app = None;
        let mut rest = source;
        while let Some(at) = rest.find('<') {
            let (before, tag_on) = rest.split_at(at);
            html.push_str(before);
            let end =
                if tag_on.starts_with("<!--") { tag_on.find("-->").map(|e| e + 3) } else { tag_end(tag_on) };
            let end =
                end.with_context(|| format!("web/index.html: `{}` is never closed", first_line(tag_on)))?;
            let (tag, after) = tag_on.split_at(end);
            rest = after;
            let attrs = attributes(tag);
            if tag.starts_with("<!--") || !attrs.contains_key("data-trunk") {
                html.push_str(tag);
                continue;
            }
            if !tag.starts_with("<link") {
                bail!("web/index.html: `{}`: only links with data-trunk are understood", first_line(tag));
            }
            let place = || format!("web/index.html: `{}`", first_line(tag));
            html.push_str(&link(&attrs, settings, &mut assets, &mut app).with_context(place)?);
        }
        html.push_str(rest);
        let app = app.context("web/index.html has no <link data-trunk rel=\"rust\">: nothing to start")?;
        let preload = fill(&settings.preload, &settings.base, &app.bin);
        let Some(head) = html.find("</head>") else { bail!("web/index.html has no </head>") };
        html.insert_str(head, &preload);
        // The pattern of the script names the app, which may come after the links that use it.
        let html = html.replace(SCRIPT_PLACE, &fill(&settings.script, &settings.base, &app.bin));
        Ok(Self { html, assets, app })
    }
}

/// Stands for the app's script until its name is known; no page contains it.
const SCRIPT_PLACE: &str = "\u{0}app\u{0}";

/// What takes a link's place in the page.
fn link(
    attrs: &BTreeMap<String, String>,
    settings: &Settings,
    assets: &mut Vec<Asset>,
    app: &mut Option<App>,
) -> Result<String> {
    let rel = attrs.get("rel").map(String::as_str).unwrap_or_default();
    let known: &[&str] = match rel {
        "rust" => &["href", "data-bin", "data-wasm-opt", "data-cargo-profile-dev"],
        "css" | "icon" => &["href"],
        "copy-file" | "copy-dir" => &["href", "data-target-path"],
        _ => bail!("rel=\"{rel}\" is not understood"),
    };
    if let Some(other) = attrs
        .keys()
        .find(|name| !["data-trunk", "rel"].contains(&name.as_str()) && !known.contains(&name.as_str()))
    {
        bail!("the attribute `{other}` is not understood with rel=\"{rel}\"");
    }
    let need =
        |name: &str| attrs.get(name).cloned().with_context(|| format!("the attribute `{name}` is missing"));
    if rel == "rust" {
        if need("data-wasm-opt")? != "0" {
            bail!("data-wasm-opt must be 0: no optimiser is part of the build");
        }
        if app.is_some() {
            bail!("there is a second app");
        }
        *app = Some(App { bin: need("data-bin")?, dev_profile: need("data-cargo-profile-dev")? });
        return Ok(SCRIPT_PLACE.to_owned());
    }
    let source = need("href")?;
    let name = source.rsplit('/').next().unwrap_or(&source).to_owned();
    let base = &settings.base;
    let markup = match rel {
        "css" => format!("<link rel=\"stylesheet\" href=\"{base}{name}\"/>"),
        "icon" => format!("<link rel=\"icon\" href=\"{base}{name}\"/>"),
        _ => String::new(),
    };
    let folder = attrs.get("data-target-path").cloned().unwrap_or_default();
    assets.push(Asset { source, folder, is_folder: rel == "copy-dir" });
    Ok(markup)
}

fn fill(pattern: &str, base: &str, bin: &str) -> String {
    pattern
        .replace("{base}", base)
        .replace("{js}", &format!("{bin}.js"))
        .replace("{wasm}", &format!("{bin}_bg.wasm"))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Where the tag that starts `text` ends: after the first `>` outside quotes.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '>' => return Some(at + 1),
            None => {}
        }
    }
    None
}

/// The attributes of a tag; one without a value has the empty one.
fn attributes(tag: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut rest = tag.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
    rest = rest.find(char::is_whitespace).map_or("", |at| &rest[at..]);
    loop {
        rest = rest.trim_start();
        let Some(end) =
            rest.find(|c: char| c == '=' || c.is_whitespace()).or((!rest.is_empty()).then_some(rest.len()))
        else {
            return found;
        };
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| ['"', '\''].contains(c));
            let (text, left) = match quote {
                Some(q) => after[1..].split_once(q).unwrap_or((&after[1..], "")),
                None => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
            value = text.to_owned();
            rest = left;
        }
        found.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = "[build]\npublic_url = \"./\"\nfilehash = false\nno_sri = true\n\
        pattern_script = '<script src=\"{base}boot.js\"></script>'\npattern_preload = '<link href=\"{base}{wasm}\"/>'\n";
    const RUST: &str = r#"<link data-trunk rel="rust" href="Cargo.toml" data-bin="app" data-wasm-opt="0" data-cargo-profile-dev="d"/>"#;

    fn page(head: &str) -> Result<Page> {
        let source = format!("<!DOCTYPE html><html><head>{head}</head><body></body></html>");
        Page::read(&source, &Settings::read(TOML).unwrap())
    }

    #[test]
    fn links_become_markup_and_files() {
        let css = "<link\n data-trunk rel='css' href=\"styles/base.css\" />";
        let dir = "<link data-trunk rel=\"copy-dir\" href=\"assets/embedding\" data-target-path=\"x\">";
        let page = page(&format!("{css}{RUST}{dir}<meta content=\"a > b\">")).unwrap();
        assert_eq!(
            page.html,
            "<!DOCTYPE html><html><head><link rel=\"stylesheet\" href=\"./base.css\"/>\
             <script src=\"./boot.js\"></script><meta content=\"a > b\"><link href=\"./app_bg.wasm\"/></head><body></body></html>"
        );
        assert_eq!(page.app, App { bin: "app".into(), dev_profile: "d".into() });
        let asset = |source: &str, folder: &str, is_folder| Asset {
            source: source.into(),
            folder: folder.into(),
            is_folder,
        };
        assert_eq!(page.assets, [asset("styles/base.css", "", false), asset("assets/embedding", "x", true)]);
    }

    #[test]
    fn a_comment_is_no_link() {
        let page = page(&format!("<!-- <link data-trunk rel=\"css\" href=\"a.css\"> -->{RUST}")).unwrap();
        assert!(page.assets.is_empty());
        assert!(page.html.contains("<!-- <link data-trunk"));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let sass = page(&format!("{RUST}<link data-trunk rel=\"sass\" href=\"a.scss\">")).unwrap_err();
        assert!(format!("{sass:#}").contains("rel=\"sass\""), "{sass:#}");
        let inline =
            page(&format!("{RUST}<link data-trunk rel=\"css\" data-inline href=\"a.css\">")).unwrap_err();
        assert!(format!("{inline:#}").contains("data-inline"), "{inline:#}");
        assert!(page("").is_err());
        assert!(Settings::read(&TOML.replace("filehash = false", "filehash = true")).is_err());
    }
}
