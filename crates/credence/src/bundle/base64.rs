//! Base64 (RFC 4648, standard alphabet, padded): vectors in bundles, and the cards that pictures carry. Written out here, because
//! forty lines are less than a dependency.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of these bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |n: usize| u32::from(group.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            let digit = (bits >> (18 - 6 * n) & 63) as usize;
            text.push(if n <= group.len() { char::from(ALPHABET[digit]) } else { '=' });
        }
    }
    text
}

/// The bytes of this text, white space and missing padding forgiven; `None`: it is no base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut have) = (0_u32, 0_u32);
    let digits = text.trim_end().trim_end_matches('=');
    for c in digits.bytes().filter(|c| !c.is_ascii_whitespace()) {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push((bits >> have & 255) as u8);
        }
    }
    // A single digit more than whole bytes need says nothing.
    (have < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_length_comes_back_and_the_known_texts_are_right() {
        for (text, wanted) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(encode(text.as_bytes()), wanted);
        }
        for length in 0..70_u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(151)).collect();
            assert_eq!(decode(&encode(&bytes)), Some(bytes));
        }
        assert_eq!(decode("Zm9v\nYg"), Some(b"foob".to_vec()));
        assert_eq!(decode("Zm9*"), None);
        assert_eq!(decode("Zm9vY"), None);
    }
}
