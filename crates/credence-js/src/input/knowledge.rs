//! Options of entities, documents and maintenance.

use std::collections::BTreeSet;

use credence::entity::{MentionRef, Split};
use credence::id::{EntityId, PropositionId, TurnId};
use credence::ingest;
use credence::maintenance::{CustomMark, MaintenanceOptions, Pass};
use credence::memory::{EntityOrder, EntityQuery};
use credence::proposition::{Locator, Status};
use credence::time::{Moment, Timestamp};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

/// Which entities are listed: those that pass every filter.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EntityOptions {
    /// Part of a name, an alias or the description, in any case.
    #[tsify(optional)]
    text: Option<String>,
    /// A kind, without regard to case.
    #[tsify(optional)]
    label: Option<String>,
    /// Only those that live propositions mention. Default: all.
    #[tsify(optional)]
    with_statements: Option<bool>,
    /// By name, by how much is known of them, or by when they last changed. Default `"name"`.
    #[tsify(optional, type = "\"name\" | \"statements\" | \"recent\"")]
    order: EntityOrder,
    /// Most entities. Default: all.
    #[tsify(optional)]
    limit: Option<u32>,
}

impl From<EntityOptions> for EntityQuery {
    fn from(options: EntityOptions) -> Self {
        Self {
            text: options.text.unwrap_or_default(),
            label: options.label,
            with_statements: options.with_statements.unwrap_or_default(),
            order: options.order,
            limit: options.limit.map(|limit| limit as usize),
        }
    }
}

/// What a new entity takes from the one that it is split off.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SplitOptions {
    /// The new one's name. It may be the old one's: then both have it.
    name: String,
    /// Ids of propositions all of whose mentions of the old one move.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    propositions: Vec<PropositionId>,
    /// Single mentions that move.
    #[serde(default)]
    #[tsify(optional, type = "readonly MentionPlace[]")]
    mentions: Vec<MentionPlace>,
    /// Ids of turns that meant the new one, where an entity was seen without a proposition.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    turns: Vec<TurnId>,
    /// Its other names; those that the old one has move away from there.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    aliases: Vec<String>,
    /// Its kinds. Default: the old one's.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    labels: Vec<String>,
}

/// One mention of one proposition.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MentionPlace {
    /// Id of the proposition.
    #[tsify(type = "string")]
    proposition: PropositionId,
    /// The mention's place in it, from 0.
    mention: u32,
}

impl From<SplitOptions> for Split {
    fn from(options: SplitOptions) -> Self {
        let SplitOptions { name, propositions, mentions, turns, aliases, labels } = options;
        let mentions = mentions
            .into_iter()
            .map(|place| MentionRef { proposition: place.proposition, mention: place.mention as usize });
        Self { name, propositions, mentions: mentions.collect(), turns, aliases, labels }
    }
}

/// Where a source is found again. `display` is a label for people.
#[derive(Deserialize, Tsify)]
#[serde(tag = "kind", rename_all = "lowercase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub(crate) enum SourceAddress {
    /// A web address.
    Uri {
        uri: String,
        #[serde(default)]
        #[tsify(optional)]
        display: Option<String>,
    },
    /// A file, by its path or name.
    File {
        path: String,
        #[serde(default)]
        #[tsify(optional)]
        display: Option<String>,
    },
    /// Content without an address: SHA-256, lower-case hexadecimal.
    Content {
        content_hash: String,
        #[serde(default)]
        #[tsify(optional)]
        display: Option<String>,
    },
    /// A record in another system.
    Connector {
        connector_id: String,
        external_id: String,
        #[serde(default)]
        #[tsify(optional)]
        display: Option<String>,
    },
}

impl From<SourceAddress> for Locator {
    fn from(address: SourceAddress) -> Self {
        match address {
            SourceAddress::Uri { uri, display } => Self::Uri { uri, display },
            SourceAddress::File { path, display } => Self::File { path, display },
            SourceAddress::Content { content_hash, display } => Self::Content { content_hash, display },
            SourceAddress::Connector { connector_id, external_id, display } => {
                Self::Connector { connector_id, external_id, display }
            }
        }
    }
}

/// What is known of a document besides its name and text.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DocumentOptions {
    /// Its address. Without one its statements are looked up by the content of their passage.
    #[tsify(optional)]
    locator: Option<SourceAddress>,
    /// When it was written (ms): "yesterday" in it is counted from then. Default: now.
    #[tsify(optional)]
    at: Option<i64>,
    /// Minutes east of UTC of the place where it was written, -1080 to 1080. Default 0; counts with `at` alone.
    #[tsify(optional)]
    offset_minutes: Option<i32>,
    /// Ids of turns that its statements rest on as well.
    #[tsify(optional, type = "readonly string[]")]
    also: Vec<TurnId>,
}

impl From<DocumentOptions> for ingest::DocumentOptions {
    fn from(options: DocumentOptions) -> Self {
        let offset_minutes = options.offset_minutes.unwrap_or_default();
        let at = options.at.map(|at| Moment { at: Timestamp(at), offset_minutes });
        Self { locator: options.locator.map(Into::into), at, also: options.also }
    }
}

/// A step of a maintenance run.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is read")]
enum MaintenancePass {
    /// What was learned since the last cycle meets what was known before.
    SessionConsolidation,
    /// Propositions that say the same become one that rests on all their evidence.
    Duplicates,
    /// Many propositions about one thing get one above them. Needs a model.
    Abstraction,
    /// Pairs that cannot both hold. Rules first, then a model.
    ContradictionResolution,
    /// What has faded is retired, what regained belief comes back.
    DecaySweep,
    /// What the caller marked.
    Custom,
}

/// What a maintenance run shall do.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MaintainSettings {
    /// Writes the report alone: what would have been done. Default: no.
    #[tsify(optional)]
    dry_run: Option<bool>,
    /// The passes to take, in their own order. Default: those of `settings.maintenance`.
    #[tsify(optional, type = "readonly MaintenancePass[]")]
    passes: Option<BTreeSet<Pass>>,
    /// The caller's own reasons against propositions.
    #[tsify(optional, type = "readonly OwnReason[]")]
    custom: Vec<OwnReason>,
}

/// A caller's own reason to retire a proposition: a source that is gone, for example.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct OwnReason {
    /// Id of the proposition.
    #[tsify(type = "string")]
    proposition: PropositionId,
    /// A short word for the kind of reason.
    key: String,
    /// The reason, in words for a person.
    description: String,
    /// Where it goes; not a live status. Default `"STALE"`.
    #[serde(default)]
    #[tsify(optional, type = "Status")]
    to: Option<Status>,
    /// Takes it out of the memory altogether; needs `settings.maintenance.hardDelete`. Default: no.
    #[serde(default)]
    #[tsify(optional)]
    remove: Option<bool>,
}

impl From<OwnReason> for CustomMark {
    fn from(reason: OwnReason) -> Self {
        let OwnReason { proposition, key, description, to, remove } = reason;
        let mark = Self::new(proposition, key, description);
        Self { to: to.unwrap_or(mark.to), remove: remove.unwrap_or_default(), ..mark }
    }
}

impl From<MaintainSettings> for MaintenanceOptions {
    fn from(settings: MaintainSettings) -> Self {
        Self {
            dry_run: settings.dry_run.unwrap_or_default(),
            passes: settings.passes,
            custom: settings.custom.into_iter().map(Into::into).collect(),
        }
    }
}

/// An entity that the program names for the calls to come, before anything else is looked at.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct KnownEntity {
    /// Its id: `E` and 32 hexadecimal digits. It need not be in this memory.
    #[tsify(type = "string")]
    id: EntityId,
    /// The name that is shown.
    name: String,
    /// Kinds, for example `Person`.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    labels: Vec<String>,
    /// Other names.
    #[serde(default)]
    #[tsify(optional, type = "readonly string[]")]
    aliases: Vec<String>,
    /// One line about it.
    #[serde(default)]
    #[tsify(optional)]
    description: Option<String>,
    /// What it is in these calls, for the model: `the customer`.
    #[serde(default)]
    #[tsify(optional)]
    role: Option<String>,
    /// The person whose memory this is. Default: no.
    #[serde(default)]
    #[tsify(optional)]
    is_user: Option<bool>,
}

impl From<KnownEntity> for credence::resolution::KnownEntity {
    fn from(known: KnownEntity) -> Self {
        let KnownEntity { id, name, labels, aliases, description, role, is_user } = known;
        let mut entity = credence::entity::Entity::new(id, &name, "", Timestamp(0));
        (entity.labels, entity.aliases) = (labels, aliases);
        (entity.description, entity.is_user) = (description.unwrap_or_default(), is_user.unwrap_or_default());
        Self { entity, role: role.unwrap_or_default() }
    }
}
