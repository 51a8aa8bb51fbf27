//! The rules with the values of dice 11.2, facts 40 to 49, and where they differ on purpose.

use super::*;

fn vague() -> MentionRule {
    MentionRule::NoVagueReferences(Starters::default())
}
fn passes(rule: &MentionRule, span: &str) -> bool {
    rule.reject(span).is_none()
}

#[test]
fn dice_40_blank_mentions() {
    let reason = Some("Mention is blank or whitespace-only".to_owned());
    assert_eq!(MentionRule::NotBlank.reject(""), reason);
    assert_eq!(MentionRule::NotBlank.reject("   "), reason);
    assert_eq!(MentionRule::NotBlank.reject("OpenAI"), None);
}

#[test]
fn dice_41_vague_references() {
    for span in ["this investment", "that company", "these initiatives", "those projects", "the announcement"]
    {
        let reason = vague().reject(span).unwrap();
        assert!(reason.contains("Vague reference"), "{reason}");
        assert!(reason.contains(span.split(' ').next().unwrap()), "{reason}");
    }
    assert!(!passes(&vague(), "THIS") && !passes(&vague(), " the ") && !passes(&vague(), "This company"));
}

#[test]
fn dice_42_names_are_not_vague() {
    for span in ["OpenAI", "Microsoft", "Sam Altman", "Theodora", "Anne"] {
        assert!(passes(&vague(), span), "{span}");
    }
}

/// Upstream rejects every one of these (deviation D21).
#[test]
fn titles_that_begin_with_an_article_are_names() {
    for span in [
        "The Beatles",
        "the Beatles",
        "A Tribe Called Quest",
        "The Hague",
        "THE ALFEE",
        "The 1975",
        "An Nguyen",
        "A Coruña",
        "The Пикник",
        "The 东京",
        "This American Life",
        "That '70s Show",
        "A-ha",
        "the Ångström unit",
    ] {
        assert!(passes(&vague(), span), "{span}");
    }
    for span in ["the 3 cats", "a tribe", "an øl", "this Company", "THIS COMPANY", "the"] {
        assert!(!passes(&vague(), span), "{span}");
    }
}

/// Articles of other languages are no starters unless somebody asks for them; folding is Unicode's.
#[test]
fn starters_of_other_languages() {
    for span in ["die Katze", "le chat", "los Angeles", "El Niño", "un ami", "der Hund"] {
        assert!(passes(&vague(), span), "{span}");
    }
    let german = MentionRule::no_vague(["der", "die", "das", "über"]).unwrap();
    assert!(!passes(&german, "der Hund") && !passes(&german, "ÜBER uns"));
    assert!(passes(&german, "Die Ärzte"));
}

#[test]
fn dice_43_custom_starters() {
    let rule = MentionRule::no_vague(["my", "our"]).unwrap();
    assert!(!passes(&rule, "my company"));
    assert!(passes(&rule, "this company"));
    assert!(passes(&rule, "My Chemical Romance"));
}

#[test]
fn dice_44_length() {
    let bounds = |min, max| MentionRule::length(min, max).unwrap();
    let short = bounds(Some(3), None).reject("AI").unwrap();
    assert!(short.contains("too short") && short.contains('2') && short.contains('3'), "{short}");
    let long = bounds(None, Some(10)).reject("VeryLongCompanyName").unwrap();
    assert!(long.contains("too long") && long.contains("19") && long.contains("10"), "{long}");
    assert!(!passes(&bounds(Some(2), Some(10)), "X") && passes(&bounds(Some(2), Some(10)), "OK"));
    assert!(passes(&bounds(None, Some(3)), "用户家"), "characters, not bytes");
}

#[test]
fn dice_45_length_in_words() {
    let words = |min, max| MentionRule::length(min, max).unwrap().to_string();
    assert_eq!(words(Some(3), Some(100)), "Length must be between 3 and 100 characters");
    assert_eq!(words(Some(3), None), "Length must be at least 3 characters");
    assert_eq!(words(None, Some(100)), "Length must be at most 100 characters");
}

#[test]
fn dice_46_word_count() {
    let rule = MentionRule::min_words(2).unwrap();
    let reason = rule.reject("OpenAI").unwrap();
    assert!(reason.contains('1') && reason.contains('2'), "{reason}");
    assert!(passes(&rule, "Sam Altman") && passes(&rule, "Elon  Reeve Musk"));
}

#[test]
fn dice_47_generic_references() {
    let rule = MentionRule::guard(["the company"]).unwrap();
    assert!(rule.reject("THE COMPANY").unwrap().contains("Generic reference"));
    assert!(!passes(&rule, "The company itself") && passes(&rule, "The Companybook"));
}

#[test]
fn dice_48_patterns_match_as_a_whole() {
    let rule = MentionRule::pattern("^[A-Z].*", None).unwrap();
    assert!(rule.reject("openAI").unwrap().contains("^[A-Z].*"));
    assert!(passes(&rule, "OpenAI"));
    let digits = MentionRule::pattern("[0-9]+|x", Some("a number")).unwrap();
    assert!(
        passes(&digits, "12") && passes(&digits, "x") && !passes(&digits, "12x") && !passes(&digits, "no 12")
    );
}

#[test]
fn dice_49_alternatives() {
    let rule = MentionRule::any_of(vec![
        MentionRule::length(None, Some(5)).unwrap(),
        MentionRule::pattern("[0-9]+", None).unwrap(),
    ])
    .unwrap();
    let reason = rule.reject("OpenAI").unwrap();
    assert!(reason.contains("None of the alternatives passed"), "{reason}");
    assert!(reason.contains("too long") && reason.contains("[0-9]+"), "{reason}");
    assert!(passes(&rule, "AI") && passes(&rule, "1234567"));
    let all = MentionRule::all_of(vec![MentionRule::NotBlank, rule]).unwrap();
    assert_eq!(
        all.reject(" ").unwrap(),
        "Mention is blank or whitespace-only",
        "the first that fails speaks"
    );
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    assert!(Length::new(Some(0), None).is_err() && Length::new(None, None).is_err());
    assert!(Length::new(Some(5), Some(4)).unwrap_err().to_string().contains("`min` (5)"));
    assert!(MentionRule::min_words(0).is_err() && MentionRule::guard(Vec::<String>::new()).is_err());
    assert!(
        MentionRule::pattern("(", None).is_err()
            && MentionRule::pattern("a)(b", None).is_err()
            && MentionRule::no_vague(["", "the"]).is_err()
    );
    assert!(MentionRule::any_of(vec![]).is_err());
    let mut deep = MentionRule::NotBlank;
    for _ in 0..MOST_NESTING {
        deep = MentionRule::all_of(vec![deep]).unwrap();
    }
    assert!(MentionRule::all_of(vec![deep]).is_err());
    for json in [
        r#"{"rule":"length","min":5,"max":4}"#,
        r#"{"rule":"length"}"#,
        r#"{"rule":"pattern","regex":"["}"#,
        r#"{"rule":"min-word-count","min":0}"#,
        r#"{"rule":"any-of","rules":[]}"#,
        r#"{"rule":"never"}"#,
    ] {
        assert!(serde_json::from_str::<MentionRule>(json).is_err(), "{json}");
    }
}

#[test]
fn rules_survive_json() {
    let rule = MentionRule::all_of(vec![
        MentionRule::NotBlank,
        vague(),
        MentionRule::length(Some(1), Some(200)).unwrap(),
        MentionRule::pattern("[A-Z].*", Some("a capital first")).unwrap(),
        MentionRule::any_of(vec![MentionRule::min_words(2).unwrap(), MentionRule::guard(["x"]).unwrap()])
            .unwrap(),
    ])
    .unwrap();
    let json = serde_json::to_string(&rule).unwrap();
    assert_eq!(serde_json::from_str::<MentionRule>(&json).unwrap(), rule, "{json}");
    assert_eq!(
        serde_json::from_str::<MentionRule>(r#"{"rule":"no-vague-references"}"#).unwrap(),
        vague(),
        "the default starters need not be written"
    );
}
