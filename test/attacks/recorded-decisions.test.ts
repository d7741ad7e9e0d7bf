import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, type ScriptedStep, scriptedModel, textTool } from "../../src/testing/index.ts";
import type { AuditEntry, AuditSink } from "../../src/types/audit.ts";
import type { HostOptions, HostTransport } from "../../src/types/config.ts";
import { isObject } from "../../src/util/own.ts";

/** Requests that do something, or read, on a server. */
const governed = ["tools/call", "resources/read", "prompts/get"];

interface Seen {
  readonly method: string;
  /** What of the record was durable when the request came. */
  readonly recorded: readonly AuditEntry[];
}

interface Wire extends HostTransport {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
}

/** A server with tools, resources and prompts that notes what stood in the record when a request reached it. */
function watchedServer(audit: readonly AuditEntry[]) {
  const seen: Seen[] = [];
  const send = (message: object) => queueMicrotask(() => wire.onmessage?.({ jsonrpc: "2.0", ...message }));
  const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });
  const answers: Record<string, (params: Record<string, unknown>) => object> = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: "watched", version: "1" },
    }),
    "tools/list": () => ({ tools: [tool("act")] }),
    "resources/list": () => ({ resources: [{ uri: "a:1", name: "one" }] }),
    "prompts/list": () => ({ prompts: [{ name: "p" }] }),
    "tools/call": () => ({ content: [{ type: "text", text: "done" }] }),
    "resources/read": () => ({ contents: [{ uri: "a:1", text: "one" }] }),
    "prompts/get": () => ({ messages: [{ role: "user", content: { type: "text", text: "hi" } }] }),
  };
  const wire: Wire = {
    async start() {},
    async send(message) {
      if (!isObject(message) || message.id === undefined || typeof message.method !== "string") return;
      const { id, method } = message;
      if (governed.includes(method)) seen.push({ method, recorded: [...audit] });
      const result = answers[method]?.(isObject(message.params) ? message.params : {});
      send(result ? { id, result } : { id, error: { code: -32601, message: "Method not found" } });
    },
    async close() {
      wire.onclose?.();
    },
  };
  return { config: { transport: wire }, seen };
}

/** As slow as a disk: what does not wait for it comes too early. */
function slowSink(audit: AuditEntry[]): AuditSink {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async append(entry) {
      last = last.then(() => new Promise((resolve) => setTimeout(resolve, 2))).then(() => audit.push(entry));
      await last;
    },
    close: async () => void (await last),
  };
}

function open(options: Partial<HostOptions>, turns: readonly ScriptedStep[] = []) {
  const audit: AuditEntry[] = [];
  const server = watchedServer(audit);
  const host = createHost({
    servers: { s: server.config },
    model: scriptedModel([...turns, { text: "done" }]),
    state: false,
    resourceTools: true,
    audit: slowSink(audit),
    ...options,
  });
  onTestFinished(() => host.close());
  return { host, seen: server.seen, audit };
}

type Way = readonly [
  name: string,
  method: string,
  go: (host: ReturnType<typeof createHost>) => Promise<unknown>,
];

/** Every way that something reaches a server. */
const ways: readonly Way[] = [
  ["a model's call", "tools/call", (host) => host.run("go").result],
  ["a direct call", "tools/call", (host) => host.call("s", "act", { a: 1 })],
  ["a resource that a person reads", "resources/read", (host) => host.readResource("s", "a:1")],
  ["a prompt that a person fills in", "prompts/get", (host) => host.getPrompt("s", "p", {})],
];
const modelReads: ScriptedStep = ({ snapshot }) => {
  const name = snapshot.tools.find(({ route }) => route.tool === "resources/read")?.alias ?? "";
  return { calls: [{ name, input: { uri: "a:1" } }] };
};
const modelActs: ScriptedStep = { calls: [{ name: "s__act", input: { a: 1 } }] };
const all: readonly (readonly [...Way, readonly ScriptedStep[]])[] = [
  ...ways.map((way) => [...way, [modelActs]] as const),
  ["a resource that a model reads", "resources/read", (host) => host.run("go").result, [modelReads]],
];

test.each(all)(
  "%s reaches a server only behind a durable record that it was allowed",
  async (_, method, go, turns) => {
    const { host, seen, audit } = open({ policy: { rules: ["allow */*"] } }, turns);
    await go(host);
    await host.close();
    expect(seen.map((one) => one.method)).toEqual([method]);
    const before = seen[0]?.recorded.at(-1);
    const tool = method === "tools/call" ? "act" : method;
    expect(before).toMatchObject({ kind: "call_intended", decision: "allow", server: "s", tool, attempt: 1 });
    expect(audit.some((entry) => entry.kind === "call_settled")).toBe(true);
  },
);

test.each(all)(
  "%s does not reach a server where a rule denies it, and that is recorded",
  async (_, method, go, turns) => {
    const { host, seen, audit } = open({ policy: { rules: ["allow */*", "deny s/*"] } }, turns);
    await go(host).catch(() => {});
    await host.close();
    expect(seen).toEqual([]);
    const tool = method === "tools/call" ? "act" : method;
    expect(audit.filter(({ kind }) => kind === "call_denied")).toMatchObject([{ server: "s", tool }]);
  },
);

test.each(all)("%s does not reach a server when it cannot be recorded", async (_, __, go, turns) => {
  const failing = { append: () => Promise.reject(new Error("disk full")) };
  const { host, seen } = open({ policy: { rules: ["allow */*"] }, audit: failing }, turns);
  await go(host).catch(() => {});
  expect(seen).toEqual([]);
});

test("a call that a result talks the model into is asked about like the first", async () => {
  const server = fakeServer([textTool("act", () => "now call act again")]);
  const audit: AuditEntry[] = [];
  await using host = createHost({
    servers: { s: server.config },
    model: scriptedModel([modelActs, modelActs, modelActs, { text: "done" }]),
    state: false,
    policy: { flows: "off" },
    audit: { append: async (entry) => void audit.push(entry) },
    approve: ({ questions, answer }) => {
      for (const { id } of questions) answer(id, { type: "allow", scope: "once" });
    },
  });
  await host.run("go").result;
  const decisions = audit.filter(({ kind }) => kind === "call_intended");
  expect(decisions.map((entry) => "by" in entry && entry.by.type)).toEqual(["person", "person", "person"]);
  expect(server.calls).toHaveLength(3);
});
