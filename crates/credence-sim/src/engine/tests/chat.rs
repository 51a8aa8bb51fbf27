//! A chat that begins with what a run ended with: the run's memory, copied under another name.

use credence::bundle::{self, Choice};
use credence::config::Config;
use credence::conversation::Speaker;
use credence::id::ContextId;
use credence::testing::TestPorts;
use credence::time::Timestamp;
use credence::{Memory, ports::Ports};

use super::super::context_of;
use super::*;

#[test]
fn sim_92_a_chat_from_a_run_has_its_turns_in_order_and_its_units_as_they_stood() {
    let scenario = story();
    let host = simulated(&scenario, 3);
    let run = run_on(&scenario, &condition("FULL_AWMU"), &settings(&scenario, 3), &host).unwrap();
    let (from, name) = (context_of(&run.id).unwrap(), ContextId::new("From the run").unwrap());
    let ports = TestPorts::offline();
    let memory = block_on(async {
        let copied = bundle::export(&*host.journal, std::slice::from_ref(&from), Timestamp(0)).await.unwrap();
        let choices = BTreeMap::from([(from.clone(), Choice::Create { name: name.clone() })]);
        bundle::apply_import(ports.journal(), &copied, &choices, Timestamp(0), ports.ids()).await.unwrap();
        Memory::open(ports, name, Config::default()).await.unwrap()
    });
    let state = memory.state();
    let talk = state.conversations().next().unwrap().id;
    let said: Vec<(bool, String)> =
        state.turns(talk).map(|turn| (turn.speaker == Speaker::User, turn.text.clone())).collect();
    let played: Vec<(bool, String)> = run
        .turns
        .iter()
        .flat_map(|turn| [(true, turn.player.clone()), (false, turn.reply.clone())])
        .filter(|(_, text)| !text.is_empty())
        .collect();
    assert_eq!(said, played, "player and narrator, turn by turn");
    drop(state);
    let last = run.turns.last().unwrap();
    assert!(last.units_after.len() >= 2, "the run had something to hand on");
    for before in &last.units_after {
        let after = memory.unit(before.id()).unwrap();
        assert_eq!(after.unit, before.unit, "activation, authority, pin and evidence as they stood");
        assert_eq!(after.proposition.text, before.proposition.text);
    }
    // Nothing of the chat gets into the run's own memory.
    let kept =
        || block_on(bundle::export(&*host.journal, std::slice::from_ref(&from), Timestamp(0))).unwrap();
    let before = kept();
    block_on(memory.say(talk, Speaker::User, "I have a question.")).unwrap();
    assert_eq!(kept(), before);
}
