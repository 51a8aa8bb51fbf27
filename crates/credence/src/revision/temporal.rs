//! When a new statement holds (dice 1.5): what the extractor read, else what the words say, anchored to the day on which they
//! were said and where they were said.
//!
//! A statement in the past ("lived in Oslo", "used to") has an end: the one it names, or the moment it was said. Nothing
//! begins after it was said, and nothing ends before it begins; what would is left open.

use chrono::NaiveDate;

use crate::proposition::Temporal;
use crate::text::{self, Held};
use crate::time::{Moment, Timestamp};

/// The temporal block of a statement that was said at `said`; empty without a moment.
pub(super) fn temporal(
    text: &str,
    valid_from: Option<Timestamp>,
    valid_to: Option<Timestamp>,
    said: Option<Moment>,
) -> Temporal {
    let Some(said) = said else { return Temporal { valid_from, valid_to, ..Temporal::default() } };
    let read = said.date().map(|day| text::validity(text, day)).unwrap_or_default();
    let held = text::slot(text).map(|slot| slot.held);
    let past = read.ended || held == Some(Held::Past);
    // A date beside a plain present ("Nia meets Bo on 8 May") says when something happens, not since when it holds.
    let at = read.at.filter(|_| past || held == Some(Held::Began));
    let midnight = |day: NaiveDate| said.midnight(day);
    let valid_from = valid_from
        .or_else(|| read.since.or(at.map(|at| at.from)).map(midnight))
        .filter(|from| *from <= said.at);
    let named_end = valid_to.or_else(|| read.until.or(at.filter(|_| past).map(|at| at.to)).map(midnight));
    let end = if past { Some(named_end.map_or(said.at, |to| to.min(said.at))) } else { named_end };
    let valid_to = end.filter(|to| valid_from.is_none_or(|from| from <= *to));
    Temporal { observed_at: Some(said.at), valid_from, valid_to, ..Temporal::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Said on 8 March 2026, one in the morning in Shanghai, which is still the seventh in UTC.
    fn read(text: &str) -> (Option<String>, Option<String>) {
        let at = Timestamp::parse("2026-03-08T01:00:00+08:00").unwrap();
        let found = temporal(text, None, None, Some(Moment { at, offset_minutes: 480 }));
        let text = |at: Option<Timestamp>| at.map(|at| Moment { at, offset_minutes: 480 }.date_text());
        assert_eq!(found.observed_at, Some(at));
        (text(found.valid_from), text(found.valid_to))
    }
    fn check(text: &str, from: &str, to: &str) {
        let some = |day: &str| (!day.is_empty()).then(|| day.to_owned());
        assert_eq!(read(text), (some(from), some(to)), "{text}");
    }

    #[test]
    fn windows_come_from_the_words_and_the_day_they_were_said() {
        check("Nia lives in Oslo.", "", "");
        check("Nia has lived in Oslo since 2019.", "2019-01-01", "");
        check("Nia lives in Oslo since 2027.", "", "");
        check("Nia moved to Oslo on 2026-03-02.", "2026-03-02", "");
        check("In 2019 Nia lived in Oslo.", "2019-01-01", "2020-01-01");
        check("Nia lived in Bonn until 2020.", "", "2020-01-01");
        check("Nia worked at Acme from 2015 to 2018.", "2015-01-01", "2018-01-01");
        check("Nia used to live in Oslo.", "", "2026-03-08");
        check("Nia used to play chess.", "", "2026-03-08");
        check("Nia lives in Bonn until 5 May 2026.", "", "2026-05-06");
        check("Nia meets Bo on 8 May 2026.", "", "");
        check("Nia went to Rome in 2019.", "", "");
        check("Nia hat früher in Oslo gewohnt.", "", "2026-03-08");
        check("Nia a vécu à Bonn jusqu'en 2020.", "", "2020-01-01");
        check("Nia vivía en Bonn en 2019.", "2019-01-01", "2020-01-01");
        check("用户以前住在柏林。", "", "2026-03-08");
        check("Ния раньше жила в Осло.", "", "2026-03-08");
    }

    #[test]
    fn what_the_extractor_read_goes_first() {
        let at = |day: &str| Timestamp::parse(day).unwrap();
        let said = Some(Moment::utc(at("2026-03-08")));
        let found = temporal("Nia lives in Oslo.", Some(at("2024-05-01")), None, said);
        assert_eq!((found.valid_from, found.valid_to), (Some(at("2024-05-01")), None));
        let found = temporal("Nia lives in Oslo.", Some(at("2026-05-01")), None, said);
        assert_eq!(found.valid_from, None, "nothing holds from after it was said");
    }
}
