import { expect, test } from "vitest";
import { renderQuestion } from "../src/index.ts";
import { fakeServer } from "../src/testing/fake-server.ts";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import type { ApprovalQuestion } from "../src/types/approval.ts";
import type { ServerConfig } from "../src/types/config.ts";
import type { RunEvent } from "../src/types/events.ts";
import { type CaseServer, startCase } from "./support/case-host.ts";
import { type Case, type Checks, check, runnable } from "./support/cases.ts";
import { itemsOf, membersOf } from "./support/members.ts";

/** Rules of a case in the host's grammar; a rule without a tool is about all of them. */
function rulesOf(one: Case): string[] {
  return itemsOf(one.rules).map(({ effect, server, tool }) => `${effect} ${server}/${tool ?? "*"}`);
}

/** A server with one tool, defined as the case says. */
function serverOf(one: Case, call: Record<string, unknown>): CaseServer {
  const listed = membersOf(one.servers)[String(call.server)];
  const known = itemsOf(listed).find(({ name }) => name === call.tool) ?? {};
  const tool = {
    name: call.tool,
    description: "",
    inputSchema: { type: "object" },
    ...known,
    ...(call.annotations === undefined ? {} : { annotations: call.annotations }),
  };
  return { plays: { type: "server", script: { "tools/list": { result: { tools: [tool] } } } } };
}

/** The other servers that the case names: its rules and its trust may speak of them. */
function othersOf(one: Case, server: string): Record<string, ServerConfig> {
  const ids = [
    ...Object.keys(membersOf(one.servers)),
    ...itemsOf(one.rules).map((rule) => String(rule.server)),
  ];
  const others = ids.filter((id) => id !== server && !id.includes("*"));
  return Object.fromEntries(others.map((id) => [id, fakeServer([]).config]));
}

/** What became of one call: the person was asked, or it ran or was refused without a question. */
function decisionOf(events: readonly RunEvent[], ran: boolean): string {
  if (events.some(({ type }) => type === "approval_requested")) return "ask";
  return ran ? "allow" : "deny";
}

test.each(
  runnable("policy").flatMap((one) =>
    itemsOf(one.cases).map((call) => [one.id, `${call.server}/${call.tool}`, one, call] as const),
  ),
)("%s %s", async (_id, _name, one, call) => {
  const model = scriptedModel([
    (request) => {
      const found = request.snapshot.tools.find(({ route }) => route.server === call.server);
      return { calls: [{ name: found?.alias ?? "" }] };
    },
    { text: "done" },
  ]);
  await using started = await startCase({ [String(call.server)]: serverOf(one, call) }, model, {
    servers: othersOf(one, String(call.server)),
    policy: { rules: rulesOf(one), trust: (one.trust ?? []) as string[] },
    approve: (request) => {
      for (const { id } of request.questions) request.answer(id, { type: "deny" });
    },
  });
  const events: RunEvent[] = [];
  for await (const event of started.host.run("go on")) events.push(event);
  const ran = started.seen(String(call.server)).some(({ method }) => method === "tools/call");
  expect(decisionOf(events, ran)).toBe(call.decision);
  if (call.decision !== "allow") expect(ran).toBe(false);
});

const promptChecks: Checks<string> = {
  renderedHasNoControl: (_, text) => expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/),
  renderedContains: (wanted, text) => {
    for (const words of wanted as string[]) expect(text).toContain(words);
  },
};

test.each(runnable("prompt").map((one) => [one.id, one.kind, one] as const))(
  "%s %s",
  async (_id, _kind, one) => {
    const { server, ...definition } = membersOf(one.tool);
    const call = { server, tool: definition.name };
    const asked: ApprovalQuestion[] = [];
    const model = scriptedModel([
      { calls: [{ name: `${server}__${definition.name}`, input: membersOf(one.arguments) }] },
      { text: "done" },
    ]);
    const defined = { ...one, servers: { [String(server)]: [definition] } };
    await using started = await startCase({ [String(server)]: serverOf(defined, call) }, model, {
      policy: {},
      approve: (request) => void asked.push(...request.questions),
    });
    await started.host.run("go on").result;
    expect(asked.length).toBe(1);
    await check(one, promptChecks, asked.flatMap((question) => renderQuestion(question)).join("\n"));
  },
);
