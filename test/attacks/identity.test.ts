import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configHash } from "../../src/connections/config-hash.ts";
import { createConsent, type HostConsent } from "../../src/consent/consent.ts";
import { createHost } from "../../src/host.ts";
import { createGrantFiles } from "../../src/stores/grant-files.ts";
import { fakeServer, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { ApprovalQuestion } from "../../src/types/approval.ts";
import type { ServerConfig } from "../../src/types/config.ts";
import type { GrantStore } from "../../src/types/grants.ts";
import { systemClock } from "../../src/util/clock.ts";
import { makeContext } from "../support/consent.ts";
import { makeCall, makeTool } from "../support/tools.ts";

const key = new Uint8Array(32).fill(3);
const local = {
  command: "node",
  args: ["server.js", "--safe"],
  cwd: "/srv",
  env: { TOKEN: "one-long-value" },
};
const remote = { url: "https://a.example.com/mcp", headers: { "X-Key": "1" } };

function grantStore(): GrantStore {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return createGrantFiles(folder, key, systemClock);
}

/** What is asked by a host of these grants; every question is answered with "for good". */
function consentWith(store: GrantStore, rules: readonly string[] = []) {
  const questions: ApprovalQuestion[] = [];
  const consent = createConsent({
    rules,
    clock: systemClock,
    lasting: { store: () => store, mayLast: () => true },
    approve(request) {
      questions.push(...request.questions);
      for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "always" });
    },
  });
  return { consent, questions };
}

const toolOf = (config: ServerConfig, id = "s") =>
  makeTool({ server: id, name: "act", configHash: configHash(id, config, key) });

async function call(
  consent: HostConsent,
  tool: ReturnType<typeof makeTool>,
  principal = "ann",
): Promise<string> {
  const [deciding] = consent.decide([makeCall(tool, { path: "a" })], makeContext({ principal }));
  const verdict = await deciding;
  return verdict?.type === "approved" ? verdict.approved.decision.by.type : "denied";
}

test("what was allowed for good is allowed to the same server again, by a later process too", async () => {
  const store = grantStore();
  expect(await call(consentWith(store).consent, toolOf(local))).toBe("person");
  const later = consentWith(store);
  expect(await call(later.consent, toolOf({ ...local }))).toBe("grant");
  expect(later.questions).toEqual([]);
});

test.each<[string, ServerConfig, ServerConfig]>([
  ["command", local, { ...local, command: "/tmp/node" }],
  ["argument", local, { ...local, args: ["server.js", "--unsafe"] }],
  ["argument more", local, { ...local, args: [...local.args, "--also"] }],
  ["split of its arguments", local, { ...local, args: ["server.js --safe"] }],
  ["working folder", local, { ...local, cwd: "/srv2" }],
  ["value of its environment", local, { ...local, env: { TOKEN: "another-value" } }],
  ["variable of its environment", local, { ...local, env: { ...local.env, NODE_OPTIONS: "--require evil" } }],
  ["URL", remote, { ...remote, url: "https://b.example.com/mcp" }],
  ["path of its URL", remote, { ...remote, url: "https://a.example.com/mcp?to=b" }],
  ["scheme", remote, { ...remote, url: "http://a.example.com/mcp" }],
  ["header", remote, { ...remote, headers: { ...remote.headers, "X-Forward": "1" } }],
  ["kind", local, remote],
])("a server with another %s under the same id has nothing of what was allowed", async (_, before, after) => {
  const store = grantStore();
  await call(consentWith(store).consent, toolOf(before));
  const { consent, questions } = consentWith(store);
  expect(await call(consent, toolOf(after))).toBe("person");
  expect(questions[0]?.warnings.join("\n")).toMatch(/configuration of its server/i);
});

test("the same server under another id, and another tool of it, have nothing of what was allowed", async () => {
  const store = grantStore();
  await call(consentWith(store).consent, toolOf(local));
  const { consent } = consentWith(store);
  expect(await call(consent, toolOf(local, "t"))).toBe("person");
  expect(await call(consent, { ...toolOf(local), route: { server: "s", tool: "act2" } })).toBe("person");
});

test.each(["bob", "Ann", "ann ", "", "__proto__", "ann\u0000"])(
  "what ann allowed for good is nothing to %s",
  async (principal) => {
    const store = grantStore();
    const { consent } = consentWith(store);
    await call(consent, toolOf(local), "ann");
    expect(await call(consent, toolOf(local), "ann")).toBe("grant");
    expect(await call(consent, toolOf(local), principal)).toBe("person");
  },
);

test("an answer against the default is none against a rule that asks, nor one rule's against another's", async () => {
  const store = grantStore();
  await call(consentWith(store).consent, toolOf(local));
  const asking = consentWith(store, ["ask s/act path=a"]);
  expect(await call(asking.consent, toolOf(local))).toBe("person");
  const other = consentWith(store, ["ask s/*"]);
  expect(await call(other.consent, toolOf(local))).toBe("person");
});

test("no answer outlasts a deny, of whatever tier", async () => {
  const store = grantStore();
  await call(consentWith(store).consent, toolOf(local));
  const { consent } = consentWith(store, ["deny s/act"]);
  expect(await call(consent, toolOf(local))).toBe("denied");
  const headless = createConsent({
    rules: [],
    projectRules: ["deny s/act"],
    approve: null,
    clock: systemClock,
    lasting: { store: () => store, mayLast: () => true },
  });
  expect(await call(headless, toolOf(local))).toBe("denied");
});

test("what a person allowed for a conversation is nothing to another conversation of the same host", async () => {
  const server = fakeServer([textTool("act", () => "done")]);
  const questions: ApprovalQuestion[] = [];
  const turn = { calls: [{ name: "s__act" }] };
  await using host = createHost({
    servers: { s: server.config },
    model: scriptedModel([turn, turn, { text: "done" }, turn, { text: "done" }]),
    state: false,
    audit: false,
    policy: { flows: "off" },
    approve(request) {
      questions.push(...request.questions);
      for (const { id } of request.questions) request.answer(id, { type: "allow", scope: "conversation" });
    },
  });
  await host.run("go").result;
  expect(questions).toHaveLength(1);
  await host.run("go").result;
  expect(questions).toHaveLength(2);
});
