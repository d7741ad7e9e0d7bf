import { expect, test } from "vitest";
import { namesNoPackage, resolvedVersion, unpinnedPackage } from "../../src/cli/settings/package.ts";

test.each<[string, object | null]>([
  ["npx -y @scope/server .", { name: "@scope/server", from: "npm" }],
  ["npx -y server@latest", { name: "server", version: "latest", from: "npm" }],
  ["/usr/bin/npx server@^1.2.0", { name: "server", version: "^1.2.0", from: "npm" }],
  ["npx -y @scope/server@1.2.3", null],
  ["npx --registry=x -p server bin", { name: "server", from: "npm" }],
  ["npx --package=server@2 bin", { name: "server", version: "2", from: "npm" }],
  ["npx -y ./local", { name: "./local", from: "elsewhere" }],
  ["npx -y https://example.com/x.tgz", { name: "https://example.com/x.tgz", from: "elsewhere" }],
  ["npx -y github:user/repo", { name: "github:user/repo", from: "elsewhere" }],
  ["npx -y github:user/repo#0123456789abcdef0123456789abcdef01234567", null],
  ["uvx --from git+https://example.com/x bin", { name: "git+https://example.com/x", from: "elsewhere" }],
  ["npm run start", null],
  ["pnpm exec bin", null],
  ["bun x server", { name: "server", from: "npm" }],
  ["uv run server.py", null],
  ["npx", null],
  ["npm exec -y server", { name: "server", from: "npm" }],
  ["pnpm dlx server", { name: "server", from: "npm" }],
  ["uvx server-x", { name: "server-x", from: "python" }],
  ["uvx --python 3.12 server[all]", { name: "server[all]", from: "python" }],
  ["uvx --from server-x@latest bin", { name: "server-x", version: "latest", from: "python" }],
  ["uvx server==1.2.3", null],
  ["uvx server>=1.2", { name: "server", version: ">=1.2", from: "python" }],
  ["uv tool run server", { name: "server", from: "python" }],
  ["node server.mjs", null],
  ["__proto__ x", null],
])("%s fetches %j", (line, expected) => {
  const [command = "", ...args] = line.split(" ");
  expect(unpinnedPackage({ command, args })).toEqual(expected);
});

test.each<[string, boolean]>([
  ["npx", true],
  ["npx -y", true],
  ["npx --registry x -y", true],
  ["uvx --python 3.12", true],
  ["npx -y server", false],
  ["npx -p server bin", false],
  ["npx -c bin", false],
  ["npm start", false],
  ["node", false],
])("whether %s names no package: %j", (line, expected) => {
  const [command = "", ...args] = line.split(" ");
  expect(namesNoPackage({ command, args })).toBe(expected);
});

const says = (code: string): [string, ...string[]] => [process.execPath, "-e", code, "--"];
const wanted = { name: "server", from: "npm" } as const;
const ask = (code: string, signal?: AbortSignal) => resolvedVersion(wanted, signal, says(code));

test("the version is what the package manager says, the last of several", async () => {
  expect(await ask('console.log(JSON.stringify("1.2.3"))')).toBe("1.2.3");
  expect(await ask('console.log(JSON.stringify(["1.0.0", "1.1.0"]))')).toBe("1.1.0");
});

test("what is no version, or no answer, is not known", async () => {
  expect(await ask('console.log("\\"\\u001b[2J\\"")')).toBeNull();
  expect(await ask('console.log(JSON.stringify("1.2.3")); process.exitCode = 1')).toBeNull();
  expect(await ask("console.log('{')")).toBeNull();
  expect(await resolvedVersion(wanted, undefined, ["no-such-program-here"])).toBeNull();
  expect(await resolvedVersion({ name: "server", from: "python" })).toBeNull();
});

test("a package manager that does not answer is not waited for once the person leaves", async () => {
  const leaving = new AbortController();
  const asked = ask("setInterval(() => {}, 1000)", leaving.signal);
  leaving.abort();
  expect(await asked).toBeNull();
});
