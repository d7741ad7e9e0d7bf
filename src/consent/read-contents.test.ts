import { expect, test } from "vitest";
import { makeTool } from "../../test/support/tools.ts";
import type { ResultLabels } from "../types/policy.ts";
import { createConversationReads } from "./conversation-reads.ts";

const open: ResultLabels = { trusted: true, openWorld: false, private: false };
const untrusted: ResultLabels = { ...open, trusted: false };
const secret: ResultLabels = { ...open, private: true };
const reads = () => createConversationReads(() => null);
const route = (server: string, tool = "t") => ({ server, tool });
const at = (turn: number) => ({ run: "r", turn });

test("what is read again stands as the newest, once", () => {
  const conversation = reads();
  for (const [turn, server] of ["a", "b", "a"].entries()) conversation.add(secret, route(server), at(turn));
  expect(conversation.forRun("r").sources?.map(({ server, turn }) => [server, turn])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
});

test("a result without labels is read by nobody's label", () => {
  const run = reads().forRun("r");
  expect(run.take(makeTool(), 1)).toBeNull();
  expect([run.untrusted, run.private, run.sources]).toEqual([false, false, []]);
});

test("what an earlier host read is known by its kind: only private content leaves open where it came from", () => {
  const conversation = reads();
  conversation.add(secret, route("a"), at(1));
  const run = conversation.forRun("r");
  conversation.addUnknown({ untrusted: true, private: false });
  expect([run.untrusted, run.private, run.privateFrom]).toEqual([true, true, ["a"]]);
  conversation.addUnknown({ untrusted: false, private: true });
  expect(run.privateFrom).toBeUndefined();
});

test("the contents name each source with its labels, and nothing else where all is named", () => {
  const conversation = reads();
  expect(conversation.contents()).toEqual([]);
  conversation.add(open, route("none"), at(1));
  conversation.add(untrusted, route("web"), at(1));
  conversation.add(secret, route("notes"), at(1));
  conversation.add({ ...untrusted, private: true }, route("both"), at(1));
  const labels = (isUntrusted: boolean, isPrivate: boolean) => ({
    trusted: !isUntrusted,
    openWorld: false,
    private: isPrivate,
  });
  expect(conversation.contents()).toEqual([
    { from: route("web"), labels: labels(true, false) },
    { from: route("both"), labels: labels(true, true) },
    { from: route("notes"), labels: labels(false, true) },
  ]);
});

test("the contents tell by themselves what no source is known of", () => {
  const only = (content: { untrusted: boolean; private: boolean }) => {
    const conversation = reads();
    conversation.addUnknown(content);
    return conversation.contents();
  };
  expect(only({ untrusted: true, private: false })).toEqual([{ from: null, labels: untrusted }]);
  expect(only({ untrusted: false, private: true })).toEqual([{ from: null, labels: secret }]);
  const forgotten = reads();
  for (let turn = 0; turn < 100; turn += 1) forgotten.add(secret, route(`s${turn}`), at(turn));
  expect(forgotten.contents().at(-1)).toEqual({ from: null, labels: secret });
  const named = reads();
  for (let turn = 0; turn < 100; turn += 1) named.add(secret, route("s", `t${turn}`), at(turn));
  expect(named.contents().some(({ from }) => from === null)).toBe(false);
});
