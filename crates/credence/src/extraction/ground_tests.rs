//! Grounding: paraphrase passes, invention does not, in several languages; whose words count.

use super::*;
use crate::extraction::CandidateMention;
use crate::proposition::{Extractor, MentionRole};

fn window(turns: &[&str]) -> Vec<WindowTurn> {
    turns
        .iter()
        .map(|text| {
            let assistant = text.strip_prefix("A: ");
            WindowTurn {
                speaker: if assistant.is_some() { "Assistant" } else { "Mara" }.into(),
                is_user: assistant.is_none(),
                is_assistant: assistant.is_some(),
                text: assistant.unwrap_or(text).into(),
                date: "2026-03-08".into(),
                context_only: false,
            }
        })
        .collect()
}

fn candidate(statement: &str, cited: &[usize]) -> Candidate {
    Candidate {
        text: statement.into(),
        mentions: vec![],
        confidence: 1.0,
        decay: 0.0,
        importance: 0.5,
        reasoning: String::new(),
        turns: cited.to_vec(),
        extractor: Extractor::Model { model: "m".into() },
        valid_from: None,
        valid_to: None,
    }
}

fn support(candidate: &Candidate, turns: &[&str]) -> Result<Support, Unsupported> {
    let window = window(turns);
    Ground::new(&window, ["Ivo Brandt"].into_iter()).check(candidate, &window, 0.5)
}

fn check(statement: &str, turns: &[&str], cited: &[usize]) -> Result<(), String> {
    support(&candidate(statement, cited), turns).map(|_| ()).map_err(|refused| refused.detail)
}

#[test]
fn paraphrase_passes_and_invention_does_not() {
    assert_eq!(check("Mara owns a red kayak.", &["I bought myself a red kayak."], &[0]), Ok(()));
    assert_eq!(
        check(
            "Mara adopted a parrot called Pip.",
            &["My sister is a vet.", "She just adopted a parrot called Pip."],
            &[1]
        ),
        Ok(())
    );
    assert!(
        check("Mara enjoys playing the violin in an orchestra.", &["I bought a red kayak."], &[0]).is_err()
    );
    assert!(
        check("Zephyrine keeps bees on her roof.", &["I keep bees."], &[0])
            .unwrap_err()
            .contains("zephyrine")
    );
    assert!(check("Mara has 3 cats.", &["I have two cats."], &[0]).unwrap_err().contains('3'));
    assert_eq!(check("Mara has 2 cats.", &["I have two cats."], &[0]), Ok(()));
    assert_eq!(check("The lamp costs Mara 5 dollars.", &["The lamp costs me $5."], &[0]), Ok(()));
    assert_eq!(
        check("Mara knows Ivo Brandt.", &["I know him well."], &[0]),
        Ok(()),
        "a known name needs no repetition"
    );
    assert!(
        check("Mara met Ana.", &["I met the banana seller."], &[0]).is_err(),
        "part of a word is no name"
    );
}

#[test]
fn other_scripts_and_languages_are_checked_by_their_own_words() {
    for (statement, turn, passes) in [
        ("Mara 在青石科技上班。", "我在青石科技上班，老板叫李文昊。", true),
        ("Mara 喜欢在海边钓鱼和冲浪。", "我在青石科技上班。", false),
        ("Mara's boss is Li Wenhao.", "我在青石科技上班，老板叫李文昊。", false),
        ("Mara besitzt ein rotes Kajak.", "Ich habe mir ein rotes Kajak gekauft.", true),
        ("Mara hat drei Katzen.", "Ich habe zwei Katzen.", false),
        ("У Mara есть сестра Анна.", "Я вчера был у сестры с Анной.", true),
        ("Mara любит Ольгу.", "Я вчера был у сестры с Анной.", false),
        ("Mara vive en Sevilla.", "Vivo en Sevilla desde hace tres años.", true),
        ("Mara vive en Madrid.", "Vivo en Sevilla desde hace tres años.", false),
        ("Mara ha 2 gatti.", "Ho due gatti.", true),
    ] {
        assert_eq!(check(statement, &[turn], &[0]).is_ok(), passes, "{statement} / {turn}");
    }
    let mut named = candidate("Mara mag Berta.", &[0]);
    named.mentions.push(CandidateMention {
        span: "Berta".into(),
        kind: "Person".into(),
        role: MentionRole::Object,
        is_speaker: false,
        suggested: None,
    });
    assert!(support(&named, &["Ich mag Anna."]).is_err(), "a German name is told by its mention");
}

#[test]
fn dates_may_be_resolved_but_not_invented() {
    for (statement, turn, passes) in [
        ("Mara finished the race on 2026-03-07.", "I finished the race yesterday.", true),
        ("Mara finished the race on March 7, 2026.", "I finished the race yesterday.", true),
        ("Mara finished the race in February 2026.", "I finished the race last month.", true),
        ("Mara moved to Bonn in 2025.", "I moved to Bonn last year.", true),
        ("Mara moved to Bonn in 2019.", "I moved to Bonn seven years ago.", true),
        ("Mara moved to Bonn in 2011.", "I moved to Bonn seven years ago.", false),
        ("Mara finished the race on 2021-03-07.", "I finished the race yesterday.", false),
        ("Mara was born on 1990-05-08.", "I was born on 8 May 1990.", true),
        ("Mara was born on 1990-05-08.", "I was born in spring.", false),
        ("Mara started around 2025-12-28.", "I started ten weeks ago.", true),
    ] {
        assert_eq!(check(statement, &[turn], &[0]).is_ok(), passes, "{statement} / {turn}");
    }
}

/// Case 12: what the assistant says is nobody's word but its own, unless a person takes it up.
#[test]
fn the_assistants_words_need_an_answer() {
    type Row<'a> = (&'a str, &'a [&'a str], &'a [usize], Result<Support, bool>);
    let rows: [Row<'_>; 12] = [
        ("Mara would enjoy the Azores.", &["A: You would enjoy the Azores.", "Hm."], &[1], Err(true)),
        ("Mara would enjoy the Azores.", &["A: You would enjoy the Azores.", "Hm."], &[0, 1], Err(true)),
        (
            "Mara would enjoy the Azores.",
            &["A: You would enjoy the Azores.", "Yes!"],
            &[1],
            Ok(Support::Answer),
        ),
        ("Mara is allergic to nuts.", &["A: Are you allergic to nuts?", "Yes."], &[1], Ok(Support::Answer)),
        ("Mara is allergic to nuts.", &["A: Are you allergic to nuts?", "No."], &[1], Err(true)),
        (
            "Mara is not allergic to nuts.",
            &["A: Are you allergic to nuts?", "No."],
            &[1],
            Ok(Support::Answer),
        ),
        ("Mara is allergic to nuts.", &["A: Are you allergic to nuts?", "ok"], &[1], Err(true)),
        ("Mara's pets are two cats.", &["A: Which pets do you have?", "Two cats."], &[1], Ok(Support::Own)),
        (
            "Mara's favourite instrument is the cello.",
            &["A: What is your favourite instrument?", "The cello."],
            &[1],
            Ok(Support::Answer),
        ),
        (
            "Mara wants to visit the Azores.",
            &["A: The Azores are lovely.", "I want to visit them!"],
            &[1],
            Ok(Support::Own),
        ),
        (
            "The assistant prefers short answers.",
            &["A: I prefer short answers.", "Hm."],
            &[0],
            Ok(Support::Assistant),
        ),
        (
            "Mara ist allergisch gegen Nüsse.",
            &["A: Bist du allergisch gegen Nüsse?", "Ja, leider."],
            &[1],
            Ok(Support::Answer),
        ),
    ];
    for (statement, turns, cited, expected) in rows {
        let got = support(&candidate(statement, cited), turns);
        assert_eq!(got.map_err(|refused| refused.by_assistant), expected, "{statement} / {turns:?}");
    }
}
