// (f) The working set: what enters it and why, what a person does to it, what a model is told, and every change with its way back.

import { App } from "./app.mjs";
import { assert, until } from "./driver.mjs";

/** The card of the unit whose text contains `part`, in the panel beside the chat. */
async function unit(app, part) {
  if ((await app.data("working-toggle", "count")) !== null && (await app.id("working-toggle").getAttribute("aria-expanded")) !== "true") {
    await app.id("working-toggle").click();
  }
  const card = app.id("unit").filter({ hasText: part }).first();
  await until(`the working set holds «${part}»`, () => card.count(), 30_000);
  return card;
}

/** The card with its details shown. */
async function opened(app, part) {
  const card = await unit(app, part);
  if ((await card.getByTestId("unit-details").count()) === 0) await card.getByTestId("unit-more").click();
  await until("its details are shown", () => card.getByTestId("unit-details").count());
  return card;
}

const value = async (card, name) => card.getAttribute(`data-${name}`);

/** The last answer's X-ray, opened. */
async function xray(app) {
  await app.messages("assistant").last().getByTestId("message-xray").click();
  await until("the prompt is shown", () => app.id("xray-message").count());
}

export async function workingSet(run, context) {
  let app;
  await run.step("what is said plainly enters the working set, tentative at first", async () => {
    app = await App.open(context, run.site);
    await app.say("I'm allergic to peanuts.");
    await app.remembered("peanuts");
    const card = await unit(app, "peanuts");
    assert((await value(card, "authority")) === "provisional", "it is more than tentative");
    assert((await value(card, "activation")) === "500", "its activation is not the first one");
    assert((await app.number("working-toggle", "count")) === 1, "the head does not count it");
  });
  await run.step("its trust is shown part by part, and the parts sum to the score", async () => {
    const card = await opened(app, "peanuts");
    const score = Number(await card.getByTestId("trust").getAttribute("data-score"));
    const parts = await card.getByTestId("trust-signal").evaluateAll((rows) => rows.map((row) => Number(row.querySelector(".trust__added").textContent)));
    const sum = parts.reduce((all, part) => all + part, 0);
    assert(score > 0 && Math.abs(sum - score) < 0.005, `the parts sum to ${sum}, the score is ${score}`);
  });
  await run.step("standing in a prompt raises nothing; a person's word does", async () => {
    await app.say("What must I not eat?");
    const card = await opened(app, "peanuts");
    assert((await value(card, "activation")) === "500", "being asked about raised it");
    await card.getByTestId("unit-confirm").click();
    await until("it rose", async () => (await value(card, "activation")) === "550");
    await until("the evidence is counted", () => card.getByTestId("unit-evidence").count());
  });
  await run.step("canon is a person's act, asked for once more", async () => {
    const card = await opened(app, "peanuts");
    await card.getByTestId("unit-canon").click();
    await app.confirm();
    await until("it is canon", async () => (await value(await unit(app, "peanuts"), "authority")) === "canon");
  });
  await run.step("what stands against canon changes nothing by itself, and asks", async () => {
    await app.say("I'm not allergic to peanuts.");
    await until("a question waits", async () => (await app.id("nav-asked").count()) === 1, 30_000);
    assert((await value(await unit(app, "peanuts"), "authority")) === "canon", "it lost its authority");
    await app.go("activity");
    const item = app.id("inbox-item").first();
    assert((await item.innerText()).includes("allergic to peanuts"), "the question does not name it");
    await item.getByTestId("inbox-reject").click();
    await until("nothing waits any more", async () => (await app.id("nav-asked").count()) === 0);
    await app.go("memory");
    assert((await app.rows("active").filter({ hasText: "is allergic to peanuts" }).count()) === 1, "it was retired all the same");
  });
  await run.step("the X-ray shows the prompt with the fact under its authority, its cost, and what was left out", async () => {
    await app.openConversation();
    await app.say("Is there anything that I must not eat?");
    await xray(app);
    const system = await app.page.locator('[data-testid="xray-message"][data-role="system"]').innerText();
    assert(/CANON FACTS: these MUST/.test(system) && system.includes("allergic to peanuts"), `the prompt: ${system}`);
    assert((await app.number("xray-tokens", "likely")) > 20, "no tokens are counted");
    assert((await app.id("xray-fact").filter({ hasText: "peanuts" }).count()) === 1, "it is not listed");
    await app.id("xray-close").click();
  });
  await run.step("a draft can be looked at before it is said, and nothing is written", async () => {
    const commits = async () => {
      await app.go("timeline");
      return app.number("timeline", "commits");
    };
    const before = await commits();
    await app.openConversation();
    await app.id("chat-input").fill("May I eat satay?");
    await app.id("chat-preview").click();
    await until("the prompt is shown", () => app.id("xray-message").count());
    const last = await app.id("xray-message").last().textContent();
    assert(last === "May I eat satay?", `the last message is ${last}`);
    await app.id("xray-close").click();
    await app.id("chat-input").fill("");
    assert((await commits()) === before, "looking wrote something");
    await app.openConversation();
  });
  await run.step("what was offered is listed gate by gate", async () => {
    await app.go("activity");
    await until("a run is listed", () => app.id("promotion").count());
    await app.id("promotion").last().getByTestId("promotion-open").click();
    const candidate = app.id("candidate").filter({ hasText: "peanuts" }).first();
    await until("the candidate is shown", () => candidate.count());
    assert((await candidate.getAttribute("data-fate")) === "promoted", "it says something else came of it");
    assert((await candidate.getByTestId("gate").count()) >= 5, "gates are missing");
  });
  await run.step("a unit can be taken out and comes back by undo; another is put in by hand", async () => {
    await app.openConversation();
    await app.say("My bicycle is green.");
    await app.remembered("bicycle");
    const card = await opened(app, "bicycle");
    await card.getByTestId("unit-archive").click();
    await until("it is out", async () => (await app.id("unit").filter({ hasText: "bicycle" }).count()) === 0);
    await app.id("toast").filter({ hasText: "Taken out" }).getByRole("button", { name: "Undo" }).click();
    await unit(app, "bicycle");
    await app.go("memory");
    await app.openProposition("bicycle");
    await until("its page says so", async () => (await app.data("prop-unit", "state")) === "active");
  });
  await run.step("the working set is the same after a reload", async () => {
    await app.reload();
    await app.openConversation();
    assert((await value(await unit(app, "peanuts"), "authority")) === "canon", "it is not canon any more");
    await unit(app, "bicycle");
  });
  await run.step("the timeline shows the memory at any change, what lies between, and takes a change back", async () => {
    await app.go("timeline");
    const last = await app.number("timeline", "commits");
    assert((await app.number("timeline-at", "seq")) === last, "it does not begin at the present");
    const slider = app.id("timeline-slider");
    const to = async (seq) => {
      await slider.evaluate((element, seq) => {
        element.value = String(seq);
        element.dispatchEvent(new Event("input", { bubbles: true }));
      }, seq);
      await until(`change ${seq} is shown`, async () => (await app.number("timeline-at", "seq")) === seq);
    };
    await to(1);
    assert((await app.number("timeline-at", "live")) === 0, "something was known before anything was read");
    await to(last - 1);
    await until("statements are listed", async () => (await app.number("then", "count")) >= 2);
    await to(1);
    await app.id("timeline-compare").click();
    await until("what came since is listed", () => app.page.locator('[data-testid="change"][data-kind="added"]').filter({ hasText: "peanuts" }).count());
    await app.id("timeline-now").click();
    await app.id("timeline-cause").selectOption("extraction");
    const commit = app.id("commit").filter({ hasText: "" }).first();
    await commit.getByTestId("commit-open").click();
    await until("its changes are shown", () => commit.getByTestId("change").count());
    await commit.getByTestId("commit-undo").click();
    await until("it is marked", async () => (await app.id("commit").first().getAttribute("data-undone")) === "true");
    await app.go("memory");
    assert((await app.rows("active").filter({ hasText: "bicycle" }).count()) === 0, "the statement is still there");
  });
}
