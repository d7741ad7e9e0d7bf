import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A place on this machine where a browser comes back to (RFC 8252 section 7.3). */
export interface Loopback {
  readonly redirectUri: string;
  /** Resolves with the first URL that carries the state: others are nobody's that was asked. */
  came(state: string): Promise<string>;
  close(): void;
}

const path = "/callback";
const page = (text: string) =>
  `<!doctype html><meta charset="utf-8"><title>Drawbridge</title><p style="font:1.2em sans-serif">${text}</p>`;

/**
 * Opens a port of 127.0.0.1: the wanted one when it is free, else any. It answers one path, says nothing of what it was
 * sent, and ends with `close`.
 */
export async function openLoopback(wanted: string | undefined): Promise<Loopback> {
  let take: ((url: string) => boolean) | null = null;
  const server = createServer((request, response) => {
    const url = URL.canParse(request.url ?? "", origin) ? new URL(request.url ?? "", origin) : null;
    const taken = request.method === "GET" && url?.pathname === path && take?.(url.href) === true;
    response.writeHead(taken ? 200 : 400, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      connection: "close",
    });
    response.end(page(taken ? "That was all. You can close this page." : "This is not what was waited for."));
  });
  const port = portOf(wanted);
  await listen(server, port).catch((error: unknown) =>
    port === 0 ? Promise.reject(error) : listen(server, 0),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `${origin}${path}`,
    came: (state) =>
      new Promise((resolve) => {
        take = (href) => {
          if (new URL(href).searchParams.get("state") !== state) return false;
          resolve(href);
          return true;
        };
      }),
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}

/** The port of a redirect URI of ours; 0 for any other. */
function portOf(redirectUri: string | undefined): number {
  const found = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/callback$/.exec(redirectUri ?? "")?.[1];
  return found === undefined || Number(found) > 65_535 ? 0 : Number(found);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}
