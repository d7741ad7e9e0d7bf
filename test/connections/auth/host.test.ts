import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHost } from "../../../src/index.ts";
import { scriptedModel } from "../../../src/testing/index.ts";
import { runScript, textOf } from "../../support/run-host.ts";
import { fakeAuth } from "./setup.ts";

const echo = { calls: [{ name: "s__echo", arguments: {} }] };

/** Everything in a folder but the logins themselves and the run's own journal, as one text. */
function filesOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile() && !/\/(?:logins|runs)\b/.test(entry.parentPath))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

test("a server that repeats the token it was sent gives it neither to the model nor to any record", async () => {
  const fake = await fakeAuth({ tellsToken: true });
  const state = mkdtempSync(join(tmpdir(), "drawbridge-state-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const ran = await runScript([echo, { text: "done" }], {
    servers: { s: { config: { url: fake.url } } },
    authorize: ({ url }) => fake.visit(url),
    state,
  });
  expect(ran.result.stop).toEqual({ type: "answered" });
  expect(textOf(ran.results(0)[0])).toContain("It was Bearer ⟨secret");
  const all = JSON.stringify([ran.events, ran.audit, ran.result, ran.model.requests]) + filesOf(state);
  for (const secret of fake.secrets) expect(all).not.toContain(secret);
});

test("principals have logins of their own", async () => {
  const fake = await fakeAuth();
  const state = mkdtempSync(join(tmpdir(), "drawbridge-state-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const host = (principal: string, authorize: boolean) =>
    createHost({
      servers: { s: { url: fake.url } },
      model: scriptedModel([]),
      audit: false,
      state,
      principal,
      ...(authorize ? { authorize: ({ url }: { url: string }) => fake.visit(url) } : {}),
    });
  await using ann = host("ann", true);
  expect((await ann.tools()).tools.some(({ route }) => route.server === "s")).toBe(true);
  await using ben = host("ben", false);
  await expect(ben.tools()).rejects.toMatchObject({ code: "server_unauthorized" });
  await using again = host("ann", false);
  expect((await again.tools()).tools.some(({ route }) => route.server === "s")).toBe(true);
});

test("the limits of a call stand still while a person grants what it needs", async () => {
  const fake = await fakeAuth({ scopes: { "tools/list": ["read"], "tools/call:echo": ["write"] } });
  const ran = await runScript([echo, { text: "done" }], {
    servers: { s: { config: { url: fake.url } } },
    limits: { callIdleMs: 600, callHardMs: 600 },
    async authorize({ url, scopes }) {
      if (scopes.includes("write")) await new Promise((resolve) => setTimeout(resolve, 1_000));
      return fake.visit(url);
    },
  });
  expect(ran.results(0)[0]?.isError).toBe(false);
  expect(fake.authorizations.map(({ scope }) => scope)).toEqual(["read", "read write"]);
});
