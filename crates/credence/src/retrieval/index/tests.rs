//! The index as a whole: it never returns what was removed (case 34), its gate stays shut for what the memory
//! knows nothing about (case 37), and it does not depend on the order in which it was filled.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::*;
use crate::embedding::StaticModel;

static MODEL: LazyLock<StaticModel> = LazyLock::new(|| {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/assets/embedding/credence-en-128.sem1");
    StaticModel::load(std::fs::read(file).unwrap()).unwrap()
});

fn index(texts: &[String]) -> SearchIndex<u32> {
    let mut index = SearchIndex::default();
    for (key, text) in (0..).zip(texts) {
        index.insert(key, text, Some(&MODEL.embed(text)));
    }
    index
}

fn admitted(index: &SearchIndex<u32>, query: &str) -> Vec<u32> {
    let vector = MODEL.embed(query);
    let vector = vector.iter().any(|x| *x != 0.0).then_some(vector.as_slice());
    let gate = index.gate(vector.is_some());
    let hits = index.search(query, vector, 10, |_| true);
    hits.into_iter().filter(|hit| gate.admits(&hit.relevance)).map(|hit| hit.key).collect()
}

/// Fifty facts about food.
fn food() -> Vec<String> {
    let people = ["Pia", "Bo", "Cy", "Dana", "Eli"];
    let facts = [
        "loves ramen with two eggs",
        "is allergic to peanuts",
        "never eats meat",
        "bakes sourdough bread every Sunday",
        "drinks three cups of green tea a day",
        "hates olives",
        "cooks a spicy lentil curry for guests",
        "grows tomatoes and basil on the balcony",
        "prefers dark chocolate with 70 % cocoa",
        "had 12 oysters on a trip to France",
    ];
    people.iter().flat_map(|person| facts.iter().map(move |fact| format!("{person} {fact}."))).collect()
}

/// Case 37.
#[test]
fn a_question_about_something_else_finds_nothing() {
    let index = index(&food());
    assert_eq!(index.len(), 50);
    for query in [
        "Please multiply 17 by 23.",
        "What is 12 times 3?",
        "Write a regular expression for IPv4 addresses.",
        "Who won the world cup in 1998?",
        "Bitte multipliziere 17 mit 23.",
        "请计算十七乘以二十三",
    ] {
        assert_eq!(admitted(&index, query), Vec::<u32>::new(), "{query}");
        let gate = index.gate(false);
        let lexical = index.search(query, None, 10, |_| true);
        assert!(lexical.iter().all(|hit| !gate.admits(&hit.relevance)), "{query}, by words alone");
    }
    assert_eq!(admitted(&index, "What is Dana allergic to?")[0], 31);
    assert_eq!(admitted(&index, "Does Pia like olives?")[0], 5);
    // By meaning: no word is shared but the name, then none at all.
    assert_eq!(admitted(&index, "Is Bo a vegetarian?")[0], 12);
    assert!(admitted(&index, "Which vegetables are planted at home?").contains(&7));
}

/// Case 34.
#[test]
fn what_was_removed_is_never_found_and_enough_others_are() {
    let texts: Vec<String> = (0..100).map(|n| format!("Kayak number {n} is red")).collect();
    let mut index = index(&texts);
    for key in 0..40 {
        assert!(index.remove(&key));
    }
    assert!(!index.remove(&0));
    assert_eq!((index.len(), index.vectors()), (60, 60));
    let query = MODEL.embed("red kayak");
    let keys = |index: &SearchIndex<u32>| -> Vec<u32> {
        index.search("red kayak", Some(&query), 50, |_| true).into_iter().map(|hit| hit.key).collect()
    };
    let found = keys(&index);
    assert_eq!(found.len(), 50);
    assert!(found.iter().all(|key| *key >= 40));
    // As after a reload: the live texts alone, in another order.
    let mut again = SearchIndex::default();
    for key in (40..100).rev() {
        let text = &texts[key as usize];
        again.insert(key, text, Some(&MODEL.embed(text)));
    }
    assert_eq!(keys(&again), found);
    assert_eq!(
        index.search("red kayak", Some(&query), 50, |key| key % 2 == 0).len(),
        30,
        "the filter comes before the cut"
    );
}

#[test]
fn an_update_replaces_text_and_vector() {
    let mut index: SearchIndex<u32> = SearchIndex::default();
    index.insert(1, "Pia loves techno", Some(&[1.0, 0.0]));
    index.insert(1, "Pia loves jazz", None);
    assert_eq!((index.len(), index.vectors()), (1, 0), "the old vector does not outlive the old text");
    assert!(index.set_vector(&1, &[0.0, 1.0]) && !index.set_vector(&2, &[0.0, 1.0]));
    assert!(index.search("techno", None, 5, |_| true).is_empty());
    let hits = index.search("jazz", Some(&[0.0, 1.0]), 5, |_| true);
    assert_eq!((hits.len(), hits[0].score, hits[0].relevance.cosine), (1, 1.0, Some(1.0)));
    assert_eq!(index.nearest(&[0.0, 1.0], 5, |_| true), [(1, 1.0)]);
    assert!(index.remove(&1) && index.is_empty() && index.vectors() == 0);
}

#[test]
fn every_score_is_the_sum_of_its_explanation() {
    let index = index(&food());
    let query = "Who bakes bread or grows basil?";
    let hits = index.search(query, Some(&MODEL.embed(query)), 20, |_| true);
    assert_eq!(hits.len(), 20);
    for hit in &hits {
        let explained = hit.explain();
        assert_eq!(explained.value, hit.score);
        assert_eq!(explained.parts.iter().map(|part| part.value).sum::<f64>(), hit.score);
        if let Some(words) = hit.explain_words() {
            assert_eq!(words.parts.iter().map(|part| part.value).sum::<f64>(), words.value);
        }
    }
    assert!(hits.is_sorted_by(|a, b| a.score > b.score || (a.score == b.score && a.key < b.key)));
}

/// Any sequence of changes leaves the index that the live texts alone would give.
#[test]
fn the_index_is_a_function_of_its_content() {
    let words = ["tea", "coffee", "red", "blue", "kayak", "Pia", "Bo", "Oslo", "茶", "jazz"];
    let mut state = 7_u64;
    let mut random = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut index: SearchIndex<u64> = SearchIndex::default();
    let mut live: BTreeMap<u64, String> = BTreeMap::new();
    for _ in 0..600 {
        let key = random(40);
        if random(3) == 0 {
            assert_eq!(index.remove(&key), live.remove(&key).is_some());
        } else {
            let text: Vec<&str> = (0..=random(5)).map(|_| words[random(10) as usize]).collect();
            let text = text.join(" ");
            index.insert(key, &text, Some(&MODEL.embed(&text)));
            live.insert(key, text);
        }
    }
    let mut fresh: SearchIndex<u64> = SearchIndex::default();
    for (key, text) in &live {
        fresh.insert(*key, text, Some(&MODEL.embed(text)));
    }
    assert_eq!(index.len(), live.len());
    for query in words.iter().map(|word| format!("{word} and tea")) {
        let vector = MODEL.embed(&query);
        let find = |index: &SearchIndex<u64>| index.search(&query, Some(&vector), 15, |_| true);
        assert_eq!(find(&index), find(&fresh), "{query}");
    }
}
