// Every kind of setting that is JSON in the engine's own form, once: the engine must take it, and TypeScript must know it.

const rules = [
  { rule: "not-blank" },
  { rule: "no-vague-references", starters: ["some"] },
  { rule: "length", min: 2, max: 60 },
  { rule: "pattern", regex: "[A-Z].*", description: "a capital first" },
  { rule: "min-word-count", min: 1 },
  { rule: "entity-type-guard", patterns: ["the person"] },
  { rule: "any-of", rules: [{ rule: "all-of", rules: [{ rule: "not-blank" }] }] },
];

export const everySetting = {
  gates: {
    gates: [
      { gate: "confidence", min: 0.1 },
      { gate: "merge-candidate" },
      { gate: "conflict-classification" },
      { gate: "trust", min: 0.2, onMissing: "route-to-review" },
      { gate: "projection-eligibility", min: 0.4 },
      { gate: "evidence-floor" },
    ],
    shortCircuit: false,
  },
  filters: [
    { filter: "schema-validated", property: "name" },
    { filter: "proposition-duplicate", minPropositionLength: 60 },
    { filter: "time-or-number" },
    { filter: "rules", rules, types: ["Person"] },
  ],
  trust: {
    authority: { by: "fixed", tier: "SECONDARY" },
    sourceAuthority: { scores: { wiki: 0.6 }, defaultScore: 0.5 },
    scorer: { by: "authority", weights: { primary: 0.9, secondary: 0.8, derived: 0.5, unknown: 0.4 } },
  },
  unit: { budget: 12, tier: { hotThreshold: 700 }, revision: { enabled: true } },
  memory: { enabled: true, extractionLlm: { model: null, temperature: 0.2 } },
  persistence: { clearOnStart: false },
  llmCall: { callTimeoutSeconds: 30 },
  budget: {},
  assembly: { promptTokenBudget: 4000 },
  enforcement: {},
  compaction: {},
  conflictDetection: { strategy: "LEXICAL" },
  conflict: { tier: { hotDefenseModifier: 0.1 } },
  attention: { enabled: true },
  pressure: { enabled: true },
  tieredStorage: { enabled: false },
  retrieval: { minRelevance: 0.2, scoring: { authorityWeight: 0.4, tierWeight: 0.3, confidenceWeight: 0.3 } },
  chat: { maxWords: 80 },
  tools: {},
  history: { keep: "days", keepDays: 90 },
  maintenance: { mode: "HYBRID", proactive: { minTurnsBetweenSweeps: 5 } },
  conflicts: { detector: "temporal", evolving: ["employer"] },
  schemas: {
    inForce: "work",
    named: {
      work: {
        name: "work",
        types: [
          { name: "Person", description: "Somebody.", properties: [{ name: "name", description: "What they are called.", rules }] },
          { name: "Company" },
          { name: "Customer", parents: ["Company"], creationPermitted: false },
        ],
        relationships: [{ from: "Person", to: "Company", property: "employer", predicate: "works at" }],
        relations: [
          { predicate: "knows", knowledge: "SEMANTIC", subjectType: "Person", objectType: "Person" },
          {
            predicate: "manages",
            meaning: "is the manager of",
            knowledge: "SEMANTIC",
            evidenceFloor: { minConfidence: 0.8, minAuthority: "SECONDARY", demoteTo: "knows" },
            cardinality: "one",
          },
        ],
        adherence: { entities: true, predicates: false },
      },
    },
  },
};
