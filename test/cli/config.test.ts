import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";
import { projectFolder } from "./project.ts";

const home = homeFolder();
const secret = "a-secret-written-out";
const folder = projectFolder({});
const file = join(folder, "mine.json");
writeFileSync(
  file,
  `{
  // everything that can be shown
  "model": "offline",
  "limits": { "turns": 7 },
  "mcpServers": {
    "evil\\u001b[2J": { "command": "echo", "args": ["--api-key", "${secret}", "TOKEN=${secret}", "\u202e"] },
    "off": { "command": "echo", "disabled": true },
    "web": { "url": "https://me:${secret}@example.com/mcp?key=${secret}&x=\${HOME}",
             "headers": { "Authorization": "Bearer \${HOME}", "X-Key": "${secret}" } },
    "withEnv": { "command": "echo", "env": { "A_KEY": "${secret}", "B": "\${HOME}", "LEVEL": "de bug", "URL": "https://me:${secret}@x.example" }, "required": false }
  }
}`,
);
const config = (...more: string[]) => drawbridge(["config", "--config", file, ...more], home, folder);

test("every value is shown with where it was written; an option wins over the file", async () => {
  const { code, stdout } = await config("--max-turns", "3", "--server", "x=node x.mjs");
  expect(stdout).toMatch(/model +offline +.*mine\.json:3/);
  expect(stdout).toMatch(/turns +3 +--max-turns/);
  expect(stdout).toMatch(/calls +0 +\(default\)/);
  expect(stdout).toMatch(/"x" +--server\n +command node x\.mjs/);
  expect(stdout).toMatch(/"off" .*mine\.json:7 +disabled/);
  expect(code).toBe(0);
});

test("no secret is shown, in text and in JSON; variables stand as they are written", async () => {
  const [text, json] = await Promise.all([config(), config("--json")]);
  for (const { stdout } of [text, json]) {
    expect(stdout).not.toContain(secret);
    expect(stdout).toContain("Bearer ${HOME}");
    expect(stdout).toContain("⟨20 chars⟩");
    expect(stdout).not.toContain(home);
  }
  const { servers, limits } = JSON.parse(json.stdout);
  expect(servers.find(({ id }: { id: string }) => id === "withEnv")).toMatchObject({
    origin: { type: "user", line: 10 },
    config: {
      env: { A_KEY: "⟨20 chars⟩", B: "${HOME}", LEVEL: "de bug", URL: "⟨41 chars⟩" },
      required: false,
    },
  });
  expect(text.stdout).toContain("LEVEL=de bug\n");
  expect(limits.turns).toMatchObject({ value: 7, origin: { line: 4 } });
  expect(limits.calls).toEqual({ value: 0, origin: { type: "default" } });
});

test("names and words of a file cannot steer the terminal", async () => {
  const { stdout } = await config();
  expect(stdout).toContain("evil\\u001b[2J");
  expect(stdout).toContain("\\u202e");
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
});
