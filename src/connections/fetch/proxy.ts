import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";

/** The variables that name proxies. Both cases of a name count; lower case wins, as elsewhere. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** How a URL is reached: directly, through a proxy, or through a tunnel that a proxy opens. */
export interface Way {
  /** No proxy is in between. */
  readonly isDirect: boolean;
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: string | undefined;
  /** What the request line names: a path, or the whole URL for a proxy. */
  readonly path: string;
  /** Headers for the proxy. */
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: HttpAgent;
  /** The agent to use again for a fresh connection when `agent` makes a tunnel. */
  readonly tunnel: HttpAgent | null;
}

/** Connections that are kept open, by the way they take. */
export interface Agents {
  wayTo(url: URL): Way;
  /** Ends every connection. */
  close(): void;
}

/** How long a proxy may take to open a tunnel. */
const tunnelLimitMs = 30_000;

export function createAgents(environment: ProxyEnvironment): Agents {
  const http = new HttpAgent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  const tunnels = new Map<string, HttpAgent>();
  const tunnelThrough = (proxy: URL): HttpAgent => {
    const known = tunnels.get(proxy.href) ?? createTunnelAgent(proxy);
    tunnels.set(proxy.href, known);
    return known;
  };
  return {
    wayTo(url) {
      const secure = url.protocol === "https:";
      const path = `${url.pathname}${url.search}`;
      const proxy = proxyFor(url, environment);
      const direct = { secure, ...addressOf(url), path, headers: {}, tunnel: null };
      if (proxy === null) return { ...direct, isDirect: true, agent: secure ? https : http };
      if (secure)
        return { ...direct, isDirect: false, agent: tunnelThrough(proxy), tunnel: createTunnelAgent(proxy) };
      const proxySecure = proxy.protocol === "https:";
      return {
        isDirect: false,
        secure: proxySecure,
        ...addressOf(proxy),
        path: `${url.origin}${path}`,
        headers: credentials(proxy),
        agent: proxySecure ? https : http,
        tunnel: null,
      };
    },
    close() {
      for (const agent of [http, https, ...tunnels.values()]) agent.destroy();
    },
  };
}

function addressOf(url: URL): { readonly hostname: string; readonly port: string | undefined } {
  return { hostname: url.hostname.replace(/^\[|\]$/g, ""), port: url.port === "" ? undefined : url.port };
}

function credentials(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/**
 * The proxy for a URL by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or null. `NO_PROXY` lists hosts, with everything
 * below them, an optional port, or `*` for all.
 */
export function proxyFor(url: URL, environment: ProxyEnvironment): URL | null {
  const read = (name: string): string =>
    (environment[name.toLowerCase()] ?? environment[name.toUpperCase()] ?? "").trim();
  const named = read(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  if (named === "" || isExempt(url, read("NO_PROXY"))) return null;
  const address = named.includes("://") ? named : `http://${named}`;
  if (!URL.canParse(address))
    throw new TypeError("fetch failed", { cause: new Error("the proxy's URL is none") });
  return new URL(address);
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      const bare = name.replace(/^\*?\./, "");
      if (bare === "" || (only !== undefined && only !== port)) return false;
      return host === bare || host.endsWith(`.${bare}`);
    });
}

type Connected = (error: Error | null, socket?: Socket) => void;

/** An agent whose connections are TLS inside a tunnel that the proxy opens (CONNECT, RFC 9110 section 9.3.6). */
function createTunnelAgent(proxy: URL): HttpAgent {
  const agent = new HttpsAgent({ keepAlive: true });
  const createConnection = (
    options: { host?: string; port?: string | number },
    connected: Connected,
  ): void => {
    const host = options.host ?? "";
    const target = `${host.includes(":") ? `[${host}]` : host}:${options.port ?? 443}`;
    const opening = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      ...addressOf(proxy),
      method: "CONNECT",
      path: target,
      headers: { host: target, ...credentials(proxy) },
      agent: false,
    });
    opening.setTimeout(tunnelLimitMs, () => opening.destroy(new Error("the proxy does not answer")));
    opening.once("error", (error) => connected(error));
    opening.once("connect", (answer, socket) => {
      socket.setTimeout(0);
      if (answer.statusCode !== 200) {
        socket.destroy();
        connected(new Error(`the proxy refused the tunnel: ${answer.statusCode}`));
        return;
      }
      const secured = tlsConnect({ socket, servername: /^[\d.]+$|:/.test(host) ? "" : host });
      secured.once("secureConnect", () => connected(null, secured));
      secured.once("error", (error) => connected(error));
    });
    opening.end();
  };
  return Object.assign(agent, { createConnection }) as HttpAgent;
}
