//! Keeping a log whole over rows that cannot be read. A store finds rows, some spoilt, some missing; what it hands out has to follow commit by
//! commit, or nothing of it can be folded. So a [`Commit::unreadable`] takes the place of what is spoilt, with the identity that its neighbours
//! know it by, and each is named with its reason. Every adapter that keeps commits as text uses this.
//!
//! Rules: a row is taken as it is unless it contradicts the row before it; where two disagree about a name, the later one's parent decides,
//! because everything behind rests on it; where nobody knows the name of a missing commit, one is made from its position, always the same.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::commit::Commit;
use crate::id::{CommitId, ContextId, RevisionId};
use crate::time::Timestamp;

/// More rows missing in a row than this are not believed: a spoilt position stands behind them, and what comes after is no part of the log.
pub const LONGEST_GAP: u64 = 10_000;

/// A row where a commit belongs, as a store found it.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its position, by its key.
    pub seq: u64,
    /// The commit's id, where the row still says it beside the text.
    pub id: Option<CommitId>,
    /// Its time, likewise.
    pub at: Option<Timestamp>,
    /// The commit, or why it cannot be read. It has the row's context and position.
    pub commit: Result<Commit, String>,
}

/// A log without gaps, and what had to be put right for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chain {
    /// Every commit from the first asked for to the end.
    pub commits: Vec<Commit>,
    /// Positions of those that stand for an unreadable or missing row, with the reason, in order.
    pub broken: Vec<(u64, String)>,
    /// Positions of rows that are no part of the log: behind its end, or out of reach.
    pub strays: Vec<u64>,
}

/// Makes a chain of the rows behind position `after`, given in order. `below` is the id of the commit at `after`, where it is known; `head` the
/// id and position that the log ends with, where the store keeps that apart; without it the last row ends the log.
pub fn chain(
    context: &ContextId,
    after: u64,
    below: Option<CommitId>,
    found: Vec<Found>,
    head: Option<(CommitId, u64)>,
) -> Chain {
    let mut out = Chain::default();
    let mut rows = Vec::with_capacity(found.len());
    let mut reached = after;
    for row in found {
        let fits = row.seq > reached && row.seq - reached <= LONGEST_GAP;
        match head {
            _ if !fits => out.strays.push(row.seq),
            Some((_, last)) if row.seq > last => out.strays.push(row.seq),
            _ => {
                reached = row.seq;
                rows.push(row);
            }
        }
    }
    let head = head.filter(|(_, last)| *last >= reached && *last - reached <= LONGEST_GAP);
    let end = head.map_or(reached, |(_, last)| last);
    let mut rows = rows.into_iter().peekable();
    let (mut parent, mut at, mut revision) = (below, Timestamp(0), RevisionId(0));
    for seq in after + 1..=end {
        let row = rows.next_if(|row| row.seq == seq);
        let next = rows.peek().filter(|row| row.seq == seq + 1).and_then(|row| row.commit.as_ref().ok());
        let (known, noted, commit) = match row {
            Some(row) => (row.id, row.at, row.commit),
            None => (None, None, Err("nothing is stored there".to_owned())),
        };
        let named = known.or(commit.as_ref().ok().map(|commit| commit.id));
        let first_of_known = out.commits.is_empty() && below.is_none() && after > 0;
        let commit = commit.and_then(|commit| {
            if !first_of_known && commit.parent != parent {
                Err("it does not follow the commit before it".to_owned())
            } else if commit.revisions.iter().any(|made| made.id <= revision) {
                Err("it gives a revision id out again".to_owned())
            } else {
                Ok(commit)
            }
        });
        let commit = commit.unwrap_or_else(|reason| {
            let id = next
                .and_then(|next| next.parent)
                .or(head.filter(|(_, last)| *last == seq).map(|(id, _)| id))
                .or(named)
                .unwrap_or_else(|| invented(context, seq));
            let noted = noted.unwrap_or(at).min(next.map_or(Timestamp(i64::MAX), |next| next.at)).max(at);
            out.broken.push((seq, reason.clone()));
            Commit::unreadable(context.clone(), seq, id, parent, noted, reason)
        });
        parent = Some(commit.id);
        at = at.max(commit.at);
        revision = commit.revisions.iter().map(|made| made.id).max().unwrap_or(revision).max(revision);
        out.commits.push(commit);
    }
    out
}

/// The name of a commit whose own nobody knows.
fn invented(context: &ContextId, seq: u64) -> CommitId {
    let digest = Sha256::digest(format!("unreadable commit {seq} of {context}").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    CommitId::new(Uuid::from_bytes(bytes))
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use super::*;
    use crate::history::Log;
    use crate::history::contract::commit;

    fn context() -> ContextId {
        ContextId::new("a").unwrap_or_else(|error| panic!("{error}"))
    }

    fn log(count: usize) -> Vec<Commit> {
        let mut log = Log::default();
        for n in 0..count {
            commit(&mut log, "a", &[&format!("text {n}")]);
        }
        log.commits().iter().map(|c| Commit::clone(c)).collect()
    }

    fn rows(commits: &[Commit]) -> Vec<Found> {
        let row = |c: &Commit| Found { seq: c.seq, id: Some(c.id), at: Some(c.at), commit: Ok(c.clone()) };
        commits.iter().map(row).collect()
    }

    fn head(commits: &[Commit]) -> Option<(CommitId, u64)> {
        commits.last().map(|last| (last.id, last.seq))
    }

    /// Folds, whatever it was made of.
    fn folded(chain: &Chain) -> Log {
        Log::replay(chain.commits.clone()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_whole_log_is_left_as_it_is() {
        let commits = log(4);
        let whole = chain(&context(), 0, None, rows(&commits), head(&commits));
        assert_eq!(whole, Chain { commits: commits.clone(), ..Chain::default() });
        let rest = chain(&context(), 2, Some(commits[1].id), rows(&commits[2..]), head(&commits));
        assert_eq!(rest.commits, commits[2..]);
    }

    #[test]
    fn every_single_row_can_be_spoilt_or_missing() {
        let commits = log(4);
        for n in 0..4 {
            for named in [true, false] {
                let mut spoilt = rows(&commits);
                spoilt[n].commit = Err("ends early".into());
                if !named {
                    (spoilt[n].id, spoilt[n].at) = (None, None);
                }
                let mended = chain(&context(), 0, None, spoilt, head(&commits));
                assert_eq!(mended.broken, [(n as u64 + 1, "ends early".to_owned())]);
                assert_eq!(mended.commits[n].id, commits[n].id, "known by what follows it, or by the head");
                assert_eq!(folded(&mended).state().propositions().count(), 3);
                assert_eq!(folded(&mended).unreadable().collect::<Vec<_>>(), [(n as u64 + 1, "ends early")]);
            }
            let mut missing = rows(&commits);
            missing.remove(n);
            let mended = chain(&context(), 0, None, missing, head(&commits));
            assert_eq!(mended.broken, [(n as u64 + 1, "nothing is stored there".to_owned())]);
            assert_eq!(mended.commits[n].id, commits[n].id);
            assert_eq!(folded(&mended).state().propositions().count(), 3);
        }
    }

    #[test]
    fn a_run_of_missing_rows_has_the_same_names_every_time() {
        let commits = log(6);
        let make = || {
            let kept = rows(&commits).into_iter().filter(|row| ![2, 3, 5, 6].contains(&row.seq)).collect();
            chain(&context(), 0, None, kept, head(&commits))
        };
        assert_eq!(make(), make());
        assert_eq!(make().broken.iter().map(|(seq, _)| *seq).collect::<Vec<_>>(), [2, 3, 5, 6]);
        assert_eq!(folded(&make()).state().head().map(|head| head.id), Some(commits[5].id));
        let nothing = chain(&context(), 0, None, Vec::new(), head(&commits));
        assert_eq!(folded(&nothing).state().seq(), 6);
    }

    #[test]
    fn a_commit_that_contradicts_the_one_before_is_unreadable_and_what_follows_stays() {
        let commits = log(4);
        let mut foreign = rows(&commits);
        if let Ok(commit) = &mut foreign[1].commit {
            commit.parent = Some(invented(&context(), 99));
        }
        let mended = chain(&context(), 0, None, foreign, head(&commits));
        assert_eq!(mended.broken.len(), 1);
        assert_eq!(folded(&mended).state().propositions().count(), 3);
        let mut again = rows(&commits);
        let first = commits[0].revisions.clone();
        if let Ok(commit) = &mut again[2].commit {
            commit.revisions = first;
        }
        let mended = chain(&context(), 0, None, again, head(&commits));
        assert_eq!(mended.broken, [(3, "it gives a revision id out again".to_owned())]);
        folded(&mended);
    }

    #[test]
    fn what_lies_behind_the_end_is_no_part_of_the_log() {
        let commits = log(4);
        let cut = chain(&context(), 0, None, rows(&commits), Some((commits[1].id, 2)));
        assert_eq!((cut.commits.len(), cut.strays.as_slice()), (2, [3, 4].as_slice()));
        let mut far = rows(&commits);
        far[3].seq = 9_007_199_254_740_991;
        let near = chain(&context(), 0, None, far, None);
        assert_eq!((near.commits.len(), near.strays.len()), (3, 1));
        let wild = Some((commits[3].id, 9_007_199_254_740_991));
        assert_eq!(chain(&context(), 0, None, rows(&commits), wild).commits.len(), 4);
    }

    #[test]
    fn times_stay_in_order() {
        let commits = log(3);
        for wrong in [i64::MIN, 0, i64::MAX] {
            let mut spoilt = rows(&commits);
            spoilt[1].commit = Err("x".into());
            spoilt[1].at = Some(Timestamp(wrong));
            let mended = chain(&context(), 0, None, spoilt, head(&commits));
            assert!(mended.commits.is_sorted_by_key(|commit| commit.at));
        }
    }
}
