import { expect, test } from "vitest";
import { never, open, referenceServer } from "../../fixtures/connections/connect.ts";
import { type Answer, never as noAnswer, offerServer } from "../../fixtures/connections/offer-server.ts";

async function offersOf(answers: Record<string, Answer>) {
  const server = offerServer(answers, { resources: {}, prompts: {}, completions: {} });
  const { connections } = open({ s: { transport: server.transport } });
  await connections.ready(never);
  const offers = connections.offers("s");
  if (offers === null) throw new Error("no such server");
  return { offers, server, connections };
}

const question = { signal: never };

test("every part of what was read is kept, also beside one that cannot be read", async () => {
  const { offers } = await offersOf({
    "resources/read": () => ({
      contents: [
        { uri: "a:1", mimeType: "text/plain", text: "one" },
        { text: "without a URI" },
        { uri: "a:3", blob: "not base64!" },
        "four",
        { uri: "a:5", blob: "AAEC" },
      ],
    }),
  });
  const { parts, reply } = await offers.read("a:asked", question);
  expect(parts).toEqual([
    { uri: "a:1", mimeType: "text/plain", text: "one" },
    { uri: "a:asked", text: "without a URI" },
    { uri: "a:5", blob: "AAEC" },
  ]);
  expect(reply.content).toHaveLength(5);
  expect(reply.content[2]).toMatchObject({ type: "unknown", kind: "resource" });
  expect(reply.isError).toBe(false);
  expect(reply.repairs).toHaveLength(2);
});

test.each([
  ["no object", 7, 0],
  ["a single part", { contents: { uri: "a:1", text: "x" } }, 1],
  ["no contents", {}, 0],
])("a result that is %s is read as far as it goes", async (_what, result, parts) => {
  const { offers } = await offersOf({ "resources/read": () => result });
  expect((await offers.read("a:1", question)).parts).toHaveLength(parts);
});

test("what the server says of a resource that it does not have is in the error", async () => {
  const { offers } = await offersOf({
    "resources/read": () => {
      throw { code: -32002, message: "Resource not found" };
    },
  });
  await expect(offers.read("a:1", question)).rejects.toMatchObject({
    code: "call_protocol_error",
    message: expect.stringContaining("Resource not found"),
  });
});

test("an aborted read is cancelled at the server and does not wait for it", async () => {
  const { offers, server } = await offersOf({ "resources/read": () => noAnswer });
  const abort = new AbortController();
  const reading = offers.read("a:1", { signal: abort.signal });
  await new Promise((resolve) => setImmediate(resolve));
  abort.abort();
  await expect(reading).rejects.toMatchObject({ code: "call_aborted" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(server.cancelled).toEqual(["resources/read"]);
});

test("a read that is under way ends with the host", async () => {
  const { offers, connections } = await offersOf({ "resources/read": () => noAnswer });
  const reading = offers.read("a:1", question);
  await new Promise((resolve) => setImmediate(resolve));
  const ended = expect(reading).rejects.toMatchObject({ code: "call_aborted" });
  await connections.close();
  await ended;
});

test("a completion is bounded, and a value that could steer a terminal is no value", async () => {
  const { offers, server } = await offersOf({
    "completion/complete": () => ({
      completion: { values: ["b", "\u001b[2J", 7, "b", ...Array.from({ length: 200 }, (_, i) => `v${i}`)] },
    }),
  });
  const completion = await offers.complete(
    { type: "prompt", name: "p" },
    { name: "n", value: "" },
    { other: "x" },
    question,
  );
  expect(completion.values).toHaveLength(100);
  expect(completion.values.slice(0, 2)).toEqual(["b", "v0"]);
  expect(completion.hasMore).toBe(true);
  expect(server.asked[0]?.params).toMatchObject({
    ref: { type: "ref/prompt", name: "p" },
    context: { arguments: { other: "x" } },
  });
});

test("the reference server's resources, templates, prompts and completions are read as it means them", async () => {
  const { connections } = open({ everything: referenceServer("everything") });
  await connections.ready(never);
  const offers = connections.offers("everything");
  const resources = await offers?.resources(never);
  expect(resources?.entries.length).toBeGreaterThan(3);
  const [template] = (await offers?.templates(never))?.entries ?? [];
  expect(template?.uriTemplate).toContain("{");
  const read = await offers?.read(resources?.entries[0]?.uri ?? "", question);
  expect(read?.parts[0]?.text).toBeTruthy();
  const prompts = await offers?.prompts(never);
  const withArguments = prompts?.entries.find((prompt) => prompt.arguments.length > 0);
  expect(withArguments).toBeDefined();
  const argument = { name: withArguments?.arguments[0]?.name ?? "", value: "" };
  const reference = { type: "prompt", name: withArguments?.name ?? "" } as const;
  await offers?.complete(reference, argument, {}, question);
});
