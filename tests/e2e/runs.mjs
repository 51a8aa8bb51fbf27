// (i) Runs from inside: the units over the turns, the memory of a run, acts while it is held up, a run by its address, two runs side by side, and
// a chat that begins with what a run ended with.

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

const over = (app) => until("the run is over", async () => (await app.data("simulate", "phase")) === "completed", 120_000);

/** Plays a scenario without a model, to its end. */
async function play(app, { seed, condition = "FULL_AWMU" }) {
  await app.id("sim-seed").fill(String(seed));
  await app.id("sim-condition").selectOption(condition);
  await app.id("sim-run").click();
  await over(app);
}

export async function runs(run, context) {
  let app;
  await run.step("a run's turns say how long they took, by the page's clock", async () => {
    app = await App.open(context, run.site);
    await app.go("simulate");
    await until("a scenario is chosen", () => app.id("sim-details").count());
    await app.id("sim-scenario").selectOption("story-iron-gate");
    await play(app, { seed: 3 });
    const turns = await app.id("sim-turn").count();
    assert((await app.id("sim-took").count()) === turns, "not every turn has its time");
  });
  await run.step("each unit has a line over the turns, and a mark leads to its turn", async () => {
    await app.id("sim-lives-toggle").click();
    await until("the units are listed", async () => (await app.number("sim-lives", "count")) > 0);
    const mark = app.id("sim-life-mark").last();
    const turn = await mark.getAttribute("data-turn");
    await mark.focus();
    await app.page.keyboard.press("Enter");
    await app.id("sim-tab-inspector").click();
    await until("its turn is shown", async () => (await app.data("sim-inspector", "turn")) === turn);
    assert((await app.id("sim-rules").count()) === 1, "the rules are not told");
    await app.id("sim-lives-toggle").click();
  });
  await run.step("the memory of a run is looked through: statements, words, meaning", async () => {
    await app.id("sim-tab-knowledge").click();
    await until("the memory is read", async () => (await app.data("sim-knowledge", "state")) === "here");
    const all = await app.number("sim-memory-rows", "count");
    assert(all > 1, "hardly anything is in it");
    const word = (await app.id("sim-memory-row").first().innerText()).match(/[A-Za-z]{5,}/)[0];
    await app.id("sim-memory-search").fill(word);
    await until("fewer are listed", async () => (await app.number("sim-memory-rows", "count")) < all);
    assert((await app.number("sim-memory-rows", "count")) >= 1, "the word finds nothing");
    await until("meaning is searched too", () => app.id("sim-memory-near").count());
    await app.id("sim-memory-search").fill("");
  });
  await run.step("its units have their lives, and its entities a drawing", async () => {
    await app.id("sim-memory-units").click();
    await until("units are listed", () => app.id("sim-memory-unit").count());
    const unit = app.id("sim-memory-unit").first();
    await unit.locator("summary").click();
    assert((await app.id("sim-memory-step", unit).count()) > 0, "it has no life");
    await app.id("sim-memory-graph").click();
    await until("a node is drawn", () => app.id("graph-node").count());
    await app.id("graph-node").first().focus();
    await app.page.keyboard.press("Enter");
    await until("it is told of", () => app.id("sim-graph-chosen").count());
  });
  await run.step("while it is held up: activation, other words, sleep and waking, each recorded", async () => {
    await app.id("sim-seed").fill("4");
    await app.id("sim-run").click();
    await until("a turn was played", async () => (await app.number("sim-log", "turns")) >= 2);
    await app.id("sim-pause").click();
    await until("it is held up", async () => (await app.data("simulate", "phase")) === "paused", 60_000);
    const done = (n) => until(`act ${n} is recorded`, async () => (await app.data("sim-interventions", "count")) === String(n));
    const unit = app.id("sim-act-unit").last();
    await app.id("sim-act-activation", unit).fill("650");
    await app.id("sim-act-activate", unit).click();
    await done(1);
    await until("it stands there", async () => (await app.id("sim-units").innerText()).includes("650"));
    const last = app.id("sim-act-unit").last();
    await app.id("sim-act-edit", last).click();
    await app.id("sim-act-text").fill("The watch has a password that nobody writes down.");
    await app.id("sim-act-text-save").click();
    await done(2);
    await until("the words are the new ones", async () => (await app.id("sim-units").innerText()).includes("nobody writes down"));
    const before = await app.number("sim-units", "count");
    await app.id("sim-act-archive", app.id("sim-act-unit").filter({ hasText: "nobody writes down" })).click();
    await done(3);
    await until("it is listed below", () => app.id("sim-act-sleeper").filter({ hasText: "nobody writes down" }).count());
    await app.id("sim-act-wake", app.id("sim-act-sleeper").filter({ hasText: "nobody writes down" })).click();
    await done(4);
    await until("it is back", async () => (await app.number("sim-units", "count")) === before);
    await app.id("sim-resume").click();
    await over(app);
  });
  let [left, right] = [];
  await run.step("a run has a page of its own, by its address", async () => {
    await play(app, { seed: 3, condition: "NO_MEMORY" });
    await app.id("sim-tab-runs").click();
    const names = await app.id("sim-run-row").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-run")));
    right = names[0];
    left = names[2];
    await app.page.goto(`${run.site}#/simulate/${left}`);
    await until("the run is shown", async () => (await app.data("run-page", "state")) === "one");
    assert((await app.data("run", "run")) === left, "it is another run");
    await app.id("sim-turn").nth(2).click();
    await app.id("run-tab-changes").click();
    await until("what changed is told", () => app.id("run-changes").count());
    await app.id("run-tab-memory").click();
    await until("its memory is read", async () => (await app.data("sim-knowledge", "state")) === "here");
  });
  await run.step("two runs stand side by side: what differs in them, in figures and in each turn", async () => {
    await app.id("run-compare").selectOption(right);
    await until("both are shown", async () => (await app.data("run-page", "state")) === "two");
    const differs = await app.id("run-setup").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-what")));
    assert(differs.includes("condition"), `what differs: ${differs}`);
    assert((await app.id("run-metric").count()) > 10, "the figures are missing");
    const apart = app.id("run-pair").locator('xpath=self::*[@data-differs="true"]');
    assert((await apart.count()) > 0, "no turn differs");
    const turn = await apart.last().getAttribute("data-turn");
    await apart.last().click();
    await until("that turn is shown", async () => (await app.data("run-pair-turn", "turn")) === turn);
    await app.id("run-pair-prompt").locator("summary").click();
    assert((await app.id("run-pair-prompt").locator("ins, del").count()) > 0, "the prompts show no difference");
  });
  await run.step("the same at 390 pixels, without scrolling sideways", async () => {
    await app.page.setViewportSize({ width: 390, height: 844 });
    const wide = () => app.page.evaluate(() => {
      const main = document.getElementById("main");
      return main.scrollWidth > main.clientWidth;
    });
    assert(!(await wide()), "two runs are wider than the window");
    await app.page.goto(`${run.site}#/simulate/${left}`);
    await until("the run is shown", async () => (await app.data("run-page", "state")) === "one");
    assert(!(await wide()), "a run is wider than the window");
    await app.page.setViewportSize({ width: 1280, height: 860 });
  });
  await run.step("an address that names no run says so", async () => {
    await app.page.goto(`${run.site}#/simulate/0123456789ab`);
    await until("it is told", () => app.id("run-missing").count());
  });
  await run.step("a chat begins with what a run ended with, in a memory of its own", async () => {
    await app.go("chat");
    await app.say("I play the cello.");
    await app.remembered("cello");
    await app.page.goto(`${run.site}#/simulate/${left}`);
    await until("the run is shown", async () => (await app.data("run-page", "state")) === "one");
    await app.id("run-chat").click();
    await app.id("confirm-yes").click();
    await until("the chat is open", async () => (await app.data("app", "page")) === "chat");
    await until("the run's conversation is there", async () => (await app.messages("user").count()) > 3);
    await app.go("memory");
    await until("its statements are there", async () => (await app.rows().count()) > 1);
    assert((await app.rows().filter({ hasText: "cello" }).count()) === 0, "the person's own statement is in it");
    await app.go("settings");
    await until("the person's own memory is listed beside it", async () => (await app.id("context").count()) === 2);
  });
}
