import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSpillFiles, maxSpillBytes } from "./spill-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spill-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a text is read back under its id, as a private file", async () => {
  const spill = createSpillFiles(folder);
  const ids = [await spill.put("run_1", "žluť \n"), await spill.put("run_1", "")];
  expect(await Promise.all(ids.map((id) => spill.get("run_1", id)))).toEqual(["žluť \n", ""]);
  const names = readdirSync(join(folder, "spill/run_1"));
  expect(names.sort()).toEqual([...ids].sort());
  if (process.platform !== "win32") {
    expect(statSync(join(folder, "spill/run_1", ids[0] ?? "")).mode & 0o777).toBe(0o600);
  }
});

test("another run, an unknown id and a folder that is not there have no text", async () => {
  const spill = createSpillFiles(folder);
  expect(await spill.get("run_1", "spill_00000000000000000000000000000000")).toBeNull();
  const id = await spill.put("run_1", "a");
  expect(await spill.get("run_2", id)).toBeNull();
});

test.each(["../secret", "../../secret", "/etc/hosts", "..", "", "a/../../secret", "secret\0", "%2e%2e"])(
  "the id %j reaches no file",
  async (id) => {
    const spill = createSpillFiles(folder);
    mkdirSync(join(folder, "spill/run_1"), { recursive: true });
    writeFileSync(join(folder, "secret"), "secret");
    writeFileSync(join(folder, "spill/secret"), "secret");
    expect(await spill.get("run_1", id)).toBeNull();
    expect(await spill.get(id, "secret")).toBeNull();
    await expect(spill.put(id, "a")).rejects.toMatchObject({ code: "store_failed" });
  },
);

test("a text over the limit is neither kept nor read", async () => {
  const spill = createSpillFiles(folder);
  const id = await spill.put("run_1", "a");
  writeFileSync(join(folder, "spill/run_1", id), Buffer.alloc(maxSpillBytes + 1));
  expect(await spill.get("run_1", id)).toBeNull();
  await expect(spill.put("run_1", "a".repeat(maxSpillBytes + 1))).rejects.toThrow("64 MiB");
});
