// Starts the app: a file of its own because the page's policy forbids inline scripts. Says so plainly when it cannot.

try {
  const app = await import("./credence-web.js");
  await app.default();
} catch (error) {
  const note = document.createElement("main");
  note.setAttribute("role", "alert");
  note.setAttribute("data-testid", "boot-error");
  const title = document.createElement("h1");
  title.textContent = "Credence could not start";
  const advice = document.createElement("p");
  advice.textContent =
    typeof WebAssembly === "object"
      ? "Part of the page did not load. Reload it; if that does not help, the server may be sending .wasm files with a wrong type or an old copy of one file."
      : "This browser has no WebAssembly, or it is switched off. Credence needs it.";
  const detail = document.createElement("pre");
  detail.textContent = String(error);
  note.append(title, advice, detail);
  document.body.append(note);
  throw error;
}
