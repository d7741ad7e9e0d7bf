import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder } from "./command.ts";

const home = homeFolder();

test("audit verify tells an empty log, a good one, and one that was changed", async () => {
  const verify = (...more: string[]) => drawbridge(["audit", "verify", ...more], home);
  expect(await verify()).toMatchObject({ code: 0, stdout: "There is no audit log yet.\n" });

  await drawbridge(['Read the note "a.txt"', "--server", fixture("plain"), "--trust", "notes"], home);
  const good = await verify();
  expect(good).toMatchObject({ code: 0, stderr: "" });
  expect(good.stdout).toMatch(/^✓ \d+ records in 1 file: unchanged\.\n$/);

  const report = JSON.parse((await verify("--json")).stdout);
  expect(report.ok).toBe(true);
  const path: string = report.files[0].path;
  writeFileSync(path, readFileSync(path, "utf8").replace("a.txt", "b.txt"));

  const bad = await verify();
  expect(bad.stdout).toMatch(/✗ .*\.jsonl \(record \d+\): /);
  expect(bad.code).toBe(1);
  const badReport = JSON.parse((await verify("--json")).stdout);
  expect(badReport.ok).toBe(false);

  rmSync(dirname(path), { recursive: true });
  expect((await verify()).stdout).toMatch(/^! There is no audit log\. .*its audit log was removed\.\n$/);
});
