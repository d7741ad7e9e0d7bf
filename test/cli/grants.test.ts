import { expect, test } from "vitest";
import { grantLines } from "../../src/cli/commands/grants.ts";
import { createHost } from "../../src/host.ts";
import { describeConditions } from "../../src/index.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { drawbridge, homeFolder, root } from "./command.ts";

const call = { calls: [{ name: "notes__read_note", input: { path: "a" } }] };

/** A person who allows the tool for good in a program of their own. */
async function allow(home: string): Promise<void> {
  await using host = createHost({
    servers: { notes: { command: "node", args: ["test/cli/fixtures/server.mjs", "plain"], cwd: root } },
    model: scriptedModel([call, { text: "done" }]),
    state: `${home}/state`,
    approve({ questions, answer }) {
      for (const { id } of questions) answer(id, { type: "allow", scope: "always" });
    },
  });
  await host.run("go").result;
}

test("grants are listed and taken back by id, server or server/tool; what is not there is told", async () => {
  const home = homeFolder();
  expect(await drawbridge(["grants", "list"], home)).toMatchObject({
    code: 0,
    stdout: "Nothing is allowed for good.\n",
  });
  await allow(home);
  const { stdout } = await drawbridge(["grants", "list", "--json"], home);
  const { grants } = JSON.parse(stdout);
  expect(grants).toMatchObject([{ server: "notes", tool: "read_note" }]);
  const none = await drawbridge(["grants", "revoke", "other"], home);
  expect(none).toMatchObject({ code: 1, stdout: "Took back 0 grants.\n" });
  expect(none.stderr).toContain("✗ No grant has the id, server or tool other");
  expect((await drawbridge(["grants", "revoke", "notes/read_note"], home)).stdout).toBe(
    "Took back 1 grant.\n",
  );
  await allow(home);
  const json = await drawbridge(["grants", "revoke", grants[0].id, "--json"], home);
  expect(JSON.parse(json.stdout)).toEqual({ revoked: [grants[0].id] });
  for (const argv of [
    ["grants", "revoke"],
    ["grants", "revoke", "x", "--all"],
  ]) {
    expect(await drawbridge(argv, home)).toMatchObject({ code: 2, stdout: "" });
  }
});

test("names of servers and tools are escaped in the list, and unreadable grants are named", () => {
  const grant = {
    id: "grant_1",
    at: "2026-01-02T00:00:00.000Z",
    principal: "",
    server: "s\u001b[2J",
    tool: "t",
  };
  const hashes = { configHash: "", definitionHash: "", rule: "ask s/*" };
  const conditions = [{ type: "equals", argument: ["to"], value: "\u001b[2J" }] as const;
  const grants = [
    { ...grant, ...hashes },
    { ...grant, ...hashes, rule: "", conditions },
  ];
  expect(grantLines({ grants, unreadable: ["grant_2"] }, describeConditions)).toEqual([
    "grant_1  s\\u001b[2J/t  2026-01-02  (rule: ask s/*)",
    'grant_1  s\\u001b[2J/t  2026-01-02  when to is "\\u001b[2J"',
    "grant_2  not readable, so it allows nothing",
  ]);
});
