//! What comes in: the options of each call. Every field may be left out unless its doc says otherwise; unknown names are
//! refused.
//!
//! Here are those of statements and conversations; `history` has those of the past, `knowledge` has those of entities, documents and maintenance, `units`
//! those of the working set, `settings` how a memory behaves.

mod history;
mod knowledge;
mod settings;
mod units;

pub(crate) use history::{
    BranchOptions, HistoryPoint, KeepHistory, ReturnOptions, TakeInSettings, UndoOptions, contexts,
};
pub(crate) use knowledge::{DocumentOptions, EntityOptions, MaintainSettings, SplitOptions};
pub(crate) use settings::MemorySettings;
pub(crate) use units::{
    ActOptions, AsOf, CompactSettings, MentionGraphOptions, SupersedeOptions, SweepSettings,
};

use std::collections::BTreeSet;

use credence::conversation::{MemoryMode, Speaker};
use credence::memory::Edit;
use credence::proposition::{Order, PropositionQuery, Status};
use serde::{Deserialize, Deserializer};
use tsify::Tsify;

/// How a search is made.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SearchOptions {
    /// Most hits. Default 10.
    #[tsify(optional)]
    pub(crate) limit: Option<u32>,
    /// Whether pinned propositions come first, whatever the query. Default: no.
    #[tsify(optional)]
    pub(crate) include_pinned: Option<bool>,
    /// A name of the caller's for what the search is for; kept in the use record.
    #[tsify(optional)]
    pub(crate) step: Option<String>,
}

/// The order of a list of propositions.
#[derive(Deserialize, Tsify, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ListOrder {
    /// As they were created.
    #[default]
    Oldest,
    Newest,
    /// Most recently changed first.
    Revised,
    /// Most believed now first.
    Confidence,
    /// Most important first.
    Importance,
    /// Most reinforced first.
    Reinforced,
}

/// Which propositions are listed: those that pass every filter.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListOptions {
    /// One status or several; `"LIVE"` means those that may be recalled, `"ALL"` any. Default `"LIVE"`.
    #[tsify(optional, type = "\"LIVE\" | \"ALL\" | Status | readonly Status[]")]
    status: Statuses,
    /// Words that must all occur in the text, without regard to case.
    #[tsify(optional)]
    text: Option<String>,
    /// Effective confidence now is at least this: 0 to 1.
    #[tsify(optional)]
    min_confidence: Option<f64>,
    /// Pinned ones alone, or the others alone.
    #[tsify(optional)]
    pinned: Option<bool>,
    /// Default `"oldest"`.
    #[tsify(optional)]
    order: ListOrder,
    /// Most propositions. Default: all.
    #[tsify(optional)]
    limit: Option<u32>,
}

/// `None`: any.
struct Statuses(Option<BTreeSet<Status>>);

impl Default for Statuses {
    fn default() -> Self {
        Self(Some(PropositionQuery::live().statuses))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum StatusWord {
    Live,
    All,
    Active,
    Contradicted,
    Superseded,
    Stale,
    Promoted,
}

impl<'de> Deserialize<'de> for Statuses {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let value = serde_json::Value::deserialize(d)?;
        if value.is_array() {
            let several: BTreeSet<Status> = serde_json::from_value(value).map_err(D::Error::custom)?;
            return if several.is_empty() {
                Err(D::Error::custom(
                    "an empty list matches nothing; leave it out for \"LIVE\", or say \"ALL\"",
                ))
            } else {
                Ok(Self(Some(several)))
            };
        }
        let one = |status| Self(Some([status].into()));
        Ok(match serde_json::from_value(value).map_err(D::Error::custom)? {
            StatusWord::Live => Self::default(),
            StatusWord::All => Self(None),
            StatusWord::Active => one(Status::Active),
            StatusWord::Contradicted => one(Status::Contradicted),
            StatusWord::Superseded => one(Status::Superseded),
            StatusWord::Stale => one(Status::Stale),
            StatusWord::Promoted => one(Status::Promoted),
        })
    }
}

impl ListOptions {
    pub(crate) fn query(self) -> PropositionQuery {
        PropositionQuery {
            statuses: self.status.0.unwrap_or_default(),
            text: self.text.unwrap_or_default(),
            min_effective_confidence: self.min_confidence,
            pinned: self.pinned,
            order: match self.order {
                ListOrder::Oldest => Order::None,
                ListOrder::Newest => Order::CreatedDesc,
                ListOrder::Revised => Order::RevisedDesc,
                ListOrder::Confidence => Order::EffectiveConfidenceDesc,
                ListOrder::Importance => Order::ImportanceDesc,
                ListOrder::Reinforced => Order::ReinforceCountDesc,
            },
            limit: self.limit.map(|limit| limit as usize),
            ..PropositionQuery::default()
        }
    }
}

/// What to change of a proposition; what is left out stays.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Changes {
    /// New wording; not blank.
    #[tsify(optional)]
    text: Option<String>,
    /// 0 to 1.
    #[tsify(optional)]
    confidence: Option<f64>,
    /// 0 (stable) to 1 (gone within a day or two).
    #[tsify(optional)]
    decay: Option<f64>,
    /// 0 to 1.
    #[tsify(optional)]
    importance: Option<f64>,
    /// Where it shall stand. A retired proposition can only become `"ACTIVE"` again.
    #[tsify(optional, type = "Status")]
    status: Option<Status>,
}

impl From<Changes> for Edit {
    fn from(changes: Changes) -> Self {
        let Changes { text, confidence, decay, importance, status } = changes;
        Edit { text, confidence, decay, importance, status }
    }
}

/// Which commits are listed.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CommitOptions {
    /// Those with a higher `seq`. Default 0: all.
    #[tsify(optional)]
    pub(crate) after: Option<u32>,
    /// The newest so many. Default: all.
    #[tsify(optional)]
    pub(crate) limit: Option<u32>,
}

/// How a conversation begins.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ConversationOptions {
    /// A few words for lists. Default: the first words of the user's first turn.
    #[tsify(optional)]
    pub(crate) title: Option<String>,
    /// What it has to do with the memory. Default `"full"`.
    #[tsify(optional, type = "MemoryMode")]
    pub(crate) mode: MemoryMode,
}

/// What somebody says.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Utterance {
    /// The conversation's id.
    pub(crate) conversation: String,
    /// Who says it: the user, the assistant, or somebody else by name. Default `"user"`.
    #[serde(default)]
    #[tsify(optional, type = "Speaker")]
    pub(crate) speaker: SpeakerInput,
    /// What; not blank. Credentials in it are redacted before it is kept.
    pub(crate) text: String,
}

/// Who speaks.
pub(crate) struct SpeakerInput(pub(crate) Speaker);

impl Default for SpeakerInput {
    fn default() -> Self {
        Self(Speaker::User)
    }
}

impl<'de> Deserialize<'de> for SpeakerInput {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let value = serde_json::Value::deserialize(d)?;
        let name =
            value.get("name").and_then(|name| name.as_str()).map(str::trim).filter(|name| !name.is_empty());
        match (value.as_str(), name) {
            (Some("user"), _) => Ok(Self(Speaker::User)),
            (Some("assistant"), _) => Ok(Self(Speaker::Assistant)),
            (_, Some(name)) => Ok(Self(Speaker::Person { name: name.to_owned() })),
            _ => Err(D::Error::custom("expected \"user\", \"assistant\" or { name: \"…\" }")),
        }
    }
}

/// When a conversation is analysed.
#[derive(Deserialize, Tsify, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum When {
    /// At once, when a single turn waits.
    #[default]
    Now,
    /// When enough turns wait.
    Due,
}

/// How a conversation is analysed.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AnalyseSettings {
    /// Default `"now"`.
    #[tsify(optional)]
    pub(crate) when: When,
}
