import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createHost } from "../host.ts";
import { type FakeServer, fakeServer, textTool } from "../testing/fake-server.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import type { HostOptions } from "../types/config.ts";
import { explainOffline } from "./explain-offline.ts";

const state = mkdtempSync(join(tmpdir(), "drawbridge-explain-drift-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));

test("a tool that changed since it was used is explained as a run decides it, with and without its server", async () => {
  const calls = () => served.flatMap((server) => server.calls);
  const served: FakeServer[] = [];
  let description = "Reads a note";
  const options = (): HostOptions => {
    const server = fakeServer([
      textTool("read", () => "text", { description, annotations: { readOnlyHint: true } }),
    ]);
    served.push(server);
    return { servers: { fs: server.config }, policy: { trust: ["fs"] }, state, principal: "ann" };
  };
  const ran = async () => {
    const model = scriptedModel([{ calls: [{ name: "fs__read" }] }, { text: "Done." }]);
    await using host = createHost({ ...options(), model });
    await host.run("Go.").result;
    return calls().length;
  };
  const explained = async () => {
    await using host = createHost({ ...options(), model: "offline" });
    return [await host.explain("fs", "read"), await explainOffline(options(), "fs", "read")];
  };
  expect(await ran()).toBe(1);
  for (const one of await explained()) expect(one).toMatchObject({ decision: "allow", warnings: [] });
  description = "Mails a note";
  expect(await ran()).toBe(1);
  for (const one of await explained()) {
    expect(one).toMatchObject({
      decision: "ask",
      reason: expect.stringMatching(/definition changed since .* asked about once\.$/),
      steps: [
        { stage: "default", effect: "allow" },
        { stage: "drift", effect: "ask" },
      ],
      suggestedRule: "allow fs/read",
    });
  }
});
