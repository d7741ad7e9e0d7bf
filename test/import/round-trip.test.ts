import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addServers } from "../../src/host/import-servers.ts";
import { loadConfig } from "../../src/host/load-config.ts";
import { foundInFixtures } from "./fixtures.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-round-trip-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("everything that can be imported loads again, and says the same before its variables are filled in", async () => {
  const { servers } = await foundInFixtures();
  const configs = Object.fromEntries(
    servers.flatMap(({ id, config }) => (config === undefined ? [] : [[id, config]])),
  );
  const file = join(folder, "drawbridge.json");
  await addServers(file, configs, { scope: "user" });
  const loaded = await loadConfig({ file, state: folder });
  expect(loaded.warnings).toEqual([]);
  expect(loaded.servers.map(({ id }) => id).sort()).toEqual(Object.keys(configs).sort());
  for (const { id, written, problem } of loaded.servers) {
    expect(written).toMatchObject({ ...configs[id] });
    if (problem !== undefined)
      expect(problem).toMatch(/needs the environment variable \w+, which is not set/);
  }
});
