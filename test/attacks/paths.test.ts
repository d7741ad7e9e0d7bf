import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsent } from "../../src/consent/consent.ts";
import { systemClock } from "../../src/util/clock.ts";
import { decisionOf } from "../support/consent.ts";
import { makeCall, makeTool } from "../support/tools.ts";

const tool = makeTool({ server: "fs", name: "read" });

/** `allow` or `deny`, of a call that asks for this path. The server works in /work/app, if anywhere. */
async function decided(
  rules: readonly string[],
  path: unknown,
  folder: string | null = "/work/app",
): Promise<string> {
  const consent = createConsent({ rules, approve: null, clock: systemClock, folderOf: () => folder });
  return (await decisionOf(consent, makeCall(tool, { path } as never))).split(" ")[0] ?? "";
}

const underSrc = ["allow fs/read under(path)=/work/app/src"];

test.each([
  "/work/app/src",
  "/work/app/src/a.ts",
  "src/a.ts",
  "./src/./a.ts",
  "/work//app/src/a",
  "src/..a",
  "src/a..",
])("%s lies in the folder that is allowed", async (path) => {
  expect(await decided(underSrc, path)).toBe("allow");
});

const outside = [
  "/work/app/src/../secret",
  "src/../../secret",
  "/work/app/src/..",
  "/work/app/src/a/../../secret",
  "/work/app/src/link/../x",
  "/work/app/src\\..\\secret",
  "/work/app/src/%2e%2e/secret",
  "/work/app/src/.%2E/secret",
  "/work/app/src/..%2fsecret",
  "/work/app/src%2f..%2fsecret",
  "/work/app/src/.. /secret",
  "/work/app/src/..\t/secret",
  "/work/app/src/.../secret/..",
  "/work/app/src2/a",
  "/work/app/srcs",
  "/work/app/SRC/a",
  "/work/app",
  "/",
  "",
  "~/work/app/src/a",
  "$HOME/src",
  "file:///work/app/src/a",
  "C:/work/app/src/a",
  "//work/app/src/a\u0000/../../secret",
  "/work/app/src/a\n/etc/passwd",
  " /work/app/src/../secret",
];

test.each(outside)("%j is not allowed by a rule for a folder", async (path) => {
  expect(await decided(underSrc, path)).toBe("deny");
});

test.each<[string, unknown]>([
  ["null", null],
  ["a number", 1],
  ["true", true],
  ["an object", {}],
  ["an empty list", []],
  ["a list of which one is elsewhere", ["/work/app/src/a", "/etc/passwd"]],
  ["an object that reads like a path", { toString: "/work/app/src/a" }],
])("an argument that is %s is in no folder", async (_, path) => {
  expect(await decided(underSrc, path)).toBe("deny");
});

test("a relative path is in no folder where the server's own is not known, and a relative folder of a rule neither", async () => {
  expect(await decided(underSrc, "src/a.ts", null)).toBe("deny");
  expect(await decided(["allow fs/read under(path)=src"], "src/a.ts", null)).toBe("deny");
  expect(await decided(["allow fs/read under(path)=src"], "/work/app/src/a.ts")).toBe("allow");
});

test.each([
  "/work/app/private/key",
  "/work/app/src/../private/key",
  "private/key",
  "./private",
  "src/../private/key",
  "/work/app/PRIVATE/key",
  "/work/app//private/./key",
  "/work/app/%70rivate/key",
  "/work/app/src/%2e%2e/private/key",
  "\\work\\app\\private\\key",
  "/work/app/src/.. /private/key",
])("%j does not get around a rule that denies a folder, neither alone nor in a list", async (path) => {
  const rules = ["allow fs/read", "deny fs/read under(path)=/work/app/private"];
  expect(await decided(rules, path)).toBe("deny");
  expect(await decided(rules, ["/work/app/src/a", path])).toBe("deny");
});

test("a step up behind a link, which leads elsewhere than its text says, is not allowed", async () => {
  const root = mkdtempSync(join(tmpdir(), "drawbridge-links-"));
  try {
    for (const folder of ["app/src", "vault/inner"]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, "vault/secret"), "secret");
    symlinkSync(join(root, "vault/inner"), join(root, "app/src/link"));
    const src = join(root, "app/src");
    const path = `${src}/link/../secret`;
    // By its text it is in the folder, on the disk it is not.
    expect(join(path)).toBe(join(src, "secret"));
    expect(realpathSync.native(path)).toBe(realpathSync(join(root, "vault/secret")));
    expect(await decided([`allow fs/read under(path)=${src}`], path)).toBe("deny");
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.each([
  "https://api.example.com.evil.org/",
  "https://api.example.com@evil.org/",
  "https://evil.org/?x=https://api.example.com/",
  "https://evil.org#api.example.com",
  "https://api.example.com:443@evil.org/",
  "https://api。example。com.evil.org/",
  "https://evil.org\\@api.example.com/",
  "//api.example.com/",
  "api.example.com",
  "https://evilapi.example.com/",
  "https://evil.org\t@api.example.com",
  "javascript:fetch('https://api.example.com/')",
])("the URL %j is not at the host that is allowed", async (url) => {
  expect(await decided(["allow fs/read host(path)=api.example.com"], url)).toBe("deny");
});

test("the host that is allowed is told in any case and with any port", async () => {
  for (const url of [
    "https://api.example.com/x",
    "HTTPS://API.EXAMPLE.COM/",
    "https://api.example.com:8443/",
  ]) {
    expect(await decided(["allow fs/read host(path)=api.example.com"], url)).toBe("allow");
  }
});
