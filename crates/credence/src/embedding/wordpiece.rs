//! Text to word pieces, as BERT's uncased tokeniser does it: accents off, lower case, cut at white space and
//! punctuation, each word split greedily into the longest pieces that the vocabulary has.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longer words are not split; they count as unknown.
const LONGEST_WORD: usize = 100;
const EMPTY: u32 = u32::MAX;

/// The words of a text, in order: runs of letters and digits, and single punctuation marks and Han
/// characters.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = String> {
    let mut chars = text.nfd().peekable();
    std::iter::from_fn(move || {
        let mut word = String::new();
        while let Some(&c) = chars.peek() {
            if is_dropped(c) {
                chars.next();
            } else if c.is_whitespace() || stands_alone(c) {
                if word.is_empty() {
                    chars.next();
                    if c.is_whitespace() {
                        continue;
                    }
                    word.extend(c.to_lowercase());
                }
                return Some(word);
            } else {
                chars.next();
                word.extend(c.to_lowercase());
            }
        }
        (!word.is_empty()).then_some(word)
    })
}

fn is_dropped(c: char) -> bool {
    c == '\u{FFFD}'
        || (c.is_control() && !c.is_whitespace())
        || is_combining_mark(c)
        || matches!(c, '\u{00AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}')
}

/// Punctuation of any script, and Han characters.
fn stands_alone(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            '\u{00A1}' | '\u{00A7}' | '\u{00AB}' | '\u{00B6}' | '\u{00B7}' | '\u{00BB}' | '\u{00BF}' | '\u{055A}'..='\u{055F}'
            | '\u{05BE}' | '\u{060C}' | '\u{061B}' | '\u{061F}' | '\u{066A}'..='\u{066D}' | '\u{06D4}' | '\u{0964}' | '\u{0965}'
            | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}'
            | '\u{3014}'..='\u{301F}' | '\u{30FB}' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF5B}'..='\u{FF65}'
            | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{2FA1F}')
}

/// The pieces of a model, found by their text: one open-addressed table over one string, so that loading
/// tens of thousands of them allocates four times.
#[derive(Debug)]
pub(super) struct Vocabulary {
    text: String,
    /// Where each piece begins; one entry more than pieces, each piece followed by one separator.
    starts: Vec<u32>,
    /// Piece numbers by hash; a power of two at least twice as long as there are pieces.
    table: Vec<u32>,
    /// Bytes of the longest piece, so that no longer text is looked up.
    longest: usize,
}

impl Vocabulary {
    /// Reads one piece a line. Of two equal ones the later counts.
    pub(super) fn new(lines: &str) -> Self {
        let mut starts = vec![0];
        let mut longest = 0;
        for line in lines.split('\n') {
            longest = longest.max(line.len());
            starts.push(starts.last().copied().unwrap_or(0) + line.len() as u32 + 1);
        }
        let n = starts.len() - 1;
        let table = vec![EMPTY; (n * 2).next_power_of_two()];
        let mut vocabulary = Self { text: lines.to_owned(), starts, table, longest };
        for piece in 0..n {
            let slot = vocabulary.slot("", vocabulary.piece(piece));
            vocabulary.table[slot] = piece as u32;
        }
        vocabulary
    }

    /// Number of pieces.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn piece(&self, n: usize) -> &str {
        &self.text[self.starts[n] as usize..self.starts[n + 1] as usize - 1]
    }

    /// The slot of `prefix` + `rest`: the one that holds it, or the free one where it would go.
    fn slot(&self, prefix: &str, rest: &str) -> usize {
        // FNV-1a, 32 bits.
        let hash = prefix
            .bytes()
            .chain(rest.bytes())
            .fold(0x811C_9DC5_u32, |hash, b| (hash ^ u32::from(b)).wrapping_mul(0x0100_0193));
        let mask = self.table.len() - 1;
        let mut slot = (hash ^ (hash >> 15)) as usize & mask;
        loop {
            let held = self.table[slot];
            if held == EMPTY || self.piece(held as usize).strip_prefix(prefix) == Some(rest) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn find(&self, prefix: &str, rest: &str) -> Option<usize> {
        let held = self.table[self.slot(prefix, rest)];
        (held != EMPTY).then_some(held as usize)
    }

    /// The numbers of a word's pieces; none when any part of it is unknown.
    pub(super) fn split(&self, word: &str) -> Vec<usize> {
        if word.chars().count() > LONGEST_WORD {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut at = 0;
        while at < word.len() {
            let prefix = if at == 0 { "" } else { "##" };
            let farthest = word.len().min(at + self.longest);
            let hit = (at + 1..=farthest)
                .rev()
                .filter(|end| word.is_char_boundary(*end))
                .find_map(|end| Some((self.find(prefix, &word[at..end])?, end)));
            let Some((piece, end)) = hit else { return Vec::new() };
            out.push(piece);
            at = end;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_cut_as_bert_cuts_them() {
        let check =
            |text: &str, expected: &[&str]| assert_eq!(pieces(text).collect::<Vec<_>>(), expected, "{text}");
        check("Où habite Zoë?", &["ou", "habite", "zoe", "?"]);
        check("foo_bar 12:30", &["foo", "_", "bar", "12", ":", "30"]);
        check("日本 ok。", &["日", "本", "ok", "。"]);
        check(" \u{0}\u{200B} ", &[]);
    }

    #[test]
    fn words_split_into_the_longest_known_pieces() {
        let vocabulary = Vocabulary::new("un\nunder\n##stand\n##ing\n##s\n用");
        let split =
            |word: &str| vocabulary.split(word).into_iter().map(|n| vocabulary.piece(n)).collect::<Vec<_>>();
        assert_eq!(split("understanding"), ["under", "##stand", "##ing"]);
        assert_eq!(split("uns"), ["un", "##s"]);
        assert_eq!(split("用"), ["用"]);
        assert!(split("stand").is_empty() && split("unknown").is_empty() && split("").is_empty());
        assert!(split(&"un".repeat(60)).is_empty());
        assert_eq!(vocabulary.len(), 6);
    }
}
