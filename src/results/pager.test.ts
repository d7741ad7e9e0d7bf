import fc from "fast-check";
import { expect, test } from "vitest";
import { answered, catalogTool, mapTurn, memorySpill } from "../../test/support/results.ts";
import { defaultLimits } from "../config/limits.ts";
import type { Limits } from "../types/config.ts";
import type { JsonObject } from "../types/json.ts";
import { createPager } from "./pager.ts";
import { pagerAlias, pagerTools } from "./pager-tool.ts";

async function kept(text: string, limits: Limits = defaultLimits) {
  const spill = memorySpill();
  const id = await spill.put("r", text);
  const call = createPager(spill, limits);
  return async (given: JsonObject, runId = "r") => {
    const reply = await call({
      runId,
      route: { server: "drawbridge", tool: "read_output" },
      arguments: { id, ...given },
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const [block] = reply.content;
    return { text: block?.type === "text" ? block.text : "", isError: reply.isError };
  };
}

/** The page without its heading. */
const body = (page: string) => page.slice(page.indexOf("\n") + 1);
const nextOffset = (page: string) => {
  const found = /More: drawbridge__read_output (\{.*\})\n/.exec(page)?.[1];
  return found === undefined ? null : (JSON.parse(found) as { offset: number }).offset;
};

test("the tool is the host's own, reads only, and stays on this machine", () => {
  const [tool] = pagerTools.tools;
  expect(`${pagerTools.server}__${tool?.name}`).toBe(pagerAlias);
  expect(pagerTools.trusted).toBe(true);
  expect(tool?.annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  });
});

test("lines are read from an offset, with the offset of the next ones", async () => {
  const page = await kept("one\ntwo\nthree\nfour\n");
  expect(await page({ offset: 2, limit: 2 })).toEqual({
    isError: false,
    text: 'Lines 2 to 3 of 4 lines, 19 bytes. More: drawbridge__read_output {"id":"s1","offset":4}\ntwo\nthree\n',
  });
  expect((await page({ offset: 4 })).text).toBe(
    "Lines 4 to 4 of 4 lines, 19 bytes. This is the end.\nfour\n",
  );
  expect((await page({ offset: 9 })).text).toBe("There is no line 9: the output has 4 lines, 19 bytes.");
});

test("the pages of any output put together are the output, and none is over the budget", async () => {
  const unit = fc.constantFrom("a", "漢", "🎉", "\n", "x".repeat(300));
  const limits = { ...defaultLimits, outputTokensPerResult: 400 };
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 400 }), async (units) => {
      const page = await kept(units.join(""), limits);
      let read = "";
      for (let offset: number | null = 1; offset !== null; ) {
        const { text } = await page({ offset });
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1600);
        read += body(text);
        offset = nextOffset(text);
      }
      expect(read).toBe(units.join(""));
    }),
    { numRuns: 100 },
  );
});

test("search finds plain text in any case, with line numbers and context", async () => {
  const page = await kept("alpha\nBeta (b+)\ngamma\nbeta (b+)\n");
  expect((await page({ search: "BETA (B+)" })).text).toBe(
    '2 of 4 lines contain "BETA (B+)".\n2: Beta (b+)\n4: beta (b+)',
  );
  expect((await page({ search: "beta", case_sensitive: true, context: 1 })).text).toBe(
    '1 of 4 lines contain "beta".\n3- gamma\n4: beta (b+)',
  );
  expect((await page({ search: "b.ta" })).text).toBe('No line from line 1 on contains "b.ta".');
});

test("search goes on where it stopped", async () => {
  const page = await kept("x\n".repeat(10));
  expect((await page({ search: "x", limit: 2, offset: 3 })).text).toBe(
    '8 of 10 lines contain "x"; 2 are shown, go on with offset 5.\n3: x\n4: x',
  );
});

test("search finds text across the parts of one giant line", async () => {
  const page = await kept(`${"a".repeat(1998)}needle${"b".repeat(5000)}`);
  const { text } = await page({ search: "needle" });
  expect(text).toContain("\n1: …");
});

test("an answer of the search keeps within the budget", async () => {
  const page = await kept(`${"match ".repeat(40)}\n`.repeat(5_000));
  const { text } = await page({ search: "match" });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(40_000);
  expect(text).toContain("5,000 of 5,000 lines");
});

test("an unknown id and another run's id are answered alike", async () => {
  const page = await kept("secret");
  const foreign = await page({}, "other");
  expect(foreign.isError).toBe(true);
  expect(foreign.text).toContain("Ids are valid only in the run that made them");
  expect((await page({ id: "nope" })).text).toContain('There is no kept output "nope"');
});

test("a page that a full turn has no room for is cut, and never kept a second time", async () => {
  const spill = memorySpill();
  const content = [{ type: "text" as const, text: "x".repeat(39_000) }];
  const pages = Array.from({ length: 8 }, (_, index) =>
    answered({ content }, catalogTool(undefined, "drawbridge"), `c${index}`),
  );
  const { results } = await mapTurn(pages, { spill });
  expect(spill.kept.size).toBe(0);
  expect(JSON.stringify(results[0]?.block.content)).toContain("read fewer pages at once");
});
