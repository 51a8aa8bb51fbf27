// (h) Scenarios: a run played without a model, watched, held up and acted on, looked at from inside, saved and opened again.

import { readFile } from "node:fs/promises";

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

const over = (app) => until("the run is over", async () => (await app.data("simulate", "phase")) === "completed", 120_000);

export async function scenarios(run, context) {
  let app;
  let saved;
  await run.step("a scenario is edited as text, and every mistake is told with its line", async () => {
    const page = await App.open(context, run.site);
    await page.go("simulate");
    await until("a scenario is chosen", () => page.id("sim-details").count());
    await page.id("sim-scenario").selectOption("story-iron-gate");
    await page.id("sim-edit-scenario").click();
    const text = await page.id("sim-scenario-text").inputValue();
    assert(text.includes("id: story-iron-gate"), `this is no scenario: ${text.slice(0, 80)}`);
    await page.id("sim-scenario-text").fill(text.replace("id: story-iron-gate", "id: story-oak-gate\nmaxTurn: 3"));
    await page.id("sim-scenario-use").click();
    await until("the mistake is told", async () => /line 2.*maxTurn/.test(await page.id("sim-scenario-problems").innerText()));
    await page.id("sim-scenario-text").fill(text.replace("id: story-iron-gate", "id: story-oak-gate"));
    await page.id("sim-scenario-use").click();
    await until("it is chosen", async () => (await page.data("sim-details", "scenario")) === "story-oak-gate");
    assert((await page.id("sim-scenario-text").count()) === 0, "the text stays open");
    await page.page.close();
  });
  await run.step("a scenario is played without a model, turn by turn, and comes to figures", async () => {
    app = await App.open(context, run.site);
    await app.go("simulate");
    await until("a scenario is chosen", () => app.id("sim-details").count());
    assert((await app.id("sim-scenario").locator("option").count()) >= 30, "not every scenario is listed");
    await app.id("sim-scenario").selectOption("story-iron-gate");
    await app.id("sim-run").click();
    await over(app);
    assert((await app.number("sim-log", "turns")) > 5, "hardly a turn was played");
    await until("results are shown", () => app.id("sim-results").count());
    const survival = app.id("sim-metric").locator('xpath=self::*[@data-name="fact_survival"]').first();
    assert((await survival.getAttribute("data-value")) !== null, "nothing was measured");
    assert((await app.id("sim-verdict").count()) > 0, "no turn was judged");
  });
  await run.step("any turn can be looked at from inside", async () => {
    await app.id("sim-turn").nth(3).click();
    await app.id("sim-tab-inspector").click();
    const chosen = await app.id("sim-turn").nth(3).getAttribute("data-turn");
    await until("that turn is shown", async () => (await app.data("sim-inspector", "turn")) === chosen);
    assert((await app.id("sim-unit").count()) > 0, "no unit is shown");
  });
  await run.step("the same run again is the same run", async () => {
    await app.id("sim-tab-runs").click();
    const first = await app.id("sim-run-row").first().getAttribute("data-run");
    await app.id("sim-run").click();
    await over(app);
    await app.id("sim-tab-runs").click();
    assert((await app.id("sim-run-row").count()) === 1, "it was taken for another run");
    assert((await app.id("sim-run-row").first().getAttribute("data-run")) === first, "it has another name");
  });
  await run.step("a run is held up, acted on, and gone on with", async () => {
    await app.id("sim-seed").fill("7");
    await app.id("sim-run").click();
    await until("a turn was played", async () => (await app.number("sim-log", "turns")) >= 1);
    await app.id("sim-pause").click();
    await until("it is held up", async () => (await app.data("simulate", "phase")) === "paused", 60_000);
    await until("what can be done is shown", () => app.id("sim-units").count());
    await app.id("sim-add").fill("The north tower has a hidden stair.");
    await app.page.getByRole("button", { name: "Add" }).click();
    await until("it is recorded", async () => (await app.id("sim-interventions").count()) === 1);
    await app.id("sim-resume").click();
    await over(app);
  });
  await run.step("a run is saved, and opened again in a fresh page", async () => {
    await app.id("sim-tab-results").click();
    const [download] = await Promise.all([app.page.waitForEvent("download"), app.id("sim-save-run").click()]);
    saved = await readFile(await download.path());
    const record = JSON.parse(saved.toString("utf8")).run;
    assert(record.interventions.length === 1, "what was done is not in it");
    await app.reload();
    await app.go("simulate");
    await app.id("sim-file").setInputFiles({ name: "run.json", mimeType: "application/json", buffer: saved });
    await until("its turns are shown", async () => (await app.number("sim-log", "turns")) === record.turns.length);
  });
  await run.step("a file that cannot be used says where and why", async () => {
    await app.id("sim-file").setInputFiles({ name: "odd.yml", mimeType: "application/yaml", buffer: Buffer.from("id: odd\nmaxTurnz: 3\nturns: []\n") });
    await until("the problems are listed", () => app.id("sim-problems").count());
    assert((await app.id("sim-problems").innerText()).includes("maxTurnz"), "the key is not named");
  });
  await run.step("what a scenario asks for and does not get is said before it is played", async () => {
    const text = (await readFile(new URL("../scenarios/story-iron-gate.yml", import.meta.url), "utf8")).replace(/^id: .*$/m, "id: named-teller\nmodel: teller-9");
    await app.id("sim-file").setInputFiles({ name: "named.yml", mimeType: "application/yaml", buffer: Buffer.from(text) });
    await until("the model that does not narrate is named", async () => (await app.id("sim-not-applied").innerText()).includes("teller-9"));
    await app.id("sim-scenario").selectOption("story-iron-gate");
    await until("nothing is left out of a scenario that names none", async () => (await app.id("sim-not-applied").innerText()) === "");
  });
  await run.step("nothing of a scenario is in the person's memory", async () => {
    await app.go("memory");
    assert((await app.number("memory-count", "count")) === 0, "a scenario's statement is remembered");
    await app.go("settings");
    assert((await app.id("context").count()) === 1, "a run's memory is listed among the memories");
  });
}
