//! Filters with the values of dice 11.2, facts 50 to 54.

use super::*;
use crate::schema::DynamicType;

fn companies() -> DataDictionary {
    let rules = vec![
        MentionRule::NotBlank,
        MentionRule::NoVagueReferences(Starters::default()),
        MentionRule::length(Some(2), Some(100)).unwrap(),
    ];
    DataDictionary {
        name: "companies".into(),
        types: vec![
            DynamicType::new("Company", "").with_property("name", rules),
            DynamicType::new("Deal", ""),
        ],
        relationships: vec![],
    }
}

fn duplicate(span: &str, statement: &str) -> bool {
    let filter = MentionFilter::PropositionDuplicate { min_proposition_length: DUPLICATE_FROM };
    filter.reject(&companies(), "Thing", span, statement).is_some()
}

#[test]
fn dice_50_a_mention_that_is_the_whole_statement() {
    let short = "OpenAI was founded in the year 1";
    let long = "OpenAI was founded by several people in San Francisco in December 15";
    assert_eq!((short.chars().count(), long.chars().count()), (32, 68));
    assert!(!duplicate(short, short));
    assert!(duplicate(long, &format!("  {long} ")));
    assert!(!duplicate("OpenAI", long));
    let japanese = "東京".repeat(25);
    assert!(duplicate(&japanese, &japanese), "characters are counted");
}

#[test]
fn dice_51_a_title_may_be_the_whole_statement() {
    assert!(!duplicate("To Kill a Mockingbird", "To Kill a Mockingbird"));
}

#[test]
fn dice_52_rules_of_the_schema() {
    let filters = MentionFilters::default();
    let reject = |kind: &str, span: &str| filters.reject(&companies(), kind, span, "x");
    let rejection = reject("COMPANY", " ").unwrap();
    assert_eq!((rejection.filter, rejection.rule), ("schema-validated", "not-blank"));
    assert_eq!(rejection.reason, "Mention is blank or whitespace-only");
    assert!(reject("Company", "this company").is_some() && reject("company", "X").is_some());
    assert_eq!(reject("company", "OpenAI"), None);
}

#[test]
fn dice_53_unknown_types_and_properties_without_rules_pass() {
    let filters = MentionFilters::default();
    assert_eq!(filters.reject(&companies(), "Ship", "this ship", "x"), None);
    assert_eq!(filters.reject(&companies(), "Deal", "this deal", "x"), None);
    assert_eq!(filters.reject(&companies(), "", "", "x"), None);
}

#[test]
fn dice_54_no_filters_allow_everything() {
    assert_eq!(MentionFilters::from(vec![]).reject(&companies(), "Company", " ", "x"), None);
}

/// The predecessor made entities of them.
#[test]
fn dates_times_and_numbers_stay_text() {
    let filters = MentionFilters::default();
    let reject = |kind: &str, span: &str| filters.reject(&companies(), kind, span, "x");
    for (kind, span) in [
        ("Date", "2026-11-30"),
        ("DATE", "next spring"),
        ("", "3 May 2026"),
        ("Thing", "17:30"),
        ("Topic", "42"),
        ("Person", "2026-11-30"),
        ("日期", "三月八日"),
    ] {
        let rejection = reject(kind, span).unwrap_or_else(|| panic!("{kind} {span}"));
        assert_eq!((rejection.filter, rejection.rule), ("time-or-number", "time-or-number"));
        assert_eq!(rejection.reason, "Mention is a date, a time or a number");
    }
    for (kind, span) in [
        ("Book", "1984"),
        ("Person", "April"),
        ("", "May"),
        ("Thing", "Boeing 747"),
        ("", "7-Eleven"),
        ("Event", "9/11"),
    ] {
        assert_eq!(reject(kind, span), None, "{kind} {span}");
    }
    let declared = DataDictionary { types: vec![DynamicType::new("Date", "")], ..companies() };
    assert_eq!(filters.reject(&declared, "Date", "2026-11-30", "x"), None, "the schema wants it");
}

#[test]
fn the_first_filter_that_rejects_decides_and_hosts_bring_their_own() {
    let json = r#"[
        {"filter": "rules", "types": ["deal"], "rules": [{"rule": "min-word-count", "min": 2}]},
        {"filter": "schema-validated"},
        {"filter": "proposition-duplicate", "minPropositionLength": 10}
    ]"#;
    let filters: MentionFilters = serde_json::from_str(json).unwrap();
    assert_eq!(filters.validate(), Ok(()));
    assert_eq!(filters.iter().len(), 3);
    let rule =
        |kind: &str, span: &str, text: &str| filters.reject(&companies(), kind, span, text).map(|r| r.rule);
    assert_eq!(rule("Deal", "Merger", "x"), Some("min-word-count"));
    assert_eq!(rule("Company", "a firm", "x"), Some("no-vague-references"));
    assert_eq!(rule("Ship", "Ship of Fools", "Ship of Fools"), Some("proposition-duplicate"));
    let written = serde_json::to_string(&filters).unwrap();
    assert_eq!(serde_json::from_str::<MentionFilters>(&written).unwrap(), filters);
    let empty = MentionFilters::from(vec![MentionFilter::Rules { rules: vec![], types: vec![] }]);
    assert!(empty.validate().unwrap_err().contains("filters[0].rules"));
}

#[test]
fn what_was_done_is_counted_by_type_and_rule() {
    let mention = |span: &str, kind: &str, is_speaker: bool| serde_json::json!({"span": span, "kind": kind, "role": "SUBJECT", "is_speaker": is_speaker});
    let candidate: Candidate = serde_json::from_value(serde_json::json!({
        "text": "This company bought OpenAI.",
        "mentions": [
            mention("This company", "Company", false),
            mention("OpenAI", "Company", false),
            mention("the one who speaks", "Company", true),
            mention("fools", "Ship", false),
        ],
        "confidence": 0.9, "decay": 0.0, "importance": 0.5, "reasoning": "", "turns": [0],
        "extractor": {"by": "rules"},
    }))
    .unwrap();
    let stats = MentionFilters::default().screen(&companies(), &[candidate]);
    assert_eq!(stats.accepted, [("Company".to_owned(), 2), ("Ship".to_owned(), 1)].into());
    assert_eq!(stats.rejections.len(), 1);
    assert_eq!(stats.rejections[0].span, "This company");
    assert_eq!(stats.rejections[0].text, "This company bought OpenAI.");
    let mut totals = MentionTotals::default();
    totals.add(&stats);
    totals.add(&stats);
    assert_eq!(totals.accepted["Company"], 4);
    assert_eq!((totals.rejected["Company"], totals.by_rule["no-vague-references"]), (2, 2));
}

#[test]
fn a_vague_reference_to_an_entity_that_was_shown_is_none() {
    let candidate = |span: &str, suggested: Option<&str>| -> Candidate {
        serde_json::from_value(serde_json::json!({
            "text": format!("{span} bought a kayak."),
            "mentions": [{"span": span, "kind": "Company", "role": "SUBJECT", "is_speaker": false, "suggested": suggested}],
            "confidence": 0.9, "decay": 0.0, "importance": 0.5, "reasoning": "", "turns": [0],
            "extractor": {"by": "rules"},
        }))
        .unwrap()
    };
    let rule = |span: &str, suggested: Option<&str>| {
        let candidate = candidate(span, suggested);
        let rejected =
            MentionFilters::default().reject_mention(&companies(), &candidate, &candidate.mentions[0]);
        rejected.map(|rejection| rejection.rule)
    };
    let shown = EntityId::new(uuid::Uuid::from_u128(7)).to_string();
    assert_eq!(rule("this company", None), Some("no-vague-references"));
    assert_eq!(rule("this company", Some(&shown)), None);
    assert_eq!(rule(" ", Some(&shown)), Some("not-blank"), "every other rule holds");
}
