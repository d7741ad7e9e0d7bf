import { join } from "node:path";
import { expect, test } from "vitest";
import { hostOptions } from "../../src/host/host-options.ts";
import { testProject } from "./project.ts";

test("a person's file says how the audit log is kept, and a project's makes it stricter", async () => {
  const project = testProject();
  const own = { arguments: "redacted", required: false, sign: "keys/audit.pem", rotateBytes: 8_192 };
  project.writeUser({ audit: own });
  const sign = join(project.home, "config/keys/audit.pem");
  expect(hostOptions(await project.load()).audit).toEqual({ ...own, sign });
  project.write("drawbridge.json", { audit: { arguments: "hash", required: true } });
  const loaded = await project.load();
  expect(hostOptions(loaded).audit).toEqual({ arguments: "hash", required: true, sign, rotateBytes: 8_192 });
  expect(loaded.audit?.required?.origin.type).toBe("project");
});

test("without the key the log is kept as it is by default", async () => {
  expect(hostOptions(await testProject().load()).audit).toBeUndefined();
});

test.each([
  [{ arguments: "all" }, 'audit.arguments must be "redacted" or "hash".'],
  [{ rotateBytes: 10 }, "audit.rotateBytes must be a whole number of at least 4096."],
  [{ required: "no" }, "audit.required must be true or false."],
  [{ retention: 1 }, "unknown key audit.retention; known here: arguments, required, sign, rotateBytes."],
])("%j is refused with the place", async (audit, problem) => {
  const project = testProject();
  project.writeUser({ audit });
  expect((await project.problems()).join()).toContain(problem);
});
