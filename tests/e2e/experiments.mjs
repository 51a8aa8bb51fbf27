// (k) Experiments: a small matrix set up, played in a worker, compared, kept over a reload, exported, opened and removed; one that is stopped; and runs
// that outlive their page.

import { readFile } from "node:fs/promises";

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

/** Chooses exactly these conditions and scenarios. */
async function choose(app, { name, conditions, scenarios, repetitions }) {
  await app.id("lab-name").fill(name);
  for (const box of await app.id("lab-condition").all()) {
    await box.setChecked(conditions.includes(await box.getAttribute("data-name")));
  }
  await app.id("lab-none").click();
  for (const id of scenarios) {
    await app.page.locator(`[data-testid="lab-scenario"][data-id="${id}"]`).check();
  }
  await app.id("lab-repetitions").fill(String(repetitions));
}

const view = (app) => app.data("experiments", "view");

export async function experiments(run, context) {
  let app;
  let report;
  let file;
  await run.step("an experiment says what it will take, and what is wrong with it, before it begins", async () => {
    app = await App.open(context, run.site);
    await app.go("experiments");
    assert(await app.id("lab-start").isDisabled(), "it could be begun without a scenario");
    assert((await app.id("lab-wrong").innerText()).toLowerCase().includes("scenario"), "what is wrong is not said");
    await choose(app, { name: "A small trial", conditions: ["FULL_AWMU", "NO_MEMORY", "GOVERNED_AGAIN"], scenarios: ["story-iron-gate"], repetitions: 2 });
    await until("six runs are planned", async () => (await app.number("lab-plan", "runs")) === 6);
    assert((await app.number("lab-plan", "calls")) === 0, "the simulated narrator would call a model");
    await until("it can be begun", () => app.id("lab-start").isEnabled());
  });
  await run.step("it is played cell by cell beside the page, which stays responsive", async () => {
    assert(app.page.workers().length === 0, "a worker is there before it is needed");
    await app.id("lab-start").click();
    await until("the matrix is shown", () => app.id("lab-matrix").count());
    await until("a worker plays", () => app.page.workers().length === 1, 60_000);
    assert((await app.id("lab-cell").count()) === 3, "not every cell is shown");
    // A page whose thread is held up draws no frame for as long.
    const longest = await app.page.evaluate(() => new Promise((done) => {
      let [last, most, frames] = [performance.now(), 0, 0];
      const step = (now) => {
        most = Math.max(most, now - last);
        last = now;
        if ((frames += 1) < 60) requestAnimationFrame(step);
        else done(most);
      };
      requestAnimationFrame(step);
    }));
    assert(longest < 1_000, `a frame took ${longest} ms`);
    await until("the results are shown", async () => (await view(app)) === "results", 300_000);
    assert((await app.data("lab-results", "complete")) === "6", "not every run came to its end");
    await until("the worker is let go", () => app.page.workers().length === 0);
  });
  await run.step("what a check blocks is not concluded", async () => {
    assert((await app.number("lab-checks", "blocks")) > 0, "two pairs are enough for a conclusion");
    const story = await app.id("lab-story").innerText();
    assert(story.includes("no conclusion, because"), `it concludes: ${story}`);
    assert(story.includes("nothing of any real model"), "it is not said who narrated");
    const effects = await app.id("lab-effects").first().innerText();
    assert(effects.includes("blocked") && !effects.includes("large"), "a blocked comparison reads as a finding");
  });
  await run.step("means, differences and the map have their numbers, for any metric", async () => {
    assert((await app.id("lab-field").count()) === 3, "the map is not whole");
    for (const plot of ["lab-means", "lab-forest"]) assert((await app.id(plot).locator("li").count()) > 0, `${plot} says nothing`);
    const before = await app.id("lab-map").innerText();
    await app.id("lab-metric").selectOption("contradictions");
    await until("the map is another one", async () => (await app.id("lab-map").innerText()) !== before);
  });
  await run.step("reports are saved as Markdown, JSON and CSV", async () => {
    const saved = async (id) => {
      const [download] = await Promise.all([app.page.waitForEvent("download"), app.id(id).click()]);
      return readFile(await download.path());
    };
    report = (await saved("lab-export-md")).toString("utf8");
    assert(report.startsWith("# A small trial") && report.includes("## Checks"), "this is no report");
    file = await saved("lab-export-json");
    assert(JSON.parse(file.toString("utf8")).experiment.runs.length === 6, "the runs are not in it");
    assert((await saved("lab-export-cells")).toString("utf8").split("\n").length === 5, "not a row a cell");
    assert((await saved("lab-export-runs")).toString("utf8").split("\n").length === 8, "not a row a run");
  });
  await run.step("a reload keeps it, with the same report", async () => {
    await app.reload();
    await app.go("experiments");
    await app.id("lab-tab-history").click();
    await until("it is listed", async () => (await app.id("lab-kept").count()) === 1);
    await app.id("lab-kept-open").click();
    await until("its figures are there", () => app.id("lab-results").count(), 60_000);
    const [download] = await Promise.all([app.page.waitForEvent("download"), app.id("lab-export-md").click()]);
    assert((await readFile(await download.path(), "utf8")) === report, "the report is another one");
  });
  await run.step("a fact leads to the run, at its turn", async () => {
    const mark = app.page.locator('[data-testid="lab-fact-run"]').first();
    await mark.click();
    await until("the run is shown", async () => (await app.data("app", "page")) === "simulate");
    await until("its turns are there", async () => (await app.number("sim-log", "turns")) > 5);
  });
  await run.step("the runs outlive their page, are found, and are removed when asked twice", async () => {
    await app.id("sim-tab-runs").click();
    await until("six runs are listed", async () => (await app.id("sim-run-row").count()) === 6);
    assert((await app.number("sim-runs-size", "bytes")) > 10_000, "their size is not told");
    await app.id("sim-runs-filter").fill("no memory");
    await until("two fit", async () => (await app.id("sim-run-row").count()) === 2);
    await app.id("sim-runs-remove").click();
    await app.id("confirm-no").click();
    assert((await app.id("sim-run-row").count()) === 2, "they went without a word");
    await app.id("sim-runs-remove").click();
    await app.id("confirm-yes").click();
    await app.id("sim-runs-filter").fill("");
    await until("four are left", async () => (await app.id("sim-run-row").count()) === 4);
  });
  await run.step("one that is stopped is reported as far as it came", async () => {
    await app.go("experiments");
    await app.id("lab-tab-setup").click();
    await choose(app, { name: "Stopped", conditions: ["FULL_AWMU", "NO_MEMORY"], scenarios: ["story-iron-gate"], repetitions: 20 });
    await app.id("lab-start").click();
    await until("a run is over", async () => (await app.number("lab-progress", "done")) >= 1, 120_000);
    await app.id("lab-stop").click();
    await until("it is reported", async () => (await view(app)) === "results", 120_000);
    assert((await app.id("lab-partial").count()) === 1, "it is not said that it is partial");
    assert((await app.number("lab-results", "complete")) < 40, "it was not stopped");
    await app.id("lab-tab-history").click();
    await until("both are kept", async () => (await app.id("lab-kept").count()) === 2);
  });
  await run.step("one is removed, and comes back from its file", async () => {
    const first = app.id("lab-kept").filter({ hasText: "A small trial" });
    await app.id("lab-kept-remove", first).click();
    await app.id("confirm-yes").click();
    await until("one is left", async () => (await app.id("lab-kept").count()) === 1);
    await app.id("lab-file").setInputFiles({ name: "trial.json", mimeType: "application/json", buffer: file });
    await until("it is shown", async () => (await view(app)) === "results" && (await app.data("lab-results", "complete")) === "6");
    await app.id("lab-file").setInputFiles({ name: "odd.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await until("a file of something else is refused in words", async () => (await app.id("lab-problems").innerText()).toLowerCase().includes("odd.json"));
  });
  await run.step("one that a closed page broke off is kept as far as it came, and gone on with to its end", async () => {
    await app.id("lab-tab-setup").click();
    await choose(app, { name: "Broken off", conditions: ["FULL_AWMU", "NO_MEMORY"], scenarios: ["story-iron-gate"], repetitions: 3 });
    await app.id("lab-start").click();
    // The first is kept before the second is told.
    await until("two runs are over", async () => (await app.number("lab-progress", "done")) >= 2, 120_000);
    await app.reload();
    await app.go("experiments");
    await app.id("lab-tab-history").click();
    const row = app.id("lab-kept").filter({ hasText: "Broken off" });
    await until("it is listed as not whole", async () => (await row.innerText()).includes("not whole"));
    await app.id("lab-kept-go-on", row).click();
    await until("what is complete counts", async () => (await app.number("lab-progress", "done")) >= 1);
    await until("it is whole", async () => (await view(app)) === "results" && (await app.data("lab-results", "complete")) === "6", 180_000);
    await app.id("lab-tab-history").click();
    await until("it is kept as whole", async () => !(await row.innerText()).includes("not whole"));
    assert((await row.count()) === 1, "it is kept twice");
  });
  await run.step("a worker that breaks down is told, and what it kept is gone on with", async () => {
    await app.id("lab-tab-setup").click();
    await choose(app, { name: "Broken down", conditions: ["FULL_AWMU", "NO_MEMORY"], scenarios: ["story-iron-gate"], repetitions: 3 });
    await app.id("lab-start").click();
    await until("two runs are over", async () => (await app.number("lab-progress", "done")) >= 2, 120_000);
    await app.page.workers()[0].evaluate(() => setTimeout(() => { throw new Error("no memory is left"); }));
    await until("it is told", async () => (await app.id("lab-problems").innerText()).includes("no memory is left"), 30_000);
    assert((await app.id("lab-problems").innerText()).includes("Kept goes on with it"), "what to do is not said");
    await until("the worker is let go", () => app.page.workers().length === 0);
    await app.id("lab-tab-history").click();
    await app.id("lab-kept-go-on", app.id("lab-kept").filter({ hasText: "Broken down" })).click();
    await until("it is whole", async () => (await view(app)) === "results" && (await app.data("lab-results", "complete")) === "6", 180_000);
  }, { expect: [/no memory is left/] });
  await run.step("what plays in one tab is not played in another one beside it", async () => {
    await app.id("lab-tab-setup").click();
    await choose(app, { name: "In two tabs", conditions: ["FULL_AWMU", "NO_MEMORY"], scenarios: ["story-iron-gate"], repetitions: 30 });
    await app.id("lab-start").click();
    await until("two runs are over", async () => (await app.number("lab-progress", "done")) >= 2, 120_000);
    const other = await App.open(context, run.site);
    await other.go("experiments");
    await other.id("lab-tab-history").click();
    await until("it is listed there", () => other.id("lab-kept").filter({ hasText: "In two tabs" }).count());
    const goOn = other.id("lab-kept-go-on", other.id("lab-kept").filter({ hasText: "In two tabs" }));
    await goOn.click();
    await until("the other tab is told", async () => (await other.id("lab-problems").innerText()).toLowerCase().includes("another tab plays this very experiment"), 60_000);
    assert((await view(app)) === "playing", "the first tab was disturbed");
    await app.id("lab-stop").click();
    await until("it is stopped", async () => (await view(app)) === "results", 120_000);
    await other.id("lab-tab-history").click();
    await goOn.click();
    await until("now it plays there", async () => (await other.data("lab-progress", "done")) !== null && (await other.number("lab-progress", "done")) >= 2, 60_000);
    await other.page.close();
  });
  await run.step("a run that is broken off by a reload is gone on with from its last turn", async () => {
    await app.go("simulate");
    await app.id("sim-scenario").selectOption("story-iron-gate");
    await app.id("sim-seed").fill("11");
    await app.id("sim-run").click();
    await until("two turns are played", async () => (await app.number("sim-log", "turns")) >= 2, 120_000);
    await app.id("sim-pause").click();
    await until("it is held up", async () => (await app.data("simulate", "phase")) === "paused", 60_000);
    const other = await App.open(context, run.site);
    await other.go("simulate");
    await other.id("sim-tab-runs").click();
    await until("it is listed in another tab", () => other.id("sim-run-go-on").count());
    await other.id("sim-run-go-on").first().click();
    await until("the other tab is told", async () => (await other.page.locator("body").innerText()).toLowerCase().includes("another tab plays this very run"), 60_000);
    await other.id("sim-tab-runs").click();
    await other.id("sim-runs-remove").click();
    await other.id("confirm-yes").click();
    await until("what plays stays", async () => (await other.page.locator("body").innerText()).includes("in another tab and stay"), 30_000);
    await other.page.close();
    await app.reload();
    await app.go("simulate");
    await app.id("sim-tab-runs").click();
    await until("it can be gone on with", () => app.id("sim-run-go-on").count());
    await app.id("sim-run-go-on").click();
    await until("it is over", async () => (await app.data("simulate", "phase")) === "completed", 120_000);
    await app.id("sim-tab-runs").click();
    await until("it is complete", async () => (await app.id("sim-run-row").first().getAttribute("data-status")) === "complete");
  });
}
