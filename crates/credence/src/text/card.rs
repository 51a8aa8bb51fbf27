//! Numbers that carry their own check: payment cards, bank accounts (IBAN), and United States social security
//! numbers. The checks are what keeps ordinary long numbers alive.

/// Where a number that must not be kept lies: start and end in bytes, and its kind.
pub(super) type Found = (usize, usize, &'static str);

/// Ranges of leading digits and the lengths that the card schemes issue (ISO/IEC 7812): from, to, lengths.
const SCHEMES: [(u32, u32, &[usize]); 16] = [
    (4, 4, &[13, 16, 19]),
    (51, 55, &[16]),
    (2221, 2720, &[16]),
    (34, 34, &[15]),
    (37, 37, &[15]),
    (6011, 6011, &[16, 19]),
    (644, 659, &[16, 19]),
    (3528, 3589, &[16]),
    (300, 305, &[14]),
    (36, 36, &[14]),
    (38, 39, &[14]),
    (62, 62, &[16, 17, 18, 19]),
    (2200, 2204, &[16]),
    (5018, 5018, &[13, 16, 19]),
    (5893, 5893, &[16]),
    (6304, 6304, &[13, 16]),
];

/// Lengths of an IBAN by country (ISO 13616).
const IBAN_LENGTHS: [(&str, usize); 36] = [
    ("AD", 24),
    ("AE", 23),
    ("AT", 20),
    ("BE", 16),
    ("BG", 22),
    ("BR", 29),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("SE", 24),
    ("TR", 26),
];

/// Every card number, IBAN and social security number of a text.
pub(super) fn checked_numbers(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let found = if starts_alone(bytes, at) {
            card(bytes, at).or_else(|| ssn(bytes, at)).or_else(|| iban(bytes, at))
        } else {
            None
        };
        match found {
            Some(found) => {
                at = found.1;
                out.push(found);
            }
            None => at += 1,
        }
    }
    out
}

/// No letter, digit or joining sign stands before. A byte of a longer UTF-8 character is a letter here.
fn starts_alone(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_alphanumeric()
        && at.checked_sub(1).is_none_or(|i| {
            !bytes[i].is_ascii_alphanumeric() && !matches!(bytes[i], b'.' | b'-' | b'+' | b'_' | b'/')
        })
}

/// No letter, digit or joined digit stands behind.
fn ends_alone(bytes: &[u8], end: usize) -> bool {
    let joined = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_alphanumeric);
    match bytes.get(end) {
        Some(b'-' | b'.' | b'_') => !joined(end + 1),
        _ => !joined(end),
    }
}

/// A card number that starts here: one run of digits, or groups as they are embossed, parted by one space or
/// dash.
fn card(bytes: &[u8], start: usize) -> Option<Found> {
    let mut digits = Vec::with_capacity(19);
    let mut groups = Vec::new();
    let mut at = start;
    let mut best = None;
    loop {
        let from = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) && digits.len() < 20 {
            digits.push(bytes[at] - b'0');
            at += 1;
        }
        groups.push(at - from);
        let embossed = match groups.as_slice() {
            [_] | [4, 4, 4, 4] | [4, 4, 4, 1] | [4, 6, 5] | [4, 6, 4] => true,
            [4, 4, 4, 4, last] => *last <= 3,
            _ => false,
        };
        if embossed && ends_alone(bytes, at) && is_card(&digits) {
            best = Some((start, at, "card_number"));
        }
        let more =
            matches!(bytes.get(at), Some(b' ' | b'-')) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if at == from || !more || digits.len() >= 19 {
            return best;
        }
        at += 1;
    }
}

fn is_card(digits: &[u8]) -> bool {
    let issued = SCHEMES.iter().any(|(from, to, lengths)| {
        let width = from.to_string().len();
        lengths.contains(&digits.len())
            && digits.len() > width
            && (*from..=*to).contains(&digits[..width].iter().fold(0, |n, d| n * 10 + u32::from(*d)))
    });
    issued && luhn(digits)
}

/// The check of ISO/IEC 7812-1, annex B.
fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, &d)| {
            let doubled = u32::from(d) * if i % 2 == 1 { 2 } else { 1 };
            if doubled > 9 { doubled - 9 } else { doubled }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// `AAA-GG-SSSS` with an area, group and serial that are issued.
fn ssn(bytes: &[u8], start: usize) -> Option<Found> {
    let part = bytes.get(start..start + 11)?;
    let shape = part
        .iter()
        .enumerate()
        .all(|(i, b)| if matches!(i, 3 | 6) { *b == b'-' } else { b.is_ascii_digit() });
    let issued = !matches!(&part[..3], b"000" | b"666")
        && part[0] != b'9'
        && &part[4..6] != b"00"
        && &part[7..] != b"0000";
    (shape && issued && ends_alone(bytes, start + 11)).then_some((
        start,
        start + 11,
        "social_security_number",
    ))
}

/// An IBAN, plain or in groups of four, with the check of ISO 7064 (mod 97).
fn iban(bytes: &[u8], start: usize) -> Option<Found> {
    let country = bytes.get(start..start + 2)?;
    let (_, length) = IBAN_LENGTHS.iter().find(|(code, _)| code.as_bytes() == country)?;
    let mut chars = Vec::with_capacity(*length);
    let mut at = start;
    while chars.len() < *length {
        match bytes.get(at)? {
            b' ' if chars.len() % 4 == 0 && !chars.is_empty() && bytes.get(at - 1) != Some(&b' ') => {}
            b if b.is_ascii_uppercase() || b.is_ascii_digit() => chars.push(*b),
            _ => return None,
        }
        at += 1;
    }
    let value = |b: u8| if b.is_ascii_digit() { u32::from(b - b'0') } else { u32::from(b - b'A') + 10 };
    let rest = chars[4..].iter().chain(&chars[..4]).fold(0, |rest, &b| {
        let value = value(b);
        (if value > 9 { rest * 100 } else { rest * 10 } + value) % 97
    });
    (rest == 1 && ends_alone(bytes, at)).then_some((start, at, "iban"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(&str, &str)> {
        checked_numbers(text).into_iter().map(|(from, to, kind)| (&text[from..to], kind)).collect()
    }

    #[test]
    fn cards_with_a_right_check_digit() {
        for card in [
            "4111 1111 1111 1111",
            "4111-1111-1111-1111",
            "5555555555554444",
            "378282246310005",
            "3782 822463 10005",
            "6011111111111117",
        ] {
            assert_eq!(kinds(&format!("pay {card}, please")), [(card, "card_number")]);
        }
        assert_eq!(kinds("4111 1111 1111 1111 12/27"), [("4111 1111 1111 1111", "card_number")]);
    }

    #[test]
    fn other_numbers_survive() {
        for text in [
            "4111 1111 1111 1112",
            "+49 170 1234567",
            "order 1234567890123456",
            "at 1700000000000 ms",
            "550e8400-e29b-41d4-a716-446655440000",
            "da39a3ee5e6b4b0d3255bfef95601890afd80709",
            "(555) 123-4567",
            "3.14159265358979323846",
            "000-12-3456",
            "123-45-67890",
            "2024-05-01 10:00",
            "ISBN 978-3-16-148410-0",
        ] {
            assert!(kinds(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn accounts_and_social_security() {
        assert_eq!(kinds("IBAN DE89 3704 0044 0532 0130 00."), [("DE89 3704 0044 0532 0130 00", "iban")]);
        assert_eq!(kinds("GB82WEST12345698765432"), [("GB82WEST12345698765432", "iban")]);
        assert!(kinds("DE89 3704 0044 0532 0130 01").is_empty());
        assert_eq!(kinds("ssn 123-45-6789"), [("123-45-6789", "social_security_number")]);
    }
}
