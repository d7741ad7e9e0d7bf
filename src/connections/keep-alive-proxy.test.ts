import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server as NetServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { proxyFor } from "./fetch/proxy.ts";
import { createKeepAliveFetch } from "./keep-alive-fetch.ts";

const certificates = join(import.meta.dirname, "../../test/fixtures/tls");
const open: NetServer[] = [];
const tunnels = new Set<{ destroy(): unknown }>();
beforeEach(() => {
  // The certificate of these tests is signed by nobody.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
});
afterEach(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  for (const socket of tunnels) socket.destroy();
  tunnels.clear();
  for (const server of open.splice(0)) {
    (server as Server).closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(server: NetServer): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function secureEcho(): Promise<string> {
  const options = {
    key: readFileSync(join(certificates, "key.pem")),
    cert: readFileSync(join(certificates, "certificate.pem")),
  };
  const server = createTlsServer(options, (request, response) =>
    response.end(`${request.method} ${request.url}`),
  );
  return `https://localhost:${await listen(server)}`;
}

/** A proxy that says what it was asked for. */
async function startProxy(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
    response.end("by proxy");
  });
  server.on("connect", (request, socket) => {
    seen.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
    if (request.url?.startsWith("refused")) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const [host, port] = String(request.url).split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      socket.pipe(target).pipe(socket);
      tunnels.add(socket).add(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
  });
  return { url: `http://user:p%40ss@127.0.0.1:${await listen(server)}`, seen };
}

const basic = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;

test("a plain request goes to the proxy with its whole URL", async () => {
  const proxy = await startProxy();
  const fetch = createKeepAliveFetch({ environment: { HTTP_PROXY: proxy.url } });
  const response = await fetch("http://models.example/v1?x=1");
  expect(await response.text()).toBe("by proxy");
  expect(proxy.seen).toEqual([`GET http://models.example/v1?x=1 ${basic}`]);
});

test("a secure request goes through a tunnel that is kept open", async () => {
  const target = await secureEcho();
  const proxy = await startProxy();
  const fetch = createKeepAliveFetch({ environment: { https_proxy: proxy.url } });
  for (const path of ["/one", "/two"]) {
    expect(await (await fetch(`${target}${path}`)).text()).toBe(`GET ${path}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(proxy.seen).toEqual([`CONNECT ${new URL(target).host} ${basic}`]);
});

test("a tunnel that the proxy refuses is an error that says so", async () => {
  const proxy = await startProxy();
  const fetch = createKeepAliveFetch({ environment: { HTTPS_PROXY: proxy.url } });
  await expect(fetch("https://refused.example/")).rejects.toMatchObject({
    message: "fetch failed",
    cause: { message: "the proxy refused the tunnel: 403" },
  });
});

test("without variables, and for hosts of NO_PROXY, nothing is proxied", async () => {
  const target = await secureEcho();
  const proxy = await startProxy();
  for (const environment of [{}, { HTTPS_PROXY: proxy.url, NO_PROXY: "localhost" }]) {
    const fetch = createKeepAliveFetch({ environment });
    expect(await (await fetch(`${target}/a`)).text()).toBe("GET /a");
  }
  expect(proxy.seen).toEqual([]);
});

test("the variables are read as other programs read them", () => {
  const through = (url: string, environment: Record<string, string>): string | null =>
    proxyFor(new URL(url), environment)?.host ?? null;
  const both = { HTTP_PROXY: "http://plain:1", HTTPS_PROXY: "secure:2" };
  expect(through("http://a.example/", both)).toBe("plain:1");
  expect(through("https://a.example/", both)).toBe("secure:2");
  expect(through("https://a.example/", { ...both, https_proxy: "lower:3" })).toBe("lower:3");
  expect(through("https://a.example/", { ...both, https_proxy: "" })).toBeNull();
  for (const list of ["*", "a.example", ".example", "*.example", "b.test, a.example", "a.example:443"]) {
    expect(through("https://a.example/", { ...both, NO_PROXY: list })).toBeNull();
  }
  for (const list of ["", "b.example", "aa.example", "xample", "a.example:80"]) {
    expect(through("https://a.example/", { ...both, NO_PROXY: list })).toBe("secure:2");
  }
});

test("a proxy's URL that is none is an error", async () => {
  const fetch = createKeepAliveFetch({ environment: { HTTP_PROXY: "http://[" } });
  await expect(fetch("http://a.example/")).rejects.toThrow("fetch failed");
});
