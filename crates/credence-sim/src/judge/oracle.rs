//! The oracle: a judge without a model, whose verdict on a reply is the same every time.
//!
//! A reply is read sentence by sentence. What a sentence says of a fact:
//!
//! 1. Nothing when it is doubtful: it matches one of the fact's `hedge` patterns, holds a word for doubt, is a question, or gives
//!    somebody's claim (see `doubt`).
//! 2. A match of `affirm` says that the fact holds; where a denial reaches the match, that it does not.
//! 3. A match of `deny` says that it does not hold; a denied one ("it is not bronze") says nothing, for what is not bronze need not be iron.
//! 4. Of several matches the one that ends last counts ("it was iron once, but now it is bronze"); two opposite ones that end in the
//!    same place say nothing.
//!
//! What the reply says of a fact, by the sentences that say something:
//!
//! | sentences | ruling | severity |
//! |---|---|---|
//! | none | NOT_MENTIONED | NONE |
//! | affirming alone | CONFIRMED | NONE |
//! | denying alone | CONTRADICTED | MAJOR |
//! | denying, then affirming, with a word that corrects in between | CONFIRMED: the reply took it back | NONE |
//! | affirming, then denying, with such a word | CONTRADICTED: the fact was taken back | MAJOR |
//! | both, otherwise | CONTRADICTED: the reply holds both | MINOR |
//!
//! A fact without an oracle is judged by its own words, with confidence 3 instead of 5: a sentence affirms that holds at least 80 % of
//! its terms and all of its numbers, dates, names and its side (`credence::text::holding`), and denies that excludes it or is the same
//! but for an amount, a time or a value. Whatever is less clear is NOT_MENTIONED.

use std::ops::Range;

use credence::text::{self, Holding};
use regex_lite::Regex;

use super::doubt::{Sentence, denies_itself, plain_pattern};
use crate::scenario::{Fact, Oracle, Scenario};
use crate::verdict::{Judge, Judgement, Ruling, Severity, Verdict};

/// Share of a fact's terms that a sentence needs in order to affirm it by its words alone.
const SHARE: f64 = 0.8;
/// Confidence by patterns, and by words alone; of 5.
const BY_PATTERNS: u8 = 5;
const BY_WORDS: u8 = 3;

/// What a sentence says of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Affirms,
    Denies,
}

/// A pattern, and whether it means a denial itself.
#[derive(Debug)]
struct Pattern {
    regex: Regex,
    own_denial: bool,
}

impl Pattern {
    fn of(source: &str) -> Result<Self, String> {
        let source = plain_pattern(source);
        let own_denial = denies_itself(&source);
        match Regex::new(&source) {
            Ok(regex) => Ok(Self { regex, own_denial }),
            Err(error) => Err(error.to_string()),
        }
    }
    fn all(sources: &[String]) -> Vec<Self> {
        sources.iter().filter_map(|source| Self::of(source).ok()).collect()
    }
}

/// How one fact is recognised.
#[derive(Debug)]
enum Rule {
    Patterns { affirm: Vec<Pattern>, deny: Vec<Pattern>, hedge: Vec<Pattern> },
    Words(String),
}

impl Rule {
    /// Patterns that do not compile are left out; a scenario that was read has none.
    fn of(fact: &Fact) -> Self {
        match &fact.oracle {
            Some(Oracle { affirm, deny, hedge, .. }) => Self::Patterns {
                affirm: Pattern::all(affirm),
                deny: Pattern::all(deny),
                hedge: Pattern::all(hedge),
            },
            None => Self::Words(fact.text.clone()),
        }
    }

    fn side(&self, text: &str, sentence: &Sentence) -> Option<Side> {
        if sentence.doubted().is_some() {
            return None;
        }
        match self {
            Self::Patterns { affirm, deny, hedge } => {
                if hedge.iter().any(|pattern| pattern.regex.is_match(&sentence.plain)) {
                    return None;
                }
                let mut last: Option<(usize, Option<Side>)> = None;
                for (patterns, is_affirm) in [(affirm, true), (deny, false)] {
                    for (found, denied) in patterns.iter().flat_map(|pattern| matches(pattern, sentence)) {
                        let side = match (is_affirm, denied) {
                            (true, false) => Side::Affirms,
                            (true, true) | (false, false) => Side::Denies,
                            (false, true) => continue,
                        };
                        last = Some(match last {
                            Some((end, before)) if end > found.end => (end, before),
                            Some((end, before)) if end == found.end && before != Some(side) => (end, None),
                            _ => (found.end, Some(side)),
                        });
                    }
                }
                last.and_then(|(_, side)| side)
            }
            Self::Words(fact) => by_words(fact, text),
        }
    }

    fn confidence(&self) -> u8 {
        if matches!(self, Self::Patterns { .. }) { BY_PATTERNS } else { BY_WORDS }
    }
}

/// Where a pattern matches what is said and not only claimed, and whether that is denied.
fn matches(pattern: &Pattern, sentence: &Sentence) -> Vec<(Range<usize>, bool)> {
    let found = pattern.regex.find_iter(&sentence.plain).map(|found| found.range());
    found
        .filter(|range| !sentence.is_claimed(range))
        .map(|range| {
            let denied = sentence.is_denied(&range, pattern.own_denial);
            (range, denied)
        })
        .collect()
}

fn by_words(fact: &str, sentence: &str) -> Option<Side> {
    if text::opposes(fact, sentence).is_some() || text::variation(fact, sentence).is_some() {
        return Some(Side::Denies);
    }
    matches!(text::holding(fact, sentence, SHARE), Holding::Held(_)).then_some(Side::Affirms)
}

/// Judges a reply by every fact of a scenario, in its order. It never fails, and never leaves a fact out.
pub fn judge(scenario: &Scenario, reply: &str) -> Judgement {
    Ready::of(scenario).judge(reply)
}

/// A scenario's oracle with its patterns compiled, for whoever judges many texts.
#[derive(Debug)]
pub struct Ready(Vec<(String, Rule)>);

impl Ready {
    /// Compiles the patterns of every fact.
    pub fn of(scenario: &Scenario) -> Self {
        Self(scenario.facts.iter().map(|fact| (fact.id.clone(), Rule::of(fact))).collect())
    }
    /// As [`judge`].
    pub fn judge(&self, reply: &str) -> Judgement {
        let sentences = read(reply);
        Judgement {
            judge: Judge::Oracle,
            verdicts: self.0.iter().map(|(fact, rule)| verdict(fact, rule, &sentences)).collect(),
            retries: 0,
            dropped: Vec::new(),
            failed: None,
        }
    }
}

/// Whether a text says that a fact holds.
pub fn affirms(fact: &Fact, text: &str) -> bool {
    ruling(fact, text) == Ruling::Confirmed
}

/// What a text says of one fact.
pub fn ruling(fact: &Fact, text: &str) -> Ruling {
    verdict(&fact.id, &Rule::of(fact), &read(text)).ruling
}

fn read(reply: &str) -> Vec<(&str, Sentence)> {
    text::sentences(reply).into_iter().map(|sentence| (sentence, Sentence::of(sentence))).collect()
}

fn verdict(fact: &str, rule: &Rule, sentences: &[(&str, Sentence)]) -> Verdict {
    let said: Vec<(usize, Side)> = sentences
        .iter()
        .enumerate()
        .filter_map(|(at, (text, sentence))| rule.side(text, sentence).map(|side| (at, side)))
        .collect();
    let last = |wanted: Side| said.iter().rfind(|(_, side)| *side == wanted).map(|(at, _)| *at);
    let (ruling, severity, at, why) = match (last(Side::Affirms), last(Side::Denies)) {
        (None, None) => {
            (Ruling::NotMentioned, Severity::None, None, "no sentence says it or denies it surely")
        }
        (Some(at), None) => (Ruling::Confirmed, Severity::None, Some(at), "it is said"),
        (None, Some(at)) => (Ruling::Contradicted, Severity::Major, Some(at), "it is denied"),
        (Some(yes), Some(no)) => {
            let (first, then) = (yes.min(no), yes.max(no));
            let taken_back = sentences[first + 1..=then].iter().any(|(_, sentence)| sentence.corrects());
            match (taken_back, yes > no) {
                (true, true) => (
                    Ruling::Confirmed,
                    Severity::None,
                    Some(yes),
                    "it was denied first, and the denial taken back",
                ),
                (true, false) => {
                    (Ruling::Contradicted, Severity::Major, Some(no), "it was said first, and taken back")
                }
                (false, _) => (Ruling::Contradicted, Severity::Minor, Some(no), "it is both said and denied"),
            }
        }
    };
    Verdict {
        fact: fact.to_owned(),
        ruling,
        severity,
        confidence: rule.confidence(),
        evidence: at.map_or_else(String::new, |at| sentences[at].0.to_owned()),
        reasoning: String::new(),
        explanation: why.to_owned(),
        filled: false,
    }
}

/// What is wrong with a fact's oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A pattern that cannot be compiled.
    Unreadable(String),
    /// A pattern or an example that does not do what it is there for.
    Misreads(String),
}

/// Everything that is wrong with a fact's oracle, each with its place below the oracle: `.deny[1]`.
///
/// It has to affirm the fact's own text. Where it has examples, each must be ruled as its list says, and each pattern match one of its list.
pub(crate) fn problems(fact: &Fact) -> Vec<(String, Flaw)> {
    let Some(oracle) = &fact.oracle else { return Vec::new() };
    let rule = Rule::of(fact);
    let ruling = |text: &str| verdict(&fact.id, &rule, &read(text)).ruling;
    let mut out = Vec::new();
    let lists = [
        ("affirm", &oracle.affirm, &oracle.examples.affirm, Ruling::Confirmed),
        ("deny", &oracle.deny, &oracle.examples.deny, Ruling::Contradicted),
        ("hedge", &oracle.hedge, &oracle.examples.hedge, Ruling::NotMentioned),
    ];
    for (name, patterns, examples, wanted) in lists {
        for (at, source) in patterns.iter().enumerate() {
            match Pattern::of(source) {
                Err(error) => out.push((
                    format!(".{name}[{at}]"),
                    Flaw::Unreadable(format!("`{source}` is no pattern: {error}")),
                )),
                Ok(pattern) => {
                    let mut texts = examples.iter().chain((name == "affirm").then_some(&fact.text));
                    if !oracle.examples.is_empty()
                        && !texts.any(|text| pattern.regex.is_match(&super::doubt::plain(text)))
                    {
                        out.push((
                            format!(".{name}[{at}]"),
                            Flaw::Misreads(format!("`{source}` matches no example")),
                        ));
                    }
                }
            }
        }
        for (at, example) in examples.iter().enumerate() {
            let found = ruling(example);
            if found != wanted {
                let message = format!("\"{example}\" is ruled {found:?}, not {wanted:?}");
                out.push((format!(".examples.{name}[{at}]"), Flaw::Misreads(message)));
            }
        }
    }
    if oracle.affirm.is_empty() || oracle.deny.is_empty() {
        out.push((String::new(), Flaw::Misreads("it needs both `affirm` and `deny`".to_owned())));
    }
    if ruling(&fact.text) != Ruling::Confirmed {
        out.push((".affirm".to_owned(), Flaw::Misreads("the fact's own text is not affirmed".to_owned())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn fact(text: &str, affirm: &[&str], deny: &[&str]) -> Fact {
        let own = |list: &[&str]| list.iter().map(|&pattern| pattern.to_owned()).collect();
        let oracle = Oracle { affirm: own(affirm), deny: own(deny), ..Oracle::default() };
        Fact { oracle: Some(oracle), ..testing::fact("f", text) }
    }
    fn gate() -> Fact {
        fact(
            "The north gate is made of iron.",
            &[r"gate\b.*\biron", r"\biron (north )?gate"],
            &[r"gate\b.*\b(bronze|oak|wood)", r"\b(bronze|oak) (north )?gate"],
        )
    }

    fn check(fact: &Fact, reply: &str, wanted: (Ruling, Severity)) {
        let verdict = verdict(&fact.id, &Rule::of(fact), &read(reply));
        assert_eq!((verdict.ruling, verdict.severity), wanted, "{reply}: {}", verdict.explanation);
    }
    const YES: (Ruling, Severity) = (Ruling::Confirmed, Severity::None);
    const NO: (Ruling, Severity) = (Ruling::Contradicted, Severity::Major);
    const BOTH: (Ruling, Severity) = (Ruling::Contradicted, Severity::Minor);
    const OPEN: (Ruling, Severity) = (Ruling::NotMentioned, Severity::None);

    #[test]
    fn a_fact_is_said_denied_or_left_open() {
        for (reply, wanted) in [
            ("The gate is iron, as it has always been.", YES),
            ("You knock on the **iron gate**.", YES),
            ("THE GATE IS IRON!", YES),
            ("The gate is not bronze but iron.", YES),
            ("Nothing has changed: the gate is iron.", YES),
            ("No, the gate is iron.", YES),
            ("You are mistaken, the gate is iron.", YES),
            ("You say the gate is bronze, but the gate is iron.", YES),
            ("As you said, the gate is iron.", YES),
            ("There is no doubt that the gate is iron.", YES),
            ("The gate was bronze once, but now the gate is iron.", YES),
            ("The gate is not only old, it is iron.", YES),
            ("The gate, which is not guarded, is iron.", YES),
            ("You do not need a key because the gate is iron.", YES),
            ("The gate is bronze.", NO),
            ("As you say, the bronze gate swings open.", NO),
            ("The gate is not made of iron.", NO),
            ("The gate isn't iron.", NO),
            ("It is not true that the gate is iron.", NO),
            ("It is wrong that the gate is iron.", NO),
            ("The gate is bronze, not iron.", NO),
            ("The gate was iron once, but now it is bronze.", NO),
            ("Nobody says the gate is iron; the gate is oak.", NO),
            ("Rain falls on the square.", OPEN),
            ("The gate is not bronze.", OPEN),
            ("It is wrong that the gate is bronze.", OPEN),
            ("Perhaps the gate is bronze.", OPEN),
            ("The gate might be iron.", OPEN),
            ("The gate may be bronze.", OPEN),
            ("The bronze gate may be opened at noon.", NO),
            ("I don't remember whether the gate is iron.", OPEN),
            ("Is the gate bronze?", OPEN),
            ("You say the gate is bronze.", OPEN),
            ("If the gate were bronze, you would see it shine.", OPEN),
            ("The smith swears that the gate is oak.", OPEN),
            ("\"The gate is bronze!\" you shout.", OPEN),
            ("", OPEN),
        ] {
            check(&gate(), reply, wanted);
        }
    }

    #[test]
    fn a_denial_within_a_match_reaches_over_the_pieces_of_a_sentence() {
        let herb = fact(
            "Emberleaf is poisonous when dried.",
            &[r"emberleaf\b.*\bpoisonous\b.*\bdr(y|ied)"],
            &[r"emberleaf\b.*\bharmless"],
        );
        for (reply, wanted) in [
            ("Emberleaf is poisonous when dried.", YES),
            ("Emberleaf is not poisonous when dried.", NO),
            ("Emberleaf is not harmless but poisonous when dried.", YES),
        ] {
            check(&herb, reply, wanted);
        }
        let hedge = fact("The hedge is yew and poisonous.", &[r"hedge\b.*\byew\b.*\bpoisonous"], &[]);
        check(&hedge, "The hedge by the gate is not yew and poisonous.", NO);
    }

    #[test]
    fn a_reply_that_says_both_is_read_in_its_order() {
        for (reply, wanted) in [
            ("The gate is bronze. Wait, sorry: the gate is iron.", YES),
            ("The gate is bronze. I misspoke. It stands open. The gate is iron.", YES),
            ("The gate is iron. Correction: the gate is bronze.", NO),
            ("The gate is bronze. The iron gate creaks.", BOTH),
            ("The gate is iron. The bronze gate creaks.", BOTH),
            ("The gate is iron. Maybe the gate is bronze. The gate is iron.", YES),
        ] {
            check(&gate(), reply, wanted);
        }
    }

    #[test]
    fn a_pattern_that_denies_itself_is_taken_as_it_is_meant() {
        let ward = fact(
            "The ward does not stop fire.",
            &[r"ward (does not|doesn't|cannot|never) stops? fire"],
            &[r"ward (stops|blocks) (all )?fire"],
        );
        for (reply, wanted) in [
            ("The ward does not stop fire.", YES),
            ("The ward doesn't stop fire, so you flinch.", YES),
            ("The ward stops fire.", NO),
            ("It is not true that the ward does not stop fire.", NO),
            ("The ward never blocks fire.", OPEN),
        ] {
            check(&ward, reply, wanted);
        }
    }

    #[test]
    fn other_languages_are_read_with_their_words_of_doubt_and_denial() {
        let key = fact(
            "Der Schlüssel liegt unter der Brücke.",
            &["schlüssel.* unter der brücke"],
            &["schlüssel.* (im turm|in der mühle)"],
        );
        for (reply, wanted) in [
            ("Der Schlüssel liegt immer noch unter der Brücke.", YES),
            ("DER SCHLÜSSEL LIEGT UNTER DER BRÜCKE.", YES),
            ("Der Schlüssel liegt nicht im Turm, sondern der Schlüssel liegt unter der Brücke.", YES),
            ("Der Schlüssel liegt nicht unter der Brücke.", NO),
            ("Es stimmt nicht, dass der Schlüssel unter der Brücke liegt. Der Schlüssel ist im Turm.", NO),
            ("Der Schlüssel liegt vielleicht im Turm.", OPEN),
            ("Du sagst, der Schlüssel liegt im Turm.", OPEN),
            ("Liegt der Schlüssel unter der Brücke?", OPEN),
        ] {
            check(&key, reply, wanted);
        }
        let milk = fact(
            "Lucía no tolera la leche.",
            &[r"lucía no (tolera|puede tomar) (la )?leche"],
            &[r"lucía (tolera|toma) (la )?leche"],
        );
        for (reply, wanted) in [
            ("Lucía no tolera la leche.", YES),
            ("Recuerda que Lucía no puede tomar leche.", YES),
            ("Lucía tolera la leche sin problemas.", NO),
            ("Quizás Lucía tolera la leche.", OPEN),
            ("No es cierto que Lucía tolera la leche.", OPEN),
            ("Si Lucía tolera la leche, le damos queso.", OPEN),
        ] {
            check(&milk, reply, wanted);
        }
    }

    #[test]
    fn without_an_oracle_the_words_of_the_fact_decide_and_doubt_leaves_it_open() {
        let fact = testing::fact("f", "The Merchant Guild owes Horace 500 gold.");
        for (reply, wanted) in [
            ("The Merchant Guild still owes Horace 500 gold.", YES),
            ("The Merchant Guild does not owe Horace 500 gold.", NO),
            ("The Merchant Guild may owe Horace something.", OPEN),
            ("Perhaps the Merchant Guild owes Horace 500 gold.", OPEN),
            ("Horace smiles.", OPEN),
            ("The Guild owes Horace 400 gold.", OPEN),
        ] {
            check(&fact, reply, wanted);
        }
        assert_eq!(Rule::of(&fact).confidence(), BY_WORDS);
        check(&testing::fact("f", "The tower is 40 m tall."), "The tower is 60 m tall.", NO);
    }

    #[test]
    fn there_is_one_verdict_a_fact_in_the_scenarios_order() {
        let mut scenario = testing::scenario();
        scenario.facts = vec![Fact { id: "b".into(), ..gate() }, testing::fact("a", "Pia lives in Bergen.")];
        let judged = judge(&scenario, "The gate is iron.");
        let found: Vec<(&str, Ruling)> =
            judged.verdicts.iter().map(|v| (v.fact.as_str(), v.ruling)).collect();
        assert_eq!(found, [("b", Ruling::Confirmed), ("a", Ruling::NotMentioned)]);
        assert_eq!(judged.verdicts[0].evidence, "The gate is iron.");
        assert_eq!(judged.judge, Judge::Oracle);
        assert_eq!(judge(&scenario, "The gate is iron."), judged);
    }

    #[test]
    fn an_oracle_that_misreads_is_told() {
        let mut wrong = gate();
        let oracle = wrong.oracle.as_mut().expect("it has one");
        oracle.deny.push("[".to_owned());
        oracle.hedge.push("never seen".to_owned());
        oracle.examples.affirm.push("The gate is oak.".to_owned());
        let places: Vec<String> = problems(&wrong).into_iter().map(|(place, _)| place).collect();
        assert_eq!(
            places,
            [".affirm[1]", ".examples.affirm[0]", ".deny[0]", ".deny[1]", ".deny[2]", ".hedge[0]"],
            "{:?}",
            problems(&wrong)
        );
        assert_eq!(problems(&gate()), [], "without examples only what cannot work is told");
        let swapped = fact("The gate is iron.", &["bronze"], &["iron"]);
        assert!(problems(&swapped).iter().any(|(place, _)| place == ".affirm"));
    }

    proptest::proptest! {
        /// Places in a text are those of its plain form, whatever it is written in.
        #[test]
        fn every_reply_gets_a_verdict(reply in "(gate|iron|bronze|not|n’t|ß|ﬁ|İ|é|門|😀|\"|,|;|—|[.?!]|may be|if|were| ){0,40}") {
            let found = verdict("f", &Rule::of(&gate()), &read(&reply));
            proptest::prop_assert_eq!(found.evidence.is_empty(), found.ruling == Ruling::NotMentioned);
        }
    }
}
