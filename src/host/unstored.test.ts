import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { scriptedModel } from "../testing/index.ts";

const state = mkdtempSync(join(tmpdir(), "drawbridge-unstored-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

test("a conversation that is not to be stored leaves no journal, and is recorded all the same", async () => {
  await using host = createHost({
    servers: {},
    model: scriptedModel([{ text: "hello" }]),
    state,
    store: false,
  });
  const result = await host.run("hi").result;
  expect(result.stop.type).toBe("answered");
  expect(existsSync(join(state, "runs"))).toBe(false);
  expect(existsSync(join(state, "audit"))).toBe(true);
});
