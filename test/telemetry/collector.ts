import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code: number };
}

/** What a collector of OpenTelemetry got over OTLP/HTTP. */
export interface Collector {
  readonly origin: string;
  readonly requests: {
    readonly url: string;
    readonly headers: Record<string, unknown>;
    readonly body: string;
  }[];
  spans(): readonly CollectedSpan[];
  resource(): Record<string, unknown>;
}

/** `status` 0 is one that never answers. */
export async function collector(status = 200): Promise<Collector> {
  const requests: Collector["requests"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    requests.push({ url: request.url ?? "", headers: request.headers, body });
    if (status !== 0) response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const bodies = () => requests.map(({ body }) => JSON.parse(body).resourceSpans[0]);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => bodies().flatMap(({ scopeSpans }) => scopeSpans[0].spans),
    resource: () =>
      Object.fromEntries(
        bodies()[0].resource.attributes.map(({ key, value }: { key: string; value: object }) => [
          key,
          Object.values(value)[0],
        ]),
      ),
  };
}
