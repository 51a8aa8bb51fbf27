//! What a person does with entities: merge, take back, split, rename, relabel, forget, and decide about possible duplicates. Each is one
//! commit with the person as actor, so that the ordinary undo takes it back; what refuses to be done says why and changes nothing.

use std::rc::Rc;

use super::Memory;
use crate::entity::merge::{plan_forget, plan_merge, plan_split, plan_unmerge, present};
use crate::entity::{DuplicatePair, Entity, EntityAct, Split, duplicates};
use crate::error::Error;
use crate::history::{Actor, Cause, Commit, Scope, ScopeInfo, State};
use crate::id::EntityId;
use crate::ports::Ports;

impl<P: Ports> Memory<P> {
    async fn entity_act(
        &self,
        info: ScopeInfo,
        plan: impl Fn(&State, &Scope) -> Result<EntityAct, Error>,
    ) -> Result<EntityAct, Error> {
        let (mut act, commit) = self.change(info, plan).await?;
        act.commit = commit.map(|commit| commit.id);
        Ok(act)
    }

    fn entity_info(&self, cause: Cause, id: EntityId, what: impl FnOnce(&str) -> String) -> ScopeInfo {
        let name = self.state().entity(id).map(|entity| entity.name.clone()).unwrap_or_default();
        ScopeInfo::new(cause, Actor::Person, what(&name)).with_id("entity", id)
    }

    /// Says that `other` is `keep`: mentions point to `keep`, which takes over names, labels, properties and description that it
    /// lacks; `other` is hidden. Statements that now say the same stay as they are and are listed.
    ///
    /// # Errors
    /// Unknown or already merged entities, an entity with itself, and the user merged away.
    pub async fn merge_entities(&self, keep: EntityId, other: EntityId) -> Result<EntityAct, Error> {
        let name = self.state().entity(keep).map(|e| e.name.clone()).unwrap_or_default();
        let info = self.entity_info(Cause::Manual, other, |other| format!("merged `{other}` into `{name}`"));
        let now = self.now().at;
        let schema = self.with_config(|config| config.schema().clone());
        let plan = |state: &State, scope: &Scope| plan_merge(state, scope, keep, other, &schema, now);
        self.entity_act(info.with_id("keep", keep), plan).await
    }

    /// Takes a merge back, at any later time: `other` stands for itself again, with the mentions and names that came from it. What was
    /// said since stays with its keeper.
    ///
    /// # Errors
    /// Unknown entities, and those that are not merged into another.
    pub async fn unmerge(&self, other: EntityId) -> Result<EntityAct, Error> {
        let info = self.entity_info(Cause::Manual, other, |name| format!("took the merge of `{name}` back"));
        let now = self.now().at;
        self.entity_act(info, |state, scope| plan_unmerge(state, scope, other, now)).await
    }

    /// Says that part of what is known of an entity is about another one, which is made. The two are never suggested as duplicates;
    /// merging them undoes it.
    ///
    /// # Errors
    /// Unknown records, statements that do not mention the entity, a split that would move nothing or leave the old one nameless.
    pub async fn split_entity(&self, id: EntityId, split: &Split) -> Result<EntityAct, Error> {
        let new = EntityId::new(self.next_id());
        let info =
            self.entity_info(Cause::Manual, id, |name| format!("split `{}` off `{name}`", split.name.trim()));
        let now = self.now().at;
        self.entity_act(info.with_id("new", new), |state, scope| {
            plan_split(state, scope, id, new, split, now)
        })
        .await
    }

    /// Makes an entity unknown: every mention of it becomes unresolved, what was merged into it goes too. The statements stay.
    ///
    /// # Errors
    /// Unknown or merged entities, and the user.
    pub async fn forget_entity(&self, id: EntityId) -> Result<EntityAct, Error> {
        let info = self.entity_info(Cause::Forget, id, |name| format!("forgot the entity `{name}`"));
        let now = self.now().at;
        self.entity_act(info, |state, scope| plan_forget(state, scope, id, false, now)).await
    }

    /// Deletes an entity that no live statement mentions.
    ///
    /// # Errors
    /// Those of [`Memory::forget_entity`], and live statements that mention it.
    pub async fn delete_entity(&self, id: EntityId) -> Result<EntityAct, Error> {
        let info = self.entity_info(Cause::Manual, id, |name| format!("deleted the entity `{name}`"));
        let now = self.now().at;
        self.entity_act(info, |state, scope| plan_forget(state, scope, id, true, now)).await
    }

    async fn edit_entity(
        &self,
        id: EntityId,
        why: &str,
        edit: impl Fn(Entity) -> Result<Entity, Error>,
    ) -> Result<Option<Rc<Commit>>, Error> {
        let info = self.entity_info(Cause::Manual, id, |name| format!("`{name}`: {why}"));
        let now = self.now().at;
        let (_, commit) = self
            .change(info, |state, scope| {
                let known = present(state, id)?;
                let mut edited = edit(known.clone())?;
                if edited != *known {
                    edited.revised = now;
                    scope.put(state, edited, why);
                }
                Ok(())
            })
            .await?;
        Ok(commit)
    }

    /// Gives an entity the name that is shown from now on; no rule replaces it. The old name stays as an alias. `Ok(None)`:
    /// nothing differs, here and in the edits below.
    pub async fn rename_entity(&self, id: EntityId, name: &str) -> Result<Option<Rc<Commit>>, Error> {
        self.edit_entity(id, "renamed by a person", |entity| entity.rename(name)).await
    }
    /// Adds a name that resolution may use.
    pub async fn add_alias(&self, id: EntityId, alias: &str) -> Result<Option<Rc<Commit>>, Error> {
        self.edit_entity(id, "alias added by a person", |entity| entity.with_alias(alias)).await
    }
    /// Takes an alias away, in every spelling in which resolution would still meet it.
    ///
    /// # Errors
    /// A name that it does not have, and the name that is shown.
    pub async fn remove_alias(&self, id: EntityId, alias: &str) -> Result<Option<Rc<Commit>>, Error> {
        self.edit_entity(id, "alias removed by a person", |entity| entity.without_alias(alias)).await
    }
    /// Replaces the kinds.
    pub async fn set_entity_labels(
        &self,
        id: EntityId,
        labels: &[String],
    ) -> Result<Option<Rc<Commit>>, Error> {
        self.edit_entity(id, "kinds set by a person", |entity| entity.with_labels(labels)).await
    }
    /// Replaces the description; blank takes it away.
    pub async fn describe_entity(
        &self,
        id: EntityId,
        description: &str,
    ) -> Result<Option<Rc<Commit>>, Error> {
        self.edit_entity(id, "described by a person", |entity| entity.with_description(description)).await
    }

    /// Pairs of entities that may be one thing, most alike first. See [`duplicates`](crate::entity).
    pub fn possible_duplicates(&self) -> Vec<DuplicatePair> {
        duplicates::pairs(&self.state())
    }
    /// Says that two entities are not the same: the pair is never suggested again, unless this is undone.
    pub async fn dismiss_duplicate(&self, a: EntityId, b: EntityId) -> Result<Option<Rc<Commit>>, Error> {
        let name = self.state().entity(b).map(|e| e.name.clone()).unwrap_or_default();
        let info = self.entity_info(Cause::Manual, a, |a| format!("`{a}` and `{name}` are not the same"));
        let now = self.now().at;
        let plan = |state: &State, scope: &Scope| duplicates::plan_dismiss(state, scope, a, b, now);
        Ok(self.change(info.with_id("other", b), plan).await?.1)
    }
}
