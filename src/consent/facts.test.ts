import { expect, test } from "vitest";
import { makeContext } from "../../test/support/consent.ts";
import { makeCall, makeTool } from "../../test/support/tools.ts";
import { factsOf } from "./facts.ts";

const annotations = { openWorldHint: true, readOnlyHint: true };
const host = { mode: "headless", folderOf: (server: string) => `/of/${server}` } as const;

test("the policy looks at the call, its tool, who asks and what was read", () => {
  const tool = makeTool({ server: "s", name: "t", trusted: true, annotations });
  const reads = { untrusted: true, private: false };
  expect(factsOf(makeCall(tool, { a: 1 }), makeContext({ principal: "bob", reads }), host)).toEqual({
    route: { server: "s", tool: "t" },
    arguments: { a: 1 },
    trusted: true,
    annotations,
    folder: "/of/s",
    principal: "bob",
    mode: "headless",
    reads,
    origin: "model",
  });
  expect(factsOf(makeCall(tool), makeContext(), host).reads).toEqual({ untrusted: false, private: false });
});

test("a read of the host's making says nothing of the outside in its server's name", () => {
  const tool = makeTool({ server: "s", name: "resources/read", annotations });
  const read = { ...tool, definition: { ...tool.definition, method: "resources/read" as const } };
  expect(factsOf(makeCall(read), makeContext(), host).annotations).toEqual({ readOnlyHint: true });
});
