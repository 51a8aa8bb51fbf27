// A program that changes stored history as fast as it can until it is killed, and says what was acknowledged: one number a change.
// Change N gives commit 1, the use record and the vector's space the same word, so that half a change can be seen.

import { writeSync } from "node:fs";
import { argv } from "node:process";

import { fileJournal } from "credence/node";

const [folder, writer, padding] = argv.slice(2);
const journal = fileJournal(folder, { onWarning: (warning) => writeSync(1, `warning ${warning.code}\n`) });
const context = "crash";

for (let n = 0; ; n += 1) {
  const head = (await journal.contexts()).find((each) => each.context === context);
  const word = `${writer}-${n}`;
  const json = (seq) => JSON.stringify({ seq, word, text: "x".repeat(Number(padding) + ((n * 7919) % 5000)) });
  const entry = (seq, id, parent) => ({ context, seq, id, parent, json: json(seq) });
  try {
    await journal.rewrite({
      appended: entry(head.seq + 1, word, head.head),
      commits: [entry(1, "first", null)],
      uses: [{ context, id: "u", json: JSON.stringify({ word }) }],
      droppedUses: [],
      droppedVectors: [`gone-${head.seq}`],
      dropsSetAside: false,
    });
  } catch (error) {
    if (error.code === "store-stale") continue;
    throw error;
  }
  writeSync(1, `${head.seq + 1} ${word}\n`);
}
