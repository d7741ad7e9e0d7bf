import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parseTree } from "jsonc-parser";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeValue } from "../../src/config/edit/node-value.ts";
import { addServers, createConfigFile } from "../../src/host/import-servers.ts";
import type { WrittenServer } from "../../src/types/found-servers.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "drawbridge-edit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const user = { scope: "user" } as const;
const server: WrittenServer = { command: "npx", args: ["-y", "x"], env: { TOKEN: "${TOKEN}" } };

function put(text: string): string {
  const file = join(folder, "drawbridge.json");
  writeFileSync(file, text);
  return file;
}

/** The file's value, read as an editor would. */
function valueIn(file: string): unknown {
  const errors: never[] = [];
  const tree = parseTree(readFileSync(file, "utf8").replace("\ufeff", ""), errors, {
    allowTrailingComma: true,
  });
  expect(errors).toEqual([]);
  return tree === undefined ? undefined : nodeValue(tree);
}

test("a file that is not there is made with its schema, for the owner alone", async () => {
  const file = join(folder, "a/b/drawbridge.json");
  expect(await addServers(file, { x: server }, user)).toEqual({ added: ["x"], replaced: [], unchanged: [] });
  expect(valueIn(file)).toMatchObject({
    $schema: expect.stringMatching(/^https:/),
    mcpServers: { x: server },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, "a/b")).mode & 0o777).toBe(0o700);
  expect(readFileSync(file, "utf8")).toContain("write no secrets into this file");
});

test("comments, order and formatting of everything else stay", async () => {
  const before = `// first
{
    /* the model */ "model": "offline",
    "mcpServers": {
        "a": {"command":"a"}, // the first one
        // "b" was here
        "c": { "command": "c", }, /* last, with a comma */
    }, // servers
}
`;
  const file = put(before);
  await addServers(file, { x: { command: "x" }, y: { url: "https://e.com" } }, user);
  expect(readFileSync(file, "utf8")).toBe(
    before.replace(
      "    }, // servers",
      `        "x": {
            "command": "x"
        },
        "y": {
            "url": "https://e.com"
        }
    }, // servers`,
    ),
  );
});

test("a comma is put behind the last server, not into the comment behind it", async () => {
  const file = put('{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "a"} // one, two\r\n\t}\r\n}');
  await addServers(file, { x: { command: "x" } }, user);
  expect(readFileSync(file, "utf8")).toBe(
    '{\r\n\t"mcpServers": {\r\n\t\t"a": {"command": "a"}, // one, two\r\n\t\t"x": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}',
  );
});

test.each([
  ["nothing", ""],
  ["an empty object", "{}"],
  ["no servers", '{ "model": "offline" }'],
  ["servers on one line", '{"mcpServers":{"a":{"command":"a"}}}'],
  ["a byte order mark", '\ufeff{"mcpServers":{}}'],
  ["a line comment at the end", '{"mcpServers":{} // end\n}'],
])("a server can be added to %s", async (_, text) => {
  const file = put(text);
  await addServers(file, { x: server }, user);
  expect(valueIn(file)).toMatchObject({ mcpServers: { x: server } });
  expect(readFileSync(file, "utf8").startsWith("\ufeff")).toBe(text.startsWith("\ufeff"));
});

test("another server of the same id is an error that names it and changes nothing, unless it is forced", async () => {
  const text = '{"mcpServers":{"x":{"command":"mine"} /* mine */}}';
  const file = put(text);
  await expect(addServers(file, { a: server, x: server }, user)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(/"x".*Nothing was written; --force/),
  });
  expect(readFileSync(file, "utf8")).toBe(text);
  const forced = await addServers(file, { a: server, x: server }, { ...user, force: true });
  expect(forced).toEqual({ added: ["a"], replaced: ["x"], unchanged: [] });
  expect(valueIn(file)).toEqual({ mcpServers: { x: server, a: server } });
  expect(readFileSync(file, "utf8")).toContain("/* mine */");
});

test("the same server again is left as it is, whatever the order of its keys", async () => {
  const text = '{"mcpServers":{"x":{"args":["-y","x"],"env":{"TOKEN":"${TOKEN}"},"command":"npx"}}}';
  const file = put(text);
  expect(await addServers(file, { x: server }, user)).toEqual({ added: [], replaced: [], unchanged: ["x"] });
  expect(readFileSync(file, "utf8")).toBe(text);
});

test.each([
  ['{"mcpServers":', /drawbridge\.json:1 is not valid JSON\. Nothing was written\./],
  ["[]", /does not hold an object/],
  ['{"mcpServers":[]}', /mcpServers that is not an object/],
  ['{"mcpServers":{},"mcpServers":{}}', /mcpServers twice/],
])("a file that holds %s is not touched", async (text, message) => {
  const file = put(text);
  await expect(addServers(file, { x: server }, user)).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringMatching(message),
  });
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("a dry run says what it would do and writes nothing", async () => {
  const file = join(folder, "drawbridge.json");
  expect(await addServers(file, { x: server }, { ...user, dryRun: true })).toMatchObject({ added: ["x"] });
  expect(readdirSync(folder)).toEqual([]);
});

test("a link stays a link and the file keeps its mode; nothing else is left in the folder", async () => {
  const target = join(folder, "dotfiles.json");
  writeFileSync(target, "{}");
  chmodSync(target, 0o640);
  const link = join(folder, "drawbridge.json");
  symlinkSync(target, link);
  await addServers(link, { x: server }, user);
  expect(valueIn(target)).toEqual({ mcpServers: { x: server } });
  expect(statSync(target).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).sort()).toEqual(["dotfiles.json", "drawbridge.json"]);
});

test("servers with ids and texts of any kind are read back as they were written, one after the other", async () => {
  const id = fc.oneof(
    fc.string(),
    fc.constantFrom("__proto__", "constructor", "a.b", '"', "//", "/*", "mcpServers"),
  );
  const text = fc.string();
  const written: fc.Arbitrary<WrittenServer> = fc.record({
    command: text,
    args: fc.array(text, { maxLength: 3 }),
    env: fc.dictionary(id, text, { maxKeys: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(id, written), { maxLength: 4 }), async (entries) => {
      const file = put("{ // kept\n}");
      const servers = Object.fromEntries(entries);
      for (const [one, config] of Object.entries(servers)) {
        await addServers(file, Object.fromEntries([[one, config]]), user);
      }
      const expected = JSON.stringify(entries.length === 0 ? {} : { mcpServers: servers });
      expect(JSON.stringify(valueIn(file))).toBe(expected);
      expect(readFileSync(file, "utf8")).toContain("// kept");
    }),
    { numRuns: 60 },
  );
});

test("a new config file is never put over one that is there", async () => {
  const file = put("{}");
  await expect(createConfigFile(file, "project")).rejects.toMatchObject({
    code: "config_invalid",
    message: expect.stringContaining("is there already. It was not changed: edit it, or remove it."),
  });
  expect(readFileSync(file, "utf8")).toBe("{}");
});

test("a folder that cannot be written is an error that says so", async () => {
  writeFileSync(join(folder, "file"), "");
  await expect(createConfigFile(join(folder, "file/drawbridge.json"), "user")).rejects.toMatchObject({
    code: "store_failed",
  });
});

test.runIf(process.platform === "linux")(
  "a pipe or a device of that name is not read and not written",
  async () => {
    const pipe = join(folder, "pipe.json");
    execFileSync("mkfifo", [pipe]);
    const device = join(folder, "device.json");
    symlinkSync("/dev/zero", device);
    for (const file of [pipe, device]) {
      const adding = addServers(file, { a: { command: "a" } }, { scope: "project" });
      await expect(adding).rejects.toThrow(/is not a file\. Nothing was changed\.$/);
    }
  },
);
