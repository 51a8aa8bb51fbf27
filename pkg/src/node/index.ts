// `credence/node`: what only Node.js can do.

export { fileJournal } from "./file-journal.js";
export type { FileJournal, FileJournalOptions, FileJournalWarning } from "./file-journal.js";
