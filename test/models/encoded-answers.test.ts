import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createKeepAliveFetch } from "../../src/connections/keep-alive-fetch.ts";
import { createAnthropicModel } from "../../src/models/anthropic/model.ts";
import { createOpenAiChatModel } from "../../src/models/openai-chat/model.ts";
import { chatProfiles } from "../../src/models/openai-chat/profiles.ts";
import type { Model } from "../../src/types/model.ts";
import { systemClock } from "../../src/util/clock.ts";
import { requestOf, responseOf, userText } from "./anthropic/requests.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly encoding?: string;
  readonly body: string | Uint8Array;
}

/** Models behind a server that answers everything alike. */
async function modelsBehind({
  status = 200,
  type = "application/json",
  encoding,
  body,
}: Answer): Promise<Model[]> {
  const server = createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      const encoded = encoding === undefined ? {} : { "content-encoding": encoding };
      response.writeHead(status, { "content-type": type, ...encoded }).end(body);
    });
  });
  return modelsAt(await listen(server));
}

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function modelsAt(baseUrl: string): Model[] {
  const common = {
    name: "some-model",
    apiKey: "sk-test-0123456789",
    baseUrl,
    fetch: createKeepAliveFetch(),
    maxRetries: 0,
    retryDeadlineMs: 1_000,
    clock: systemClock,
  };
  return [createOpenAiChatModel({ ...common, profile: chatProfiles.vllm }), createAnthropicModel(common)];
}

const go = requestOf([userText("go")]);
const stream =
  'data: {"choices":[{"delta":{"content":"Hello."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const refusal = '{"error":{"type":"invalid_request_error","message":"Too long by 3 tokens."}}';

test.each([
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
] as const)(
  "an answer in %s that nobody asked for is read, and so is a refusal",
  async (encoding, encode) => {
    const [chat] = await modelsBehind({ type: "text/event-stream", encoding, body: encode(stream) });
    if (chat === undefined) throw new Error("no model");
    expect((await responseOf(chat, go)).message.content).toEqual([{ type: "text", text: "Hello." }]);
    for (const model of await modelsBehind({ status: 400, encoding, body: encode(refusal) })) {
      await expect(responseOf(model, go)).rejects.toThrow("Too long by 3 tokens. (400)");
    }
  },
);

test("an answer in an encoding that cannot be read is told as one, and not asked for again", async () => {
  const encoded = { encoding: "br", body: brotliCompressSync(stream) };
  for (const model of await modelsBehind({ type: "text/event-stream", ...encoded })) {
    await expect(responseOf(model, go)).rejects.toMatchObject({
      code: "model_bad_response",
      message: expect.stringContaining("an answer in the encoding br, which nobody asked for (200)"),
    });
  }
  for (const model of await modelsBehind({ status: 503, ...encoded })) {
    await expect(responseOf(model, go)).rejects.toThrow("in the encoding br, which nobody asked for (503)");
  }
});

test("the words of an error that is too long to be read whole are found in its beginning", async () => {
  const long = (message: string): string =>
    JSON.stringify({ error: { type: "invalid_request_error", message, input: "x".repeat(200_000) } });
  for (const model of await modelsBehind({ status: 400, body: long('Not "that".\n') })) {
    await expect(responseOf(model, go)).rejects.toMatchObject({
      code: "model_rejected",
      message: expect.stringContaining('Not "that".'),
    });
  }
  for (const model of await modelsBehind({ status: 400, body: long("é".repeat(70_000)) })) {
    await expect(responseOf(model, go)).rejects.toMatchObject({
      code: "model_rejected",
      message: expect.stringContaining("éééé"),
    });
  }
});

test("an error that does not end is read no further than its beginning", async () => {
  const start = '{"error":{"type":"invalid_request_error","message":"Not that."},"input":"';
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(400, { "content-type": "application/json" }).write(start);
    const more = (): void => {
      if (response.write("x".repeat(65_536))) setImmediate(more);
    };
    response.on("drain", more);
    more();
  });
  for (const model of modelsAt(await listen(server))) {
    await expect(responseOf(model, go)).rejects.toMatchObject({
      code: "model_rejected",
      message: "The API refused the request: Not that. (400).",
    });
  }
});
