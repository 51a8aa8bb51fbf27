// A lock between processes: a file that only one of them can create. It is held for milliseconds, and a process that dies
// holding it must not stop the others for ever.
//
// Taking a dead owner's lock away is the delicate part: two processes that find the same dead lock must not both remove it,
// or the second would remove the first one's fresh lock. So the right to remove the dead lock with nonce N is a lock of its
// own, `FILE.N`, taken by the same rules; its holder looks again before it removes.

import { randomBytes } from "node:crypto";
import { open, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { JournalError } from "../journal.js";

/** A lock whose owner cannot be asked (another machine, a damaged file) counts as dead after being watched this long. */
const WATCH_MS = 10_000;
/** Longest wait for a lock. */
const WAIT_MS = 20_000;

interface Owner {
  nonce: string;
  pid: number;
  host: string;
  /** When the process started, in the kernel's words; empty where the platform does not tell. */
  start: string;
}

async function startOf(pid: number | "self"): Promise<string> {
  if (process.platform !== "linux") return "";
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in parentheses that may hold spaces; the start time is the 20th after it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

const ownStart = startOf("self");

async function ownerOf(path: string): Promise<Owner | "nobody" | { unreadable: string }> {
  try {
    const text = await readFile(path, "utf8");
    try {
      const owner = JSON.parse(text) as Owner;
      if (typeof owner.nonce === "string" && typeof owner.pid === "number") return owner;
    } catch {
      // Its owner is writing it at this moment, or died doing so.
    }
    const { ino, mtimeMs } = await stat(path);
    return { unreadable: `${ino}-${Math.trunc(mtimeMs)}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "nobody";
    throw error;
  }
}

async function isDead(owner: Owner): Promise<boolean> {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
  // The number may have been given to another process since.
  const start = owner.start && (await startOf(owner.pid));
  return Boolean(start) && start !== owner.start;
}

async function create(path: string, nonce: string): Promise<boolean> {
  let handle;
  try {
    handle = await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  try {
    const owner: Owner = { nonce, pid: process.pid, host: hostname(), start: await ownStart };
    await handle.writeFile(JSON.stringify(owner));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  // Stopped between creating and writing, we may have been taken for dead.
  return holds(path, nonce);
}

async function holds(path: string, nonce: string): Promise<boolean> {
  const owner = await ownerOf(path);
  return typeof owner === "object" && "nonce" in owner && owner.nonce === nonce;
}

async function removeDead(path: string, mark: string): Promise<void> {
  const right = await acquire(`${path}.${mark}`);
  try {
    const owner = await ownerOf(path);
    if (owner !== "nobody" && markOf(owner) === mark) await rm(path, { force: true });
  } finally {
    await right.release();
  }
}

function markOf(owner: Owner | { unreadable: string }): string {
  return "nonce" in owner ? owner.nonce : owner.unreadable;
}

/** A lock that is held. */
export interface Held {
  /** Whether it is still ours; asked right before writing. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

async function acquire(path: string): Promise<Held> {
  const nonce = randomBytes(6).toString("hex");
  const started = Date.now();
  let watched = { mark: "", since: started };
  for (let pause = 1; ; pause = Math.min(pause * 2, 25)) {
    if (await create(path, nonce)) {
      return {
        isHeld: () => holds(path, nonce),
        release: async () => {
          if (await holds(path, nonce)) await rm(path, { force: true });
        },
      };
    }
    const owner = await ownerOf(path);
    if (owner === "nobody") continue;
    const mark = markOf(owner);
    if (mark !== watched.mark) watched = { mark, since: Date.now() };
    const known = "nonce" in owner && owner.host === hostname();
    if (known ? await isDead(owner) : Date.now() - watched.since > WATCH_MS) {
      await removeDead(path, mark);
    } else if (Date.now() - started > WAIT_MS) {
      const who = "nonce" in owner ? `process ${owner.pid} on ${owner.host}` : "an unknown process";
      throw new JournalError(
        "store-failed",
        `${who} has held the lock ${path} for more than ${WAIT_MS / 1000} s; end that process, or delete the file if it is gone`,
      );
    } else {
      await sleep(pause * (0.5 + Math.random()));
    }
  }
}

/** Runs `job` while no other process holds the lock file `path`. */
export async function withLock<T>(path: string, job: (lock: Held) => Promise<T>): Promise<T> {
  const lock = await acquire(path);
  try {
    return await job(lock);
  } finally {
    await lock.release();
  }
}
