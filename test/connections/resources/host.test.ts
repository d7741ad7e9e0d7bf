import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/host.ts";
import type { AuditEntry } from "../../../src/types/audit.ts";
import type { HostOptions } from "../../../src/types/config.ts";
import { type Answer, never, offerServer } from "../../fixtures/connections/offer-server.ts";
import { png } from "../../support/images.ts";

function hostWith(answers: Record<string, Answer>, options: Partial<HostOptions> = {}) {
  const server = offerServer(answers, { resources: {}, prompts: {}, completions: {} });
  const audit: AuditEntry[] = [];
  const host = createHost({
    servers: { files: { transport: server.transport } },
    model: "offline",
    state: false,
    audit: { append: async (entry) => void audit.push(entry) },
    ...options,
  });
  onTestFinished(() => host.close());
  return { host, server, audit };
}

const reads = (contents: unknown): Record<string, Answer> => ({ "resources/read": () => ({ contents }) });

test("text, pictures by their bytes and other bytes of a resource each become what a model can use", async () => {
  const bytes = png(30, 20);
  const picture = bytes.toString("base64");
  const { host } = hostWith(
    reads([
      { uri: "a:text", mimeType: "text/markdown", text: "# Notes" },
      { uri: "a:picture", mimeType: "text/plain", blob: picture },
      {
        uri: "a:zip",
        mimeType: "application/zip",
        blob: Buffer.from("PK\u0003\u0004 data").toString("base64"),
      },
    ]),
  );
  const reading = await host.readResource("files", "a:all");
  const texts = reading.blocks.map((block) => (block.type === "text" ? block.text : block.mediaType));
  expect(texts).toEqual([
    "Resource a:text (text/markdown):\n# Notes",
    `Resource a:picture (image/png, 30x20 pixels, ${bytes.length} bytes):`,
    "image/png",
    "[Resource a:zip: application/zip, 9 bytes. Its base64 was not kept]",
  ]);
  expect(reading.contents).toHaveLength(3);
  expect(reading.bytes).toBe(7 + bytes.length + 9);
});

test("a huge resource is cut for the model and whole for the program", async () => {
  const { host } = hostWith(reads([{ uri: "a:1", text: "line\n".repeat(100_000) }]));
  const { blocks, contents, bytes } = await host.readResource("files", "a:1", { outputTokens: 1_000 });
  const shown = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  expect(shown.length).toBeLessThan(4_100);
  expect(shown).toContain("was not kept");
  expect([contents[0]?.text?.length, bytes]).toEqual([500_000, 500_000]);
});

test("a read is recorded before it is sent and after it was answered, under its method", async () => {
  const { host, audit, server } = hostWith(reads([{ uri: "a:1", text: "12345" }]));
  await host.readResource("files", "a:1");
  const [intended, settled, returned] = audit;
  const who = { server: "files", tool: "resources/read", method: "resources/read" };
  expect(intended).toMatchObject({
    kind: "call_intended",
    ...who,
    arguments: { uri: "a:1" },
    by: { type: "direct" },
  });
  expect(settled).toMatchObject({ kind: "call_settled", ...who, outcome: "answered", bytesIn: 8 });
  expect(returned).toMatchObject({ kind: "results_returned", results: [{ call: "call_1" }] });
  expect(server.asked.map(({ params }) => params.uri)).toEqual(["a:1"]);
});

test.each(["deny files/*", 'deny files/"resources/read" uri=a:secret**'])(
  "the rule %s holds for a read: nothing is sent, and the denial is recorded",
  async (rule) => {
    const { host, audit, server } = hostWith(reads([]), { policy: { rules: [rule] } });
    await expect(host.readResource("files", "a:secret/1")).rejects.toMatchObject({ code: "call_denied" });
    expect(audit).toMatchObject([{ kind: "call_denied", method: "resources/read" }]);
    expect(server.asked).toEqual([]);
  },
);

test("nothing is read that cannot be recorded", async () => {
  const { host, server } = hostWith(reads([]), {
    audit: { append: () => Promise.reject(new Error("disk full")) },
  });
  await expect(host.readResource("files", "a:1")).rejects.toMatchObject({ code: "audit_failed" });
  expect(server.asked).toEqual([]);
});

test("a read ends at the limit of a call, and the server is told", async () => {
  const { host, server, audit } = hostWith(
    { "resources/read": () => never },
    { limits: { callIdleMs: 20, callHardMs: 1_000 } },
  );
  await expect(host.readResource("files", "a:1")).rejects.toMatchObject({ code: "call_timeout" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.cancelled).toEqual(["resources/read"]);
  expect(audit.at(-1)).toMatchObject({ kind: "call_settled", outcome: "failed", code: "call_timeout" });
});

test("a list that does not come in time has an error, and the other servers' lists are there", async () => {
  const { host } = hostWith({ "resources/list": () => never }, { limits: { listMs: 20 } });
  expect(await host.resources()).toMatchObject([
    { server: "files", entries: [], error: { code: "server_list_failed" } },
  ]);
});

test("an unknown server is told from one that is down, also for names that every object has", async () => {
  const { host } = hostWith({});
  await expect(host.resources({ server: "flies" })).rejects.toMatchObject({
    code: "server_unknown",
    message: expect.stringContaining("files"),
  });
  await expect(host.readResource("__proto__", "a:1")).rejects.toMatchObject({ code: "server_unknown" });
  const down = createHost({
    servers: { gone: { command: "/no/such/program", required: false } },
    state: false,
  });
  onTestFinished(() => down.close());
  expect(await down.resources()).toMatchObject([{ server: "gone", error: { code: "call_not_sent" } }]);
  await expect(down.readResource("gone", "a:1")).rejects.toMatchObject({ code: "call_not_sent" });
});

test("a secret in a resource is in neither what the model nor what the program gets", async () => {
  const server = offerServer(reads([{ uri: "a:1", text: "key: sesame-sesame-1" }]), { resources: {} });
  const secrets = [{ name: "KEY", value: "sesame-sesame-1" }];
  const host = createHost({ servers: { s: { transport: server.transport, secrets } }, state: false });
  onTestFinished(() => host.close());
  const reading = await host.readResource("s", "a:1");
  expect(JSON.stringify(reading)).not.toContain("sesame-sesame-1");
});

test("an aborted list rejects with `aborted`", async () => {
  const { host } = hostWith({ "resources/list": () => never });
  const abort = new AbortController();
  const listing = host.resources({ signal: abort.signal });
  abort.abort();
  await expect(listing).rejects.toMatchObject({ code: "aborted" });
});
