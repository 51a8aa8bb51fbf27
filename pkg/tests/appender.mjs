// A program that appends as fast as it can until it is killed, and says what was acknowledged: one line a commit.

import { writeSync } from "node:fs";
import { argv } from "node:process";

import { fileJournal } from "credence/node";

const [folder, writer, most, padding] = argv.slice(2);
const journal = fileJournal(folder, { onWarning: (warning) => writeSync(1, `warning ${warning.bytes}\n`) });
const context = "crash";

for (let n = 0; n < Number(most); n += 1) {
  for (;;) {
    const head = (await journal.contexts()).find((each) => each.context === context);
    const seq = (head?.seq ?? 0) + 1;
    const id = `${writer}-${n}`;
    // Long and of varying length, so that a kill falls into a write.
    const json = JSON.stringify({ id, text: "x".repeat(Number(padding) + ((n * 7919) % 5000)) });
    try {
      await journal.append({ context, seq, id, parent: head?.head ?? null, json });
    } catch (error) {
      if (error.code === "store-stale") continue;
      throw error;
    }
    writeSync(1, `${id} ${seq}\n`);
    break;
  }
}
