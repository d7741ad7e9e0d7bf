import { expect, test } from "vitest";
import { scriptOfCase } from "../src/testing/hostile/script-of-case.ts";
import { isObject } from "../src/util/own.ts";
import { lastTurn, startCase, startModel } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";
import { recordOutgoing } from "./support/outgoing.ts";
import { allResults, type WireResult } from "./support/wire.ts";

/** What a case of results led to. */
interface Facts {
  /** What the server answered, in turn. */
  readonly replies: readonly Record<string, unknown>[];
  /** What the model got for each. */
  readonly results: readonly WireResult[];
  readonly stop: string;
  readonly kept: readonly string[];
  /** Hosts that were asked for anything; the model's simulator is one. */
  readonly hosts: ReadonlySet<string>;
}

const tokens = ({ blocks }: WireResult) => Math.ceil(Buffer.byteLength(JSON.stringify(blocks)) / 4);
const images = (results: readonly WireResult[]) =>
  results.flatMap(({ blocks }) =>
    blocks.filter(({ type }) => type === "image").map(({ source }) => membersOf(source)),
  );

/** The strings in a JSON value, as JSON writes them. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isObject(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** Whether the words are in one of the texts or the structured content of a reply. */
function says(reply: Record<string, unknown> | undefined, words: string): boolean {
  const texts = itemsOf(reply?.content).map(({ text }) => String(text));
  return [...texts, JSON.stringify(reply?.structuredContent ?? null)].some((text) => text.includes(words));
}

const resultChecks: Checks<Facts> = {
  exists: (_, { results, replies }) => expect(results.length).toBe(replies.length),
  nonEmpty: (_, { results }) => {
    for (const { blocks } of results) expect(blocks.length).toBeGreaterThan(0);
  },
  isError: (wanted, { results }) =>
    expect(results.map(({ isError }) => isError)).toEqual(results.map(() => wanted)),
  contains: (wanted, { results, replies }) => {
    const told = results.filter((_, index) => says(replies[index], String(wanted)));
    expect(told.length).toBeGreaterThan(0);
    for (const { text } of told) expect(text).toContain(String(wanted));
  },
  noDuplicateData: (_, { results, replies }) => {
    for (const [index, { text }] of results.entries()) {
      for (const one of stringsIn(replies[index]?.structuredContent))
        expect(text.split(one).length - 1).toBe(1);
    }
  },
  imageMediaType: (wanted, { results }) => {
    expect(images(results).length).toBeGreaterThan(0);
    for (const source of images(results)) expect(source.media_type).toBe(wanted);
  },
  noImageWiderThan: (wanted, { results }) => {
    for (const { blocks } of results) expect(blocks.length).toBeGreaterThan(0);
    for (const { data } of images(results)) {
      expect(Buffer.from(String(data), "base64").readUInt32BE(16)).toBeLessThanOrEqual(Number(wanted));
    }
  },
  maxTokens: (wanted, { results }) => {
    for (const result of results) expect(tokens(result)).toBeLessThanOrEqual(Number(wanted));
  },
};

const checks: Checks<Facts> = {
  toolResult: (wanted, facts) => check({ id: "toolResult", assert: membersOf(wanted) }, resultChecks, facts),
  runContinues: (_, { stop }) => expect(stop).toBe("answered"),
  lastVariantIsError: (wanted, { results }) => expect(results.at(-1)?.isError).toBe(wanted),
  noNetworkFetch: (_, { hosts }) => expect([...hosts]).toEqual(["127.0.0.1"]),
  turnFitsWindow: (wanted, { results }) =>
    expect(results.reduce((sum, one) => sum + tokens(one), 0)).toBeLessThanOrEqual(Number(wanted)),
  fullTextRecoverable: (_, { replies, results, kept }) => {
    for (const [index, { text }] of results.entries()) {
      const full = String(itemsOf(replies[index]?.content)[0]?.text);
      expect(kept[index] === full && /drawbridge__read_output \{"id":/.test(text)).toBe(true);
    }
  },
};

/** What the server of the case answers, one reply for each call. */
function repliesOf(one: Case): Record<string, unknown>[] {
  const replies = itemsOf(scriptOfCase(one).methods["tools/call"]?.results);
  const parallel = typeof one.parallel === "number" ? one.parallel : 1;
  return replies.flatMap((reply) => Array.from({ length: parallel }, () => reply));
}

async function run(one: Case, calls: { name: string; input: object }, server: string): Promise<Facts> {
  const replies = repliesOf(one);
  const call = { type: "tool_use", ...calls };
  const turns =
    one.parallel === undefined
      ? replies.map(() => ({ content: [call] }))
      : [{ content: replies.map(() => call) }];
  using outgoing = recordOutgoing();
  await using anthropic = await startModel([...turns, lastTurn]);
  await using started = await startCase({ [server]: { plays: one } }, anthropic.model);
  const { stop } = await started.host.run("go on").result;
  const stopped = stop.type === "failed" ? stop.error.message : stop.type;
  const results = allResults(anthropic.simulator.requests);
  return { replies, results, stop: stopped, kept: started.kept, hosts: outgoing.hosts };
}

test.each(runnable("result").map((one) => [one.id, one.kind, one] as const))(
  "%s %s",
  async (_id, _kind, one) => {
    const facts = await run(one, { name: "s__t", input: {} }, "s");
    expect(facts.stop).toBe("answered");
    expect(facts.results.length).toBe(facts.replies.length);
    await check(one, checks, facts);
  },
);

const withResults = runnable("tools").filter((one) => membersOf(one.assert).toolResult !== undefined);
test.each(withResults.map((one) => [one.id, one.kind, one] as const))("%s %s", async (_id, _kind, one) => {
  const { name, arguments: input } = membersOf(one.call);
  const facts = await run(one, { name: `s__${name}`, input: membersOf(input) }, "s");
  expect(facts.stop).toBe("answered");
  await check(one, checks, facts);
});
