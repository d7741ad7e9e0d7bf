import { expect, test } from "vitest";
import { hostOptions } from "../../src/host/host-options.ts";
import { testProject } from "./project.ts";

const own = "ROOT/home/config/drawbridge.json";

test.each([
  [{ model: "offline" }, `1:2: model cannot be set by a project's file; move it to your own, ${own}.`],
  [
    { baseUrl: "https://example.com" },
    `1:2: baseUrl cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { fallbackModels: ["offline"] },
    `1:2: fallbackModels cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { prices: { m: { input: 0, output: 0 } } },
    `1:2: prices cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { audit: { required: false } },
    `1:22: a project's file may only make the audit log stricter; move it to your own, ${own}.`,
  ],
  [
    { audit: { arguments: "redacted" } },
    `1:23: a project's file may only make the audit log stricter; move it to your own, ${own}.`,
  ],
  [
    { audit: { sign: "key.pem" } },
    `1:18: audit.sign cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { audit: { rotateBytes: 1_000_000 } },
    `1:25: audit.rotateBytes cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { resourceTools: true },
    `1:2: resourceTools cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [{ trust: ["a"] }, `1:2: trust cannot be set by a project's file; move it to your own, ${own}.`],
  [
    { mcpServers: { s: { command: "x", sampling: true } } },
    `1:35: mcpServers.s.sampling cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { mcpServers: { s: { command: "x", stderr: "/etc/x" } } },
    `1:35: mcpServers.s.stderr cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { mcpServers: { s: { command: "x", drift: "ask" } } },
    `1:35: mcpServers.s.drift cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { mcpServers: { s: { command: "x", private: false } } },
    `1:35: mcpServers.s.private cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [{ wrapResults: true }, `1:2: wrapResults cannot be set by a project's file; move it to your own, ${own}.`],
  [
    { mcpServers: { s: { command: "x", roots: ["."] } } },
    `1:35: mcpServers.s.roots cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { mcpServers: { "my server": { command: "x", trust: true } } },
    `1:43: mcpServers."my server".trust cannot be set by a project's file; move it to your own, ${own}.`,
  ],
  [
    { policy: { rules: ["deny a/*", "allow a/b"] } },
    "1:32: The rule `allow a/b` is not valid: a project's rules may only ask, deny or hide; put it into your own file.",
  ],
  [
    { limits: { turns: 21 } },
    "1:20: limits.turns may only be made tighter by a project's file; the default is 20, and a looser value belongs in your own.",
  ],
  [
    { maxTokens: 16_001 },
    "1:14: maxTokens may only be made tighter by a project's file; the default is 16000, and a looser value belongs in your own.",
  ],
  [
    { mcpServers: { a: { command: "x", timeout: 600_001 } } },
    "1:45: mcpServers.a.timeout may be at most 600000 in a project's file, as limits.callHardMs is.",
  ],
])("a project's file may not hold %j", async (content, line) => {
  const project = testProject();
  project.write("drawbridge.json", content);
  expect(await project.problems()).toEqual([`drawbridge.json:${line}`]);
});

test("a person's file may hold all of it, and so may a file that the person named", async () => {
  const content = {
    model: "offline",
    baseUrl: "https://example.com",
    system: "s",
    maxTokens: 50_000,
    trust: ["a"],
    limits: { turns: 50, tokens: 0 },
    policy: { rules: ["allow a/b"] },
    mcpServers: { a: { command: "x", trust: true, timeout: 700_000, sampling: true, roots: ["notes"] } },
  };
  const project = testProject();
  project.writeUser(content);
  project.write("other.json", content);
  for (const loaded of [await project.load(), await project.load({ file: "other.json" })]) {
    expect(loaded).toMatchObject({
      model: { value: "offline", origin: { type: "user", line: 1 } },
      baseUrl: { value: "https://example.com" },
      system: { value: "s" },
      maxTokens: { value: 50_000 },
      trust: [{ value: "a" }],
      limits: { turns: { value: 50 } },
      rules: [{ value: "allow a/b" }],
      projectRules: [],
      servers: [{ id: "a", pending: false, config: { trust: true, timeout: 700_000, sampling: true } }],
    });
  }
});

test("a base URL without a form that can work is refused", async () => {
  const project = testProject();
  for (const baseUrl of ["nowhere", "file:///x", "https://me:pw@example.com"]) {
    project.writeUser({ baseUrl });
    expect(await project.problems()).toEqual([
      `${own}:1:12: baseUrl must be an http or https URL without a user name or password.`,
    ]);
  }
});

test("a project's rules come as the project's", async () => {
  const project = testProject();
  project.write("drawbridge.json", { policy: { rules: ["deny a/*"] } });
  project.writeUser({ policy: { rules: ["allow a/*"] } });
  const { rules, projectRules } = await project.load();
  expect(rules.map(({ value }) => value)).toEqual(["allow a/*"]);
  expect(projectRules).toMatchObject([{ value: "deny a/*", origin: { type: "project" } }]);
});

const limits: readonly (readonly [user: number | null, project: number, holds: number | null])[] = [
  [null, 10, 10],
  [null, 21, null],
  [50, 30, 30],
  [50, 51, null],
  [10, 15, 10],
  [10, 5, 5],
];

test.each(limits)("turns of a person %s and of a project %s: %s", async (user, inProject, holds) => {
  const project = testProject();
  if (user !== null) project.writeUser({ limits: { turns: user } });
  project.write("drawbridge.json", { limits: { turns: inProject } });
  if (holds === null) expect(await project.problems()).toHaveLength(1);
  else expect((await project.load()).limits.turns?.value).toBe(holds);
});

test("where 0 means no limit, any limit of a project is tighter, and 0 is looser than a person's limit but not than the default", async () => {
  const project = testProject();
  project.write("drawbridge.json", { limits: { tokens: 1_000 } });
  expect((await project.load()).limits.tokens).toMatchObject({ value: 1_000, origin: { type: "project" } });
  project.writeUser({ limits: { tokens: 500 } });
  project.write("drawbridge.json", { limits: { tokens: 0 } });
  expect((await project.load()).limits.tokens).toMatchObject({ value: 500, origin: { type: "user" } });
});

test("our keys in .mcp.json are an error, because a rule that is passed over protects nobody", async () => {
  const project = testProject();
  project.write(".mcp.json", { policy: { rules: ["deny */*"] } });
  expect(await project.problems()).toEqual([
    ".mcp.json:1:2: policy does not belong here; move it to drawbridge.json.",
  ]);
});

test("keys of other hosts are passed over with a warning, in .mcp.json and in every server", async () => {
  const project = testProject();
  const server = { command: "x", autoApprove: ["y"], description: "d" };
  project.write(".mcp.json", { inputs: [], mcpServers: { a: server } });
  project.writeUser({ mcpServers: { b: { ...server, enabled: true } } });
  const { servers, warnings } = await project.load();
  expect(servers.map(({ id }) => id)).toEqual(["a", "b"]);
  expect(warnings.map((warning) => warning.replace(/^\S+ /, ""))).toEqual([
    "inputs is not a key of ours and is passed over.",
    "mcpServers.a.autoApprove is not a key of ours and is passed over.",
    "mcpServers.a.description is not a key of ours and is passed over.",
    "mcpServers.b.autoApprove is not a key of ours and is passed over.",
    "mcpServers.b.description is not a key of ours and is passed over.",
    "mcpServers.b.enabled is not a key of ours and is passed over.",
  ]);
});

test("of many warnings the first are told, and how many more there are", async () => {
  const project = testProject();
  project.write(
    ".mcp.json",
    Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`foreign${index}`, 1])),
  );
  const { warnings } = await project.load();
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toBe("There are 10 more warnings.");
});

test("a project's file makes drift stricter, also for a person's own server, and never looser", async () => {
  const project = testProject();
  project.write("drawbridge.json", { mcpServers: { a: { command: "x", drift: "block" } } });
  project.writeUser({ mcpServers: { a: { command: "y", drift: "ask" }, b: { command: "z", drift: "ask" } } });
  const { servers } = await project.load();
  expect(servers.map(({ config }) => config.drift)).toEqual(["block", "ask"]);
});

test("a project's file makes a server private, also a person's own, and never public", async () => {
  const project = testProject();
  project.write("drawbridge.json", { mcpServers: { a: { command: "x", private: true } } });
  project.writeUser({
    mcpServers: { a: { command: "y", private: false }, b: { command: "z", private: false } },
  });
  const { servers } = await project.load();
  expect(servers.map(({ config }) => config.private)).toEqual([true, false]);
});

test("whether flows are asked about is a person's to turn off, unless a project holds to it", async () => {
  const project = testProject();
  project.writeUser({ policy: { flows: "off" }, wrapResults: true });
  expect(hostOptions(await project.load())).toMatchObject({ policy: { flows: "off" }, wrapResults: true });
  project.write("drawbridge.json", { policy: { flows: "ask" } });
  expect(hostOptions(await project.load()).policy).toMatchObject({ flows: "ask" });
});
