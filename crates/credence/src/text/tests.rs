//! What holds for any text at all: no reader panics, forms are stable, redaction is complete after one pass.

use super::*;

/// Texts put together from pieces that readers have rules about, by a fixed generator.
fn odd_texts() -> Vec<String> {
    const PIECES: [&str; 64] = [
        "",
        " ",
        "\n",
        ".",
        "...",
        "?!",
        "'",
        "’s",
        "\"",
        "-",
        "−5",
        "3.5",
        "1,000",
        "½",
        "10²",
        "№ 5",
        "e\u{301}",
        "\u{301}",
        "ı",
        "İ",
        "ß",
        "ﬀ",
        "用户",
        "不",
        "。",
        "茶",
        "カ",
        "ก็",
        "हि",
        "محمد",
        "👩‍👩‍👧",
        "🏳️‍🌈",
        "\u{200B}",
        "\u{202E}",
        "𝒳",
        "Pia",
        "can't",
        "not",
        "never",
        "no",
        "lives in",
        "Oslo",
        "is",
        "loves",
        "hates",
        "May",
        "8",
        "2023",
        "3pm",
        "Dr.",
        "J.",
        "password:",
        "secret",
        "=",
        "eyJ",
        "sk-",
        "://",
        "@",
        ":",
        "-----BEGIN ",
        "4111",
        "DE89",
        "[redacted:",
        "Bearer ",
    ];
    let mut state = 11_u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut text = || -> String {
        let n = random(14);
        (0..n)
            .map(|_| [PIECES[random(PIECES.len())], if random(2) == 0 { " " } else { "" }].concat())
            .collect()
    };
    (0..1200).map(|_| text()).collect()
}

#[test]
fn every_reader_takes_every_text() {
    let texts = odd_texts();
    for (text, other) in texts.iter().zip(texts.iter().skip(1)) {
        let form = canonical(text);
        assert_eq!(form.is_empty(), canonical(&form).is_empty(), "{text:?}");
        assert!(!form.is_empty() || !text.chars().any(char::is_alphanumeric), "{text:?}");
        assert_eq!(difference(text, text), None, "{text:?}");
        assert_eq!(opposes(text, text), None, "{text:?}");
        assert_eq!(
            opposes(text, other).map(|o| o.kind),
            opposes(other, text).map(|o| o.kind),
            "{text:?} {other:?}"
        );
        assert_eq!(
            difference(text, other).map(|d| d.kind),
            difference(other, text).map(|d| d.kind),
            "{text:?} {other:?}"
        );
        assert_eq!(compare_names(text, other), compare_names(other, text), "{text:?} {other:?}");
        assert_eq!(compare_names(text, text), NameMatch::Same);
        let redacted = redact(text);
        assert_eq!(redact(&redacted.text).text, redacted.text, "{text:?}");
        for sentence in sentences(text) {
            assert!(text.contains(sentence) && !sentence.trim().is_empty());
        }
        assert!(query_terms(text).len() <= terms(text).len());
        assert!(excerpt(text, 9).chars().count() <= 9 * 12);
        let _ = (slot(text), polarity(text), words(text), normal_name(text));
    }
}

#[test]
fn a_canonical_form_is_its_own() {
    for text in odd_texts() {
        let form = canonical(&text);
        assert_eq!(canonical(&form), form, "{text:?}");
    }
}

#[test]
fn long_texts_take_no_more_than_their_share() {
    for piece in [
        "eyJ.",
        "sk-ant-",
        "password:",
        "-----BEGIN ",
        "a://",
        "(",
        "1,",
        "not ",
        "No. ",
        "4111 ",
        "用户",
        "[redacted:",
    ] {
        let text = piece.repeat(30_000 / piece.len());
        assert!(!redact(&text).text.is_empty());
        assert!(canonical(&text).len() <= 4 * text.len());
        let _ = (sentences(&text), polarity(&text), terms(&text), Particulars::of(&text));
    }
}
