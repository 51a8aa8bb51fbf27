//! How values of the core are shown: ids as strings, times as milliseconds, lists and options part by part. `view!` makes a
//! plain object of a core struct, field by field, so that a field that changes its type or name there is noticed here.

use std::rc::Rc;

use credence::history::RecordId;
use credence::id::{
    CommitId, ContextId, ConversationId, EntityId, ErasureId, InboxId, PromotionId, PropositionId,
    RevisionId, SummaryId, SweepId, TurnId, UseId,
};
use credence::time::{Moment, Timestamp};
use credence::unit::Activation;
use serde::Serialize;
use serde_json::Value;

/// A value of the core that has a form for JavaScript.
pub(crate) trait Show<V> {
    /// That form.
    fn show(&self) -> V;
}

impl<A: Show<B>, B> Show<Vec<B>> for Vec<A> {
    fn show(&self) -> Vec<B> {
        self.iter().map(Show::show).collect()
    }
}

impl<A: Show<B>, B> Show<Option<B>> for Option<A> {
    fn show(&self) -> Option<B> {
        self.as_ref().map(Show::show)
    }
}

impl<A: Show<B>, B> Show<B> for Rc<A> {
    fn show(&self) -> B {
        (**self).show()
    }
}

impl Show<i64> for Timestamp {
    fn show(&self) -> i64 {
        self.0
    }
}

impl Show<u16> for Activation {
    fn show(&self) -> u16 {
        self.get()
    }
}

impl Show<i64> for Moment {
    fn show(&self) -> i64 {
        self.at.0
    }
}

impl Show<u64> for RevisionId {
    fn show(&self) -> u64 {
        self.0
    }
}

impl Show<u32> for usize {
    fn show(&self) -> u32 {
        u32::try_from(*self).unwrap_or(u32::MAX)
    }
}

/// A value in the core's own JSON form, as it is stored; null where it has none.
pub(crate) fn stored(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

macro_rules! ids {
    ($($id:ty)*) => {$(
        impl Show<String> for $id {
            fn show(&self) -> String {
                self.to_string()
            }
        }
    )*};
}
ids! {
    CommitId ContextId ConversationId EntityId ErasureId InboxId PromotionId PropositionId RecordId SummaryId SweepId
    TurnId UseId
}

/// Values that cross as they are: the core's own words and numbers.
macro_rules! shown_as_is {
    ($($type:ty)*) => {$(
        impl $crate::views::show::Show<$type> for $type {
            fn show(&self) -> $type {
                self.clone()
            }
        }
    )*};
}
pub(crate) use shown_as_is;
shown_as_is! { bool u16 u32 u64 i64 f64 String Value Counts }

/// Numbers by a word.
pub(crate) type Counts = std::collections::BTreeMap<String, u32>;

/// A plain object with the named fields of a core struct.
macro_rules! view {
    ($(#[$meta:meta])* $name:ident of $core:ty { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Serialize, Tsify)]
        #[serde(rename_all = "camelCase")]
        #[tsify(missing_as_null)]
        pub(crate) struct $name {
            $($(#[$field_meta])* $field: $type,)*
        }

        impl From<&$core> for $name {
            fn from(core: &$core) -> Self {
                Self { $($field: $crate::views::show::Show::show(&core.$field),)* }
            }
        }

        impl $crate::views::show::Show<$name> for $core {
            fn show(&self) -> $name {
                self.into()
            }
        }
    };
}
pub(crate) use view;
