// Starts the app's module a second time, in a worker: there it plays scenarios and experiments. What keeps it from starting is told to the page
// in the form of `Told` (web/src/runner/mod.rs), because a rejected module is told to nobody.

try {
  const app = await import("./credence-web.js");
  await app.default();
} catch (error) {
  postMessage(JSON.stringify({ Broken: String(error) }));
  throw error;
}
