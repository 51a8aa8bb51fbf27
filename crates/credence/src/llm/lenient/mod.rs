//! JSON out of what models really send: fences, prose, reasoning, broken escapes, cut ends, wrong wrappings.
//!
//! Strict JSON is taken as it is. Else reasoning blocks leave, every `{` or `[` is tried with a tolerant reader
//! (`reader`), and among the values found the best one with a wanted key wins, the later one on a tie: models
//! draft first and answer last. What was mended is told in [`Read::repairs`], what was lost in [`Read::is_cut`];
//! an answer that holds nothing usable is an [`Unreadable`] with place and reason, which a repair call can quote.
//!
//! Reading never invents: a value that is cut in the middle is dropped, not completed. Repair crates do
//! complete it (and, tried on the cases of the tests, read five in twelve wrongly or not at all), which is why
//! the reader is our own.

mod reader;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::{Map, Value};

use super::ReplySchema;
use super::think::TAGS;
use super::wire::excerpt;
use reader::Reader;

/// What the caller is looking for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// Keys of the object; one of them is enough. Empty: any object or list will do.
    pub keys: Vec<String>,
    /// The key under which a bare list belongs, where there is one.
    pub list: Option<String>,
}

impl Wanted {
    /// An object that holds a list under `key`.
    pub fn list(key: &str) -> Self {
        Self { keys: vec![key.to_owned()], list: Some(key.to_owned()) }
    }

    /// The object that `schema` describes: its properties, and the first one that is a list.
    pub fn by_schema(schema: &ReplySchema) -> Self {
        let Some(properties) = schema.schema.get("properties").and_then(Value::as_object) else {
            return Self::default();
        };
        let is_list = |property: &Value| property.get("type").is_some_and(|kind| kind == "array");
        Self {
            keys: properties.keys().cloned().collect(),
            list: properties.iter().find(|(_, property)| is_list(property)).map(|(key, _)| key.clone()),
        }
    }
}

/// A value that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The value: an object with a wanted key, or, when no key was wanted, any object or list.
    pub value: Value,
    /// What was mended, in words, each once. Empty for strict JSON of the right shape.
    pub repairs: Vec<String>,
    /// The answer ended too early: complete elements are kept, the one that was cut is dropped.
    pub is_cut: bool,
}

/// Why an answer cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Unreadable {
    /// What is wrong.
    pub what: String,
    /// Line and column, both from 1, of the place where the best attempt failed.
    pub place: Option<(usize, usize)>,
    /// The text at that place, or the beginning of the answer; at most 120 characters.
    pub near: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match self.place {
            Some((line, column)) => write!(f, " at line {line}, column {column}, near `{}`", self.near),
            None if self.near.is_empty() => Ok(()),
            None => write!(f, "; it begins `{}`", self.near),
        }
    }
}

/// Reads the JSON value in `text`.
///
/// # Errors
/// When no value with a wanted key can be found; the error says what stands where.
pub fn read(text: &str, wanted: &Wanted) -> Result<Read, Unreadable> {
    read_nested(text, wanted, 0)
}

/// How often a JSON string may hold JSON.
const NESTING: u8 = 2;

fn read_nested(text: &str, wanted: &Wanted, nesting: u8) -> Result<Read, Unreadable> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(Unreadable { what: "the answer is empty".into(), place: None, near: String::new() });
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::String(inner)) if nesting < NESTING => {
            let mut read = read_nested(&inner, wanted, nesting + 1)?;
            read.repairs.insert(0, "the JSON came inside a JSON string".into());
            return Ok(read);
        }
        Ok(value @ (Value::Object(_) | Value::Array(_))) => {
            return match fit(value, wanted) {
                Some(fitted) => Ok(Read { value: fitted.value, repairs: fitted.repairs, is_cut: false }),
                None => Err(missing_key(text, wanted)),
            };
        }
        _ => {}
    }
    search(text, wanted)
}

/// Tries every place where a value may begin.
fn search(text: &str, wanted: &Wanted) -> Result<Read, Unreadable> {
    let (answer, had_reasoning) = without_reasoning(text);
    if answer.trim().is_empty() {
        return Err(Unreadable {
            what: "the answer holds reasoning alone".into(),
            place: None,
            near: excerpt(text),
        });
    }
    let mut found: Option<Candidate> = None;
    let mut count = 0;
    let mut problem: Option<reader::Problem> = None;
    let mut saw_value = false;
    // Enough for any honest answer to be read several times over; a hostile one must not cost its square.
    let mut fuel = answer.len().saturating_mul(32).saturating_add(4096);
    for (start, end) in segments(answer) {
        let mut at = start;
        while let Some(offset) = answer[at..end].find(['{', '[']) {
            at += offset;
            match Reader::parse(&answer[..end], at, &mut fuel) {
                Ok(parsed) => {
                    saw_value |= !is_empty(&parsed.value);
                    let begin = std::mem::replace(&mut at, parsed.end);
                    let fitted = fit(parsed.value, wanted).filter(|fitted| {
                        !fitted.is_bare_nothing() || is_alone(&answer[start..end], parsed.end - begin)
                    });
                    let Some(fitted) = fitted else {
                        if parsed.is_cut {
                            // It swallowed the rest of the text; what is wanted may stand inside.
                            at = begin + 1;
                        }
                        continue;
                    };
                    count += 1;
                    let candidate = Candidate { fitted, repairs: parsed.repairs, is_cut: parsed.is_cut };
                    if found.as_ref().is_none_or(|best| candidate.rank() >= best.rank()) {
                        found = Some(candidate);
                    }
                }
                Err(failed) => {
                    at += 1;
                    if problem.as_ref().is_none_or(|known| failed.at > known.at) {
                        problem = Some(failed);
                    }
                }
            }
        }
        if found.is_some() {
            break;
        }
    }
    let Some(best) = found else {
        if let Some(read) = read_escaped(answer, wanted) {
            return Ok(read);
        }
        // A syntax error behind a wanted key is what went wrong, even if other values were found.
        let is_telling = |at: usize| wanted.keys.iter().any(|key| answer[..at].contains(key.as_str()));
        return Err(match problem {
            Some(problem) if !saw_value || is_telling(problem.at) => at_place(answer, &problem),
            _ if saw_value => missing_key(answer, wanted),
            _ => Unreadable { what: "the answer holds no JSON".into(), place: None, near: excerpt(answer) },
        });
    };
    let mut repairs = Vec::new();
    if had_reasoning {
        repairs.push("reasoning in front of the JSON was removed".to_owned());
    }
    if count > 1 {
        repairs.push(format!("{count} JSON values came; the best one was taken"));
    }
    repairs.extend(best.repairs.iter().map(|repair| repair.words().to_owned()));
    if repairs.is_empty() && !best.is_cut {
        repairs.push("text around the JSON was removed".to_owned());
    }
    let is_cut = best.is_cut;
    if is_cut && best.fitted.is_hollow {
        let what = "the answer ended before its first complete element".to_owned();
        return Err(Unreadable { what, place: None, near: excerpt(answer) });
    }
    repairs.extend(best.fitted.repairs);
    if is_cut {
        repairs.push("the answer ended too early; complete elements were kept".to_owned());
    }
    Ok(Read { value: best.fitted.value, repairs, is_cut })
}

/// `{\"key\": …}`: the inside of a JSON string without its quotes.
fn read_escaped(answer: &str, wanted: &Wanted) -> Option<Read> {
    if !answer.contains("\\\"") {
        return None;
    }
    let inner = serde_json::from_str::<String>(&format!("\"{answer}\"")).ok()?;
    let value = serde_json::from_str::<Value>(inner.trim()).ok()?;
    let mut fitted = fit(value, wanted)?;
    fitted.repairs.insert(0, "the quotes of the JSON were escaped".to_owned());
    Some(Read { value: fitted.value, repairs: fitted.repairs, is_cut: false })
}

struct Candidate {
    fitted: Fitted,
    repairs: Vec<reader::Repair>,
    is_cut: bool,
}

impl Candidate {
    /// Better values are greater: the right shape, then whole, then not empty.
    fn rank(&self) -> (u8, bool, bool) {
        (self.fitted.closeness, !self.is_cut, !self.fitted.is_hollow)
    }
}

/// A value brought into the wanted shape.
struct Fitted {
    value: Value,
    repairs: Vec<String>,
    /// 2: the shape was right; 1: unwrapped; 0: a list that was given its key.
    closeness: u8,
    /// What was wanted is there but empty.
    is_hollow: bool,
}

impl Fitted {
    /// `[]`: an answer when it stands alone, otherwise likely a remark.
    fn is_bare_nothing(&self) -> bool {
        self.closeness == 0 && self.is_hollow
    }
}

/// Whether a value of `length` bytes is all of `segment` but for white space and fence marks.
fn is_alone(segment: &str, length: usize) -> bool {
    let inner = segment.trim().trim_matches(['`', '~']);
    let inner = inner.strip_prefix("json").or_else(|| inner.strip_prefix("JSON")).unwrap_or(inner);
    inner.trim().len() == length
}

/// How deep a wrapping is searched for the wanted object.
const WRAPPING: u8 = 3;

fn fit(value: Value, wanted: &Wanted) -> Option<Fitted> {
    if wanted.keys.is_empty() {
        let is_hollow = is_empty(&value);
        return Some(Fitted { value, repairs: Vec::new(), closeness: 2, is_hollow });
    }
    let value = match fit_object(value, wanted, 0) {
        Ok(mut fitted) => {
            let key = wanted.list.as_deref().unwrap_or_default();
            if let Some(single @ Value::Object(_)) = fitted.value.get_mut(key) {
                *single = Value::Array(vec![single.take()]);
                fitted.repairs.push(format!("a single object was taken as the list `{key}`"));
            }
            return Some(fitted);
        }
        Err(value) => value,
    };
    let key = wanted.list.as_ref()?;
    let (list, words) = match value {
        Value::Array(items) => (items, format!("a bare list was taken as `{key}`")),
        Value::Object(members) => {
            let mut lists = members.into_iter().filter(|(_, value)| is_list_of_objects(value));
            match (lists.next(), lists.next()) {
                (Some((name, Value::Array(items))), None) => {
                    (items, format!("the list `{name}` was taken as `{key}`"))
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    if !list.iter().all(Value::is_object) {
        return None;
    }
    let is_hollow = list.is_empty();
    let mut object = Map::new();
    object.insert(key.clone(), Value::Array(list));
    Some(Fitted { value: object.into(), repairs: vec![words], closeness: 0, is_hollow })
}

/// The object with a wanted key: the value itself, one inside a wrapping, or the only element of a list.
fn fit_object(value: Value, wanted: &Wanted, depth: u8) -> Result<Fitted, Value> {
    let has_key = |map: &Map<String, Value>| wanted.keys.iter().any(|key| map.contains_key(key));
    match value {
        Value::Object(mut members) => {
            let mut repairs = Vec::new();
            if !has_key(&members) {
                rename_keys(&mut members, wanted, &mut repairs);
            }
            if has_key(&members) {
                let is_hollow = wanted.keys.iter().filter_map(|key| members.get(key)).all(is_empty);
                return Ok(Fitted { value: members.into(), repairs, closeness: 2, is_hollow });
            }
            if depth < WRAPPING {
                let names: Vec<String> = members.keys().cloned().collect();
                for name in names {
                    let inner = members.get_mut(&name).map(Value::take).unwrap_or_default();
                    let is_object = inner.is_object();
                    match fit_object(inner, wanted, if is_object { depth + 1 } else { WRAPPING }) {
                        Ok(mut fitted) if is_object => {
                            fitted.repairs.push(format!("the object was taken out of `{name}`"));
                            fitted.closeness = 1;
                            return Ok(fitted);
                        }
                        Ok(fitted) => members[&name] = Value::Array(vec![fitted.value]),
                        Err(inner) => members[&name] = inner,
                    }
                }
            }
            Err(members.into())
        }
        Value::Array(mut items) if items.len() == 1 && depth < WRAPPING => {
            let only = items.pop().unwrap_or_default();
            if !only.is_object() {
                return Err(vec![only].into());
            }
            match fit_object(only, wanted, WRAPPING) {
                Ok(mut fitted) => {
                    fitted.repairs.push("the object was taken out of a list".to_owned());
                    fitted.closeness = 1;
                    Ok(fitted)
                }
                Err(only) => Err(vec![only].into()),
            }
        }
        value => Err(value),
    }
}

/// `Propositions`, `proposition_list` no, `PROPOSITIONS` yes: keys that differ in case or separators alone.
fn rename_keys(members: &mut Map<String, Value>, wanted: &Wanted, repairs: &mut Vec<String>) {
    let plain = |key: &str| {
        key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let names: Vec<String> = members.keys().cloned().collect();
    for name in names {
        let Some(key) = wanted.keys.iter().find(|key| plain(key) == plain(&name)) else { continue };
        if let Some(value) = members.remove(&name) {
            repairs.push(format!("the key `{name}` was read as `{key}`"));
            members.insert(key.clone(), value);
        }
    }
}

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_object))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty(),
        _ => false,
    }
}

/// The fenced blocks of `text` as byte ranges, then all of it.
fn segments(text: &str) -> Vec<(usize, usize)> {
    let mut segments = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            match open.take() {
                Some(start) => segments.push((start, at)),
                // JSON may begin on the fence's own line: "```json {".
                None => open = Some(at),
            }
        }
        at += line.len();
    }
    segments.push((0, text.len()));
    segments
}

/// The answer without reasoning blocks, and whether there were any. An answer that begins as JSON is left
/// alone: there a tag is data.
fn without_reasoning(text: &str) -> (&str, bool) {
    let mut rest = text.trim_start();
    let mut removed = false;
    if rest.starts_with(['{', '[']) {
        return (rest, false);
    }
    // A block in front, several of them, or its end alone (templates that open the block in the prompt).
    loop {
        let lower = rest.to_ascii_lowercase();
        let opened = TAGS.iter().find(|tag| lower.trim_start().starts_with(&format!("<{tag}>")));
        let close = |tag: &str| lower.find(&format!("</{tag}>")).map(|at| at + tag.len() + 3);
        let end = match opened {
            Some(tag) => Some(close(tag).unwrap_or(rest.len())),
            None => TAGS.iter().filter_map(|tag| close(tag)).min().filter(|end| {
                // Only when the JSON comes after it.
                rest[*end..].contains(['{', '['])
            }),
        };
        match end {
            Some(end) => {
                rest = &rest[end..];
                removed = true;
            }
            None => return (rest, removed),
        }
        if rest.trim_start().starts_with(['{', '[', '`']) {
            return (rest, removed);
        }
    }
}

fn missing_key(text: &str, wanted: &Wanted) -> Unreadable {
    let keys = wanted.keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" or ");
    Unreadable { what: format!("the JSON has no key {keys}"), place: None, near: excerpt(text) }
}

fn at_place(text: &str, problem: &reader::Problem) -> Unreadable {
    let before = &text[..problem.at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Unreadable { what: problem.what.clone(), place: Some((line, column)), near: excerpt(&text[problem.at..]) }
}
