import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyAudit } from "./audit-report.ts";
import { missingAuditNote } from "./missing-audit.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a log that is not there in a folder that was used is told with what shows it", async () => {
  expect((await verifyAudit(folder)).note).toBeUndefined();
  mkdirSync(join(folder, "runs"));
  const report = await verifyAudit(folder);
  expect(report).toMatchObject({ ok: true, files: [], records: 0 });
  expect(report.note).toContain(join(folder, "runs"));
  expect(report.note).toContain("its audit log was removed");
});

test("a state folder that was named and is not there is told", async () => {
  const none = join(folder, "none");
  expect((await verifyAudit(none)).note).toBe(`The state folder ${none} is not there.`);
  expect(await missingAuditNote(none, false)).toBeUndefined();
});

test("a log that is gone is a problem where a head of it was kept", async () => {
  const head = { file: "20260101T000000Z_0123456789abcdef", seq: 3, hash: "a".repeat(64) };
  const report = await verifyAudit(folder, { against: JSON.stringify(head) });
  expect(report).toMatchObject({ ok: false, files: [{ ok: false }] });
});
