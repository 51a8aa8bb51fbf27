//! The address of an endpoint: read from what people paste, checked, and joined with the paths of a dialect.

use std::fmt;

/// A checked base address such as `https://api.openai.com/v1`: http or https, no user, no query, no fragment,
/// no slash at its end.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BaseUrl {
    text: String,
    origin_length: usize,
}

/// Why an address cannot be used, with what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
    /// Nothing was entered.
    #[error("the address is empty; it looks like https://api.example.com/v1")]
    Empty,
    /// No `http://` or `https://` in front.
    #[error("the address needs http:// or https:// in front; did you mean {suggestion}?")]
    NoScheme {
        /// The address with the likely scheme.
        suggestion: String,
    },
    /// Another scheme.
    #[error("the address begins with `{scheme}:`; only http and https can be called")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// `user:password@host`.
    #[error("the address holds a user name or password; enter the key in its own field instead")]
    Credentials,
    /// `?…` or `#…`.
    #[error("the address has a part after `{mark}`; leave that out (a key in an address ends up in logs)")]
    Query {
        /// `?` or `#`.
        mark: char,
    },
    /// No host, or a character that no host has.
    #[error("the address has no valid host name")]
    Host,
    /// Not a number from 1 to 65535.
    #[error("`{port}` is not a port number from 1 to 65535")]
    Port {
        /// What stands after the colon.
        port: String,
    },
    /// White space inside.
    #[error("the address has a space or line break inside")]
    Space,
}

/// Paths of single operations that people paste together with the base.
const OPERATIONS: [&str; 7] =
    ["/chat/completions", "/completions", "/messages", "/embeddings", "/models", "/responses", "/chat"];

impl BaseUrl {
    /// Reads an address. `default_path` (`/v1`) is added when the address names a host alone.
    ///
    /// # Errors
    /// [`UrlError`], each with what to write instead.
    pub fn parse(text: &str, default_path: &str) -> Result<Self, UrlError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(UrlError::Empty);
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(UrlError::Space);
        }
        let (scheme, rest) = split_scheme(text)?;
        let (authority, path) = match rest.find(['/', '?', '#']) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(UrlError::Credentials);
        }
        if let Some(mark) = path.chars().find(|c| matches!(c, '?' | '#')) {
            return Err(UrlError::Query { mark });
        }
        let authority = check_authority(authority, scheme)?;
        let is_bare_host = path.trim_end_matches('/').is_empty();
        let mut path = path.trim_end_matches('/');
        for operation in OPERATIONS {
            if let Some(base) = path.strip_suffix(operation) {
                path = base.trim_end_matches('/');
                break;
            }
        }
        let path = if is_bare_host { default_path.trim_end_matches('/') } else { path };
        let origin = format!("{scheme}://{authority}");
        Ok(Self { origin_length: origin.len(), text: origin + path })
    }

    /// The whole address.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Scheme, host and, where it is not the scheme's own, port: what a key is bound to.
    pub fn origin(&self) -> &str {
        &self.text[..self.origin_length]
    }

    /// Host name without port; IPv6 in brackets.
    pub fn host(&self) -> &str {
        let authority = self.origin().split_once("://").map_or("", |(_, authority)| authority);
        match authority.rfind(':') {
            Some(colon) if !authority[colon..].contains(']') => &authority[..colon],
            _ => authority,
        }
    }

    /// Whether the address uses https.
    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// Whether the host is this machine, which browsers trust even over plain http.
    pub fn is_loopback(&self) -> bool {
        let host = self.host();
        let is_v4 = host.starts_with("127.") && host.parse::<std::net::Ipv4Addr>().is_ok();
        host == "localhost" || host.ends_with(".localhost") || is_v4 || host == "[::1]"
    }

    /// The address of one operation, `path` without a leading slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}/{path}", self.text)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn split_scheme(text: &str) -> Result<(&'static str, &str), UrlError> {
    for scheme in ["https", "http"] {
        if let Some(head) = text.get(..scheme.len()).filter(|head| head.eq_ignore_ascii_case(scheme))
            && let Some(rest) = text[head.len()..].strip_prefix("://")
        {
            return Ok((scheme, rest));
        }
    }
    match text.split_once("://") {
        Some((scheme, _)) => Err(UrlError::Scheme { scheme: scheme.to_owned() }),
        None => {
            let host = text.split(['/', ':', '?', '#']).next().unwrap_or_default();
            let is_near = host == "localhost" || host.starts_with("127.") || host.starts_with("192.168.");
            // Credentials are not repeated in the suggestion.
            let shown = text.rsplit('@').next().unwrap_or_default();
            let scheme = if is_near { "http" } else { "https" };
            Err(UrlError::NoScheme { suggestion: format!("{scheme}://{shown}") })
        }
    }
}

/// Host and port in lower case, without the scheme's own port.
fn check_authority(authority: &str, scheme: &str) -> Result<String, UrlError> {
    let (host, port) = match authority.rfind(':') {
        Some(colon) if !authority[colon..].contains(']') => {
            (&authority[..colon], Some(&authority[colon + 1..]))
        }
        _ => (authority, None),
    };
    let host = host.to_lowercase();
    let is_v6 = host.len() > 2
        && host.starts_with('[')
        && host.ends_with(']')
        && host[1..host.len() - 1].chars().all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '.'));
    let is_name = !host.is_empty()
        && !host.starts_with(['.', '-'])
        && host.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '_'));
    if !is_v6 && !is_name {
        return Err(UrlError::Host);
    }
    let Some(port) = port.filter(|port| !port.is_empty()) else { return Ok(host) };
    let is_digits = port.chars().all(|c| c.is_ascii_digit());
    let number = port.parse::<u16>().ok().filter(|number| is_digits && *number > 0);
    let number = number.ok_or_else(|| UrlError::Port { port: port.to_owned() })?;
    let own = if scheme == "https" { 443 } else { 80 };
    Ok(if number == own { host } else { format!("{host}:{number}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_people_paste_them() {
        let check = |text: &str, want: &str, origin: &str| {
            let url = BaseUrl::parse(text, "/v1").unwrap();
            assert_eq!((url.as_str(), url.origin()), (want, origin), "{text}");
        };
        check("https://api.openai.com/v1/", "https://api.openai.com/v1", "https://api.openai.com");
        check(
            " https://api.openai.com/v1/chat/completions ",
            "https://api.openai.com/v1",
            "https://api.openai.com",
        );
        check(
            "https://api.anthropic.com/v1/messages/",
            "https://api.anthropic.com/v1",
            "https://api.anthropic.com",
        );
        check("http://LocalHost:11434", "http://localhost:11434/v1", "http://localhost:11434");
        check("HTTPS://Example.com:443/Api", "https://example.com/Api", "https://example.com");
        check("http://[::1]:8080/v1", "http://[::1]:8080/v1", "http://[::1]:8080");
        check(
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai",
            "https://generativelanguage.googleapis.com",
        );
        check("https://gate.example/chat/completions", "https://gate.example", "https://gate.example");
    }

    #[test]
    fn bad_addresses_say_what_to_write() {
        let check = |text: &str, want: &str| {
            let error = BaseUrl::parse(text, "/v1").unwrap_err().to_string();
            assert!(error.contains(want), "{text}: {error}");
        };
        check("", "is empty");
        check("localhost:11434/v1", "http://localhost:11434/v1");
        check("api.openai.com/v1", "https://api.openai.com/v1");
        check("ftp://host/v1", "`ftp:`");
        check("https://me:hush@host/v1", "its own field");
        check("https://host/v1?key=hush", "after `?`");
        check("https://host/v1#x", "after `#`");
        check("https:///v1", "host name");
        check("https://ho st/v1", "space");
        check("https://host:99999/v1", "`99999`");
        check("https://host:+80/v1", "`+80`");
        check("me:hush@host/v1", "https://host/v1");
        for text in ["https://me:hush@host/v1", "https://host/v1?key=hush", "me:hush@host/v1"] {
            assert!(!format!("{:?}", BaseUrl::parse(text, "")).contains("hush"), "{text}");
        }
    }

    #[test]
    fn loopback_is_told_from_other_hosts() {
        let check = |text: &str, want: bool, host: &str| {
            let url = BaseUrl::parse(text, "").unwrap();
            assert_eq!((url.is_loopback(), url.host()), (want, host), "{text}");
        };
        check("http://127.0.0.1:8080/v1", true, "127.0.0.1");
        check("http://app.localhost/v1", true, "app.localhost");
        check("http://[::1]/v1", true, "[::1]");
        check("http://192.168.1.5:1234/v1", false, "192.168.1.5");
        check("http://localhost.example.com/v1", false, "localhost.example.com");
        check("http://127.evil.example.com/v1", false, "127.evil.example.com");
    }
}
