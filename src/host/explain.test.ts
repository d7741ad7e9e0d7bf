import { expect, test } from "vitest";
import { createHost } from "../host.ts";
import { fakeServer, textTool } from "../testing/fake-server.ts";
import type { PolicyConfig, ServerSecret } from "../types/config.ts";
import type { Host } from "../types/host.ts";

/** A host with one server, whose tool writes. */
function started(policy: PolicyConfig, seen: string[] = [], secrets: readonly ServerSecret[] = []): Host {
  const write = textTool("write", (args) => {
    seen.push(JSON.stringify(args));
    return "written";
  });
  const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const tool = { ...write, definition: { ...write.definition, inputSchema } };
  return createHost({
    servers: { fs: { ...fakeServer([tool]).config, secrets } },
    model: "offline",
    state: false,
    audit: false,
    principal: "ann",
    policy,
  });
}

test("a host says which rule would decide a call, and runs nothing", async () => {
  const seen: string[] = [];
  await using host = started({ rules: ["allow fs/*", "deny fs/write under(path)=/etc"] }, seen);
  const denied = await host.explain("fs", "write", { path: "/etc/x" });
  expect(denied).toMatchObject({ decision: "deny", by: { rule: "deny fs/write under(path)=/etc" } });
  const allowed = await host.explain("fs", "write", { path: "/srv/x" });
  expect(allowed.decision).toBe("allow");
  expect(allowed.rules.map(({ rule, failed }) => [rule, failed])).toEqual([
    ["deny fs/write under(path)=/etc", "under(path)=/etc"],
    ["allow fs/*", undefined],
  ]);
  expect(seen).toEqual([]);
});

test("a hidden tool is explained, and what a run would have read is taken into account", async () => {
  await using host = started({ administratorRules: ["hide fs/*"] });
  expect(await host.explain("fs", "write", { path: "x" })).toMatchObject({ decision: "deny", hidden: true });
  await using open = started({ rules: ["allow fs/*"] });
  const reads = { untrusted: true, private: true };
  expect(await open.explain("fs", "write", { path: "x" }, { reads })).toMatchObject({ by: { type: "flow" } });
});

test("known secrets are replaced in all that an explanation says", async () => {
  const secrets = [{ name: "TOKEN", value: "hunter2-hunter2" }];
  const rules = ["deny fs/write path=hunter2-hunter2", "ask fs/write path=*"];
  await using host = started({ rules, shadowRules: [] }, [], secrets);
  const shown = await host.explain("fs", "write", { path: "at hunter2-hunter2" });
  expect(shown).toMatchObject({
    arguments: { path: "at ⟨secret fs TOKEN, 15 chars⟩" },
    rules: [{ rule: "deny fs/write path=⟨secret fs TOKEN, 15 chars⟩" }, { decides: true }],
  });
  const denied = await host.explain("fs", "write", { path: "hunter2-hunter2" });
  expect(denied).toMatchObject({ decision: "deny", shadow: { decision: "ask" } });
  expect(JSON.stringify([shown, denied])).not.toContain("hunter2");
});

test("arguments that do not fit, and a tool that is not there, are errors", async () => {
  await using host = started({});
  await expect(host.explain("fs", "write", { path: 5 })).rejects.toMatchObject({ code: "input_invalid" });
  await expect(host.explain("fs", "read")).rejects.toMatchObject({ code: "call_unknown_tool" });
});

test("a broken rule stops a host before anything starts, and names the rule", () => {
  expect(() => started({ administratorRules: ["deny fs/write regex(path)=(a"] })).toThrow(
    "The rule `deny fs/write regex(path)=(a` is not valid: a ( in the pattern is closed by ).",
  );
});
