//! The static embedding model that ships with the product: a table of word pieces and their vectors.
//!
//! A text's vector is the mean of its pieces' rows, brought to unit length; the dot product of two vectors is
//! their similarity. A text without a known piece has the zero vector: "no opinion, search by words". The
//! model is blind to word order and negation, so it finds what is near and never decides what is the same.
//!
//! The file (`SEM1`, little endian): the four letters; number of pieces, dimensions and vocabulary bytes as
//! `u32`; one `f32` scale a dimension; the rows as `i8`; the vocabulary, UTF-8, one piece a line in the order
//! of the rows. How the shipped file was made stands beside it.

use std::sync::Arc;

use super::Embedder;
use super::wordpiece::{Vocabulary, pieces};
use crate::llm::ModelError;

const MAGIC: &[u8; 4] = b"SEM1";
const HEADER: usize = 16;

/// Why a file is not a model. Offsets are in bytes from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelFileError {
    /// Another kind of file, for example an error page that a server sent in its place.
    #[error(
        "not an embedding model: the file begins with {found:?} where \"SEM1\" is expected at byte 0; check where it was loaded from"
    )]
    Foreign {
        /// Its first bytes, up to four, as text.
        found: String,
    },
    /// The file ends too early: an interrupted download.
    #[error(
        "the embedding model is cut off: {part} begins at byte {at} and needs {needed} bytes, but the file has {len} in all; load it again"
    )]
    Truncated {
        /// What is missing.
        part: &'static str,
        /// Where it begins.
        at: usize,
        /// How long it should be.
        needed: usize,
        /// Length of the file.
        len: usize,
    },
    /// There is more in the file than its head says.
    #[error(
        "the embedding model ends at byte {at}, but {extra} bytes follow; the file is damaged, load it again"
    )]
    Trailing {
        /// Where the model ends.
        at: usize,
        /// How much follows.
        extra: usize,
    },
    /// A value that no model has.
    #[error("the embedding model is damaged at byte {at}: {problem}; load it again")]
    Damaged {
        /// Where.
        at: usize,
        /// What is wrong.
        problem: String,
    },
}

/// A loaded model. Cloning shares the table.
#[derive(Debug, Clone)]
pub struct StaticModel {
    bytes: Arc<[u8]>,
    scales: Arc<[f32]>,
    vocabulary: Arc<Vocabulary>,
    rows_at: usize,
    space: Arc<str>,
}

impl StaticModel {
    /// Reads a model file. Its vector space is called `credence-en-` and the number of dimensions.
    pub fn load(bytes: impl Into<Arc<[u8]>>) -> Result<Self, ModelFileError> {
        let bytes: Arc<[u8]> = bytes.into();
        if bytes.get(..4) != Some(MAGIC) && !MAGIC.starts_with(&bytes) {
            let found = String::from_utf8_lossy(&bytes[..bytes.len().min(4)]).into_owned();
            return Err(ModelFileError::Foreign { found });
        }
        let mut reader = Reader { bytes: &bytes, at: 0 };
        let head = reader.take("the head", HEADER)?;
        let [n, dimension, vocabulary_len] = [4, 8, 12].map(|at| le_u32(&head[at..]) as usize);
        if n == 0 || dimension == 0 {
            let problem = format!("it declares {n} pieces of {dimension} dimensions");
            return Err(ModelFileError::Damaged { at: 4, problem });
        }
        let scales: Arc<[f32]> = reader
            .take("the table of scales", dimension.saturating_mul(4))?
            .chunks_exact(4)
            .map(le_f32)
            .collect();
        if let Some(i) = scales.iter().position(|scale| !scale.is_finite()) {
            return Err(ModelFileError::Damaged {
                at: HEADER + 4 * i,
                problem: format!("scale {i} is {}", scales[i]),
            });
        }
        let rows_at = reader.at;
        reader.take("the table of rows", n.saturating_mul(dimension))?;
        let vocabulary_at = reader.at;
        let vocabulary =
            std::str::from_utf8(reader.take("the vocabulary", vocabulary_len)?).map_err(|error| {
                ModelFileError::Damaged {
                    at: vocabulary_at + error.valid_up_to(),
                    problem: "the vocabulary is not UTF-8 here".into(),
                }
            })?;
        if reader.at < bytes.len() {
            return Err(ModelFileError::Trailing { at: reader.at, extra: bytes.len() - reader.at });
        }
        let vocabulary = Vocabulary::new(vocabulary);
        if vocabulary.len() != n {
            let problem = format!("the vocabulary has {} pieces for {n} rows", vocabulary.len());
            return Err(ModelFileError::Damaged { at: vocabulary_at, problem });
        }
        let space = format!("credence-en-{dimension}").into();
        Ok(Self { vocabulary: Arc::new(vocabulary), scales, rows_at, space, bytes })
    }

    /// The text's vector: of unit length, or all zero when no piece of it is known.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let dimension = self.scales.len();
        let mut sums = vec![0_i32; dimension];
        for piece in pieces(text).flat_map(|word| self.vocabulary.split(&word)) {
            let row = self.rows_at + piece * dimension;
            for (sum, value) in sums.iter_mut().zip(&self.bytes[row..row + dimension]) {
                *sum += i32::from(i8::from_le_bytes([*value]));
            }
        }
        // Sums stay far below 2^24, where f32 still holds every integer, for any text under 130,000 pieces.
        let mut vector: Vec<f32> =
            sums.iter().zip(&*self.scales).map(|(sum, scale)| *sum as f32 * scale).collect();
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|x| *x /= length);
        }
        vector
    }

    /// How many tokens a text has, for estimates of what a prompt costs: its word pieces. A word that the
    /// vocabulary lacks (other scripts) counts one token for every three bytes, as byte-pair tokenisers come
    /// to on average.
    pub fn count_tokens(&self, text: &str) -> usize {
        pieces(text)
            .map(|word| match self.vocabulary.split(&word).len() {
                0 => word.len().div_ceil(3),
                n => n,
            })
            .sum()
    }

    /// Number of word pieces.
    pub fn vocabulary_len(&self) -> usize {
        self.vocabulary.len()
    }
}

impl Embedder for StaticModel {
    fn space(&self) -> String {
        self.space.to_string()
    }
    fn dimension(&self) -> usize {
        self.scales.len()
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(texts.iter().map(|text| StaticModel::embed(self, text)).collect())
    }
}

/// Takes one part of the file after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, part: &'static str, needed: usize) -> Result<&'a [u8], ModelFileError> {
        let found = self.at.checked_add(needed).and_then(|end| self.bytes.get(self.at..end));
        let found =
            found.ok_or(ModelFileError::Truncated { part, at: self.at, needed, len: self.bytes.len() })?;
        self.at += needed;
        Ok(found)
    }
}

fn le_u32(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn le_f32(bytes: &[u8]) -> f32 {
    f32::from_bits(le_u32(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three pieces of two dimensions.
    fn small() -> Vec<u8> {
        let words = b"tea\nun\n##known";
        let mut file = b"SEM1".to_vec();
        for n in [3, 2, words.len() as u32] {
            file.extend(n.to_le_bytes());
        }
        for scale in [0.5_f32, 0.25] {
            file.extend(scale.to_le_bytes());
        }
        file.extend([6_i8, 0, 0, 4, 0, 8].map(|x| x as u8));
        file.extend(words);
        file
    }

    #[test]
    fn a_vector_is_the_mean_of_its_pieces_at_unit_length() {
        let model = StaticModel::load(small()).unwrap();
        assert_eq!(
            (model.space().as_str(), model.dimension(), model.vocabulary_len()),
            ("credence-en-2", 2, 3)
        );
        assert_eq!(model.embed("Tea!"), [1.0, 0.0]);
        assert_eq!(model.embed("unknown"), [0.0, 1.0]);
        let both = model.embed("tea unknown");
        assert!(both[0] == both[1] && (both[0] - std::f32::consts::FRAC_1_SQRT_2).abs() < 1e-6);
        assert_eq!(model.embed("untea 用户"), [0.0, 0.0], "a word with an unknown rest says nothing");
        assert_eq!(model.embed(""), [0.0, 0.0]);
        assert_eq!(
            (model.count_tokens("Tea unknown"), model.count_tokens("用户"), model.count_tokens(" ")),
            (3, 2, 0)
        );
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let check = |file: Vec<u8>, words: &[&str]| {
            let error = StaticModel::load(file).map(|_| ()).unwrap_err().to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{error}");
        };
        check(b"<!DOCTYPE html>".to_vec(), &["<!DO", "byte 0"]);
        check(Vec::new(), &["cut off", "the head", "byte 0", "0 in all"]);
        check(b"SE".to_vec(), &["the head", "16 bytes", "2 in all"]);
        check(small()[..20].to_vec(), &["table of scales", "byte 16"]);
        check(small()[..26].to_vec(), &["table of rows", "byte 24"]);
        check(small()[..40].to_vec(), &["the vocabulary", "byte 30", "needs 14"]);
        check([small(), vec![0]].concat(), &["byte 44", "1 bytes follow"]);
        let mut nan = small();
        nan[20..24].copy_from_slice(&f32::NAN.to_le_bytes());
        check(nan, &["byte 20", "scale 1 is NaN"]);
        let mut bad = small();
        bad[33] = 0xFF;
        check(bad, &["byte 33", "UTF-8"]);
        let mut few = small();
        few[33] = b' ';
        check(few, &["byte 30", "2 pieces for 3 rows"]);
        let mut huge = small();
        huge[4..12].copy_from_slice(&[0xFF; 8]);
        check(huge, &["table of scales"]);
        let mut none = small();
        none[4..8].copy_from_slice(&[0; 4]);
        check(none, &["byte 4", "0 pieces"]);
    }

    #[test]
    fn the_shipped_file_gives_the_reference_vectors() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let file = std::fs::read(format!("{root}/web/assets/embedding/credence-en-128.sem1")).unwrap();
        let model = StaticModel::load(file).unwrap();
        let text = std::fs::read_to_string(format!("{root}/tests/fixtures/embedding/reference-vectors.json"))
            .unwrap();
        let references: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        assert_eq!((model.space().as_str(), references.len()), ("credence-en-128", 6));
        for reference in &references {
            let text = reference["t"].as_str().unwrap();
            let expected: Vec<f64> =
                reference["v"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
            let found = model.embed(text);
            assert_eq!(found.len(), expected.len());
            let worst =
                found.iter().zip(&expected).map(|(a, b)| (f64::from(*a) - b).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-5, "{text:?} differs by {worst}");
        }
        let texts = vec!["Alice is allergic to peanuts.".to_owned()];
        let vectors = futures::executor::block_on(Embedder::embed(&model, &texts)).unwrap();
        assert_eq!(vectors, [model.embed(&texts[0])]);
    }
}
