//! What changed between two wordings, word by word.

/// One run of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// In both.
    Same(String),
    /// Only in the older.
    Gone(String),
    /// Only in the newer.
    New(String),
}

/// Above this many words a side, the texts are shown whole: the table would take longer than reading.
const LONGEST: usize = 400;

/// The pieces from `old` to `new`, gone before new where both stand at one place.
pub(crate) fn words(old: &str, new: &str) -> Vec<Piece> {
    let a: Vec<&str> = old.split_whitespace().collect();
    let b: Vec<&str> = new.split_whitespace().collect();
    if a.len() > LONGEST || b.len() > LONGEST {
        return vec![Piece::Gone(old.to_owned()), Piece::New(new.to_owned())];
    }
    // Length of the longest common run of words from (i, j) to the ends.
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
            push(&mut pieces, Piece::Same(a[i].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if i < a.len() && (j == b.len() || common[(i + 1) * width + j] >= common[i * width + j + 1]) {
            push(&mut pieces, Piece::Gone(a[i].to_owned()));
            i += 1;
        } else {
            push(&mut pieces, Piece::New(b[j].to_owned()));
            j += 1;
        }
    }
    pieces
}

fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), &piece) {
        (Some(Piece::Same(text)), Piece::Same(word))
        | (Some(Piece::Gone(text)), Piece::Gone(word))
        | (Some(Piece::New(text)), Piece::New(word)) => {
            text.push(' ');
            text.push_str(word);
        }
        _ => pieces.push(piece),
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{Piece, words};

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
    }
}
