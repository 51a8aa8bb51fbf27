// The double itself, tested: the checks that lean on it are worth what it is worth.

import { test } from "node:test";
import assert from "node:assert/strict";
import { startEndpoint, memoryOf } from "./scripted-endpoint.mjs";
import { said, script } from "./script.mjs";

async function withEndpoint(options, use) {
  const endpoint = await startEndpoint({ script, ...options });
  try {
    await use(endpoint);
  } finally {
    await endpoint.close();
  }
}

function post(endpoint, body, { key } = {}) {
  const headers = { "Content-Type": "application/json", Origin: "http://127.0.0.1:8080" };
  if (key) headers.Authorization = `Bearer ${key}`;
  const whole = { model: "scripted", ...body };
  return fetch(`${endpoint.url}/chat/completions`, { method: "POST", headers, body: JSON.stringify(whole) });
}

async function content(response) {
  return (await response.json()).choices[0].message.content;
}

test("a stream is cut in the middle of characters and still adds up", async () => {
  await withEndpoint({}, async (endpoint) => {
    const messages = [{ role: "user", content: "Hello 🌰" }];
    const response = await post(endpoint, { messages, stream: true });
    assert.match(response.headers.get("content-type"), /^text\/event-stream/);
    const pieces = [];
    for await (const piece of response.body) pieces.push(Buffer.from(piece));
    assert.ok(pieces.length > 20, `${pieces.length} pieces`);
    const broken = pieces.some((piece) => piece.toString("utf8").includes("\uFFFD"));
    assert.ok(broken, "no border falls inside a character");
    const events = Buffer.concat(pieces).toString("utf8").split("\n\n").filter((event) => event.startsWith("data: "));
    assert.equal(events.pop(), "data: [DONE]");
    const text = events.map((event) => JSON.parse(event.slice(6)).choices[0].delta.content ?? "").join("");
    assert.equal(text, await content(await post(endpoint, { messages })));
    assert.match(text, /Hello 🌰.*日本語/);
  });
});

test("an extraction names the turns that say it, and leaves out those already read", async () => {
  await withEndpoint({}, async (endpoint) => {
    const system = "Task: extract propositions\n\nYou keep the long-term memory of Ada \"A\" Lovelace. Read the turns.";
    const window = [
      "<turns>",
      `[1] "Ada" on 2026-03-01 (already read: for understanding only): ${JSON.stringify(said.harbour.text)}`,
      `[2] "Ada" on 2026-03-01: ${JSON.stringify(said.techno.text)}`,
      '[3] "Assistant" on 2026-03-01: "Good to know: all of it."',
      "</turns>",
    ].join("\n");
    const messages = [{ role: "system", content: system }, { role: "user", content: window }];
    const text = await content(await post(endpoint, { messages }));
    assert.match(text, /^Here is the result:\n```json\n/);
    const { propositions } = JSON.parse(text.match(/\{.*\}/)[0]);
    assert.equal(propositions.length, 1);
    assert.equal(propositions[0].text, 'Ada "A" Lovelace loves techno.');
    assert.deepEqual(propositions[0].turns, [2]);
    assert.equal(endpoint.of("extract").length, 1);
  });
});

test("a revision relates each pair", async () => {
  await withEndpoint({}, async (endpoint) => {
    const items = [
      'Item 1. New: "Ada can\'t stand techno any more."',
      '  Stored 1: "Ada loves techno." (held with confidence 0.95)',
      '  Stored 2: "Ada says \\"hi\\"." (held with confidence 0.5)',
      'Item 2. New: "Ada rows."',
      '  Stored 1: "Ada loves techno." (held with confidence 0.95)',
    ].join("\n");
    const messages = [{ role: "system", content: "Task: classify relations\n…" }, { role: "user", content: items }];
    const { items: found } = JSON.parse((await content(await post(endpoint, { messages }))).match(/\{.*\}/)[0]);
    assert.deepEqual(
      found.map(({ item, relations }) => [item, relations.map(({ stored, relation }) => [stored, relation])]),
      [[1, [[1, "CONTRADICTORY"], [2, "UNRELATED"]]], [2, [[1, "UNRELATED"]]]],
    );
  });
});

test("a chat answers from the memory in its prompt", async () => {
  const system = 'You are helpful.\n<memory>\n- "Ada loves \\"hard\\" techno." (pinned)\n- "Ada rows."\n</memory>';
  assert.deepEqual(memoryOf(system), ['Ada loves "hard" techno.', "Ada rows."]);
  await withEndpoint({}, async (endpoint) => {
    const ask = { role: "user", content: "What do I like?" };
    assert.match(await content(await post(endpoint, { messages: [{ role: "system", content: system }, ask] })), /Ada rows\./);
    assert.match(await content(await post(endpoint, { messages: [ask] })), /don't remember/);
  });
});

test("keys, models, failures and cross-origin requests are those of a strict server", async () => {
  await withEndpoint({ key: "k-1" }, async (endpoint) => {
    const messages = [{ role: "user", content: "Hi" }];
    assert.equal((await post(endpoint, { messages })).status, 401);
    assert.equal((await post(endpoint, { messages }, { key: "k-2" })).status, 401);
    assert.equal((await post(endpoint, { messages }, { key: "k-1" })).status, 200);
    const unknown = await post(endpoint, { messages, model: "other" }, { key: "k-1" });
    assert.equal(unknown.status, 404);
    assert.equal((await unknown.json()).error.code, "model_not_found");
    endpoint.break("chat", 503);
    assert.equal((await post(endpoint, { messages }, { key: "k-1" })).status, 503);
    endpoint.recover("chat");
    assert.equal((await post(endpoint, { messages }, { key: "k-1" })).status, 200);
    const preflight = await fetch(`${endpoint.url}/chat/completions`, {
      method: "OPTIONS",
      headers: { Origin: "http://127.0.0.1:8080", "Access-Control-Request-Headers": "authorization,content-type" },
    });
    assert.equal(preflight.headers.get("access-control-allow-headers"), "authorization,content-type");
    const kept = await (await fetch(`${endpoint.origin}/__requests`)).json();
    assert.equal(kept.length, 6);
    assert.equal(kept[2].headers.authorization, "Bearer k-1");
  });
  await withEndpoint({ cors: false }, async (endpoint) => {
    const response = await post(endpoint, { messages: [{ role: "user", content: "Hi" }] });
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  });
});

test("embeddings are unit vectors, near for shared words", async () => {
  await withEndpoint({}, async (endpoint) => {
    const body = JSON.stringify({ model: "scripted", input: ["a red kayak", "the red kayak", "tax return"] });
    const response = await fetch(`${endpoint.url}/embeddings`, { method: "POST", body });
    const [a, b, c] = (await response.json()).data.map(({ embedding }) => embedding);
    const dot = (x, y) => x.reduce((sum, value, at) => sum + value * y[at], 0);
    assert.ok(Math.abs(dot(a, a) - 1) < 1e-9);
    assert.ok(dot(a, b) > dot(a, c));
  });
});
