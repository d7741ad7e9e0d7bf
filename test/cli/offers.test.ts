import { expect, test } from "vitest";
import { drawbridge, homeFolder } from "./command.ts";

const home = homeFolder();
const everything = [
  "--server",
  "everything=node node_modules/@modelcontextprotocol/server-everything/dist/index.js",
];
const uri = "demo://resource/static/document/features.md";

test.concurrent("read prints a resource, and the log says who read it", async () => {
  const read = await drawbridge(["read", "everything", uri, ...everything], home);
  expect(read.stdout).toMatch(/^# Everything Server/);
  const log = await drawbridge(["audit", "list"], home);
  expect(log.stdout).toContain(`everything/resources/read {"uri":"${uri}"}`);
});

test.concurrent("read without a URI lists what a server has; what cannot be read ends with an error and prints nothing", async () => {
  const listed = await drawbridge(["read", "everything", "--json", ...everything], home);
  expect(JSON.parse(listed.stdout).resources.map((resource: { uri: string }) => resource.uri)).toContain(uri);
  const read = await drawbridge(["read", "everything", "nope://x", ...everything], home);
  expect(read).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nope://x not found") });
});

test.concurrent("prompt lists, fills in, and says which arguments it needs", async () => {
  const listed = await drawbridge(["prompt", "everything", ...everything], home);
  expect(listed.stdout).toContain("everything:args-prompt city=… [state=…]");
  const filled = await drawbridge(["prompt", "everything", "args-prompt", "city=Paris", ...everything], home);
  expect(filled).toMatchObject({ code: 0, stdout: "you:\n  What's weather in Paris?\n" });
  const missing = await drawbridge(["prompt", "everything", "args-prompt", ...everything], home);
  expect(missing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("needs city=…") });
});

test.concurrent("a resource goes to the model with the question, and a wrong name ends the command before anything starts", async () => {
  const argv = ["Sum it up", "--model", "offline", "--json", ...everything];
  const asked = await drawbridge([...argv, "--resource", `everything:${uri}`], home);
  expect(asked.stderr).toMatch(/added everything \S+features\.md \([\d,]+ bytes\)/);
  const [message] = JSON.parse(asked.stdout).messages;
  expect(message.content[0]).toEqual({ type: "text", text: "Sum it up" });
  expect(message.content[1].text).toBe('From the server "everything", added by the person:');
  expect(message.content[2].text).toContain("# Everything Server");
  const wrong = await drawbridge([...argv, "--resource", "nowhere:x"], home);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("The servers are: everything.") });
});
