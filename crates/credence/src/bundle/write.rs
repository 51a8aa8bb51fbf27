//! The file form of a bundle, and its checksum. Written into one text, one commit a line; the checksum stands behind what it covers,
//! so that nothing is written twice to compute it.

use std::ops::Range;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{BUNDLE_FORMAT, BUNDLE_SCHEMA, Bundle, BundleError, BundledContext, base64};
use crate::history::StoredVector;

/// A row of a vector space.
#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    f32: String,
}

impl Bundle {
    /// The file's text: UTF-8 JSON, the same for the same memories but for `exported_at`.
    ///
    /// # Errors
    /// [`BundleError::Invalid`] for a record that has no JSON form.
    pub fn to_json(&self) -> Result<String, BundleError> {
        let mut out = Vec::new();
        out.extend_from_slice(b"{\"format\":");
        put(&mut out, BUNDLE_FORMAT)?;
        out.extend_from_slice(b",\"schema\":");
        put(&mut out, &BUNDLE_SCHEMA)?;
        out.extend_from_slice(b",\"made_with\":");
        put(&mut out, &self.made_with)?;
        out.extend_from_slice(b",\"exported_at\":");
        put(&mut out, &self.exported_at)?;
        out.extend_from_slice(b",\"contexts\":[");
        for (n, context) in self.contexts.iter().enumerate() {
            out.extend_from_slice(if n == 0 { b"\n" } else { b",\n" });
            put_context(&mut out, context)?;
        }
        out.extend_from_slice(b"\n]}\n");
        String::from_utf8(out).map_err(|error| BundleError::Invalid {
            place: "the export".into(),
            problem: format!("it is no UTF-8: {error}"),
        })
    }
}

fn put<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) -> Result<(), BundleError> {
    serde_json::to_writer(out, value).map_err(|error| BundleError::Invalid {
        place: "the export".into(),
        problem: format!("a record has no JSON form: {error}"),
    })
}

/// A list, one entry a line; where it stands in `out`.
fn put_list<T: Serialize>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
) -> Result<Range<usize>, BundleError> {
    let start = out.len();
    out.push(b'[');
    for (n, item) in items.enumerate() {
        out.extend_from_slice(if n == 0 { b"\n" } else { b",\n" });
        put(out, &item)?;
    }
    out.extend_from_slice(b"\n]");
    Ok(start..out.len())
}

fn put_context(out: &mut Vec<u8>, bundled: &BundledContext) -> Result<(), BundleError> {
    let contents = &bundled.contents;
    out.extend_from_slice(b"{\"context\":");
    let start = out.len();
    put(out, &bundled.context)?;
    let name = start..out.len();
    out.extend_from_slice(b",\"commits\":");
    let commits = put_list(out, contents.commits.iter())?;
    out.extend_from_slice(b",\"uses\":");
    let uses = put_list(out, contents.uses.iter())?;
    out.extend_from_slice(b",\"vectors\":");
    let start = out.len();
    out.push(b'{');
    for (n, (space, vectors)) in contents.vectors.iter().enumerate() {
        out.extend_from_slice(if n == 0 { b"\n" } else { b",\n" });
        put(out, space)?;
        out.push(b':');
        put_list(out, vectors.iter().map(row))?;
    }
    out.extend_from_slice(b"\n}");
    let vectors = start..out.len();
    let mut sum = Checksum::default();
    for part in [name, commits, uses, vectors] {
        sum.add(&out[part]);
    }
    out.extend_from_slice(b",\"checksum\":");
    put(out, &sum.finish())?;
    out.push(b'}');
    Ok(())
}

fn row(stored: &StoredVector) -> Row<'_> {
    let bytes: Vec<u8> = stored.vector.iter().flat_map(|number| number.to_le_bytes()).collect();
    Row { text: stored.text.as_str(), f32: base64::encode(&bytes) }
}

/// SHA-256 over JSON texts, blind for the white space between tokens.
#[derive(Default)]
pub(super) struct Checksum(Sha256);

impl Checksum {
    /// Adds one text, and a line feed behind it.
    pub(super) fn add(&mut self, json: &[u8]) {
        self.add_tokens(json);
        self.0.update(b"\n");
    }

    /// Adds one text as it is but for white space between tokens.
    pub(super) fn add_tokens(&mut self, json: &[u8]) {
        let (mut from, mut in_string, mut escaped) = (0, false, false);
        for (n, byte) in json.iter().enumerate() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                b' ' | b'\n' | b'\r' | b'\t' if !in_string => {
                    self.0.update(&json[from..n]);
                    from = n + 1;
                }
                _ => {}
            }
        }
        self.0.update(&json[from..]);
    }

    /// 64 hexadecimal digits.
    pub(super) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
