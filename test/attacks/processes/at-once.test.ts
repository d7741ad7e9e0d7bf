import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, fixture, homeFolder } from "../../cli/command.ts";

const home = homeFolder();

test("processes that record at once break no chain: every call of each is there, and the log is verified", async () => {
  const call = (path: string) =>
    drawbridge(["call", "notes", "read_note", JSON.stringify({ path }), "--server", fixture("plain")], home);
  const paths = ["a", "b", "c", "d"];
  const done = await Promise.all(paths.map(call));
  expect(done.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const verified = await drawbridge(["audit", "verify"], home);
  expect(verified).toMatchObject({ code: 0 });
  const audit = join(home, "state/audit");
  const logs = readdirSync(audit, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".jsonl") && !name.startsWith("heads"),
  );
  expect(logs).toHaveLength(4);
  const records = logs
    .flatMap((name) => readFileSync(join(audit, name), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as { kind: string; arguments?: { path: string } });
  const intended = records.filter(({ kind }) => kind === "call_intended");
  expect(intended.map((record) => record.arguments?.path).toSorted()).toEqual(paths);
  expect(records.filter(({ kind }) => kind === "call_settled")).toHaveLength(4);
}, 30_000);
