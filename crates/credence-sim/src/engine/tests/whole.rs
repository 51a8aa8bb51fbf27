//! Single runs from beginning to end.

use super::*;
use crate::run::RunStatus;

#[test]
fn a_run_is_played_whole_and_the_same_again() {
    let scenario = story();
    let record = run(&scenario, "FULL_AWMU", 3);
    assert_eq!(record.status, RunStatus::Complete);
    assert_eq!(record.turns.iter().map(|turn| turn.turn).collect::<Vec<_>>(), (0..=7).collect::<Vec<_>>());
    let again = run(&scenario, "FULL_AWMU", 3);
    let bytes = |record: &RunRecord| serde_json::to_string(record).unwrap();
    assert_eq!(bytes(&record), bytes(&again));
    let read: RunRecord = serde_json::from_str(&bytes(&record)).unwrap();
    assert_eq!(read, record);
    assert_ne!(run(&scenario, "FULL_AWMU", 4).id, record.id, "another seed is another run");
}
