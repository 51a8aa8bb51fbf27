// What the scripted endpoint says in the end-to-end check: the statements of a person called whatever the app calls
// them, what a model would extract from each, and which of them contradict each other.

/** One proposition as a model writes it. */
function proposition(text, span, type, { importance = 0.5, decay = 0.1, reasoning }) {
  return {
    text: `{user} ${text}`,
    mentions: [
      { span: "{user}", type: "Person", role: "SUBJECT" },
      { span, type, role: "OBJECT" },
    ],
    confidence: 0.95,
    decay,
    importance,
    reasoning,
  };
}

/** What is said, in order, and what must be remembered of it. */
export const said = {
  techno: { text: "I love techno, especially late at night.", remembered: "loves techno" },
  harbour: { text: "Since March I've been working at the harbour office in Gdańsk.", remembered: "works at the harbour office" },
  allergy: { text: "Please keep in mind that I'm allergic to walnuts 🌰.", remembered: "is allergic to walnuts" },
  noTechno: { text: "Honestly, I can't stand techno any more.", remembered: "can't stand techno" },
  chess: { text: "On Thursdays I play chess with Noor.", remembered: "plays chess with Noor" },
};

export const script = {
  fenced: true,
  chat({ text, memory }) {
    if (text.includes("long story")) {
      const story = Array.from({ length: 400 }, (_, at) => `Wave ${at + 1} rolls in.`).join(" ");
      return { text: story, delayMs: 25 };
    }
    if (text.includes("I speak Norwegian")) return '{"tool": "propose_fact", "statement": "User speaks Norwegian."}';
    if (text.includes("?")) {
      return memory.length > 0
        ? `From what I remember – ${memory.join(" ")} 😊`
        : "I don't remember anything about that yet.";
    }
    return `Noted: “${text}” — *tell me more*, if you like. Ünïcödé and 日本語 pass through whole.`;
  },
  extract: [
    {
      says: said.techno.text,
      propositions: [
        proposition("loves techno.", "techno", "Topic", { reasoning: "The user says that they love techno." }),
      ],
    },
    {
      says: said.harbour.text,
      propositions: [
        proposition("works at the harbour office in Gdańsk.", "harbour office", "Organization", {
          importance: 0.7,
          decay: 0.02,
          reasoning: "The user says where they have been working since March.",
        }),
      ],
    },
    {
      says: said.allergy.text,
      propositions: [
        proposition("is allergic to walnuts.", "walnuts", "Thing", {
          importance: 0.9,
          decay: 0.02,
          reasoning: "The user asks to keep the allergy in mind.",
        }),
      ],
    },
    {
      says: said.noTechno.text,
      propositions: [
        proposition("can't stand techno any more.", "techno", "Topic", {
          reasoning: "The user says that they can't stand techno any more.",
        }),
      ],
    },
    {
      says: said.chess.text,
      propositions: [
        proposition("plays chess with Noor.", "Noor", "Person", { reasoning: "The user plays chess on Thursdays." }),
      ],
    },
  ],
  revise: [
    {
      item: "can't stand techno",
      stored: "loves techno",
      relation: "CONTRADICTORY",
      similarity: 0.85,
      reason: "loves it, and can't stand it",
    },
  ],
};
