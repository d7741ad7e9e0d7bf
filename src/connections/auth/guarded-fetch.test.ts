import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestClock } from "../../testing/clock.ts";
import type { HostFetchSettings } from "../../types/fetch.ts";
import { createKeepAliveFetch } from "../keep-alive-fetch.ts";
import { addressKind } from "./address-kind.ts";
import { checkUrl, createGuardedFetch } from "./guarded-fetch.ts";

test.each([
  ["8.8.8.8", "public"],
  ["2606:4700::1", "public"],
  ["127.9.9.9", "loopback"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "loopback"],
  ["10.1.2.3", "private"],
  ["172.31.0.1", "private"],
  ["172.32.0.1", "public"],
  ["192.168.1.1", "private"],
  ["100.64.0.1", "private"],
  ["fd00::1", "private"],
  ["::ffff:10.0.0.1", "private"],
  ["64:ff9b::a00:1", "private"],
  ["64:ff9b::808:808", "public"],
  ["169.254.169.254", "special"],
  ["::ffff:169.254.169.254", "special"],
  ["fe80::1", "special"],
  ["fec0::1", "special"],
  ["0.0.0.0", "special"],
  ["::", "special"],
  ["255.255.255.255", "special"],
  ["no address", "special"],
])("%s is %s", (address, kind) => {
  expect(addressKind(address)).toBe(kind);
});

const may = (server: string, url: string, allowPrivateNetwork = false): boolean => {
  try {
    checkUrl(new URL(url), { server: new URL(server), allowPrivateNetwork });
    return true;
  } catch {
    return false;
  }
};

test("a public server leads to public places only, one of this machine also to this machine", () => {
  const places = [
    "https://as.example",
    "https://10.0.0.1",
    "http://127.0.0.1:1",
    "https://[::1]",
    "http://localhost",
  ];
  const from = (server: string, allow?: boolean) => places.map((place) => may(server, place, allow));
  expect(from("https://mcp.example")).toEqual([true, false, false, false, false]);
  expect(from("https://10.9.9.9/mcp")).toEqual([true, true, false, false, false]);
  expect(from("http://127.0.0.1:9/mcp")).toEqual([true, true, true, true, true]);
  expect(from("https://mcp.example", true)).toEqual([true, true, true, true, true]);
});

test("numbers in the place of an address, a password, or no encryption open nothing", () => {
  const refused = [
    "https://2130706433",
    "https://0x7f.1",
    "https://0177.0.0.1",
    "https://localhost.",
    "https://a.localhost",
    "http://as.example",
    "https://user:word@as.example",
    "ftp://as.example",
    "file:///etc/passwd",
    "https://169.254.169.254",
  ];
  expect(refused.filter((url) => may("https://mcp.example", url))).toEqual([]);
});

test("what may not be this machine gets nothing unencrypted, though the server itself is here", () => {
  const places = ["http://a.localhost", "http://localhost.", "http://[64:ff9b::7f00:1]", "http://10.0.0.1"];
  expect(places.filter((place) => may("http://127.0.0.1:9/mcp", place))).toEqual([]);
});

test("no URL with a private IPv4 address is let through, however it is written", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const forms = (a: number, b: number, c: number, d: number) => [
    `${a}.${b}.${c}.${d}`,
    `${((a * 256 + b) * 256 + c) * 256 + d}`,
    `0x${a.toString(16)}.${b}.${c * 256 + d}`,
    `[::ffff:${a}.${b}.${c}.${d}]`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(10, 127), octet, octet, octet, fc.nat(3), (a, b, c, d, form) => {
      expect(may("https://mcp.example", `https://${forms(a, b, c, d)[form]}/`)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

const guardedBy = (fetch: typeof globalThis.fetch, clock = createTestClock()) =>
  createGuardedFetch({
    fetch,
    clock,
    server: new URL("https://mcp.example/mcp"),
    allowPrivateNetwork: false,
  });

test("a name is connected to only at addresses that may be, asked at the moment of connecting", async () => {
  const fetch = createKeepAliveFetch();
  const asked: string[] = [];
  const settings: RequestInit & HostFetchSettings = {
    mayConnectTo(address) {
      asked.push(address);
      return false;
    },
  };
  await expect(fetch("http://localhost:9/", settings)).rejects.toMatchObject({
    cause: { code: "EREFUSEDADDRESS" },
  });
  expect(asked.length).toBeGreaterThan(0);
  const refusing = (async (_: unknown, init: RequestInit & HostFetchSettings) =>
    fetch("http://localhost:9/", init)) as typeof globalThis.fetch;
  await expect(guardedBy(refusing)("https://as.example/")).rejects.toThrow("inside a private network");
  fetch.close?.();
});

test("more than the limit of redirects, bytes or time ends it", async () => {
  const answers = (make: () => Response) => (async () => make()) as typeof fetch;
  const turning = answers(
    () => new Response(null, { status: 302, headers: { location: "https://as.example/" } }),
  );
  await expect(guardedBy(turning)("https://as.example/")).rejects.toThrow("redirects too often");
  const large = answers(() => new Response("x".repeat(600 * 1024)));
  await expect(guardedBy(large)("https://as.example/")).rejects.toThrow("more than 512 KiB");
  const clock = createTestClock();
  const silent = ((_: unknown, init: RequestInit) =>
    new Promise((_resolve, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
    })) as typeof fetch;
  const waiting = expect(guardedBy(silent, clock)("https://as.example/")).rejects.toThrow(
    "within 20 seconds",
  );
  await clock.advance(20_000);
  await waiting;
  expect(clock.pending()).toBe(0);
});

test("a POST is not sent anywhere else than where it was meant for", async () => {
  const seen: string[] = [];
  const turning = (async (input: URL) => {
    seen.push(input.href);
    return new Response(null, { status: 307, headers: { location: "https://other.example/" } });
  }) as unknown as typeof fetch;
  const response = await guardedBy(turning)("https://as.example/token", { method: "POST", body: "secret" });
  expect(response.status).toBe(307);
  expect(seen).toEqual(["https://as.example/token"]);
});
