//! Single runs from beginning to end.

use super::*;

#[test]
fn look() {
    let scenario = story();
    for name in ["FULL_AWMU", "NO_MEMORY", "STATIC_LIST"] {
        let record = run(&scenario, name, 3);
        println!("=== {name} {:?} {}", record.status, record.id);
        for turn in &record.turns {
            println!(
                "{} {:?} P: {}\n   N: {}  failed={:?} ext={:?} prom={:?} notes={:?} sweep={:?}",
                turn.turn,
                turn.kind,
                turn.player,
                turn.reply,
                turn.failed,
                turn.trace.extracted,
                turn.trace.promoted,
                turn.trace.notes,
                turn.trace.sweep
            );
            for e in &turn.events {
                println!(
                    "      {:?} {} {}->{} because {:?}",
                    e.kind, e.text, e.activation_before, e.activation_after, e.because
                );
            }
            println!(
                "      sight {:?}",
                turn.trace
                    .sightings
                    .iter()
                    .map(|s| (s.fact.as_str(), s.in_memory, s.in_turns))
                    .collect::<Vec<_>>()
            );
        }
        println!("{}", system(&record, 5));
        println!("{:?}\n{:?}", record.scores.get("oracle").map(|s| &s.values), record.cost);
    }
}
