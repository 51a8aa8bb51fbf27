//! The pipeline as a whole, on doubles: conversation in, memory out. Cases of public bug reports are named after what must hold.

#![expect(clippy::unwrap_used, reason = "a helper that fails, fails its test")]

mod pipeline {
    mod as_of;
    mod assembly;
    mod belief;
    mod branches;
    mod bundle_properties;
    mod bundles;
    mod candidacy;
    mod canon;
    mod chat;
    mod compaction;
    mod conflicts;
    mod defend;
    mod defend_properties;
    mod enforce;
    mod entities;
    mod entity_runs;
    mod erasure;
    mod extract;
    mod filters;
    mod forgetting_softly;
    mod gates;
    mod health;
    mod history;
    mod imports;
    mod ingest;
    mod interrupted;
    mod lineage;
    mod maintain;
    mod model;
    mod music;
    mod promotion;
    mod promotion_properties;
    mod questions;
    mod reader;
    mod repository;
    mod resolve;
    mod retention;
    mod revise;
    mod revise_properties;
    mod rules;
    mod runs;
    mod settings;
    mod simulator;
    mod support;
    mod sweeps;
    mod tools;
    mod trust;
    mod turns;
    mod unit_acts;
    mod unit_properties;
    mod units;
    mod upkeep;
    mod working_set;
}
