import { expect, test } from "vitest";
import { fakeServer, textTool } from "../../src/testing/index.ts";
import { runScript } from "../support/run-host.ts";

const servers = { files: fakeServer([textTool("read", () => "x")]) };

test("a run tells each rule that names a server which is not there, and no other", async () => {
  const rules = ["allow file/read", 'hide "my files"/x', "allow f*/read", "ask */*", "allow files/read"];
  const { events, result } = await runScript([{ text: "done" }], { servers, policy: { rules } });
  const warnings = events.flatMap((event) => (event.type === "warning" ? [event.text] : []));
  expect(warnings).toEqual([
    expect.stringContaining("`allow file/read`"),
    expect.stringContaining('`hide "my files"/x`'),
  ]);
  expect(result.stop).toEqual({ type: "answered" });
});
