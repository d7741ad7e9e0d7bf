import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/host.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import type { StdioServerConfig } from "../../../src/types/config.ts";
import { root } from "../../cli/command.ts";

const server = join(root, "test/cli/fixtures/server.mjs");

test("what a person allowed for good is asked for again once the id means another program, and for another person", async () => {
  const state = mkdtempSync(join(tmpdir(), "drawbridge-re-pointed-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  /** How often somebody is asked by a host of the state folder that makes one call. */
  async function asked(config: Partial<StdioServerConfig> = {}, principal = "ann"): Promise<number> {
    let questions = 0;
    await using host = createHost({
      servers: { notes: { command: process.execPath, args: [server, "plain"], env: { A: "1" }, ...config } },
      model: scriptedModel([
        { calls: [{ name: "notes__read_note", input: { path: "a" } }] },
        { text: "done" },
      ]),
      state,
      store: false,
      principal,
      approve(request) {
        questions += request.questions.length;
        const scope = principal === "ann" && questions === 1 ? "always" : "once";
        for (const { id } of request.questions) request.answer(id, { type: "allow", scope });
      },
    });
    expect((await host.run("go").result).stop.type).toBe("answered");
    return questions;
  }
  expect(await asked()).toBe(1);
  expect(await asked()).toBe(0);
  expect(await asked({}, "bob")).toBe(1);
  expect(await asked({ args: [server, "plain", "more"] })).toBe(1);
  expect(await asked({ env: { A: "2" } })).toBe(1);
  expect(await asked({ cwd: tmpdir() })).toBe(1);
  expect(await asked()).toBe(0);
}, 30_000);
