import fc from "fast-check";
import { expect, test } from "vitest";
import { aliasOf, slugOf } from "./names.ts";

test("a plain server id and tool name are joined by two underscores", () => {
  expect(aliasOf("filesystem", "read_file")).toBe("filesystem__read_file");
});

test("a name with other characters gets a hash of the whole pair", () => {
  expect(aliasOf("bin ninja", "admin.tools/list")).toMatch(
    /^bin-ninja-[0-9a-f]{6}__admin_tools_list_[0-9a-f]{10}$/,
  );
});

test("a long name is cut to 64 characters and stays distinct from its neighbour", () => {
  const server = "atlassian-rovo-mcp-server-cloud-production";
  const first = aliasOf(server, "createConfluencePageWithAttachmentsAndPermissions");
  const second = aliasOf(server, "createConfluencePageWithAttachmentsAndPermissionsV2");
  expect(first.length).toBeLessThanOrEqual(64);
  expect(first).not.toBe(second);
});

test("a tool that is named like another tool's hashed alias is hashed itself", () => {
  const hashed = aliasOf("a", "x y");
  expect(aliasOf("a", hashed.slice("a__".length))).not.toBe(hashed);
});

const id = fc.oneof(
  fc.string({ maxLength: 40, unit: "binary" }),
  fc.stringMatching(/^[a-c_-]{0,6}$/),
  fc.constantFrom("a__b", "a", "a_", "_a", "A", "", "drawbridge2", "é", "my db", "my_db", "my-db"),
);
const tool = fc.oneof(
  id,
  fc.constantFrom("b__c", "_c", "__c", "c", "C", "c_0123456789", " ", "constructor", "__proto__"),
);

test("no two hostile pairs with distinct slugs share an alias, and every alias is one the model APIs accept", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(id, tool), { selector: (pair) => JSON.stringify(pair), maxLength: 40 }),
      (pairs) => {
        const byAlias = new Map<string, string>();
        for (const [server, name] of pairs) {
          const alias = aliasOf(server, name);
          expect(alias).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
          const pair = JSON.stringify([server, name]);
          expect(byAlias.get(alias) ?? pair).toBe(pair);
          byAlias.set(alias, pair);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("a slug never holds the separator", () => {
  fc.assert(
    fc.property(id, (server) => {
      expect(slugOf(server)).not.toContain("__");
      expect(slugOf(server).length).toBeLessThanOrEqual(24);
    }),
  );
});
