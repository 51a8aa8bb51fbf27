//! What changed between two wordings, word by word, and between two texts, line by line.

/// One run of words, or of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// In both.
    Same(String),
    /// Only in the older.
    Gone(String),
    /// Only in the newer.
    New(String),
}

/// Above this many words or lines a side, the texts are shown whole: the table would take longer than reading.
const LONGEST: usize = 400;

/// The pieces from `old` to `new`, gone before new where both stand at one place.
pub(crate) fn words(old: &str, new: &str) -> Vec<Piece> {
    pieces(&old.split_whitespace().collect::<Vec<_>>(), &new.split_whitespace().collect::<Vec<_>>(), " ")
}

/// The same by whole lines.
pub(crate) fn lines(old: &str, new: &str) -> Vec<Piece> {
    pieces(&old.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>(), "\n")
}

fn pieces(a: &[&str], b: &[&str], between: &str) -> Vec<Piece> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return vec![Piece::Gone(a.join(between)), Piece::New(b.join(between))];
    }
    // Length of the longest common run from (i, j) to the ends.
    let width = b.len() + 1;
    let mut common = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            common[i * width + j] = if a[i] == b[j] {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pieces = Vec::new();
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            push(&mut pieces, Piece::Same(a[i].to_owned()), between);
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            push(&mut pieces, Piece::Gone(a[i].to_owned()), between);
            i += 1;
        } else {
            push(&mut pieces, Piece::New(b[j].to_owned()), between);
            j += 1;
        }
    }
    pieces
}

fn push(pieces: &mut Vec<Piece>, piece: Piece, between: &str) {
    match (pieces.last_mut(), &piece) {
        (Some(Piece::Same(text)), Piece::Same(more))
        | (Some(Piece::Gone(text)), Piece::Gone(more))
        | (Some(Piece::New(text)), Piece::New(more)) => {
            text.push_str(between);
            text.push_str(more);
        }
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{Piece, lines, words};

    #[wasm_bindgen_test]
    fn only_what_differs_is_marked() {
        let pieces = words("Anna lives in Berlin now", "Anna lives in Lisbon now");
        assert_eq!(
            pieces,
            [
                Piece::Same("Anna lives in".into()),
                Piece::Gone("Berlin".into()),
                Piece::New("Lisbon".into()),
                Piece::Same("now".into()),
            ]
        );
        assert_eq!(words("", "all new"), [Piece::New("all new".into())]);
        assert_eq!(words("same", "same"), [Piece::Same("same".into())]);
        assert_eq!(
            lines("one\ntwo\nthree", "one\nthree\nfour"),
            [
                Piece::Same("one".into()),
                Piece::Gone("two".into()),
                Piece::Same("three".into()),
                Piece::New("four".into()),
            ]
        );
    }
}
