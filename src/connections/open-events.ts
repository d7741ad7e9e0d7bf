import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { HttpServerConfig } from "../types/config.ts";
import { isObject } from "../util/own.ts";
import { createCarriedAnswers } from "./carried-answers.ts";
import type { Connection, OpenContext } from "./connection.ts";
import { createMcpFetch } from "./mcp-fetch.ts";
import { eventStream, json, mediaType } from "./media-type.ts";
import { openInPlace } from "./open-transport.ts";
import type { Sdk } from "./sdk.ts";
import { isSessionLoss } from "./session.ts";
import { withinMs } from "./wait.ts";

const closeMs = 5_000;

/** Whether there was a stream of events where one was asked for, and whether it has said where messages go. */
export interface HeardEvents {
  stream: boolean;
  endpoint: boolean;
}

/** HTTP+SSE (MCP 2024-11-05): one stream for everything the server says. */
export async function openEvents(
  sdk: Sdk,
  config: HttpServerConfig,
  context: OpenContext,
  heard: HeardEvents,
): Promise<Connection> {
  const answers = createCarriedAnswers();
  const { fetch, clock, limits } = context;
  const fetching = createMcpFetch({
    fetch,
    clock,
    messageBytes: limits.messageBytes,
    answers,
    answersElsewhere: true,
  });
  const events = new sdk.SSEClientTransport(new URL(config.url), {
    fetch: async (input, init) => {
      // Nothing is posted before the stream has said where to.
      heard.endpoint ||= init?.method === "POST";
      const response = await fetching(input, init);
      const type = mediaType(response);
      if (init?.method !== "POST") heard.stream ||= response.ok && type === eventStream;
      else if (response.status >= 400) throw await refusalOf(response);
      // Some servers answer there, as newer ones do.
      else if (response.ok && type === json) await hearAnswer(events, response, init.body);
      return response;
    },
    requestInit: { headers: { ...config.headers } },
  });
  const transport = answers.unpack(events);
  const told = events.onerror;
  let isOpen = false;
  events.onerror = (error) => {
    told?.(error);
    // The SDK opens the stream again, but what it opens is another session, which knows of no call. Of a session that
    // the server has forgotten the stream may stay open, and no message gets through any more; the one that was
    // refused has its own end first.
    if (error instanceof sdk.SseError) void events.close();
    else if (isOpen && isSessionLoss(error)) setImmediate(() => void events.close());
  };
  try {
    const connection = await openInPlace(sdk, transport, "legacy", context);
    isOpen = true;
    return connection;
  } catch (thrown) {
    await withinMs(events.close(), closeMs);
    throw thrown;
  }
}

/** What the server says to a message that it does not take, in the form of the SDK's other errors of HTTP. */
async function refusalOf(response: Response): Promise<Error> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  return Object.assign(new Error(`HTTP ${status}`), { data: { status, text } });
}

/** Takes an answer that came to the message itself; anything else that stands there says nothing. */
async function hearAnswer(events: Transport, response: Response, sent: unknown): Promise<void> {
  const [answer, request] = [await response.text().catch(() => ""), sent].map(parsed);
  const isAnswer = isObject(answer) && ("result" in answer || "error" in answer);
  if (isAnswer && isObject(request) && answer.id === request.id && request.id !== undefined)
    events.onmessage?.(answer as unknown as JSONRPCMessage);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}
