// Opening: options become the engine's ports.

import { known } from "./arguments.js";
import { engine, type Engine } from "./engine.js";
import { CredenceError, engineCall } from "./errors.js";
import { memoryJournal, type Journal } from "./journal.js";
import { Memory } from "./memory.js";
import type { HostModel } from "./model.js";
import type { Platform } from "./platform.js";
import type { EmbeddingPort, EndpointOptions, JournalPort, MemorySettings, ModelPort } from "./wasm/credence.js";

/** How a memory is opened. Everything has a default, except in Node.js the journal. */
export interface OpenOptions {
  /** The context's name: a user, a team, a story. 1 to 200 characters. Default `"default"`. */
  context?: string;
  /**
   * Where memories are kept: {@link indexedDb}, {@link memoryJournal}, `fileJournal` of `credence/node`, or a store of your
   * own. Default in a browser: `indexedDb()`.
   */
  journal?: Journal;
  /**
   * What searches by meaning: `"default"` is the model that ships with the package (English, 3.8 MB), `false` none (searches
   * go by words), else the address or the bytes of a model file of that form. Default `"default"`.
   */
  embedding?: "default" | false | URL | Uint8Array;
  /** A model server. Without one, and without {@link model}, built-in rules do the work. */
  endpoint?: EndpointOptions;
  /** A model of your own; not together with {@link endpoint}. */
  model?: HostModel;
  /** How the memory behaves. */
  settings?: MemorySettings;
}

const OPTIONS = ["context", "journal", "embedding", "endpoint", "model", "settings"] as const;

export function openOn(platform: Platform, options: OpenOptions): Promise<Memory> {
  return engineCall(async () => {
    const { context = "default", journal, embedding = "default", endpoint, model, settings } = known(
      "options",
      options,
      OPTIONS,
    );
    const kept = journal ?? platform.defaultJournal();
    if (kept === undefined) {
      const message =
        'options.journal: say where to keep the memory: fileJournal("a folder") from "credence/node", or memoryJournal() to let it go when the program ends';
      throw new CredenceError("invalid-argument", message);
    }
    if (endpoint !== undefined && model !== undefined) {
      throw new CredenceError("invalid-argument", "options.model: give either `endpoint` or `model`, not both");
    }
    const loaded = await engine(platform);
    const ports: Ports = {
      engine: loaded,
      model: modelPort(loaded, endpoint, model),
      journal: await journalPort(loaded, kept),
      embedding: await embeddingPort(loaded, platform, embedding),
    };
    return openContext(ports, context, settings);
  });
}

interface Ports {
  engine: Engine;
  journal: JournalPort;
  model: ModelPort;
  embedding: EmbeddingPort;
}

async function openContext(ports: Ports, context: string, settings: MemorySettings | undefined): Promise<Memory> {
  const { engine, journal, model, embedding } = ports;
  const handle = await engine.Memory.open(journal, model, embedding, context, settings);
  const open = (name: string): Promise<Memory> => engineCall(() => openContext(ports, name, settings));
  return new Memory(handle, open, journal.volatile ?? null, journal.emptied);
}

function modelPort(engine: Engine, endpoint: EndpointOptions | undefined, model: HostModel | undefined): ModelPort {
  if (endpoint !== undefined) return engine.ModelPort.endpoint(endpoint);
  if (model === undefined) return engine.ModelPort.none();
  if (typeof (model as HostModel | null)?.complete !== "function") {
    throw new CredenceError("invalid-argument", "options.model: expected an object with a function `complete`");
  }
  return engine.ModelPort.host(model);
}

/** A journal is opened once, however many memories are opened on it. */
const journals = new WeakMap<object, Promise<JournalPort>>();
const METHODS = ["contexts", "read", "append", "appendUse", "uses", "erase"] as const;

async function journalPort(engine: Engine, journal: Journal): Promise<JournalPort> {
  if (typeof journal !== "object" || journal === null) {
    throw new CredenceError("invalid-argument", `options.journal: expected a journal, for example ${memoryJournal.name}()`);
  }
  let port = journals.get(journal);
  if (!port) {
    port = makeJournalPort(engine, journal);
    journals.set(journal, port);
    // A refusal may be over at the next opening.
    port.catch(() => journals.delete(journal));
  }
  return port;
}

async function makeJournalPort(engine: Engine, journal: Journal): Promise<JournalPort> {
  if ("kind" in journal) {
    switch (journal.kind) {
      case "memory":
        return engine.JournalPort.memory();
      case "indexeddb":
        return engine.JournalPort.indexedDb(journal.name);
      default:
        throw new CredenceError("invalid-argument", `options.journal: unknown kind ${JSON.stringify((journal as { kind: unknown }).kind)}`);
    }
  }
  for (const method of METHODS) {
    if (typeof journal[method] !== "function") {
      throw new CredenceError("invalid-argument", `options.journal: its function \`${method}\` is missing`);
    }
  }
  return engine.JournalPort.host(journal);
}

/** A model file is loaded once, however many memories use it. */
const embeddings = new Map<string, Promise<EmbeddingPort>>();

async function embeddingPort(
  engine: Engine,
  platform: Platform,
  embedding: NonNullable<OpenOptions["embedding"]>,
): Promise<EmbeddingPort> {
  if (embedding === false) return engine.EmbeddingPort.none();
  if (embedding instanceof Uint8Array) return engine.EmbeddingPort.fromBytes(embedding);
  if (embedding !== "default" && !(embedding instanceof URL)) {
    throw new CredenceError("invalid-argument", 'options.embedding: expected "default", false, a URL or a Uint8Array');
  }
  const url = embedding === "default" ? new URL("./embedding/credence-en-128.sem1", import.meta.url) : embedding;
  let port = embeddings.get(url.href);
  if (!port) {
    port = platform.bytes(url).then((bytes) => engine.EmbeddingPort.fromBytes(bytes));
    embeddings.set(url.href, port);
    port.catch(() => embeddings.delete(url.href));
  }
  return port;
}
