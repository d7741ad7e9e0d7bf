import { expect, test } from "vitest";
import { makeTool } from "../../test/support/tools.ts";
import { builtinServer, type ToolAnnotations } from "../types/tool.ts";
import { createLabels, isUntrusted, type ServerPrivacy } from "./labels.ts";

const remote: ServerPrivacy = { stated: null, credentials: false, local: false };

function labels(privacy: Partial<ServerPrivacy>, annotations: ToolAnnotations = {}, trusted = false) {
  return createLabels(() => ({ ...remote, ...privacy }))(makeTool({ annotations, trusted }));
}

const isPrivate = (...given: Parameters<typeof labels>) => labels(...given)?.private;

test("a server on this computer and one with credentials give back private content, others do not", () => {
  expect(isPrivate({})).toBe(false);
  expect(isPrivate({ local: true })).toBe(true);
  expect(isPrivate({ credentials: true })).toBe(true);
});

test("a hint makes content private whoever gives it, and only a trusted one takes that from a local server", () => {
  const [open, closed] = [{ openWorldHint: true }, { openWorldHint: false }];
  expect(isPrivate({}, closed)).toBe(true);
  expect(isPrivate({ local: true }, open)).toBe(true);
  expect(isPrivate({ local: true }, open, true)).toBe(false);
  expect(isPrivate({ credentials: true }, open, true)).toBe(true);
});

test("the operator's word on privacy holds against everything else", () => {
  expect(isPrivate({ stated: false, credentials: true, local: true }, { openWorldHint: false })).toBe(false);
  expect(isPrivate({ stated: true }, { openWorldHint: true }, true)).toBe(true);
});

test("content is untrusted that comes from an untrusted server, or from outside through a trusted one", () => {
  const untrusted = (...given: Parameters<typeof labels>) => isUntrusted(labels(...given) ?? expect.fail());
  expect(untrusted({})).toBe(true);
  expect(untrusted({}, { openWorldHint: false })).toBe(true);
  expect(untrusted({}, {}, true)).toBe(false);
  expect(untrusted({}, { openWorldHint: true }, true)).toBe(true);
});

test("what the host's own tools show was read before, and a read of the host's making has no hints of the server", () => {
  const labelsOf = createLabels(() => ({ ...remote, local: true }));
  expect(labelsOf(makeTool({ server: builtinServer }))).toBe(null);
  const tool = makeTool({ trusted: true, annotations: { openWorldHint: true } });
  const read = { ...tool, definition: { ...tool.definition, method: "resources/read" as const } };
  expect(labelsOf(read)).toEqual({ trusted: true, openWorld: false, private: true });
});
