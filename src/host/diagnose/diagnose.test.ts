import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diagnose } from "../diagnose.ts";
import { findLocalModels } from "./local-models.ts";
import { clockFacts, stateFacts } from "./machine.ts";

const root = mkdtempSync(join(tmpdir(), "drawbridge-doctor-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a state folder is written into for a moment only, and is not made", async () => {
  const made = join(root, "made");
  mkdirSync(made);
  expect(await stateFacts(made)).toMatchObject({
    exists: true,
    problem: null,
    freeBytes: expect.any(Number),
  });
  expect(readdirSync(made)).toEqual([]);
  const later = join(root, "later", "state");
  expect(await stateFacts(later)).toMatchObject({ exists: false, problem: null });
  expect(readdirSync(root)).toEqual(["made"]);
});

test("a state folder that is a file, or lies below one, is a problem", async () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "state")]) {
    expect(await stateFacts(folder)).toMatchObject({ problem: expect.any(String) });
  }
  rmSync(file);
});

test.runIf(process.getuid?.() !== 0)("a folder that may not be written is a problem", async () => {
  const folder = join(root, "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  expect(await stateFacts(folder)).toMatchObject({ problem: expect.stringContaining("EACCES") });
});

test("a clock that is behind what was kept, or long ago, is a problem", async () => {
  const folder = join(root, "clock");
  mkdirSync(join(folder, "audit"), { recursive: true });
  const now = Date.UTC(2026, 10, 30, 12);
  const path = join(folder, "audit", "x.jsonl");
  writeFileSync(path, "");
  const written = (ms: number) => {
    utimesSync(path, new Date(ms), new Date(ms));
    utimesSync(join(folder, "audit"), new Date(ms), new Date(ms));
  };
  written(now + 60_000);
  expect((await clockFacts(folder, now)).problem).toBeNull();
  written(now + 3_600_000);
  expect((await clockFacts(folder, now)).problem).toContain("something was kept at 2026-11-30T13:00");
  expect((await clockFacts(join(root, "none"), 0)).problem).toContain("1970-01-01, which is past");
});

async function listening(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close().closeAllConnections() };
}

const json = (value: unknown): RequestListener => {
  return (request, response) => {
    if (request.url === "/v1/models") response.end(JSON.stringify(value));
    else response.writeHead(404).end();
  };
};

test("a program that serves models is found; one that answers something else, or not at all, is none", async () => {
  const servers = await Promise.all([
    listening(json({ data: [{ id: "one" }, { id: 5 }, null, { id: "two" }] })),
    listening(json({ data: null })),
    listening(json({ hello: 1 })),
    listening((_request, response) => response.end("<html>")),
    listening((_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()),
  ]);
  const silent = await listening(() => {});
  try {
    const names = servers.map(({ url }, index) => ({ name: String(index), url }));
    const nobody = { name: "nobody", url: "http://127.0.0.1:1/v1" };
    const found = await findLocalModels([...names, nobody], undefined, 20_000);
    expect(found.map(({ models }) => models)).toEqual([["one", "two"], [], null, null, null, null]);
    expect(await findLocalModels([{ name: "silent", url: silent.url }], undefined, 50)).toMatchObject([
      { models: null },
    ]);
  } finally {
    for (const server of [...servers, silent]) server.close();
  }
});

test("a state folder that cannot be written hides nothing of the servers", async () => {
  const file = join(root, "blocked");
  writeFileSync(file, "");
  const command = process.execPath;
  const found = await diagnose({
    servers: { gone: { command, args: ["-e", "process.exit(7)"] } },
    state: file,
    localServers: [],
  });
  expect(found.state.problem).not.toBeNull();
  expect(found.servers).toMatchObject([{ status: { server: "gone", state: "failed" } }]);
  expect(JSON.stringify(found.servers)).toContain("exit code 7");
});

test("two ids that cannot be told apart are the problem of all", async () => {
  const found = await diagnose({
    servers: { drawbridge: { command: "echo" } },
    state: join(root, "state"),
    localServers: [],
  });
  expect(found).toMatchObject({ servers: [], problem: { code: "config_invalid" } });
});
