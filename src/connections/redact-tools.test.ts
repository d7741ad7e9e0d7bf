import { expect, test } from "vitest";
import { createSecrets } from "../audit/secrets.ts";
import type { Secrets } from "../types/ports.ts";
import { redactTools } from "./redact-tools.ts";

const secrets: Secrets = {
  register() {},
  redact: (text) => text.replaceAll("hunter2-hunter2", "⟨secret⟩"),
  redactJson: (value) => JSON.parse(JSON.stringify(value).replaceAll("hunter2-hunter2", "⟨secret⟩")),
};

const tool = (text: string) => ({
  name: "a-hunter2-hunter2",
  description: text,
  inputSchema: { type: "object", properties: { x: { description: text } } },
  annotations: { title: text, readOnlyHint: true },
});

test("what a tool says of itself is without secrets, and its name stays the one that calls go by", () => {
  const quarantined = [{ server: "s", tool: "b", reason: "hunter2-hunter2 is no schema" }];
  expect(redactTools({ tools: [tool("is hunter2-hunter2")], quarantined }, secrets)).toEqual({
    tools: [tool("is ⟨secret⟩")],
    quarantined: [{ server: "s", tool: "b", reason: "⟨secret⟩ is no schema" }],
  });
});

test("a list without secrets is the same object", () => {
  const listed = { tools: [{ ...tool("harmless"), name: "a" }], quarantined: [] };
  expect(redactTools(listed, secrets)).toBe(listed);
});

test("a secret that JSON has to escape is found in the words as they stand, however deep they hold it", () => {
  const secrets = createSecrets();
  const awkward = 'p@ss/"w+rd\\4711';
  secrets.register("KEY", awkward);
  const deep = JSON.stringify({ a: JSON.stringify({ b: awkward }) });
  const { tools } = redactTools({ tools: [{ ...tool(deep), name: "a" }], quarantined: [] }, secrets);
  expect(JSON.stringify(tools)).not.toContain("4711");
});
