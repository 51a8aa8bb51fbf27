//! A small static file server for `dist/`, on the loopback address alone.
//!
//! One thread a connection, one request a connection: a page has a dozen files. It exists so that a demo needs no
//! further tool, and it behaves like a plain static host, so that what works here works there.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// How many ports after the wanted one are tried.
const PORTS: u16 = 20;
/// A request line and its headers; more is refused.
const HEAD_BYTES: u64 = 16 * 1024;

/// A bound server.
pub(crate) struct Server {
    listener: TcpListener,
    folder: Arc<PathBuf>,
}

impl Server {
    /// Binds to 127.0.0.1. `None`: any free port; otherwise the wanted one or one of the next ones that are free.
    pub(crate) fn bind(folder: &Path, port: Option<u16>) -> Result<Self> {
        let folder = folder
            .canonicalize()
            .with_context(|| format!("{} is not there; build it first", folder.display()))?;
        let ports = match port {
            None => 0..=0,
            Some(first) => first..=first.saturating_add(PORTS),
        };
        for port in ports.clone() {
            if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                return Ok(Self { listener, folder: Arc::new(folder) });
            }
        }
        bail!(
            "no free port on 127.0.0.1 from {} to {}; choose another with --port",
            ports.start(),
            ports.end()
        );
    }

    pub(crate) fn address(&self) -> Result<SocketAddr> {
        Ok(self.listener.local_addr()?)
    }

    /// Answers for ever.
    pub(crate) fn run(self) {
        for stream in self.listener.incoming().filter_map(Result::ok) {
            let folder = Arc::clone(&self.folder);
            thread::spawn(move || {
                // A browser that goes away in the middle is no event.
                let _gone = handle(stream, &folder);
            });
        }
    }
}

fn handle(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_write_timeout(Some(Duration::from_secs(60)))?;
    let mut reader = BufReader::new((&stream).take(HEAD_BYTES));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut header = String::new();
    // The headers say nothing that changes the answer, but a connection closed over unread bytes is reset.
    while reader.read_line(&mut header)? > 2 {
        header.clear();
    }
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let answer = respond(method, target, folder);
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&answer.body)?;
    }
    stream.flush()
}

/// The first port from `first` on that nobody listens on; the same one from run to run as long as it is free.
pub(crate) fn free_port(first: u16) -> Result<u16> {
    (first..=first.saturating_add(PORTS))
        .find(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
        .with_context(|| format!("no free port on 127.0.0.1 from {first} on"))
}

struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn words(status: &'static str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: format!("{status}\n").into_bytes() }
    }
}

fn respond(method: &str, target: &str, folder: &Path) -> Answer {
    if !matches!(method, "GET" | "HEAD") {
        return Answer::words("405 Method Not Allowed");
    }
    let Some(path) = safe_path(target) else {
        return Answer::words("400 Bad Request");
    };
    let mut file = folder.join(&path);
    if file.is_dir() {
        file.push("index.html");
    } else if !file.exists() && path.extension().is_none() {
        // An address without a file name's ending is a place inside the app.
        file = folder.join("index.html");
    }
    // A link that leads out of the folder is not followed.
    match file.canonicalize() {
        Ok(real) if real.starts_with(folder) => match fs::read(&real) {
            Ok(body) => Answer { status: "200 OK", kind: kind(&real), body },
            Err(_) => Answer::words("403 Forbidden"),
        },
        Ok(_) => Answer::words("403 Forbidden"),
        Err(_) => Answer::words("404 Not Found"),
    }
}

/// The path below the folder that a request names; `None` when it could mean anything above it.
fn safe_path(target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?;
    let text = percent_decode(path.strip_prefix('/')?)?;
    let mut safe = PathBuf::new();
    for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." || part.contains(['\\', '\0', ':']) {
            return None;
        }
        safe.push(part);
    }
    Some(safe)
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

/// The content type of a file. Browsers refuse to compile wasm and to run modules that come with a wrong one.
fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ext| ext.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        // `.sem1` (the embedding table) and the rest are bytes.
        _ => {
            if path.file_name().is_some_and(|name| {
                ["LICENSE", "NOTICE"].iter().any(|word| name.to_string_lossy().starts_with(word))
            }) {
                "text/plain; charset=utf-8"
            } else {
                "application/octet-stream"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> PathBuf {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let top = std::env::temp_dir().join(format!("xtask-serve-{}-{count}", std::process::id()));
        let site = top.join("site");
        fs::create_dir_all(site.join("embedding")).unwrap();
        fs::write(top.join("secret.txt"), "no").unwrap();
        fs::write(site.join("index.html"), "<title>app</title>").unwrap();
        fs::write(site.join("app_bg.wasm"), b"\0asm").unwrap();
        fs::write(site.join("embedding/a b.sem1"), b"SEM1").unwrap();
        site.canonicalize().unwrap()
    }

    fn get(site: &Path, target: &str) -> (String, String) {
        let server = Server::bind(site, None).unwrap();
        let address = server.address().unwrap();
        thread::spawn(move || server.run());
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    #[test]
    fn serves_files_with_their_types_over_http() {
        let site = site();
        let (head, body) = get(&site, "/app_bg.wasm?x=1");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/wasm\r\n"), "{head}");
        assert!(head.contains("Cache-Control: no-cache"));
        assert_eq!(body, "\0asm");
        let (head, body) = get(&site, "/embedding/a%20b.sem1");
        assert!(head.contains("Content-Type: application/octet-stream"), "{head}");
        assert_eq!(body, "SEM1");
    }

    #[test]
    fn places_inside_the_app_give_the_page_and_missing_files_do_not() {
        let site = site();
        for place in ["/", "/memory", "/memory/0190-abc"] {
            assert_eq!(respond("GET", place, &site).body, b"<title>app</title>", "{place}");
        }
        assert_eq!(respond("GET", "/gone.js", &site).status, "404 Not Found");
        assert_eq!(respond("POST", "/", &site).status, "405 Method Not Allowed");
    }

    #[test]
    fn nothing_above_the_folder_is_reached() {
        let site = site();
        for target in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/a/../../secret.txt",
            "/..\\secret.txt",
            "secret.txt",
            "/%00",
            "/%zz",
        ] {
            assert_eq!(respond("GET", target, &site).status, "400 Bad Request", "{target}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(site.join("../secret.txt"), site.join("link.txt")).unwrap();
            assert_eq!(respond("GET", "/link.txt", &site).status, "403 Forbidden");
        }
    }

    #[test]
    fn a_taken_port_gives_way_to_the_next() {
        let site = site();
        let first = Server::bind(&site, None).unwrap().address().unwrap().port();
        let holder = TcpListener::bind((Ipv4Addr::LOCALHOST, first)).unwrap();
        let second = Server::bind(&site, Some(first)).unwrap().address().unwrap().port();
        assert!(second > first);
        drop(holder);
    }
}
