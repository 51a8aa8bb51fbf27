//! Character cards in pictures: a PNG is a row of chunks, and a card is Base64 in a `tEXt` chunk named `ccv3` (third form) or `chara`.
//! Only the chunks are walked; the picture itself is never looked at.

use super::ImportError;
use crate::bundle::decode_base64;

/// What every PNG begins with.
pub(super) const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];

/// The card's JSON; the third form where a picture carries both.
pub(super) fn card_in(file: &str, bytes: &[u8]) -> Result<String, ImportError> {
    let mut found: Option<(&[u8], &[u8])> = None;
    let mut at = SIGNATURE.len();
    while let Some(head) = bytes.get(at..at + 8) {
        let (length, kind) = head.split_at(4);
        let length = length.iter().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte));
        let Some(data) = at.checked_add(8 + length).and_then(|end| bytes.get(at + 8..end)) else {
            let reason = "the picture ends in the middle; get it again";
            return Err(ImportError::at(format!("byte {}", at + 1), reason));
        };
        if kind == b"tEXt"
            && let Some(zero) = data.iter().position(|byte| *byte == 0)
        {
            let (name, value) = (&data[..zero], &data[zero + 1..]);
            let is_newer = name == b"ccv3";
            if is_newer || (name == b"chara" && found.is_none_or(|(known, _)| known != b"ccv3")) {
                found = Some((name, value));
            }
        }
        if kind == b"IEND" {
            break;
        }
        // Each chunk ends with a checksum of four bytes.
        at += 12 + length;
    }
    let Some((_, value)) = found else {
        let reason = "no character card is in this picture; pictures that were edited or sent through a chat lose it: get the original";
        return Err(ImportError::at(file, reason));
    };
    let json = std::str::from_utf8(value)
        .ok()
        .and_then(decode_base64)
        .and_then(|bytes| String::from_utf8(bytes).ok());
    json.ok_or_else(|| ImportError::at(file, "the card in this picture is damaged; get the original"))
}
