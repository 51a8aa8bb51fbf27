// A model server as the option `endpoint`, played by a scripted one on loopback.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

import { memoryJournal, openMemory } from "credence";

const KEY = "test-key-123456";

async function scripted(t, key = KEY) {
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = JSON.parse(body || "{}");
    asked.push({ path: request.url, authorization: request.headers.authorization, model: call.model, stream: call.stream });
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(401, { "content-type": "application/json" }).end('{"error":{"message":"Incorrect API key provided"}}');
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of ["You work ", "as a nurse", " in Leeds."]) {
      response.write(`data: ${JSON.stringify({ model: call.model, choices: [{ delta: { content: piece } }] })}\n\n`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { asked, baseUrl: `http://127.0.0.1:${server.address().port}/v1` };
}

async function question(endpoint) {
  const memory = await openMemory({ journal: memoryJournal(), embedding: false, endpoint });
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "Where do I work?" });
  const pieces = [];
  const { turn } = await memory.answer(conversation, { onText: (piece) => pieces.push(piece) });
  return { turn, pieces, exported: await memory.export() };
}

test("an answer streams from the server, and the key stays out of the memory", async (t) => {
  const { asked, baseUrl } = await scripted(t);
  const { turn, pieces, exported } = await question({ baseUrl, key: KEY, models: { chat: "some-model" } });
  assert.deepEqual([turn.state, turn.text, turn.model], ["complete", "You work as a nurse in Leeds.", "some-model"]);
  assert.ok(pieces.length > 1, "it came in pieces");
  assert.equal(pieces.join(""), turn.text);
  assert.deepEqual(asked, [{ path: "/v1/chat/completions", authorization: `Bearer ${KEY}`, model: "some-model", stream: true }]);
  assert.ok(!exported.includes(KEY));
});

test("a refused key and a dead server are told apart", async (t) => {
  const { baseUrl } = await scripted(t);
  const refused = (await question({ baseUrl, key: "wrong-key-123456", models: { chat: "m" } })).turn;
  assert.deepEqual([refused.state, refused.failure.code], ["failed", "model-bad-key"]);
  const { turn } = await question({ baseUrl: "http://127.0.0.1:9/v1", models: { chat: "m" } });
  assert.deepEqual([turn.state, turn.failure.code], ["failed", "model-unreachable"]);
});

test("a role is played by a server of its own, with its own model and key", async (t) => {
  const [here, there] = [await scripted(t), await scripted(t, "other-key-654321")];
  const elsewhere = { extract: { baseUrl: there.baseUrl, key: "other-key-654321" } };
  const endpoint = { baseUrl: here.baseUrl, key: KEY, models: { chat: "talker", extract: "reader" }, elsewhere };
  const memory = await openMemory({ journal: memoryJournal(), embedding: false, endpoint });
  const { id: conversation } = await memory.startConversation();
  await memory.say({ conversation, text: "I work as a nurse in Leeds." });
  await memory.answer(conversation);
  // What it says is no list of statements: that it was asked is what counts here.
  await memory.analyse(conversation).catch(() => {});
  assert.ok(here.asked.length > 0 && there.asked.length > 0, "both were asked");
  assert.ok(here.asked.every(({ model, authorization }) => model === "talker" && authorization === `Bearer ${KEY}`), "here");
  assert.ok(there.asked.every(({ model, authorization }) => model === "reader" && authorization === "Bearer other-key-654321"), "there");

  const opened = (more) => openMemory({ journal: memoryJournal(), embedding: false, endpoint: { ...endpoint, ...more } });
  await assert.rejects(opened({ models: { chat: "talker" } }), /options\.endpoint: the role `extract` .* no model is named/);
  await assert.rejects(opened({ elsewhere: { extract: { baseUrl: "nowhere at all" } } }), /options\.endpoint: the endpoint of the role `extract`/);
  await assert.rejects(opened({ elsewhere: { extract: { baseUrl: there.baseUrl, key: "a b" } } }), /options\.endpoint\.elsewhere\.extract\.key/);
});
