import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createConsent } from "../../src/consent/consent.ts";
import { systemClock } from "../../src/util/clock.ts";
import { decisionOf } from "../support/consent.ts";
import { makeCall, makeTool } from "../support/tools.ts";

const tool = makeTool({ server: "fs", name: "read" });

/** `allow` or `deny`, of a call that asks for this path. The server works in /srv/app, if anywhere. */
async function decided(
  rules: readonly string[],
  path: unknown,
  folder: string | null = "/srv/app",
): Promise<string> {
  const consent = createConsent({ rules, approve: null, clock: systemClock, folderOf: () => folder });
  return (await decisionOf(consent, makeCall(tool, { path } as never))).split(" ")[0] ?? "";
}

const underSrc = ["allow fs/read under(path)=/srv/app/src"];

test.each([
  "/srv/app/src",
  "/srv/app/src/a.ts",
  "src/a.ts",
  "./src/./a.ts",
  "/srv//app/src/a",
  "src/..a",
  "src/a..",
])("%s lies in the folder that is allowed", async (path) => {
  expect(await decided(underSrc, path)).toBe("allow");
});

const outside = [
  "/srv/app/src/../secret",
  "src/../../secret",
  "/srv/app/src/..",
  "/srv/app/src/a/../../secret",
  "/srv/app/src/link/../x",
  "/srv/app/src\\..\\secret",
  "/srv/app/src/%2e%2e/secret",
  "/srv/app/src/.%2E/secret",
  "/srv/app/src/..%2fsecret",
  "/srv/app/src%2f..%2fsecret",
  "/srv/app/src/.. /secret",
  "/srv/app/src/..\t/secret",
  "/srv/app/src/.../secret/..",
  "/srv/app/src2/a",
  "/srv/app/srcs",
  "/srv/app/SRC/a",
  "/srv/app",
  "/",
  "",
  "~/srv/app/src/a",
  "$HOME/src",
  "file:///srv/app/src/a",
  "C:/srv/app/src/a",
  "//srv/app/src/a\u0000/../../secret",
  "/srv/app/src/a\n/etc/passwd",
  " /srv/app/src/../secret",
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
  ["a list of which one is elsewhere", ["/srv/app/src/a", "/etc/passwd"]],
  ["an object that reads like a path", { toString: "/srv/app/src/a" }],
])("an argument that is %s is in no folder", async (_, path) => {
  expect(await decided(underSrc, path)).toBe("deny");
});

test("a relative path is in no folder where the server's own is not known, and a relative folder of a rule neither", async () => {
  expect(await decided(underSrc, "src/a.ts", null)).toBe("deny");
  expect(await decided(["allow fs/read under(path)=src"], "src/a.ts", null)).toBe("deny");
  expect(await decided(["allow fs/read under(path)=src"], "/srv/app/src/a.ts")).toBe("allow");
});

test.each([
  "/srv/app/private/key",
  "/srv/app/src/../private/key",
  "private/key",
  "./private",
  "src/../private/key",
  "/srv/app/PRIVATE/key",
  "/srv/app//private/./key",
  "/srv/app/%70rivate/key",
  "/srv/app/src/%2e%2e/private/key",
  "\\srv\\app\\private\\key",
  "/srv/app/src/.. /private/key",
  "/srv/app/pr\u200civate/key",
  "/srv/app/private./key",
  "/srv/app/private /key",
  "/srv/app/private::$INDEX_ALLOCATION/key",
  "/srv/app/PRIVAT~1/key",
  "/\u017frv/app/private/key",
  "/srv/app/%2570rivate/key",
])("%j does not get around a rule that denies a folder, neither alone nor in a list", async (path) => {
  const rules = ["allow fs/read", "deny fs/read under(path)=/srv/app/private"];
  expect(await decided(rules, path)).toBe("deny");
  expect(await decided(rules, ["/srv/app/src/a", path])).toBe("deny");
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
