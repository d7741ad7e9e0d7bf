import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { createTestClock } from "../testing/clock.ts";
import type { AuditEntry, AuditSink } from "../types/audit.ts";
import type { Journal, JournalRecord } from "../types/journal.ts";
import { createDurableLog } from "./durable-log.ts";

const entry: AuditEntry = { kind: "run_ended", run: "r", stop: "answered", turns: 1 };
const record: JournalRecord = { kind: "call_resumed", run: "r", call: "c", elicitation: "e" };

/** A log over a sink and a journal that answer so, with what reached them. */
function logOver(audit: () => Promise<void>, journal: () => Promise<void>) {
  const reached: string[] = [];
  const sink: AuditSink = {
    append: () => {
      reached.push("audit");
      return audit();
    },
  };
  const stored: Journal = {
    id: "r",
    append: () => {
      reached.push("journal");
      return journal();
    },
    close: async () => {},
  };
  return { reached, log: createDurableLog(sink, stored, createTestClock(0)) };
}

const well = async (): Promise<void> => {};
const badly = (cause: unknown) => () => Promise.reject(cause);
const failureOf = (promise: Promise<void>) => promise.then(() => null).catch((error: unknown) => error);

test("what is for one of the two alone does not reach the other", async () => {
  const { log, reached } = logOver(well, well);
  log.take(null, record);
  log.take(entry, null);
  await log.durably(entry, null);
  expect(reached).toEqual(["journal", "audit", "audit"]);
});

test("a failure keeps what caused it, and one that says all already stays as it is", async () => {
  const cause = new Error("disk on fire");
  const audit = await failureOf(logOver(badly(cause), well).log.durably(entry, record));
  expect(audit).toMatchObject({ code: "audit_failed", cause });
  const store = await failureOf(logOver(well, badly(cause)).log.durably(entry, record));
  expect(store).toMatchObject({ code: "store_failed", cause });
  for (const code of ["audit_failed", "store_failed"] as const) {
    const said = new HostError(code, "said already");
    const other = new HostError("call_timeout", "of something else");
    const [over, on] = code === "audit_failed" ? [badly(said), well] : [well, badly(said)];
    expect(await failureOf(logOver(over, on).log.durably(entry, record))).toBe(said);
    const wrapped = code === "audit_failed" ? logOver(badly(other), well) : logOver(well, badly(other));
    expect(await failureOf(wrapped.log.durably(entry, record))).toMatchObject({ code, cause: other });
  }
});

test("what is no error is said as it is", async () => {
  const failure = await failureOf(logOver(badly("full"), well).log.durably(entry, record));
  expect(failure).toMatchObject({ message: expect.stringContaining("so nothing runs: full.") });
});
