import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedStep, textTool } from "../../src/testing/index.ts";
import type { RunEvent } from "../../src/types/events.ts";
import { type RunSettings, runScript } from "../support/run-host.ts";

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "pins-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

type Tools = Readonly<Record<string, string>>;

/** A server whose tools have these descriptions. */
function serverOf(tools: Tools, drift: "ask" | "block" = "block", required = true) {
  const fake = fakeServer(
    Object.entries(tools).map(([name, description]) => textTool(name, () => "text", { description })),
  );
  return { ...fake, config: { ...fake.config, drift, required } };
}

const steps: readonly ScriptedStep[] = [{ calls: [{ name: "notes__read" }] }, { text: "done" }];
const run = (notes: ReturnType<typeof serverOf>, settings: RunSettings = {}) =>
  runScript(steps, { servers: { notes }, state, ...settings });

const ready = (events: readonly RunEvent[]) => events.find((event) => event.type === "catalog_ready");

async function withHost<T>(
  notes: ReturnType<typeof serverOf>,
  work: (host: ReturnType<typeof createHost>) => T,
) {
  await using host = createHost({ servers: { notes: notes.config }, model: "offline", state, audit: false });
  return await work(host);
}

test("the first run pins the tools; one that changed, and a new one, are kept from the model until they are accepted", async () => {
  const first = await run(serverOf({ read: "Reads" }));
  expect(ready(first.events)?.quarantined).toEqual([]);
  const changed = { read: "Mails", extra: "New" };
  const second = await run(serverOf(changed));
  expect(ready(second.events)?.quarantined).toEqual([
    {
      server: "notes",
      tool: "extra",
      reason: expect.stringMatching(/^it is new since the tools of its server/),
    },
    {
      server: "notes",
      tool: "read",
      reason: expect.stringMatching(
        /^its definition changed since the tools of its server were pinned on \d{4}-\d\d-\d\d; `drawbridge tools notes --pin` shows what is different and accepts it$/,
      ),
    },
  ]);
  expect(second.results(0)[0]).toMatchObject({ isError: true });
  const accepted = await withHost(serverOf(changed), (host) => host.acceptDrift("notes"));
  expect(accepted.tools).toEqual([
    { tool: "extra", type: "added", definitionHash: expect.any(String), differences: [] },
    {
      tool: "read",
      type: "changed",
      definitionHash: expect.any(String),
      since: expect.stringMatching(/^20/),
      differences: ["description: [-Reads-]{+Mails+}"],
    },
  ]);
  const third = await run(serverOf(changed));
  expect(ready(third.events)?.quarantined).toEqual([]);
  expect(third.results(0)[0]).toMatchObject({ isError: false });
});

test("a change in the middle of a run takes a pinned tool from the model, and a call of it is not sent", async () => {
  const tool = (description: string) => textTool("read", () => "text", { description });
  const change = textTool("change", () => {
    fake.changeTools([change, tool("Mails")]);
    return "changed";
  });
  const fake = fakeServer([change, tool("Reads")]);
  const notes = { ...fake, config: { ...fake.config, drift: "block" as const } };
  const turns: ScriptedStep[] = [
    { calls: [{ name: "notes__change" }] },
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { calls: [{ name: "notes__read" }] };
    },
    { text: "done" },
  ];
  const { events, result } = await runScript(turns, { servers: { notes }, state });
  expect(result.stop).toEqual({ type: "answered" });
  expect(events).toContainEqual({
    type: "tools_changed",
    added: [],
    removed: [{ server: "notes", tool: "read" }],
    changed: [],
  });
  expect(fake.calls.map(({ name }) => name)).toEqual(["change"]);
});

test("what was used before is what is pinned when blocking begins, and not what came since", async () => {
  await run(serverOf({ read: "Reads" }, "ask"));
  const { events } = await run(serverOf({ read: "Mails" }));
  expect(ready(events)?.quarantined.map(({ tool }) => tool)).toEqual(["read"]);
});

test("nothing is pinned by somebody who only lists the tools", async () => {
  await withHost(serverOf({ read: "Reads" }), (host) => host.tools());
  const { events } = await run(serverOf({ read: "Mails" }));
  expect(ready(events)?.quarantined).toEqual([]);
});

test.each([
  ["removed", (file: string) => rmSync(file), /pins were removed/],
  ["damaged", (file: string) => writeFileSync(file, "x\n{}"), /was damaged, or changed by somebody else/],
  [
    "of a later version",
    (file: string) => writeFileSync(file, 'x\n{"v":9}'),
    /was written by a later version/,
  ],
])("pins that were %s stop the run, and say what to do", async (_how, harm, why) => {
  await run(serverOf({ read: "Reads" }));
  const [name = ""] = readdirSync(join(state, "pins"));
  harm(join(state, "pins", name));
  const { result } = await run(serverOf({ read: "Reads" }));
  expect(result.stop).toMatchObject({ type: "failed", error: { code: "store_failed" } });
  const message = result.stop.type === "failed" ? result.stop.error.message : "";
  expect(message).toMatch(why);
  expect(message).toContain("`drawbridge tools notes --pin`");
  const optional = await run(serverOf({ read: "Reads" }, "block", false));
  expect(ready(optional.events)?.quarantined.map(({ tool }) => tool)).toEqual(["read"]);
});

test("pins that are gone are made anew by whoever looks at the tools and says so", async () => {
  await run(serverOf({ read: "Reads" }));
  rmSync(join(state, "pins"), { recursive: true });
  const review = await withHost(serverOf({ read: "Mails" }), (host) => host.acceptDrift("notes"));
  expect(review.problem).toMatch(/the pins were removed/);
  const { events, result } = await run(serverOf({ read: "Mails" }));
  expect(result.stop).toEqual({ type: "answered" });
  expect(ready(events)?.quarantined).toEqual([]);
});

test("tools named like parts of every object are pinned as any other", async () => {
  const hostile = {
    ["__proto__"]: "x",
    constructor: "y",
    toString: "z",
    read: "Reads",
  };
  await run(serverOf(hostile));
  const { events } = await run(serverOf({ ...hostile, ["__proto__"]: "other", constructor: "other" }));
  expect(ready(events)?.quarantined.map(({ tool }) => tool)).toEqual(["__proto__", "constructor"]);
});

test("a host whose stores keep no definitions refuses to run what is to be pinned", async () => {
  const { createMemoryStores } = await import("../../src/stores/memory-stores.ts");
  const { openDefinitions: _, ...stores } = createMemoryStores();
  const { result } = await run(serverOf({ read: "Reads" }), { state: stores });
  expect(result.stop).toMatchObject({ type: "failed", error: { code: "store_failed" } });
});
