//! `cargo run --release -p credence --example locomo_recall [-- --sweep]`: what the search index finds on
//! LoCoMo, one JSON object a line. `--sweep` also compares fusion weights and gates, which is how the
//! defaults were chosen.

mod evaluate;

use credence::embedding::StaticModel;
use credence::retrieval::index::Gate;
use credence::retrieval::index::fusion::Weights;
use evaluate::{Corpus, GateFigures, Method, Recall, line};
use serde_json::json;

fn main() -> Result<(), String> {
    if evaluate::data().is_none() {
        println!(
            "skipped: the LoCoMo files are not here; put them into ../shared/data/locomo or name their folder's parent in CREDENCE_SHARED"
        );
        return Ok(());
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/assets/embedding/credence-en-128.sem1");
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let model = StaticModel::load(bytes).map_err(|error| format!("{file}: {error}"))?;
    let sweep = std::env::args().any(|arg| arg == "--sweep");
    for corpus in [Corpus::Turns, Corpus::Observations] {
        let conversations = evaluate::load(corpus)?;
        let mut methods = vec![
            ("lexical", Method::Lexical),
            ("vector", Method::Vector),
            ("fused", Method::Fused(Weights::default())),
        ];
        if sweep {
            for vector in [0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.5] {
                methods.push(("fused", Method::Fused(Weights { lexical: 1.0, vector })));
            }
        }
        for (name, method) in methods {
            println!(
                "{}",
                recall_line(corpus, name, method, evaluate::recall(&conversations, &model, method))
            );
        }
        for (name, with_vectors, default) in
            [("vectors", true, Gate::WITH_VECTORS), ("lexical", false, Gate::LEXICAL)]
        {
            let signals = evaluate::signals(&conversations, with_vectors.then_some(&model));
            println!("{}", gate_line(corpus, name, default, evaluate::gate(&signals, default)));
            for gate in if sweep { gates(with_vectors) } else { Vec::new() } {
                println!("{}", gate_line(corpus, name, gate, evaluate::gate(&signals, gate)));
            }
        }
    }
    Ok(())
}

fn gates(with_vectors: bool) -> Vec<Gate> {
    if !with_vectors {
        return [0.15, 0.2, 0.25, 0.3, 0.4]
            .map(|coverage_alone| Gate { coverage_alone, ..Gate::LEXICAL })
            .into();
    }
    let mut gates = Vec::new();
    for cosine in [0.35, 0.4, 0.45, 0.5] {
        for together in [0.5, 0.55, 0.6, 0.65, 0.7] {
            gates.push(Gate { cosine, together, ..Gate::WITH_VECTORS });
        }
    }
    gates
}

fn recall_line(corpus: Corpus, name: &str, method: Method, recall: Recall) -> String {
    let weight = if let Method::Fused(weights) = method { json!(weights.vector) } else { json!(null) };
    let three = |x: f64| json!((x * 1000.0).round() / 1000.0);
    line(&[
        ("corpus", json!(corpus.name())),
        ("method", json!(name)),
        ("vector_weight", weight),
        ("recall_5", three(recall.at[0])),
        ("recall_10", three(recall.at[1])),
        ("recall_20", three(recall.at[2])),
        ("questions", json!(recall.questions)),
    ])
}

fn gate_line(corpus: Corpus, name: &str, gate: Gate, figures: GateFigures) -> String {
    let three = |x: f64| json!((x * 1000.0).round() / 1000.0);
    line(&[
        ("corpus", json!(corpus.name())),
        ("gate", json!(name)),
        ("coverage_alone", three(gate.coverage_alone)),
        ("coverage", three(gate.coverage)),
        ("cosine", three(f64::from(gate.cosine))),
        ("together", three(gate.together)),
        ("evidence_kept", three(figures.evidence_kept)),
        ("strange_passed", three(figures.strange_passed)),
        ("strange_shut", three(figures.strange_shut)),
        ("tasks_passed", three(figures.tasks_passed)),
        ("tasks_shut", three(figures.tasks_shut)),
    ])
}
