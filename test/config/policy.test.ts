import { join } from "node:path";
import { expect, test } from "vitest";
import { hostOptions } from "../../src/host/host-options.ts";
import { testProject } from "./project.ts";

test("rules and rules to try out come with file and line, and go to the host", async () => {
  const project = testProject();
  project.writeUser(`{ "policy": {
    "rules": ["allow a/b"],
    "shadowRules": ["deny a/b",
      "ask */*"]
  } }`);
  const loaded = await project.load();
  const file = join(project.home, "config/drawbridge.json");
  expect(loaded.shadowRules).toEqual([
    { value: "deny a/b", origin: { type: "user", file, line: 3 } },
    { value: "ask */*", origin: { type: "user", file, line: 4 } },
  ]);
  expect(hostOptions(loaded).policy).toMatchObject({
    rules: ["allow a/b"],
    shadowRules: ["deny a/b", "ask */*"],
  });
});

test("without the key nothing is tried out, and with an empty list having no rules is", async () => {
  const project = testProject();
  expect(hostOptions(await project.load()).policy).not.toHaveProperty("shadowRules");
  project.writeUser({ policy: { shadowRules: [] } });
  expect(hostOptions(await project.load()).policy).toMatchObject({ shadowRules: [] });
});

test("a rule to try out that is not valid is told by its place, with what was expected", async () => {
  const project = testProject();
  project.writeUser('{ "policy": { "rules": ["allow a/b"], "shadowRules": ["deny a/b", "allow a/b x"] } }');
  expect(await project.problems()).toEqual([
    expect.stringMatching(
      /^ROOT\/home\/config\/drawbridge\.json:1:67: The rule `allow a\/b x` is not valid: .+\.$/,
    ),
  ]);
});

test("a project's file tries nothing out", async () => {
  const project = testProject();
  project.write("drawbridge.json", { policy: { shadowRules: [] } });
  const [problem] = await project.problems();
  expect(problem).toContain("drawbridge.json:1:12: policy.shadowRules cannot be set by a project's file");
});
