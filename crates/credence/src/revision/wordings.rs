//! Who says the same: statements of every status by canonical form, so that the same statement is found whatever the search
//! index holds (it holds live statements alone) and however many others share its words.

use std::collections::{BTreeMap, BTreeSet};

use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::text;

/// Statements by canonical form, in step with the log.
#[derive(Debug, Default)]
pub(crate) struct Wordings {
    by_form: BTreeMap<String, BTreeSet<PropositionId>>,
    forms: BTreeMap<PropositionId, String>,
}

impl Wordings {
    pub(crate) fn update(&mut self, id: PropositionId, proposition: Option<&Proposition>) {
        let form = proposition.map(|p| text::canonical(&p.text));
        if self.forms.get(&id) == form.as_ref() {
            return;
        }
        if let Some(old) = self.forms.remove(&id)
            && let Some(ids) = self.by_form.get_mut(&old)
        {
            ids.remove(&id);
            if ids.is_empty() {
                self.by_form.remove(&old);
            }
        }
        if let Some(form) = form {
            self.by_form.entry(form.clone()).or_default().insert(id);
            self.forms.insert(id, form);
        }
    }

    /// Statements with the canonical form of `text`, by id.
    pub(crate) fn same(&self, text: &str) -> impl Iterator<Item = PropositionId> + '_ {
        self.by_form.get(&text::canonical(text)).into_iter().flatten().copied()
    }
}
