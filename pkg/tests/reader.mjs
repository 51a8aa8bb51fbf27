// A program that opens a memory of files, says what it finds and adds a statement.

import { argv } from "node:process";

import { openMemory } from "credence";
import { fileJournal } from "credence/node";

const [folder, statement] = argv.slice(2);
const memory = await openMemory({ context: "shared", journal: fileJournal(folder), embedding: false });
const found = (await memory.propositions()).map((proposition) => proposition.text);
if (statement) await memory.remember(statement);
console.log(JSON.stringify({ pid: process.pid, found }));
