import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { HostTransport } from "../../../src/types/config.ts";
import type { ServerOffers } from "../../../src/types/offers.ts";
import { never, open } from "../../fixtures/connections/connect.ts";
import { type Answer, type OfferServer, offerServer } from "../../fixtures/connections/offer-server.ts";

async function opened(
  answers: Record<string, Answer>,
  capabilities: object = { resources: {} },
): Promise<{ server: OfferServer; offers: ServerOffers }> {
  const server = offerServer(answers, capabilities);
  const { connections } = open({ s: { transport: server.transport } });
  await connections.ready(never);
  const offers = connections.offers("s");
  if (offers === null) throw new Error("no such server");
  return { server, offers };
}

const page = (...names: string[]) => ({
  resources: names.map((name) => ({ uri: `file:///${name}`, name })),
});

test("all pages of the resources are read, in order", async () => {
  const { offers, server } = await opened({
    "resources/list": ({ cursor }) => (cursor === "2" ? page("c") : { ...page("a", "b"), nextCursor: "2" }),
  });
  const { entries, leftOut, error } = await offers.resources(never);
  expect(entries.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect([leftOut, error]).toEqual([[], undefined]);
  expect(server.asked.map(({ params }) => params.cursor)).toEqual([undefined, "2"]);
});

test("a bad resource is left out with its reason and the others stay", async () => {
  const { offers } = await opened({
    "resources/list": () => ({
      resources: [
        null,
        { name: "nowhere" },
        { uri: "file:///\u001b]8;;x\u0007", name: "steers" },
        { uri: `file:///${"x".repeat(9_000)}`, name: "long" },
        { uri: "file:///a", name: 7, title: ["no"], size: -1, mimeType: "text/plain", __proto__: null },
        { uri: "file:///a", name: "again" },
      ],
    }),
  });
  const { entries, leftOut } = await offers.resources(never);
  expect(entries).toEqual([{ uri: "file:///a", name: "file:///a", mimeType: "text/plain" }]);
  expect(leftOut).toEqual([
    { name: "(entry 1)", reason: "It is no object." },
    { name: "nowhere", reason: "It has no URI." },
    { name: "steers", reason: "Its URI holds control characters." },
    { name: "long", reason: "Its URI has 9008 characters; at most 8000 are read." },
  ]);
});

test("a server that repeats a cursor is asked no further", async () => {
  const { offers, server } = await opened({
    "resources/list": () => ({ ...page("a"), nextCursor: "again" }),
  });
  const { entries, leftOut } = await offers.resources(never);
  expect(entries).toHaveLength(1);
  expect(leftOut).toEqual([{ name: "(the rest of the list)", reason: "The server goes round in a circle." }]);
  expect(server.asked).toHaveLength(2);
});

test("a list without an end is cut after so many pages, and says so", async () => {
  let pages = 0;
  const { offers, server } = await opened({
    "resources/list": () => ({ ...page(String(pages++)), nextCursor: String(pages) }),
  });
  const { entries, leftOut } = await offers.resources(never);
  expect([entries.length, server.asked.length]).toEqual([64, 64]);
  expect(leftOut[0]?.reason).toBe("At most 64 pages are read.");
});

test("a page with more entries than anybody reads is cut, and bad entries are counted", async () => {
  const bad = Array.from({ length: 12_000 }, () => ({}));
  const { offers } = await opened({ "resources/list": () => ({ resources: bad }) });
  const { leftOut } = await offers.resources(never);
  expect(leftOut).toHaveLength(102);
  expect(leftOut.at(-1)).toEqual({ name: "(9900 more)", reason: "They cannot be read either." });
});

test("a server without the capability is asked nothing and has nothing", async () => {
  const { offers, server } = await opened({ "resources/list": () => page("a") }, {});
  expect(await offers.resources(never)).toEqual({ server: "s", entries: [], leftOut: [] });
  expect(await offers.templates(never)).toEqual({ server: "s", entries: [], leftOut: [] });
  expect(await offers.prompts(never)).toEqual({ server: "s", entries: [], leftOut: [] });
  await expect(offers.read("file:///a", { signal: never })).rejects.toMatchObject({ code: "call_not_sent" });
  expect(server.asked).toEqual([]);
});

test("a server with resources that knows no templates has none", async () => {
  const { offers } = await opened({ "resources/list": () => page("a") });
  expect(await offers.templates(never)).toEqual({ server: "s", entries: [], leftOut: [] });
});

test("a list that a server announces changes of is kept until one comes; any other is read each time", async () => {
  const answers = { "resources/list": () => page("a") };
  const announced = await opened(answers, { resources: { listChanged: true } });
  await announced.offers.resources(never);
  await announced.offers.resources(never);
  expect(announced.server.asked).toHaveLength(1);
  announced.server.tell("notifications/resources/list_changed");
  await new Promise((resolve) => setImmediate(resolve));
  await announced.offers.resources(never);
  expect(announced.server.asked).toHaveLength(2);
  const silent = await opened(answers);
  await silent.offers.resources(never);
  await silent.offers.resources(never);
  expect(silent.server.asked).toHaveLength(2);
});

test("an error of the server stands in the list, and the next reading asks again", async () => {
  let broken = true;
  const { offers } = await opened(
    {
      "resources/list": () => {
        if (broken) throw { code: -32603, message: "disk \u001b[2J gone: hunter2-hunter2" };
        return page("a");
      },
    },
    { resources: { listChanged: true } },
  );
  const { error } = await offers.resources(never);
  expect(error?.code).toBe("call_protocol_error");
  expect(error?.message).toContain("⟨secret⟩");
  broken = false;
  expect((await offers.resources(never)).entries).toHaveLength(1);
});

test("a server of the newest revision tells of changes over its subscription", async () => {
  const [transport, other] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: "inside", version: "1.0.0" });
  const read = async () => ({ contents: [{ uri: "a:b", text: "x" }] });
  server.registerResource("first", "a:b", {}, read);
  await server.connect(other);
  const { connections } = open({ s: { transport: transport as HostTransport } });
  await connections.ready(never);
  const names = async () =>
    (await connections.offers("s")?.resources(never))?.entries.map(({ name }) => name);
  expect(await names()).toEqual(["first"]);
  server.registerResource("second", "a:c", {}, read);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await names()).toEqual(["first", "second"]);
});
