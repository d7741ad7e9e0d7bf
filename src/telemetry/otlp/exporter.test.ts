import { expect, test } from "vitest";
import { createTestClock } from "../../testing/clock.ts";
import type { EndedSpan } from "./encode.ts";
import { createExporter, type ExporterSettings, type SpanExporter } from "./exporter.ts";

const span: EndedSpan = {
  ...{ traceId: "a".repeat(32), spanId: "b".repeat(16), name: "n", kind: 0, startedAt: 1, endedAt: 2 },
  ...{ attributes: {}, events: [], status: { code: 0 } },
};

interface Bench {
  readonly exporter: SpanExporter;
  readonly clock: ReturnType<typeof createTestClock>;
  /** How many spans each request held. */
  readonly sizes: number[];
  readonly problems: string[];
}

function bench(answer: () => Promise<Response> = async () => new Response("{}")): Bench {
  const clock = createTestClock();
  const sizes: number[] = [];
  const problems: string[] = [];
  const fetch: ExporterSettings["fetch"] = (_url, init) => {
    const body = JSON.parse(String(init?.body));
    sizes.push(body.resourceSpans[0].scopeSpans[0].spans.length);
    return answer();
  };
  const exporter = createExporter({
    ...{ url: "http://c/v1/traces", headers: {}, timeoutMs: 100, clock, fetch },
    source: { resource: {}, scope: { name: "s", version: "1" } },
    onProblem: (sentence) => problems.push(sentence),
  });
  return { exporter, clock, sizes, problems };
}

test("spans wait for each other for a while, and go together", async () => {
  const { exporter, clock, sizes } = bench();
  exporter.add(span);
  exporter.add(span);
  expect(sizes).toEqual([]);
  await clock.advance(5_000);
  await exporter.flush();
  expect(sizes).toEqual([2]);
  expect(clock.pending()).toBe(0);
});

test("many go at once, in requests of a bounded size", async () => {
  const { exporter, sizes } = bench();
  for (let count = 0; count < 1_100; count += 1) exporter.add(span);
  await exporter.flush();
  expect(sizes).toEqual([512, 512, 76]);
});

test("while a collector is slow there is one request, and what is over the bound is dropped", async () => {
  let answered: (response: Response) => void = () => {};
  const first = new Promise<Response>((resolve) => {
    answered = resolve;
  });
  let asked = 0;
  const { exporter, sizes } = bench(() => {
    asked += 1;
    return asked === 1 ? first : Promise.resolve(new Response("{}"));
  });
  for (let count = 0; count < 10_000; count += 1) exporter.add(span);
  expect(sizes).toEqual([512]);
  answered(new Response("{}"));
  await exporter.flush();
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(512 + 2_048);
});

test("what fails is told and given up, and what comes later is sent", async () => {
  let down = true;
  const { exporter, sizes, problems } = bench(async () => {
    if (down) throw new TypeError("fetch failed");
    return new Response("{}");
  });
  exporter.add(span);
  await exporter.flush();
  down = false;
  exporter.add(span);
  await exporter.flush();
  expect(sizes).toEqual([1, 1]);
  expect(problems).toEqual(["Spans could not be sent to http://c, and were dropped: it cannot be reached."]);
});

/** What a request with these settings looks like, and what is told of it. */
async function sent(settings: Partial<ExporterSettings>): Promise<readonly string[]> {
  const told: string[] = [];
  const exporter = createExporter({
    ...{ url: "http://c/v1/traces", headers: {}, timeoutMs: 100, clock: createTestClock() },
    source: { resource: {}, scope: { name: "s", version: "1" } },
    onProblem: (sentence) => told.push(sentence),
    async fetch(url, init) {
      const { headers } = new Request(url, init);
      told.push(`${url} ${headers.get("authorization")}`);
      return new Response("{}");
    },
    ...settings,
  });
  exporter.add(span);
  await exporter.flush();
  return told;
}

test("a user and a password in the URL are sent as Basic authentication, and not in the URL", async () => {
  const basic = (text: string) => `http://c/v1/traces Basic ${Buffer.from(text).toString("base64")}`;
  expect(await sent({ url: "http://ann:p%C3%A4ss%3Aword@c/v1/traces" })).toEqual([basic("ann:päss:word")]);
  expect(await sent({ url: "http://100%25:100%@c/v1/traces" })).toEqual([basic("100%:100%")]);
  expect(await sent({ url: "http://ann@c/v1/traces" })).toEqual([basic("ann:")]);
  expect(await sent({})).toEqual(["http://c/v1/traces null"]);
  const headers = { Authorization: "Bearer x" };
  expect(await sent({ url: "http://ann:b@c/v1/traces", headers })).toEqual(["http://c/v1/traces Bearer x"]);
});

test("a header that HTTP cannot send is told as that", async () => {
  expect(await sent({ headers: { "x-key": "a\nb" } })).toEqual([
    "Spans could not be sent to http://c, and were dropped: a header of yours is none that HTTP can send.",
  ]);
});

test("a span that comes at whatever moment of a flush is sent by the next one", async () => {
  for (let moment = 0; moment < 30; moment += 1) {
    const { exporter, sizes } = bench();
    exporter.add(span);
    const flushed = exporter.flush();
    for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
    exporter.add(span);
    await exporter.flush();
    await flushed;
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2);
  }
});
