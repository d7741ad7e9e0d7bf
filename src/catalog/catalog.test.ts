import { expect, test } from "vitest";
import type { ServerTool, ServerToolList } from "../types/tool.ts";
import { createRunCatalog } from "./catalog.ts";
import type { ToolChanges } from "./merge.ts";

const signal = new AbortController().signal;

function tool(name: string, description = name): ServerTool {
  return { name, description, inputSchema: { type: "object" }, annotations: {} };
}

function list(server: string, ...names: (string | ServerTool)[]): ServerToolList {
  const tools = names.map((name) => (typeof name === "string" ? tool(name) : name));
  return { server, trusted: false, configHash: `config of ${server}`, tools, quarantined: [] };
}

function catalogOf(start: readonly ServerToolList[], hidden: (tool: string) => boolean = () => false) {
  let lists = start;
  const changes: ToolChanges[] = [];
  const catalog = createRunCatalog({
    builtin: list("drawbridge", "read_output"),
    lists: async () => lists,
    current: () => lists,
    keptBack: (route) => (hidden(route.tool) ? "hidden by a rule" : null),
    onChange: (change) => changes.push(change),
  });
  return {
    catalog,
    changes,
    become(next: readonly ServerToolList[]) {
      lists = next;
    },
    aliases: async () => (await catalog.snapshot(signal)).tools.map((entry) => entry.alias),
  };
}

test("built-in tools come first, then servers by id and tools by name, whatever order they were listed in", async () => {
  const one = catalogOf([list("b", "zeta", "Alpha", "mu"), list("a", "x")]);
  const other = catalogOf([list("a", "x"), list("b", "mu", "zeta", "Alpha")]);
  const expected = ["drawbridge__read_output", "a__x", "b__Alpha", "b__mu", "b__zeta"];
  expect(await one.aliases()).toEqual(expected);
  expect(await other.aliases()).toEqual(expected);
});

test("the snapshot is the same object while nothing changed, also when the lists were read again", async () => {
  const { catalog, become } = catalogOf([list("a", "x")]);
  const before = await catalog.snapshot(signal);
  expect(await catalog.snapshot(signal)).toBe(before);
  become([list("a", "x")]);
  expect(await catalog.snapshot(signal)).toBe(before);
});

test("a new tool is appended, a removed one stays in its place and is marked, and both are told", async () => {
  const { catalog, changes, become, aliases } = catalogOf([list("b", "m", "z")]);
  await aliases();
  become([list("a", "early"), list("b", "b", "z")]);
  expect(await aliases()).toEqual(["drawbridge__read_output", "b__m", "b__z", "a__early", "b__b"]);
  const { byAlias } = await catalog.snapshot(signal);
  expect(byAlias.get("b__m")?.listed).toBe(false);
  expect(changes).toEqual([
    {
      added: [
        { server: "a", tool: "early" },
        { server: "b", tool: "b" },
      ],
      removed: [{ server: "b", tool: "m" }],
      changed: [],
    },
  ]);
  become([list("b", "b", "m", "z")]);
  expect((await catalog.snapshot(signal)).byAlias.get("b__m")?.listed).toBe(true);
});

test("a changed definition is another definition: its hash changes with every part of it", async () => {
  const { catalog, changes, become } = catalogOf([list("a", tool("x", "old"))]);
  const before = (await catalog.snapshot(signal)).byAlias.get("a__x");
  become([list("a", tool("x", "new"))]);
  const after = (await catalog.snapshot(signal)).byAlias.get("a__x");
  expect(after?.definitionHash).not.toBe(before?.definitionHash);
  expect(changes[0]?.changed).toEqual([{ server: "a", tool: "x" }]);
  const hinted = { ...tool("x", "new"), annotations: { readOnlyHint: true } };
  become([list("a", hinted)]);
  expect((await catalog.snapshot(signal)).byAlias.get("a__x")?.definitionHash).not.toBe(
    after?.definitionHash,
  );
});

test("a hidden tool is quarantined with its reason, and built-in tools cannot be hidden", async () => {
  const { catalog, aliases } = catalogOf([list("a", "x", "y")], (name) => name !== "y");
  expect(await aliases()).toEqual(["drawbridge__read_output", "a__y"]);
  const { quarantined } = await catalog.snapshot(signal);
  expect(quarantined).toEqual([{ server: "a", tool: "x", reason: "hidden by a rule" }]);
});

test("what a tool is now can be asked before the list of the turn changes", async () => {
  const { catalog, become } = catalogOf([list("a", "x")]);
  await catalog.snapshot(signal);
  become([]);
  expect(catalog.current({ server: "a", tool: "x" })).toBeNull();
  expect(catalog.current({ server: "drawbridge", tool: "read_output" })?.alias).toBe(
    "drawbridge__read_output",
  );
});
