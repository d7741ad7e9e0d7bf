import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTool } from "../../test/support/tools.ts";
import { createConversationReads } from "./conversation-reads.ts";
import { flowReason } from "./flow-words.ts";
import { createLabels } from "./labels.ts";

const labelsOf = createLabels((server) => ({ stated: server === "notes", credentials: false, local: false }));
const reads = () => createConversationReads(labelsOf);
const notes = makeTool({ server: "notes", name: "read", trusted: true });
const web = makeTool({ server: "web", name: "fetch" });

test("a run sees what the conversation has read at that moment, its own turns by their numbers", () => {
  const conversation = reads();
  const first = conversation.forRun("run_1");
  expect([first.untrusted, first.private, first.privateFrom, first.sources]).toEqual([false, false, [], []]);
  expect(first.take(notes, 2)).toEqual({ trusted: true, openWorld: false, private: true });
  expect([first.untrusted, first.private, first.privateFrom]).toEqual([false, true, ["notes"]]);
  const second = conversation.forRun("run_2");
  second.take(web, 1);
  expect(second.sources).toEqual([
    { label: "private", server: "notes", tool: "read", turn: null },
    { label: "untrusted", server: "web", tool: "fetch", turn: 1 },
  ]);
  expect(first.untrusted).toBe(true);
});

test("labels only grow, in whatever order results come, and a copy of the contents says the same", () => {
  const step = fc.oneof(
    fc.record({
      server: fc.constantFrom("notes", "web", "a", "b"),
      trusted: fc.boolean(),
      open: fc.boolean(),
    }),
    fc.record({ untrusted: fc.boolean(), private: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const conversation = reads();
      const run = conversation.forRun("run");
      let before = { untrusted: false, private: false, from: [] as readonly string[] | undefined };
      for (const [index, one] of steps.entries()) {
        if ("server" in one) {
          const annotations = one.open ? { openWorldHint: true } : {};
          run.take(makeTool({ ...one, name: `t${index}`, annotations }), index);
        } else conversation.addUnknown(one);
        const now = { untrusted: run.untrusted, private: run.private, from: run.privateFrom };
        expect(now.untrusted || !before.untrusted).toBe(true);
        expect(now.private || !before.private).toBe(true);
        // Not known is more than any list.
        const lost =
          now.from === undefined ? [] : (before.from ?? ["?"]).filter((id) => !now.from?.includes(id));
        expect(lost).toEqual([]);
        before = now;
      }
      const copy = reads();
      for (const { from, labels } of conversation.contents()) {
        if (from === null) copy.addUnknown({ untrusted: !labels.trusted, private: labels.private });
        else copy.add(labels, from, { run: "run", turn: 0 });
      }
      const copied = copy.forRun("run");
      expect([copied.untrusted, copied.private]).toEqual([run.untrusted, run.private]);
      const known = (ids: readonly string[] | undefined) => (ids === undefined ? null : [...ids].sort());
      if (known(copied.privateFrom) !== null)
        expect(known(copied.privateFrom)).toEqual(known(run.privateFrom));
    }),
    { numRuns: 200 },
  );
});

test("a question names the newest results of few, says how many more there are, and stays short", () => {
  const conversation = reads();
  const run = conversation.forRun("run");
  for (let turn = 1; turn <= 500; turn += 1) {
    run.take(makeTool({ server: "web", name: `tool${turn}${"x".repeat(1000)}` }), turn);
  }
  run.take(notes, 501);
  const reason = flowReason(run);
  expect(reason).toContain("private: notes/read (turn 501); untrusted: web/tool500");
  expect(reason).toContain("and 29 more");
  expect(reason.length).toBeLessThan(1000);
  const unknown = reads();
  unknown.addUnknown({ untrusted: true, private: true });
  expect(flowReason(unknown.forRun("run"))).toContain("private: not known which; untrusted: not known which");
  expect(unknown.forRun("run").privateFrom).toBe(undefined);
});
