import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, onTestFinished, test, vi } from "vitest";
import { administratorPath } from "../../src/config/administrator-path.ts";
import { administratorSchema } from "../../src/config/settings/administrator-schema.ts";
import { hostOptions } from "../../src/host/host-options.ts";
import { loadConfig } from "../../src/host/load-config.ts";
import { settingsPaths } from "../../src/host/settings-paths.ts";
import type { LoadedConfig } from "../../src/types/settings.ts";
import { testProject } from "./project.ts";

/** A place for the administrator's file, which begins empty. */
function administratorFile(content?: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-administrator-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "policy.json");
  if (content !== undefined)
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 1));
  return file;
}

/** What is refused when such a file is there, its folder cut off. */
async function refusal(file: string): Promise<string> {
  const { folder } = testProject();
  const thrown: unknown = await loadConfig({ cwd: folder, administratorFile: file }).catch((error) => error);
  expect(thrown).toMatchObject({ code: "config_invalid" });
  return String(thrown).replaceAll(join(file, ".."), "ETC");
}

test("an administrator's rules come with file and line, and hold over a person's, a project's and --config", async () => {
  const project = testProject();
  const file = administratorFile({
    policy: { rules: ["deny shell/*"], shadowRules: ["deny */*"], flows: "ask" },
    audit: { required: true, arguments: "hash", sign: "key.pem" },
    drift: "block",
  });
  const loose = {
    policy: { rules: ["allow */*"], shadowRules: [], flows: "off" },
    audit: { required: false, arguments: "redacted", sign: "mine.pem" },
    mcpServers: { a: { command: "x", drift: "ask" } },
  };
  project.writeUser(loose);
  project.write("named.json", loose);
  const load = (more: object): Promise<LoadedConfig> =>
    loadConfig({ cwd: project.folder, administratorFile: file, ...more });
  for (const loaded of [await load({}), await load({ file: "named.json" })]) {
    expect(loaded.files.at(-1)).toEqual({ path: file, scope: "administrator", found: true });
    expect(loaded.administratorRules).toEqual([
      { value: "deny shell/*", origin: { type: "administrator", file, line: 4 } },
    ]);
    const { servers, policy, audit } = hostOptions(loaded);
    expect(servers.a?.drift).toBe("block");
    expect(policy).toMatchObject({
      rules: ["allow */*"],
      administratorRules: ["deny shell/*"],
      shadowRules: [],
      administratorShadowRules: ["deny */*"],
      flows: "always",
    });
    expect(audit).toEqual({ required: true, arguments: "hash", sign: join(file, "../key.pem") });
  }
});

test("what the administrator does not say is the person's to say, and without the file all is", async () => {
  const project = testProject();
  project.writeUser({ policy: { rules: ["allow a/b"], flows: "off" }, audit: { required: false } });
  const options = async (file: string) =>
    hostOptions(await loadConfig({ cwd: project.folder, administratorFile: file }));
  const quiet = await options(administratorFile({ policy: { rules: [] } }));
  expect(quiet).toMatchObject({
    policy: { administratorRules: [], flows: "off" },
    audit: { required: false },
  });
  const none = await options(administratorFile());
  expect(none.policy).toEqual({ rules: ["allow a/b"], projectRules: [], trust: [], flows: "off" });
});

test("where a server was typed, the administrator's word on drift holds too", async () => {
  const file = administratorFile({ drift: "block" });
  const loaded = await loadConfig({ cwd: testProject().folder, administratorFile: file });
  const typed = { ...loaded, servers: [{ ...serverOf("a"), config: { command: "x" } }] };
  expect(hostOptions(typed).servers.a?.drift).toBe("block");
});

function serverOf(id: string): LoadedConfig["servers"][number] {
  const config = { command: "x" };
  const origin = { type: "flag", flag: "--server" } as const;
  return {
    id,
    config,
    written: config,
    variables: [],
    origin,
    disabled: false,
    pending: false,
    configHash: "",
  };
}

test.each([
  ["{", "ETC/policy.json:1:2: a closing } is missing before this."],
  ["", "ETC/policy.json:1:1: the file is empty; write {} or remove it."],
  ["[]", 'ETC/policy.json:1:1: the file must hold an object, such as { "policy": {} }.'],
  [{ policy: { rules: ["allow a/b", "alow a/b"] } }, "ETC/policy.json:5:4: The rule `alow a/b` is not valid"],
  [{ policy: { shadowRules: ["deny a"] } }, "ETC/policy.json:4:4: The rule `deny a` is not valid"],
  [{ policy: { flows: "off" } }, 'ETC/policy.json:3:12: policy.flows must be "ask".'],
  [{ drift: "ask" }, 'ETC/policy.json:2:11: drift must be "block".'],
  [{ polcy: {} }, 'ETC/policy.json:2:2: unknown key polcy. Did you mean "policy"?'],
  [{ mcpServers: {} }, "ETC/policy.json:2:2: unknown key mcpServers; known here: $schema, policy, audit"],
])("a broken file stops everything, by its place: %j", async (content, problem) => {
  expect(await refusal(administratorFile(content))).toContain(problem);
});

test("a file that is there and cannot be read stops everything, too", async () => {
  const [folder, dangling] = [administratorFile(), administratorFile()];
  mkdirSync(folder);
  expect(await refusal(folder)).toContain("ETC/policy.json:1:1: it is not a file");
  symlinkSync(`${dangling}.gone`, dangling);
  expect(await refusal(dangling)).toContain("a link to a file that is not there. Nothing starts without it.");
});

test.skipIf(process.platform === "win32")(
  "a file that others may write, or replace, is not believed",
  async () => {
    const file = administratorFile({ policy: { rules: ["allow */*"] } });
    chmodSync(file, 0o664);
    expect(await refusal(file)).toContain("others can write ETC/policy.json; take that away: chmod go-w");
    const replaced = administratorFile({});
    chmodSync(join(replaced, ".."), 0o777);
    expect(await refusal(replaced)).toContain("others can write ETC; take that away");
    const link = administratorFile();
    chmodSync(join(link, ".."), 0o777);
    symlinkSync(administratorFile({}), link);
    expect(await refusal(link)).toContain("others can write ETC; take that away");
  },
);

test.skipIf(process.platform === "win32")(
  "no folder or link on the way to it may be others' to write, however far above",
  async () => {
    const far = join(administratorFile(), "..");
    const at = (...names: string[]) => join(far, ...names);
    mkdirSync(at("open/team/rules"), { recursive: true });
    mkdirSync(at("closed"));
    writeFileSync(at("open/team/rules/policy.json"), "{}");
    symlinkSync(at("open/team"), at("closed/team"));
    symlinkSync("closed/team/./rules/../rules", at("rules"));
    const files = [
      at("open/team/rules/policy.json"),
      at("closed/team/rules/policy.json"),
      at("rules/policy.json"),
    ];
    const refusals = async () =>
      (await Promise.all(files.map(refusal))).map((text) => text.replaceAll(far, "FAR"));
    chmodSync(at("open"), 0o2775);
    for (const text of await refusals()) expect(text).toContain("others can write FAR/open; take that away");
    // Where nobody can take away what is another's, as in /tmp.
    chmodSync(at("open"), 0o1777);
    for (const file of files) {
      const { files: read } = await loadConfig({ cwd: testProject().folder, administratorFile: file });
      expect(read.at(-1)).toMatchObject({ path: file, found: true });
    }
    // But the folder that it lies in is nobody else's.
    chmodSync(at("open"), 0o755);
    chmodSync(at("open/team/rules"), 0o1777);
    for (const text of await refusals())
      expect(text).toMatch(/others can write (ETC|\S+\/rules); take that away/);
  },
);

test.skipIf(process.platform === "win32")("links that lead to each other lead to no file", async () => {
  const file = administratorFile();
  symlinkSync(`${file}.other`, file);
  symlinkSync(file, `${file}.other`);
  expect(await refusal(file)).toContain("ETC/policy.json:1:1: it is a link that leads to itself");
});

test.skipIf(process.getuid?.() !== 0)("a link of another user's on the way is not believed", async () => {
  const { lchownSync } = await import("node:fs");
  const file = administratorFile();
  const folder = join(administratorFile({}), "..");
  symlinkSync(folder, file);
  lchownSync(file, 12_345, 12_345);
  expect(await refusal(join(file, "policy.json"))).toContain("must belong to root");
});

test.skipIf(process.getuid?.() !== 0)("a file that belongs to another user is not believed", async () => {
  const { chownSync } = await import("node:fs");
  const file = administratorFile({});
  chownSync(file, 12_345, 12_345);
  expect(await refusal(file)).toContain("ETC/policy.json must belong to root");
});

test("no variable moves the file", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const places = { DRAWBRIDGE_HOME: "/x", XDG_CONFIG_DIRS: "/x", XDG_CONFIG_HOME: "/x", PROGRAMDATA: "/x" };
  for (const [name, value] of Object.entries(places)) vi.stubEnv(name, value);
  expect(settingsPaths().administratorFile).toBe(administratorPath());
  expect(administratorPath("linux")).toBe("/etc/drawbridge/policy.json");
  expect(administratorPath("darwin")).toBe("/Library/Application Support/drawbridge/policy.json");
  expect(administratorPath("win32")).toBe("C:\\ProgramData\\drawbridge\\policy.json");
});

test("the published schema of the file is the one that it is checked with", async () => {
  const published = join(import.meta.dirname, "../../schema/administrator.schema.json");
  await expect(`${JSON.stringify(administratorSchema, null, 2)}\n`).toMatchFileSnapshot(published);
  const valid = new Ajv({ strict: true }).compile(administratorSchema);
  expect(valid({ policy: { rules: ["deny a/b"], flows: "ask" }, drift: "block" })).toBe(true);
  expect(valid({ policy: { flows: "off" } })).toBe(false);
});
