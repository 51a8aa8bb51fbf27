// The driver, tested in the browser that it drives: what must fail a step does fail it, and leaves its evidence.

import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Run } from "./driver.mjs";

const PAGES = {
  "/fine": "<p>fine</p>",
  "/throws": "<script>setTimeout(() => { throw new Error('boom') })</script>",
  "/leaks": "<script>fetch('http://198.51.100.7/pixel').catch(() => {})</script>",
  "/inline": `<meta http-equiv="Content-Security-Policy" content="script-src 'self'"><script>document.title = 'run'</script>`,
  "/missing": "<img src='/nowhere.png'>",
  "/late": "<script>setTimeout(() => { new Image().src = '/nowhere.png' }, 500)</script>",
};

async function report(steps) {
  const server = createServer((request, response) => {
    const page = PAGES[request.url];
    response.writeHead(page ? 200 : 404, { "Content-Type": "text/html" }).end(page ? `<!DOCTYPE html><link rel="icon" href="data:,">${page}` : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const out = mkdtempSync(join(tmpdir(), "driver-"));
  const lines = [];
  let run;
  try {
    run = await Run.open({
      site: `http://127.0.0.1:${server.address().port}`,
      out,
      executablePath: process.env.CHROME || "/usr/bin/chromium",
      log: (line) => lines.push(line),
    });
    await steps(run);
    return { passed: run.passed, failed: run.failed, text: lines.join("\n"), shots: readdirSync(out) };
  } finally {
    // A browser that did not start must not leave the server listening, and the test hanging.
    await run?.close();
    server.closeAllConnections?.();
    server.close();
    rmSync(out, { recursive: true });
  }
}

async function visit(run, context, path) {
  const page = await context.newPage();
  await page.goto(run.site + path);
  await page.waitForTimeout(200);
}

test("steps that hold pass; the first that fails ends its group with a screenshot, and the next group still runs", async () => {
  const result = await report(async (run) => {
    await run.group("one", async (context) => {
      await run.step("a page opens", () => visit(run, context, "/fine"));
      await run.step("this does not hold", async () => assert.fail("because"));
      await run.step("never reached", async () => {});
    });
    await run.group("two", async (context) => {
      await run.step("another opens", () => visit(run, context, "/fine"));
    });
  });
  assert.deepEqual([result.passed, result.failed], [2, 1]);
  assert.match(result.text, /^ok - a page opens$[\s\S]*^not ok - this does not hold\n {4}because$[\s\S]*^ok - another opens$/m);
  assert.doesNotMatch(result.text, /never reached/);
  assert.deepEqual(result.shots, ["failure-1-page-1.png"]);
});

for (const [path, words] of [
  ["/throws", /exception in the page: .*boom/],
  ["/leaks", /a request left this machine: http:\/\/198\.51\.100\.7\/pixel/],
  ["/inline", /error on the console: .*Content Security Policy/],
  ["/missing", /error on the console: .*404/],
]) {
  test(`a page that does what ${path} does fails its step`, async () => {
    const result = await report((run) => run.group("g", (context) => run.step("visit", () => visit(run, context, path))));
    assert.deepEqual([result.passed, result.failed], [0, 1]);
    assert.match(result.text, words);
  });
}

test("an error that the step provokes on purpose is no failure", async () => {
  const result = await report((run) =>
    run.group("g", async (context) => {
      await run.step("provoked", () => visit(run, context, "/missing"), { expect: [/404/] });
    }),
  );
  assert.deepEqual([result.passed, result.failed], [1, 0]);
});

test("what a step provokes may be told during the next one, and no later", async () => {
  const result = await report((run) =>
    run.group("g", async (context) => {
      await run.step("provoked", () => visit(run, context, "/late"), { expect: [/404/] });
      await run.step("told", () => setTimeout(600));
      await run.step("again, of itself", () => visit(run, context, "/missing"));
    }),
  );
  assert.deepEqual([result.passed, result.failed], [2, 1]);
  assert.match(result.text, /^ok - told$[\s\S]*^not ok - again, of itself$/m);
});

test("what happens after the last step fails its own group, and not the next", async () => {
  const result = await report(async (run) => {
    await run.group("one", async (context) => {
      await run.step("a page opens", () => visit(run, context, "/late"));
      await setTimeout(600);
    });
    await run.group("two", async (context) => {
      await run.step("another opens", () => visit(run, context, "/fine"));
    });
  });
  assert.deepEqual([result.passed, result.failed], [2, 1]);
  assert.match(result.text, /^not ok - one: between steps$[\s\S]*404[\s\S]*^ok - another opens$/m);
});
