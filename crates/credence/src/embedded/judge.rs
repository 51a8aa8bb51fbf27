//! Which kind of fact a predicate states, and which predicates are small talk that is not worth keeping.

use crate::extraction::DropReason;

use super::calibration::Rule;
use super::lexicon::{Set, is, is_kin};
use super::predicate::Predicate;
use super::screen::{Refusal, refuse};
use super::smalltalk::{content, refuse_small_talk, small_talk};
use super::subject::{Subject, Who};
use super::token::Tok;
use super::when::Tense;

/// Decides what a clause states, or why it is not kept.
pub(super) fn judge(
    subject: &Subject,
    p: &Predicate,
    date_found: bool,
    humans_only: bool,
) -> Result<Rule, Refusal> {
    refuse_mood(subject, p)?;
    refuse_group(subject, p, humans_only)?;
    refuse_small_talk(subject, p)?;
    Ok(classify(subject, p, date_found))
}

/// Wishes, duties and possibilities claim nothing.
fn refuse_mood(subject: &Subject, p: &Predicate) -> Result<(), Refusal> {
    let not = |what: String| Err(refuse(DropReason::NotAsserted, what));
    match p.finite.as_str() {
        "should" | "shouldn't" | "must" | "mustn't" | "shall" | "could" => {
            return not(format!("\u{201c}{}\u{201d}", p.finite));
        }
        "couldn't"
            if matches!(
                p.verb.as_str(),
                "agree" | "be" | "ask" | "believe" | "imagine" | "have" | "resist" | "help" | "wait"
            ) =>
        {
            return not("\u{201c}couldn't\u{201d}".to_owned());
        }
        "would" | "'d" | "wouldn't" if p.group.iter().any(|t| t.is("would") || t.is("wouldn't")) => {
            let wanted = matches!(p.verb.as_str(), "love" | "like" | "prefer" | "rather")
                && p.rest.first().is_some_and(|t| t.is("to"))
                && subject.who == Who::Speaker;
            if !wanted {
                return not("\u{201c}would\u{201d}".to_owned());
            }
        }
        "'d" if p.rest.first().is_some_and(|t| t.is("better")) => {
            return not("\u{201c}had better\u{201d}".to_owned());
        }
        _ => {}
    }
    if matches!(p.verb.as_str(), "wish" | "hope")
        && !(p.verb == "hope" && p.rest.first().is_some_and(|t| t.is("to")))
    {
        return not(format!("a {}", p.verb));
    }
    if subject.who != Who::Speaker
        && matches!(
            p.verb.as_str(),
            "say" | "tell" | "claim" | "think" | "believe" | "reckon" | "ask" | "suggest" | "guess"
        )
    {
        return not("reports what somebody else said or thinks".to_owned());
    }
    Ok(())
}

/// "We" is read as the speaker, so what only a group can do or what holds for everybody is left out.
fn refuse_group(subject: &Subject, p: &Predicate, humans_only: bool) -> Result<(), Refusal> {
    let not = |what: &str| Err(refuse(DropReason::NotUnderstood, what));
    let said = p.phrase();
    if subject.group && subject.agreement == super::subject::Agreement::ToThird {
        let joint = [
            " all ",
            " both ",
            " together ",
            " each other ",
            " one another ",
            " ourselves ",
            " as a team ",
            " in common ",
            " hit it off ",
        ]
        .iter()
        .find(|w| said.contains(*w));
        if let Some(word) = joint {
            return not(&format!("\u{201c}we ...{word}\u{201d} speaks of a group"));
        }
        let met = p.verb == "meet" && p.rest.first().is_some_and(|t| is(Set::Preposition, &t.low));
        // "We're friends" needs two.
        let several = p.verb == "be"
            && p.rest.iter().any(|t| is(Set::KinPlural, &t.low) || is(Set::PluralPerson, &t.low));
        if met || several && !p.rest.iter().any(|t| is(Set::Preposition, &t.low)) {
            return not("\u{201c}we\u{201d} speaks of a group");
        }
        if matches!(p.verb.as_str(), "talk" | "speak" | "chat" | "catch" | "connect")
            && !p.rest.iter().any(|t| t.is("to") || t.is("with"))
        {
            return Err(small_talk("a remark about the talk itself"));
        }
        if matches!(p.finite.as_str(), "can" | "could" | "should" | "need" | "must")
            || p.verb == "have" && p.rest.first().is_some_and(|t| t.is("to")) && p.tense == Tense::Present
        {
            return not("\u{201c}we\u{201d} may mean everybody here");
        }
    }
    // "Nature brings us together", "a scare makes you think": everybody is meant.
    if subject.agreement == super::subject::Agreement::ToThird && said.contains(" each other ") {
        return not("\u{201c}each other\u{201d} needs more than one");
    }
    let general = subject.who == Who::Third && !subject.named && !subject.owned && p.tense != Tense::Past;
    let everybody = |t: &Tok| {
        matches!(t.low.as_str(), "us" | "our" | "ourselves" | "you" | "your" | "yourself" | "oneself")
    };
    if general && p.rest.iter().any(everybody) {
        return not("may be said of everybody");
    }
    let mood = |w: &&str| {
        is(Set::Mood, w)
            || is(Set::Evaluative, w)
            || matches!(*w, "and" | "so" | "people" | "to" | "in" | "life" | "everyone" | "others" | "lives")
    };
    let words = content(&p.rest);
    if general && !words.is_empty() && words.iter().all(mood)
        || general && p.rest.first().is_some_and(|t| t.is("such"))
    {
        return Err(small_talk("a maxim"));
    }
    // Among people a general truth is small talk; told to an assistant it is a fact worth keeping.
    let personal = p.rest.iter().any(|t| matches!(t.low.as_str(), "me" | "my" | "mine" | "i"));
    if humans_only && general && !personal {
        return Err(small_talk("a general remark"));
    }
    if general && p.finite == "can"
        || subject.who == Who::Third && subject.owned && !subject.named && p.finite == "can"
    {
        return Err(small_talk("a maxim"));
    }
    Ok(())
}

fn classify(subject: &Subject, p: &Predicate, date_found: bool) -> Rule {
    let said = p.phrase();
    let v = p.verb.as_str();
    let any = |section: Set| {
        p.rest.iter().chain(&p.group).any(|t| is(section, &t.low)) || is(section, &subject.head)
    };
    let rest_first = p.rest.first().map_or("", |t| t.low.as_str());
    let copula = v == "be" && !p.progressive;
    if said.contains(" passed away ")
        || said.contains(" gave birth ")
        || said.contains(" was born ")
        || matches!(v, "die" | "marry" | "divorce")
        || any(Set::LifeEvent)
    {
        return Rule::LifeEvent;
    }
    if any(Set::Health) || said.contains(" blood pressure ") {
        return Rule::Health;
    }
    let kin = |t: &Tok| is_kin(&t.low) || is(Set::KinPlural, &t.low);
    let job = |t: &Tok| {
        is(Set::Work, &t.low)
            || matches!(
                t.low.as_str(),
                "coach" | "mentor" | "boss" | "therapist" | "landlord" | "assistant" | "agent"
            )
    };
    let whose = p.rest.iter().any(|t| matches!(t.low.as_str(), "my" | "our" | "your" | "'s"));
    if copula && p.rest.iter().any(|t| kin(t) && (whose || !job(t)))
        || v == "have" && p.rest.iter().take(4).any(kin)
        || copula && kin(&Tok::word(&subject.head)) && p.rest.first().is_some_and(Tok::is_capital)
    {
        return Rule::Family;
    }
    let wanted = matches!(v, "plan" | "intend")
        || p.finite == "would"
        || p.finite == "'d"
        || matches!(v, "want" | "need" | "hope" | "aim" | "have") && rest_first == "to"
        || [" looking forward ", " can't wait ", " thinking of ", " thinking about "]
            .iter()
            .any(|w| said.contains(w));
    let future = p.tense == Tense::Future || p.tense == Tense::Present && wanted;
    let in_month = p.rest.windows(2).any(|w| w[0].is("in") && is(Set::Month, &w[1].low));
    let soon =
        p.progressive && (in_month || [" tomorrow ", " next ", " soon "].iter().any(|w| said.contains(w)));
    let timetable = matches!(v, "leave" | "arrive" | "start" | "begin" | "depart" | "land")
        && p.tense == Tense::Present
        && date_found;
    if timetable || future || soon || p.progressive && !p.perfect && p.tense == Tense::Present && date_found {
        return Rule::Plan;
    }
    if matches!(v, "live" | "reside") && !p.progressive
        || copula && rest_first == "from"
        || said.contains(" grew up ")
        || v == "move" && rest_first == "to"
        || v == "live"
    {
        return Rule::Home;
    }
    if subject.tokens.iter().any(|t| t.is("favorite") || t.is("favourite")) {
        return Rule::Preference;
    }
    let noun = matches!(rest_first, "a" | "an" | "the" | "my" | "your");
    if copula && (noun || is(Set::Demonym, rest_first)) {
        return if any(Set::Work) {
            Rule::Work
        } else if any(Set::Preference) {
            Rule::Preference
        } else {
            Rule::Identity
        };
    }
    if is(Set::Liking, v)
        || copula && any(Set::Preference)
        || said.contains(" can't stand ")
        || subject.head.starts_with("favo")
    {
        return Rule::Preference;
    }
    if p.tense == Tense::Past || p.perfect {
        return if said.contains(" used to ") || p.perfect && p.progressive {
            Rule::General
        } else {
            Rule::Event
        };
    }
    if matches!(v, "work" | "study" | "teach")
        && matches!(rest_first, "at" | "for" | "as" | "in" | "with" | "from")
        || matches!(v, "study" | "teach")
    {
        return Rule::Work;
    }
    if matches!(v, "have" | "own") {
        return Rule::Possession;
    }
    if [
        " every ",
        " usually ",
        " often ",
        " always ",
        " never ",
        " on weekends ",
        " sometimes ",
        " each ",
        " daily ",
        " weekly ",
    ]
    .iter()
    .any(|w| said.contains(w))
    {
        return Rule::Habit;
    }
    if matches!(p.finite.as_str(), "can" | "can't" | "cannot")
        || v == "know" && rest_first == "how"
        || v == "speak"
    {
        return Rule::Ability;
    }
    if p.progressive
        || v == "feel"
        || copula
            && subject.who == Who::Speaker
            && content(&p.rest).first().is_some_and(|w| is(Set::Feeling, w))
    {
        return Rule::State;
    }
    if copula && subject.who != Who::Third {
        return Rule::Identity;
    }
    Rule::General
}
