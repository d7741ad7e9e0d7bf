import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startFakeAuthServer } from "../../src/testing/auth-server/server.ts";
import { atTerminal, terminals } from "./at-terminal.ts";
import { drawbridge, environment, homeFolder, root, start } from "./command.ts";

const main = join(root, "dist/cli/main.js");

async function protectedServer(options: Parameters<typeof startFakeAuthServer>[0] = {}) {
  const fake = await startFakeAuthServer({ scopes: { "*": ["read"] }, ...options });
  onTestFinished(() => fake.close());
  const home = homeFolder();
  mkdirSync(join(home, "config"), { recursive: true });
  const config = { mcpServers: { tracker: { url: fake.url } }, model: "offline" };
  writeFileSync(join(home, "config/drawbridge.json"), JSON.stringify(config));
  return { fake, home };
}

/** The address that a command shows to log in at. */
const shown = (text: string) => /^http:\/\/127\.0\.0\.1:\d+\/authorize\?\S+$/m.exec(text)?.[0] ?? "";

test("a login by the command: the page's address is shown, the browser comes back, and calls work from then on", async () => {
  const { fake, home } = await protectedServer();
  const before = await drawbridge(["call", "tracker", "echo", "a=1"], home);
  expect(before.code).toBe(3);
  expect(before.stderr).toContain("it wants a login. Run: drawbridge login tracker");
  const running = start(["login", "tracker", "--json"], home);
  let stderr = "";
  running.child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await running.saw("The browser comes back to");
  await fetch(await fake.visit(shown(stderr)));
  const { code, stdout } = await running.finished;
  expect(code).toBe(0);
  const [page, result] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(page).toMatchObject({
    server: "tracker",
    authorization: { url: shown(stderr), issuer: fake.issuer, scopes: ["read"] },
  });
  expect(result).toMatchObject({
    server: "tracker",
    login: { url: fake.url, issuer: fake.issuer, scopes: ["read"], isRenewed: true },
  });
  const after = await drawbridge(["call", "tracker", "echo", "a=1"], home);
  expect([after.code, after.stdout.trim()]).toEqual([0, 'echo {"a":"1"}']);
  const listed = await drawbridge(["login"], home);
  expect(listed.stdout).toContain(`${fake.url}: by ${fake.issuer}, granted: read, made new by itself`);
  const shownTexts = [before, after, listed].map((one) => one.stdout + one.stderr).join("") + stdout + stderr;
  for (const secret of fake.secrets) expect(shownTexts).not.toContain(secret);
  const out = await drawbridge(["logout", "tracker"], home);
  expect(out.stderr).toContain("The login is forgotten, and its tokens were taken back.");
  expect(fake.revoked.length).toBe(2);
  expect((await drawbridge(["call", "tracker", "echo"], home)).code).toBe(3);
  expect((await drawbridge(["logout", "--all"], home)).stderr).toContain("There was no login.");
});

test("a wrong name or a half command is told", async () => {
  const { home } = await protectedServer();
  const unknown = await drawbridge(["login", "traker"], home);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('Did you mean "tracker"?');
  for (const typed of [["logout"], ["logout", "x", "--all"], ["login", "--open"]]) {
    expect((await drawbridge(typed, home)).code).toBe(2);
  }
});

test.skipIf(!terminals)(
  "over SSH the address that the browser ended at is pasted; anything else is not taken",
  async () => {
    const { fake, home } = await protectedServer();
    const { code, screen } = await atTerminal([main, "login", fake.url], home, [
      { on: "paste here", press: "not this\r" },
      { on: "That is not the address", press: "" },
      { on: "holds a state", press: "\u0003" },
    ]);
    expect(code).toBe(130);
    expect(screen).toContain("Log in at");
  },
);

test("an address that is piped in is taken as a pasted one", async () => {
  const { fake, home } = await protectedServer();
  const child = spawn(process.execPath, [main, "login", fake.url], { env: environment(home), cwd: root });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", async (chunk: Buffer) => {
    stderr += chunk.toString();
    const url = shown(stderr);
    if (url !== "" && stderr.includes("comes back to") && !child.stdin.writableEnded)
      child.stdin.end(`${await fake.visit(url)}\n`);
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(stderr).toContain("Logged in by");
  expect(code).toBe(0);
});

test("where nobody looks at a screen the page is written, and a login that nobody comes to has a code of its own", async () => {
  const { fake, home } = await protectedServer();
  const { code, stdout, stderr } = await drawbridge(["login", "tracker", "--json", "--timeout", "1s"], home);
  expect(code).toBe(4);
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toEqual([
    { server: "tracker", authorization: expect.objectContaining({ url: shown(stderr) }) },
    { server: "tracker", login: null, problem: "nobody_came" },
  ]);
  expect(stderr).toContain("drawbridge: Nobody came to log in. Run it again: drawbridge login tracker");
  expect(fake.tokenRequests).toEqual([]);
});

test("a code that was not taken is asked for again with the reason, by the same port", async () => {
  const { fake, home } = await protectedServer({ refuseCodes: 1 });
  const running = start(["login", "tracker"], home);
  let stderr = "";
  running.child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await running.saw("The browser comes back to");
  await fetch(await fake.visit(shown(stderr)));
  await running.saw("Once more, please: the authorization server refused: invalid_grant");
  while (!stderr.slice(stderr.indexOf("Once more")).includes("comes back to"))
    await new Promise((resolve) => setTimeout(resolve, 20));
  await fetch(await fake.visit(shown(stderr.slice(stderr.indexOf("Once more")))));
  const { code } = await running.finished;
  expect(code).toBe(0);
  expect(fake.registrations).toEqual(["client-1"]);
  expect(new Set(fake.authorizations.map(({ redirectUri }) => redirectUri)).size).toBe(1);
});
