//! Reading a bundle: everything is checked before anybody can import it.
//!
//! The text is walked once for its syntax and cut into its members without copying them; then the checksum is taken over what stands
//! there, and only then is it read into records, one commit after the other, so that an error names the commit and the line.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::write::Checksum;
use super::{BUNDLE_FORMAT, BUNDLE_SCHEMA, Bundle, BundleError, BundledContext, base64, in_order, upgrade};
use crate::history::{Commit, ContentId, Contents, Log, Record, SCHEMA_VERSION, StoredVector};
use crate::id::ContextId;
use crate::text;
use crate::time::Timestamp;

/// The members of a JSON object, as they stand in the file.
pub(super) type Members<'a> = BTreeMap<String, &'a RawValue>;

#[derive(Deserialize)]
struct Row<'a> {
    text: ContentId,
    #[serde(borrow)]
    f32: std::borrow::Cow<'a, str>,
}

impl Bundle {
    /// Reads and checks a bundle: its syntax, its form, its checksums, and that every memory in it is a log that can be opened.
    ///
    /// # Errors
    /// [`BundleError`], with the place and the remedy. Nothing is read in part.
    pub fn read(file: &str) -> Result<Self, BundleError> {
        let file = File(file.trim_start_matches('\u{feff}'));
        let top = file.top()?;
        let format: Option<String> = top.get("format").and_then(|raw| serde_json::from_str(raw.get()).ok());
        if format.as_deref() != Some(BUNDLE_FORMAT) {
            let members: Vec<&str> = top.keys().map(String::as_str).take(6).collect();
            let found = match format {
                Some(other) => format!("its format is `{}`", text::excerpt(&other, 40)),
                None => format!("a JSON object with {}", members.join(", ")),
            };
            return Err(BundleError::NotABundle { found });
        }
        let schema: u32 = file.member(&top, "schema", "the bundle")?;
        let made_with = match top.contains_key("made_with") {
            true => file.member(&top, "made_with", "the bundle")?,
            false => "an unnamed release".to_owned(),
        };
        if schema > BUNDLE_SCHEMA {
            return Err(BundleError::NewerSchema { made_with, found: schema, supported: BUNDLE_SCHEMA });
        }
        let exported_at: Timestamp = file.member(&top, "exported_at", "the bundle")?;
        if !top.contains_key("contexts") {
            let only = upgrade::single(&file, &top)?;
            return Ok(Self { made_with, exported_at, contexts: vec![only] });
        }
        let mut contexts: Vec<BundledContext> = Vec::new();
        let mut names = BTreeSet::new();
        for raw in file.member::<Vec<&RawValue>>(&top, "contexts", "the bundle")? {
            let members: Members<'_> = file.part(raw, "a memory of the bundle")?;
            let bundled = file.context(&members)?;
            if !names.insert(bundled.context.clone()) {
                return Err(BundleError::Invalid {
                    place: file.place(raw, 0, 0),
                    problem: format!("the memory “{}” stands in it twice", bundled.context),
                });
            }
            contexts.push(bundled);
        }
        Ok(Self { made_with, exported_at, contexts })
    }
}

/// The file's text, and where things stand in it.
pub(super) struct File<'a>(&'a str);

impl<'a> File<'a> {
    fn top(&self) -> Result<Members<'a>, BundleError> {
        if self.0.trim().is_empty() {
            return Err(BundleError::NotABundle { found: "the file is empty".into() });
        }
        if !self.0.trim_start().starts_with('{') {
            let found = format!("it begins with `{}`", text::excerpt(self.0.trim_start(), 40));
            return Err(BundleError::NotABundle { found });
        }
        serde_json::from_str(self.0).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            match error.classify() {
                Category::Eof => BundleError::Truncated { line, column },
                _ => BundleError::Syntax { line, column, detail: words(&error) },
            }
        })
    }

    /// `line 7, column 3`; line and column are those inside `raw`, 0 for its beginning.
    fn place(&self, raw: &RawValue, line: usize, column: usize) -> String {
        let offset = (raw.get().as_ptr() as usize).saturating_sub(self.0.as_ptr() as usize);
        let before = self.0.get(..offset).unwrap_or_default();
        let breaks = before.bytes().filter(|byte| *byte == b'\n').count();
        let column = match line {
            0 | 1 => before.len() - before.rfind('\n').map_or(0, |at| at + 1) + column.max(1),
            _ => column,
        };
        format!("line {}, column {column}", breaks + line.max(1))
    }

    /// Reads a piece of the file.
    pub(super) fn part<T: Deserialize<'a>>(&self, raw: &'a RawValue, what: &str) -> Result<T, BundleError> {
        serde_json::from_str(raw.get()).map_err(|error| BundleError::Invalid {
            place: format!("{}: {what}", self.place(raw, error.line(), error.column())),
            problem: format!("{}; the file was changed after it was written: get it again", words(&error)),
        })
    }

    /// Reads a member that must be there.
    pub(super) fn member<T: Deserialize<'a>>(
        &self,
        members: &Members<'a>,
        name: &str,
        of: &str,
    ) -> Result<T, BundleError> {
        self.part(self.raw(members, name, of)?, &format!("`{name}` of {of}"))
    }

    /// A member that must be there, as it stands.
    pub(super) fn raw(
        &self,
        members: &Members<'a>,
        name: &str,
        of: &str,
    ) -> Result<&'a RawValue, BundleError> {
        members.get(name).copied().ok_or_else(|| BundleError::Invalid {
            place: of.to_owned(),
            problem: format!("`{name}` is missing; the file was changed after it was written: get it again"),
        })
    }

    fn context(&self, members: &Members<'a>) -> Result<BundledContext, BundleError> {
        let context: ContextId = self.member(members, "context", "a memory of the bundle")?;
        let of = format!("“{context}”");
        let mut sum = Checksum::default();
        for name in ["context", "commits", "uses", "vectors"] {
            sum.add(self.raw(members, name, &of)?.get().as_bytes());
        }
        let (wanted, found): (String, String) = (self.member(members, "checksum", &of)?, sum.finish());
        if wanted != found {
            return Err(BundleError::Checksum { context: context.to_string(), wanted, found });
        }
        let commits = self.commits(self.raw(members, "commits", &of)?, &of)?;
        let uses = self.list(self.raw(members, "uses", &of)?, "use record", &of)?;
        let mut contents = Contents { commits, uses, ..Contents::default() };
        for (space, raw) in self.member::<Members<'_>>(members, "vectors", &of)? {
            let mut vectors = Vec::new();
            for row in self.part::<Vec<Row<'_>>>(raw, &format!("the vectors of `{space}` of {of}"))? {
                let bytes = base64::decode(&row.f32).filter(|bytes| bytes.len() % 4 == 0);
                let Some(bytes) = bytes else {
                    return Err(BundleError::Invalid {
                        place: format!("{}: the vector of {} of {of}", self.place(raw, 0, 0), row.text),
                        problem: "it is no base64 of 32-bit floats; get the file again".into(),
                    });
                };
                let (numbers, _) = bytes.as_chunks::<4>();
                let vector = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
                vectors.push(StoredVector { text: row.text, vector });
            }
            contents.vectors.insert(space, vectors);
        }
        checked(context, contents)
    }

    fn list<T: Deserialize<'a>>(
        &self,
        raw: &'a RawValue,
        what: &str,
        of: &str,
    ) -> Result<Vec<T>, BundleError> {
        let rows: Vec<&RawValue> = self.part(raw, &format!("the {what}s of {of}"))?;
        let read = |(n, row): (usize, &'a RawValue)| self.part(row, &format!("{what} {} of {of}", n + 1));
        rows.into_iter().enumerate().map(read).collect()
    }

    /// The commits of a memory; what a newer release wrote is told as that, whatever else cannot be read in it.
    pub(super) fn commits(&self, raw: &'a RawValue, of: &str) -> Result<Vec<Commit>, BundleError> {
        #[derive(Deserialize)]
        struct Form {
            schema: u32,
        }
        let rows: Vec<&RawValue> = self.part(raw, &format!("the commits of {of}"))?;
        let mut commits = Vec::with_capacity(rows.len());
        for (n, row) in rows.into_iter().enumerate() {
            match self.part(row, &format!("commit {} of {of}", n + 1)) {
                Ok(commit) => commits.push(commit),
                Err(error) => {
                    let form: Option<Form> = serde_json::from_str(row.get()).ok();
                    return Err(match form.filter(|form| form.schema > SCHEMA_VERSION) {
                        Some(form) => newer(form.schema),
                        None => error,
                    });
                }
            }
        }
        Ok(commits)
    }

    /// The use records of a memory.
    pub(super) fn uses<T: Deserialize<'a>>(
        &self,
        raw: &'a RawValue,
        of: &str,
    ) -> Result<Vec<T>, BundleError> {
        self.list(raw, "use record", of)
    }
}

fn newer(found: u32) -> BundleError {
    BundleError::NewerSchema { made_with: "a newer Credence".into(), found, supported: SCHEMA_VERSION }
}

/// The reader's words without its own line and column.
fn words(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words).to_owned()
}

/// Whether a memory can be opened: its commits follow one another and belong to it, and every statement can be.
pub(super) fn checked(context: ContextId, mut contents: Contents) -> Result<BundledContext, BundleError> {
    let invalid = |place: String, problem: String| BundleError::Invalid {
        place: format!("{place} of “{context}”"),
        problem: format!("{problem}; the bundle was put together wrongly: export it again"),
    };
    if let Some(newest) = contents.commits.iter().map(|commit| commit.schema).max()
        && newest > SCHEMA_VERSION
    {
        return Err(newer(newest));
    }
    for commit in &contents.commits {
        let place = || format!("commit {}", commit.seq);
        if commit.context != context {
            return Err(invalid(place(), format!("it belongs to the memory “{}”", commit.context)));
        }
        for revision in &commit.revisions {
            if revision.value.as_ref().is_some_and(|value| value.id() != revision.record) {
                return Err(invalid(place(), format!("{} holds another record", revision.record)));
            }
            if let Some(Record::Proposition(proposition)) = &revision.value {
                proposition.validate().map_err(|problem| invalid(place(), problem.to_string()))?;
            }
        }
    }
    if let Some(strange) = contents.uses.iter().find(|record| record.context != context) {
        let problem = format!("it belongs to the memory “{}”", strange.context);
        return Err(invalid(format!("use record {}", strange.id), problem));
    }
    Log::replay(contents.commits.clone()).map_err(|error| invalid("the log".into(), error.to_string()))?;
    in_order(&mut contents);
    Ok(BundledContext { context, contents })
}
