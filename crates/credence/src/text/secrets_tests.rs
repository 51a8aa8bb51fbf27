//! Case 40: pasted credentials become marks; what only looks like one survives.

use super::*;

fn check(text: &str, expected: &str, kind: &str) {
    let redacted = redact(text);
    assert_eq!(redacted.text, expected, "{text}");
    assert_eq!(redacted.counts.into_iter().collect::<Vec<_>>(), [(kind, 1)], "{text}");
    assert_eq!(redact(expected).text, expected, "redacting twice changes nothing");
    assert_eq!(redact(expected).total(), 0);
}

#[test]
fn keys_of_issuers() {
    let openai = format!("my key is sk-proj-{}", "A".repeat(48));
    check(&openai, "my key is [redacted:openai_key]", "openai_key");
    check(&format!("sk-ant-api03-{}.", "aB3_".repeat(10)), "[redacted:anthropic_key].", "anthropic_key");
    check(&format!("(sk-{})", "a1".repeat(24)), "([redacted:openai_key])", "openai_key");
    check("id AKIAIOSFODNN7EXAMPLE here", "id [redacted:aws_access_key] here", "aws_access_key");
    check(&format!("AIza{}", "b".repeat(35)), "[redacted:google_key]", "google_key");
    check(&format!("ghp_{}", "c4".repeat(18)), "[redacted:github_token]", "github_token");
    check(&format!("github_pat_{}", "d5_".repeat(20)), "[redacted:github_token]", "github_token");
    check("xoxb-1234567890-abcdefghij", "[redacted:slack_token]", "slack_token");
}

#[test]
fn aws_pairs_go_together() {
    let redacted = redact("AKIAIOSFODNN7EXAMPLE\nwJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY");
    assert_eq!(redacted.text, "[redacted:aws_access_key]\n[redacted:aws_secret_key]");
    assert_eq!(redacted.total(), 2);
}

#[test]
fn structures() {
    check("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl.", "token [redacted:jwt].", "jwt");
    let pem = "see\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----\nend";
    check(pem, "see\n[redacted:private_key]\nend", "private_key");
    check("-----BEGIN PRIVATE KEY-----\nMIIE", "[redacted:private_key]", "private_key");
    check("postgres://u:p@h/db", "postgres://[redacted:url_credentials]@h/db", "url_credentials");
    check(
        "https://me:pass@word@h.example/x?y",
        "https://[redacted:url_credentials]@h.example/x?y",
        "url_credentials",
    );
    check(
        "Authorization: Bearer abcdefghijkl0123456789",
        "Authorization: Bearer [redacted:bearer_token]",
        "bearer_token",
    );
    check(
        "Authorization: Basic dXNlcjpwYXNz",
        "Authorization: Basic [redacted:bearer_token]",
        "bearer_token",
    );
    check("card 4111 1111 1111 1111", "card [redacted:card_number]", "card_number");
    check("my ssn is 123-45-6789", "my ssn is [redacted:social_security_number]", "social_security_number");
}

#[test]
fn labelled_values() {
    check("password: correcthorse", "password: [redacted:password]", "password");
    check("My password is hunter2, ok?", "My password is [redacted:password], ok?", "password");
    check("{\"password\": \"open sesame\"}", "{\"password\": \"[redacted:password]\"}", "password");
    check("DB_PASSWORD=s3cr3t!x", "DB_PASSWORD=[redacted:password]", "password");
    check("Mein Passwort lautet geheim99", "Mein Passwort lautet [redacted:password]", "password");
    check("密码是abc12345", "密码是[redacted:password]", "password");
    check("мой пароль: зима2020", "мой пароль: [redacted:password]", "password");
    check("api_key=0123abcd4567efgh&x=1", "api_key=[redacted:api_key]&x=1", "api_key");
    check("my pin is 4821", "my pin is [redacted:pin]", "pin");
}

#[test]
fn ordinary_text_survives() {
    for text in [
        "My phone is +49 170 1234567 or (555) 123-4567.",
        "Order 1234567890123456, tracking 1Z999AA10123456784.",
        "550e8400-e29b-41d4-a716-446655440000",
        "commit da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "I forgot my password again.",
        "The password is wrong and the token is expired.",
        "Password: at least eight characters",
        "password: required",
        "The secret is love. My secret: I like Bo.",
        "a token of thanks: flowers",
        "https://example.org:8080/a@b and mail bo@example.org",
        "sk-learn and task-based work, risk-averse people",
        "Pins: 3 of them. Born 1990-05-08 at 12:30.",
        "Bearer of good news",
        "ASIAN food, AKIAnother",
        "密码错了",
        "",
    ] {
        let redacted = redact(text);
        assert_eq!((redacted.text.as_str(), redacted.total()), (text, 0));
    }
}
