// A model endpoint that follows a script: OpenAI's chat completions (streamed or whole), models and embeddings over
// plain HTTP on the loopback address. It sees what the app sends, answers what the script says, and keeps every
// request, so that a check can assert what went over the wire. Behaves like a strict server: it wants the key if it
// has one, and knows only its own models.
//
//   import { startEndpoint } from "./scripted-endpoint.mjs";
//   const endpoint = await startEndpoint({ key: "k-1", script });   // endpoint.url, .requests, .close()
//   node scripted-endpoint.mjs [--port 8099] [--key KEY]            // by hand, with the script of script.mjs

import { createServer } from "node:http";
import { once } from "node:events";
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";
import { setTimeout as pause } from "node:timers/promises";

/** Sizes, in bytes, of the pieces that a stream is cut into, over and over: no border falls where a parser would like it. */
const PIECES = [1, 7, 2, 31, 3, 5, 64, 11];
const MOST_BYTES = 16 * 1024 * 1024;
const DIMENSIONS = 48;

/**
 * @typedef {object} Script
 * @property {(ask: {text: string, memory: string[], messages: object[]}) => string | {text: string, delayMs?: number}} chat
 *   The answer to a user; `memory` is what the prompt carried between its memory tags. `delayMs` between pieces.
 * @property {{says: string, propositions: object[]}[]} extract
 *   Propositions by what a turn contains. `{user}` in them becomes the user's name as the prompt gives it; `turns` is
 *   filled in.
 * @property {{item: string, stored: string, relation: string, similarity?: number, reason?: string}[]} revise
 *   Relations by what the new and the stored statement contain; all other pairs are unrelated.
 * @property {boolean} [fenced] Wrap JSON answers in prose and a Markdown fence, as chatty models do.
 */

/**
 * Starts an endpoint.
 * @param {{port?: number, key?: string, models?: string[], script: Script, cors?: boolean}} options
 *   `port` 0 is any free one; without `key` none is asked for; `cors: false` leaves out what lets a page read answers.
 */
export async function startEndpoint({ port = 0, key, models = ["scripted"], script, cors = true }) {
  const state = { requests: [], failing: new Map(), delays: new Map() };
  const server = createServer((request, response) => {
    serve(request, response, { key, models, script, cors, state }).catch((error) => {
      // The page went away in the middle of a stream, or the script has a mistake: say so, answer if still possible.
      if (response.headersSent || response.destroyed) {
        response.destroy();
      } else {
        fail(response, 500, `scripted endpoint: ${error.stack ?? error}`, "server_error");
      }
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: bound } = server.address();
  return {
    /** What a person enters as the base address. */
    url: `http://127.0.0.1:${bound}/v1`,
    origin: `http://127.0.0.1:${bound}`,
    /** Every request so far: `{method, path, purpose, headers, body}`. */
    requests: state.requests,
    /** The requests of one purpose: `chat`, `extract`, `revise`, `models`, `embeddings`, `other`. */
    of: (purpose) => state.requests.filter((request) => request.purpose === purpose),
    /** Answers requests of a purpose with this status until `recover`. */
    break: (purpose, status = 500) => state.failing.set(purpose, status),
    recover: (purpose) => state.failing.delete(purpose),
    /** Waits before each answer of a purpose. */
    delay: (purpose, ms) => state.delays.set(purpose, ms),
    async close() {
      server.close();
      server.closeAllConnections?.();
      await once(server, "close");
    },
  };
}

async function serve(request, response, { key, models, script, cors, state }) {
  const path = new URL(request.url, "http://endpoint").pathname;
  if (cors) {
    response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*");
    response.setHeader("Vary", "Origin");
  }
  if (request.method === "OPTIONS") {
    if (cors) {
      response.setHeader("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
      // `*` would not cover Authorization.
      response.setHeader("Access-Control-Allow-Headers", request.headers["access-control-request-headers"] ?? "*");
    }
    response.writeHead(204).end();
    return;
  }
  if (path === "/__requests") {
    json(response, 200, state.requests);
    return;
  }
  const body = await read(request);
  const purpose = purposeOf(path, body);
  state.requests.push({ method: request.method, path: request.url, purpose, headers: { ...request.headers }, body });
  if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
    fail(response, 401, "Incorrect API key provided.", "invalid_request_error", "invalid_api_key");
    return;
  }
  if (state.failing.has(purpose)) {
    fail(response, state.failing.get(purpose), "The server had an error while processing your request.", "server_error");
    return;
  }
  await pause(state.delays.get(purpose) ?? 0);
  if (path === "/v1/models" && request.method === "GET") {
    json(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model", owned_by: "script" })) });
  } else if (request.method !== "POST" || !["/v1/chat/completions", "/v1/embeddings"].includes(path)) {
    fail(response, 404, `Unknown request URL: ${request.method} ${path}.`, "invalid_request_error");
  } else if (!models.includes(body?.model)) {
    fail(response, 404, `The model '${body?.model}' does not exist.`, "invalid_request_error", "model_not_found");
  } else if (path === "/v1/embeddings") {
    json(response, 200, embeddings(body));
  } else if (!Array.isArray(body.messages) || body.messages.length === 0) {
    fail(response, 400, "'messages' must be a list with at least one message.", "invalid_request_error");
  } else {
    await complete(response, body, answer(purpose, body.messages, script));
  }
}

/** What a request is for. The system prompts of the pipeline open with a line that says so. */
function purposeOf(path, body) {
  if (path === "/v1/models") return "models";
  if (path === "/v1/embeddings") return "embeddings";
  const system = systemOf(body?.messages ?? []);
  if (system.startsWith("Task: extract propositions")) return "extract";
  if (system.startsWith("Task: classify relations")) return "revise";
  return path === "/v1/chat/completions" ? "chat" : "other";
}

function systemOf(messages) {
  return messages.filter(({ role }) => role === "system" || role === "developer").map(textOf).join("\n");
}

function textOf({ content }) {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

/** `{text, delayMs}` of the answer. */
function answer(purpose, messages, script) {
  const system = systemOf(messages);
  const said = textOf(messages.filter(({ role }) => role === "user").at(-1) ?? { content: "" });
  if (purpose === "chat") {
    const result = script.chat({ text: said, memory: memoryOf(system), messages });
    return typeof result === "string" ? { text: result, delayMs: 0 } : { delayMs: 0, ...result };
  }
  // A repair call asks again; what is to be read stands in the first user message.
  const asked = textOf(messages.find(({ role }) => role === "user") ?? { content: "" });
  const value = purpose === "extract" ? extraction(system, asked, script.extract) : relations(asked, script.revise);
  const text = JSON.stringify(value);
  return { text: script.fenced ? `Here is the result:\n\`\`\`json\n${text}\n\`\`\`\n` : text, delayMs: 0 };
}

/** The statements between the memory tags of a chat prompt. */
export function memoryOf(system) {
  const block = system.match(/<memory>\n([\s\S]*?)\n<\/memory>/)?.[1] ?? "";
  return block.split("\n").flatMap((line) => line.match(/^(?:-|\d+\.) ("(?:[^"\\]|\\.)*")/)?.slice(1, 2).map(unquote) ?? []);
}

function unquote(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

function extraction(system, window, table) {
  const user = system.match(/long-term memory of (.+?)\. /)?.[1] ?? "The user";
  const propositions = [];
  for (const line of window.split("\n")) {
    const turn = line.match(/^\[(\d+)\] .*?( \(already read[^)]*\))?: (".*")$/);
    if (!turn || turn[2]) continue;
    const text = unquote(turn[3]);
    for (const row of table.filter(({ says }) => text.includes(says))) {
      for (const proposition of row.propositions) {
        const filled = JSON.parse(JSON.stringify(proposition).replaceAll("{user}", JSON.stringify(user).slice(1, -1)));
        propositions.push({ ...filled, turns: [Number(turn[1])] });
      }
    }
  }
  return { propositions };
}

function relations(text, table) {
  const items = [];
  for (const line of text.split("\n")) {
    const item = line.match(/^Item (\d+)\. New: (".*")$/);
    if (item) items.push({ item: Number(item[1]), text: unquote(item[2]), relations: [] });
    const stored = line.match(/^\s+Stored (\d+): ("(?:[^"\\]|\\.)*")/);
    if (!stored) continue;
    const current = items.at(-1);
    const row = table.find((pair) => current.text.includes(pair.item) && unquote(stored[2]).includes(pair.stored));
    const { relation = "UNRELATED", similarity = 0.1, reason = "another matter" } = row ?? {};
    current.relations.push({ stored: Number(stored[1]), relation, similarity, reason });
  }
  return { items: items.map(({ item, relations }) => ({ item, relations })) };
}

async function complete(response, body, { text: whole, delayMs }) {
  // Words, as tokens come; no more of them than were asked for.
  const all = whole.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  const words = all.slice(0, body.max_completion_tokens ?? body.max_tokens ?? all.length);
  const [text, finish] = [words.join(""), words.length < all.length ? "length" : "stop"];
  const head = { id: "chatcmpl-script", created: 0, model: body.model };
  const usage = { prompt_tokens: JSON.stringify(body.messages).length >> 2, completion_tokens: text.length >> 2 };
  if (!body.stream) {
    const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason: finish };
    json(response, 200, { ...head, object: "chat.completion", choices: [choice], usage });
    return;
  }
  const chunk = (delta, finish_reason = null) =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  // The comment line is one that proxies send to keep a connection alive.
  const last = body.stream_options?.include_usage ? `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n` : "";
  const events = [
    chunk({ role: "assistant", content: "" }) + ": keep-alive\n\n",
    ...words.map((content) => chunk({ content })),
    `${chunk({}, finish)}${last}data: [DONE]\n\n`,
  ];
  response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache" });
  response.socket?.setNoDelay(true);
  let at = 0;
  for (const event of events) {
    const bytes = Buffer.from(event, "utf8");
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + PIECES[at++ % PIECES.length]);
      if (response.destroyed) return;
      response.write(bytes.subarray(from, to));
      from = to;
      // One turn of the event loop a piece: the pieces leave as they were cut.
      await new Promise(setImmediate);
    }
    if (delayMs > 0) await pause(delayMs);
  }
  response.end();
}

/** Vectors that depend on the words alone: texts that share words are near. */
function embeddings({ model, input }) {
  const data = [input].flat().map((text, index) => {
    const embedding = new Array(DIMENSIONS).fill(0);
    for (const word of String(text).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const hash = createHash("sha256").update(word).digest();
      embedding[hash[0] % DIMENSIONS] += hash[1] % 2 ? 1 : -1;
    }
    const length = Math.hypot(...embedding) || 1;
    return { object: "embedding", index, embedding: embedding.map((x) => x / length) };
  });
  return { object: "list", model, data, usage: { prompt_tokens: 0, total_tokens: 0 } };
}

async function read(request) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error(`a request of more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString("utf8");
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function json(response, status, value) {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

function fail(response, status, message, type, code = null) {
  json(response, status, { error: { message, type, param: null, code } });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const option = (name) => process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
  const { script } = await import("./script.mjs");
  const endpoint = await startEndpoint({ port: Number(option("--port") ?? 0), key: option("--key"), script });
  console.log(`A scripted endpoint is at ${endpoint.url} (model "scripted"; ${endpoint.origin}/__requests shows what came)`);
}
