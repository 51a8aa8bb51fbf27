//! The two prompts of the model layer itself: the shape of an answer in words, and the request to correct one.

use minijinja::{Environment, UndefinedBehavior, context};

use super::ReplySchema;

/// Template of [`schema_instruction`].
pub const SCHEMA: &str = include_str!("../../../../templates/llm/schema.jinja");
/// Template of [`repair_request`].
pub const REPAIR: &str = include_str!("../../../../templates/llm/repair.jinja");

fn pretty(schema: &ReplySchema) -> String {
    serde_json::to_string_pretty(&schema.schema).unwrap_or_default()
}

fn render(template: &str, context: minijinja::Value) -> String {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    // The templates are compiled in and their tests render them: an error here cannot come from data.
    environment.render_str(template, context).unwrap_or_default()
}

/// What a model without enforced JSON output is told about the shape of its answer.
pub fn schema_instruction(schema: &ReplySchema) -> String {
    render(SCHEMA, context! { schema => pretty(schema) })
}

/// What a model is told whose JSON answer could not be used.
pub fn repair_request(complaint: &str, schema: Option<&ReplySchema>) -> String {
    render(REPAIR, context! { complaint, schema => schema.map(pretty).unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_passes_through_the_templates_unchanged() {
        let schema = ReplySchema {
            name: "x".into(),
            schema: serde_json::json!({"type": "object", "description": "<b> {{ no }} \"quote\""}),
        };
        let text = schema_instruction(&schema);
        assert!(text.starts_with("Answer with one JSON value"), "{text}");
        assert!(text.contains("<b> {{ no }} \\\"quote\\\""), "{text}");

        let text = repair_request("`{% if %}` & <i>", Some(&schema));
        assert!(text.starts_with("Your answer could not be used: `{% if %}` & <i>\n"), "{text}");
        assert!(text.contains("\"type\": \"object\""), "{text}");
        let text = repair_request("cut", None);
        assert!(!text.contains("Schema") && text.ends_with("nothing else."), "{text}");
    }
}
