import type { ServerResponse } from "node:http";
import { stderr } from "node:process";
import type { Wire } from "./play-script.ts";
import type { HostileFault } from "./script.ts";

/** Requests to the client that wait for its answer, by id; shared by all requests of a server. */
export type WaitingAnswers = Map<string, (answer: unknown) => void>;

let asked = 0;

/** The answer to one request over HTTP: JSON, or an event stream as soon as something comes before the answer. */
export function httpWire(
  response: ServerResponse,
  waiting: WaitingAnswers,
  session: string | undefined,
  exit: (code: number) => void,
  suffer: (fault: HostileFault) => Promise<void>,
): Wire {
  const headers = session === undefined ? {} : { "mcp-session-id": session };
  const start = (type: string): void => {
    if (!response.headersSent) response.writeHead(200, { "content-type": type, ...headers });
  };
  const event = (text: string): Promise<void> => {
    start("text/event-stream");
    return new Promise((resolve) => response.write(`event: message\ndata: ${text}\n\n`, () => resolve()));
  };
  return {
    message: event,
    async answer(text) {
      if (response.getHeader("content-type") === "text/event-stream" || response.headersSent) {
        await event(text);
        response.end();
        return;
      }
      start("application/json");
      response.end(text);
    },
    bytes(bytes) {
      start("application/json");
      return new Promise((resolve) => response.write(bytes, () => resolve()));
    },
    async ask(method, params) {
      const id = `server-${++asked}`;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      await event(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return answer;
    },
    stderr: (text) => stderr.write(text),
    stderrSync: () => {},
    environment: () => undefined,
    async suffer(fault) {
      if (fault.kind !== "cut") return suffer(fault);
      start("text/event-stream");
      response.write('event: message\ndata: {"jsonrpc"', () => response.destroy());
    },
    exit,
  };
}
