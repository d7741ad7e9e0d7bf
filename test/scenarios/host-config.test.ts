import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";
import { fakeServer, textTool } from "../../src/testing/index.ts";

const servers = { files: fakeServer([textTool("read", () => "x")]).config };

test.each([
  [{ rules: ["allow file/read"] }, "allow file/read"],
  [{ rules: ["deny */write", 'hide "my files"/x'] }, "my files"],
  [{ trust: ["files", "filse"] }, "filse"],
])("a policy that names a server which is not there is refused: %j", (policy, named) => {
  expect(() => createHost({ servers, policy, model: "offline", state: false })).toThrow(
    expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(named) }),
  );
});

test("wildcards and the host's own tools may be named", async () => {
  const rules = ["allow f*/read", "ask */*", "allow drawbridge/read_output"];
  await using host = createHost({
    servers,
    policy: { rules, trust: ["files"] },
    model: "offline",
    state: false,
  });
  expect((await host.tools()).tools.map((tool) => tool.alias)).toContain("files__read");
});
