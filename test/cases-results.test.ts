import { expect } from "vitest";
import { scriptOfCase } from "../src/testing/hostile/script-of-case.ts";
import type { RunEvent } from "../src/types/events.ts";
import { isObject } from "../src/util/own.ts";
import { allResults, type CaseApi, type SeenImage, type SeenResult } from "./support/case-apis/api.ts";
import { chosenApis, eachApi } from "./support/case-apis/each.ts";
import { type CaseHost, lastTurn, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";
import { recordOutgoing } from "./support/outgoing.ts";

/** What a case of results led to. */
interface Facts {
  /** What the server answered, in turn. */
  readonly replies: readonly Record<string, unknown>[];
  /** What the model got for each. */
  readonly results: readonly SeenResult[];
  readonly stop: string;
  readonly kept: readonly string[];
  /** Hosts that were asked for anything; the model's simulator is one. */
  readonly hosts: ReadonlySet<string>;
  /** Whether the API takes images with results. */
  readonly takesImages: boolean;
  /** Whether each call of the run succeeded, as whoever listens is told. */
  readonly failed: readonly boolean[];
}

const tokens = ({ text, images }: SeenResult) =>
  Math.ceil(Buffer.byteLength(JSON.stringify([text, images])) / 4);
const imagesOf = (results: readonly SeenResult[]): SeenImage[] => results.flatMap(({ images }) => images);

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
    for (const { text, images } of results) expect(text.length + images.length).toBeGreaterThan(0);
  },
  isError: (wanted, { results, failed }) => {
    expect(results.map(({ isError }) => isError)).toEqual(results.map(() => wanted));
    expect(failed).toEqual(results.map(() => wanted));
  },
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
  imageMediaType: (wanted, { results, takesImages }) => {
    // An API without images in results gets them described, with the reason.
    if (!takesImages) expect(results[0]?.text).toMatch(/^\[image\/png \d+ KB omitted: \S.* takes no images/);
    else expect(imagesOf(results).length).toBeGreaterThan(0);
    for (const { mediaType } of imagesOf(results)) expect(mediaType).toBe(wanted);
  },
  noImageWiderThan: (wanted, { results }) => {
    for (const { text, images } of results) expect(text.length + images.length).toBeGreaterThan(0);
    for (const { data } of imagesOf(results)) {
      expect(Buffer.from(data, "base64").readUInt32BE(16)).toBeLessThanOrEqual(Number(wanted));
    }
  },
  maxTokens: (wanted, { results }) => {
    for (const result of results) expect(tokens(result)).toBeLessThanOrEqual(Number(wanted));
  },
};

const checks: Checks<Facts> = {
  toolResult: (wanted, facts) => check({ id: "toolResult", assert: membersOf(wanted) }, resultChecks, facts),
  runContinues: (_, { stop }) => expect(stop).toBe("answered"),
  lastVariantIsError: (wanted, { results, failed }) => {
    expect(results.at(-1)?.isError).toBe(wanted);
    expect(failed.at(-1)).toBe(wanted);
  },
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

/** What the server of the case answers, one reply for each call of one run. */
function repliesOf(one: Case): Record<string, unknown>[] {
  const replies = itemsOf(scriptOfCase(one).methods["tools/call"]?.results);
  const parallel = typeof one.parallel === "number" ? one.parallel : 1;
  return replies.flatMap((reply) => Array.from({ length: parallel }, () => reply));
}

/** The server answers every API anew. */
function start(one: Case): Promise<CaseHost> {
  const results = chosenApis.flatMap(() => repliesOf(one));
  return startCase({ s: { plays: { ...one, script: { "tools/call": { results } } } } }, "offline");
}

async function run(one: Case, api: CaseApi, { host, kept }: CaseHost): Promise<void> {
  const replies = repliesOf(one);
  const { name = "t", arguments: input = {} } = membersOf(one.call);
  const call = { type: "tool_use", name: `s__${name}`, input };
  const turns =
    one.parallel === undefined
      ? replies.map(() => ({ content: [call] }))
      : [{ content: replies.map(() => call) }];
  const keptBefore = kept.length;
  using outgoing = recordOutgoing();
  await using started = await api.start({ turns: [...turns, lastTurn] });
  const model = started.modelNamed(api.models[0]);
  const events: RunEvent[] = [];
  const running = host.run("go on", { model });
  for await (const event of running) events.push(event);
  const { stop } = await running.result;
  const facts: Facts = {
    replies,
    results: allResults(started),
    stop: stop.type === "failed" ? stop.error.message : stop.type,
    kept: kept.slice(keptBefore),
    hosts: outgoing.hosts,
    takesImages: model.capabilities.toolResultImages,
    failed: events.flatMap((event) => (event.type === "call_completed" ? [event.isError] : [])),
  };
  expect(started.requests.map(({ status }) => status)).toEqual([...turns, lastTurn].map(() => 200));
  expect(facts.stop).toBe("answered");
  expect(facts.results.length).toBe(replies.length);
  await check(one, checks, facts);
}

const withResults = runnable("tools").filter((one) => membersOf(one.assert).toolResult !== undefined);
eachApi([...runnable("result"), ...withResults], start, run);
