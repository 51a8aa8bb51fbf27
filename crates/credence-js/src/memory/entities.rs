//! Entities: looking them up, correcting them, and what may be there twice. Each change is a person's act and one commit.

use credence::id::EntityId;
use wasm_bindgen::prelude::*;

use super::{Answered, Memory, committed, decided, list};
use crate::argument;
use crate::failure::Failure;
use crate::input::{EntityOptions, SplitOptions};
use crate::views::{self, to_js};

#[wasm_bindgen]
impl Memory {
    /// Entities, the user first. `options` is an `EntityOptions`.
    #[wasm_bindgen(unchecked_return_type = "Entity[]")]
    pub async fn entities(&self, options: JsValue) -> Answered {
        let options: EntityOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        list(core.find_entities(&options.into()).into_iter().map(views::Entity::from))
    }

    /// Everything about one entity.
    #[wasm_bindgen(unchecked_return_type = "EntityPage")]
    pub async fn entity(&self, id: JsValue) -> Answered {
        let id: EntityId = argument::id("id", &id)?;
        let page = self.current().await?.entity_page(id).map_err(Failure::from)?;
        Ok(to_js(&views::EntityPage::from(page))?)
    }

    /// Says that `other` is `keep`.
    #[wasm_bindgen(js_name = mergeEntities, unchecked_return_type = "EntityChange")]
    pub async fn merge_entities(&self, keep: JsValue, other: JsValue) -> Answered {
        let keep = argument::id("keep", &keep)?;
        let other = argument::id("other", &other)?;
        decided::<views::EntityChange, _>(self.current().await?.merge_entities(keep, other).await)
    }

    /// Takes a merge back.
    #[wasm_bindgen(js_name = unmergeEntity, unchecked_return_type = "EntityChange")]
    pub async fn unmerge_entity(&self, id: JsValue) -> Answered {
        let id = argument::id("id", &id)?;
        decided::<views::EntityChange, _>(self.current().await?.unmerge(id).await)
    }

    /// Makes part of an entity another one. `split` is a `SplitOptions`.
    #[wasm_bindgen(js_name = splitEntity, unchecked_return_type = "EntityChange")]
    pub async fn split_entity(&self, id: JsValue, split: JsValue) -> Answered {
        let id = argument::id("id", &id)?;
        let split: SplitOptions = argument::read("split", &split)?;
        decided::<views::EntityChange, _>(self.current().await?.split_entity(id, &split.into()).await)
    }

    /// Gives an entity the name that is shown.
    #[wasm_bindgen(js_name = renameEntity, unchecked_return_type = "Commit | null")]
    pub async fn rename_entity(&self, id: JsValue, name: JsValue) -> Answered {
        let (id, name) = (argument::id("id", &id)?, argument::text("name", &name)?);
        committed(self.current().await?.rename_entity(id, &name).await)
    }

    /// Adds a name.
    #[wasm_bindgen(js_name = addAlias, unchecked_return_type = "Commit | null")]
    pub async fn add_alias(&self, id: JsValue, alias: JsValue) -> Answered {
        let (id, alias) = (argument::id("id", &id)?, argument::text("alias", &alias)?);
        committed(self.current().await?.add_alias(id, &alias).await)
    }

    /// Takes a name away.
    #[wasm_bindgen(js_name = removeAlias, unchecked_return_type = "Commit | null")]
    pub async fn remove_alias(&self, id: JsValue, alias: JsValue) -> Answered {
        let (id, alias) = (argument::id("id", &id)?, argument::text("alias", &alias)?);
        committed(self.current().await?.remove_alias(id, &alias).await)
    }

    /// Replaces the kinds. `labels` is an array of strings.
    #[wasm_bindgen(js_name = setEntityLabels, unchecked_return_type = "Commit | null")]
    pub async fn set_entity_labels(&self, id: JsValue, labels: JsValue) -> Answered {
        let id = argument::id("id", &id)?;
        let labels: Vec<String> = argument::read("labels", &labels)?;
        committed(self.current().await?.set_entity_labels(id, &labels).await)
    }

    /// Replaces the description.
    #[wasm_bindgen(js_name = describeEntity, unchecked_return_type = "Commit | null")]
    pub async fn describe_entity(&self, id: JsValue, description: JsValue) -> Answered {
        let (id, description) = (argument::id("id", &id)?, argument::text("description", &description)?);
        committed(self.current().await?.describe_entity(id, &description).await)
    }

    /// Makes an entity unknown.
    #[wasm_bindgen(js_name = forgetEntity, unchecked_return_type = "EntityChange")]
    pub async fn forget_entity(&self, id: JsValue) -> Answered {
        let id = argument::id("id", &id)?;
        decided::<views::EntityChange, _>(self.current().await?.forget_entity(id).await)
    }

    /// Pairs that may be one, most alike first.
    #[wasm_bindgen(js_name = possibleDuplicates, unchecked_return_type = "DuplicatePair[]")]
    pub async fn possible_duplicates(&self) -> Answered {
        list(self.current().await?.possible_duplicates().into_iter().map(views::DuplicatePair::from))
    }

    /// Says that two are not the same.
    #[wasm_bindgen(js_name = dismissDuplicate, unchecked_return_type = "Commit | null")]
    pub async fn dismiss_duplicate(&self, a: JsValue, b: JsValue) -> Answered {
        let (a, b) = (argument::id("a", &a)?, argument::id("b", &b)?);
        committed(self.current().await?.dismiss_duplicate(a, b).await)
    }
}
