// A server that behaves as model servers do on good and bad days, for crates/credence-browser/tests/endpoint.rs.
//
//   node tests/browser/endpoint-server.mjs [port]     prints its address, then serves until it is ended
//
// An endpoint's base address is /SCENARIO/RUN/v1: the scenario says how it behaves, the run (any word) keeps
// counters and logs of tests apart. GET /log/SCENARIO/RUN gives what arrived there, GET /closed an address at
// which nothing listens.
import http from 'node:http';
import { once } from 'node:events';

const MODEL = 'test-model';
const runs = new Map();

function runOf(scenario, name) {
  const id = `${scenario}/${name}`;
  if (!runs.has(id)) runs.set(id, { requests: [], calls: 0, closedEarly: 0 });
  return runs.get(id);
}

const chunk = (delta, more = {}) => ({ id: 'c1', model: MODEL, choices: [{ index: 0, delta, finish_reason: null, ...more }] });
const frame = (value) => `data: ${JSON.stringify(value)}\n\n`;
const say = (text) => [
  frame(chunk({ role: 'assistant', content: text })),
  frame(chunk({}, { finish_reason: 'stop' })),
  frame({ id: 'c1', model: MODEL, choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }),
  'data: [DONE]\n\n',
].join('');

function stream(response, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(text);
}
function json(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
const refuse = (response, status, error, headers) => json(response, status, { error }, headers);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function drip(response, bytes) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const byte of bytes) {
    response.write(Buffer.from([byte]));
    await new Promise(setImmediate);
  }
  response.end();
}

const scenarios = {
  async bytes({ response }) {
    const text = [
      ': keep-alive\n\n',
      frame(chunk({ role: 'assistant', content: '<think>hm' })).replaceAll('\n', '\r\n'),
      frame(chunk({ content: '</think>\n\n北京' })),
      frame(chunk({ content: '🌍' }, { finish_reason: 'stop' })),
      frame({ model: MODEL, choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }),
      'data: [DONE]\n\n',
    ].join('');
    await drip(response, Buffer.from(text));
  },
  whole({ response }) {
    json(response, 200, { model: MODEL, choices: [{ message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }] });
  },
  busy({ response, run }) {
    if (run.calls === 1) refuse(response, 429, { message: 'slow down' }, { 'retry-after': '1' });
    else stream(response, say('at last'));
  },
  // Without the header that other origins may not see, the body is all there is.
  'busy-body'({ response, run }) {
    if (run.calls === 1) refuse(response, 503, { message: 'Loading. Please try again in 300ms.' });
    else stream(response, say('loaded'));
  },
  'busy-long'({ response }) {
    refuse(response, 429, { message: 'slow down' }, { 'retry-after': '120' });
  },
  'busy-forever'({ response }) {
    refuse(response, 503, { message: 'overloaded' });
  },
  key({ request, response }) {
    const sent = request.headers.authorization ?? '';
    if (sent === 'Bearer good-key-1') stream(response, say('welcome'));
    else refuse(response, 401, { message: `Incorrect API key provided: ${sent.slice(7)}.`, code: 'invalid_api_key' });
  },
  model({ response, body }) {
    refuse(response, 404, { message: `The model \`${body.model}\` does not exist`, code: 'model_not_found' });
  },
  picky({ response, body }) {
    for (const param of ['temperature', 'stream_options']) {
      if (param in body) {
        return refuse(response, 400, { message: `Unsupported parameter: '${param}'`, param, code: 'unsupported_parameter' });
      }
    }
    if ('max_tokens' in body) {
      return refuse(response, 400, { message: "'max_tokens' is not supported, use 'max_completion_tokens' instead." });
    }
    stream(response, say(`limit ${body.max_completion_tokens}`));
  },
  schema({ response, body }) {
    stream(response, say(JSON.stringify(body.response_format ?? null)));
  },
  'no-schema'({ response, body }) {
    if (body.response_format) return refuse(response, 400, { message: 'response_format is not supported by this model' });
    const isDescribed = body.messages.some((message) => message.content.includes('JSON Schema') && message.content.includes('facts'));
    stream(response, say(JSON.stringify({ facts: [{ text: isDescribed ? 'described' : 'not described' }] })));
  },
  hang() {},
  'hang-mid'({ response }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame(chunk({ content: 'half' })));
  },
  async 'slow-but-alive'({ response }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let n = 0; n < 8; n += 1) {
      response.write(n < 7 ? ': wait\n\n' : say('patience'));
      await pause(150);
    }
    response.end();
  },
  async endless({ response, run }) {
    response.on('close', () => { run.closedEarly += 1; });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    while (!response.destroyed) {
      response.write(frame(chunk({ content: 'on ' })));
      await pause(20);
    }
  },
  async cut({ response }) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frame(chunk({ content: 'half' })));
    await pause(100);
    response.destroy();
  },
  'cut-early'({ response }) {
    response.destroy();
  },
  'error-mid'({ response }) {
    stream(response, frame(chunk({ content: 'so far' })) + frame({ error: { message: 'upstream died', code: 502 } }));
  },
  'no-cors'({ response }) {
    stream(response, say('nobody may read this'));
  },
  html({ response }) {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>An app</title>');
  },
  redirect({ response, address, name }) {
    // Another origin on the same machine.
    const target = `${address.replace('127.0.0.1', 'localhost')}/redirected/${name}/v1/chat/completions`;
    response.writeHead(307, { location: target });
    response.end();
  },
  redirected({ response }) {
    stream(response, say('the key must not come here'));
  },
  async anthropic({ response, body }) {
    const event = (value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
    const block = body.tool_choice
      ? [
          { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', name: body.tools[0].name, input: {} } },
          { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"facts":' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '[]}' } },
        ]
      : [
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 🌍' } },
        ];
    const events = [
      { type: 'message_start', message: { model: MODEL, usage: { input_tokens: 7, output_tokens: 1 } } },
      { type: 'ping' },
      ...block,
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: body.tool_choice ? 'tool_use' : 'end_turn' }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ];
    await drip(response, Buffer.from(events.map(event).join('')));
  },
  vectors({ response, body }) {
    const data = body.input.map((text, index) => ({ index, embedding: [text.length, 1, 0] }));
    json(response, 200, { data: data.reverse(), model: MODEL });
  },
};

async function serve(request, response, address) {
  const [, scenario, name, ...rest] = new URL(request.url, address).pathname.split('/');
  const path = rest.join('/');
  if (scenario !== 'no-cors') {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    response.setHeader('access-control-expose-headers', 'retry-after');
  }
  if (request.method === 'OPTIONS') return response.writeHead(204).end();
  if (scenario === 'closed') {
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    await new Promise((done) => server.close(done));
    return json(response, 200, `http://127.0.0.1:${port}`);
  }
  if (scenario === 'log') return json(response, 200, runOf(name, path));
  const act = scenarios[scenario];
  if (!act) return refuse(response, 404, { message: 'no such scenario' });

  let text = '';
  for await (const part of request) text += part;
  const body = text ? JSON.parse(text) : {};
  const run = runOf(scenario, name);
  run.requests.push({ path, headers: request.headers, body });
  if (path === 'v1/models') {
    if (scenario === 'key' && request.headers.authorization !== 'Bearer good-key-1') {
      return refuse(response, 401, { message: 'Incorrect API key', code: 'invalid_api_key' });
    }
    return json(response, 200, { data: [{ id: MODEL }, { id: 'another-model' }] });
  }
  run.calls += 1;
  await act({ request, response, body, run, name, address });
}

const server = http.createServer((request, response) => {
  const address = `http://127.0.0.1:${server.address().port}`;
  serve(request, response, address).catch((error) => {
    console.error(`${request.method} ${request.url}: ${error.stack}`);
    response.destroy();
  });
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
