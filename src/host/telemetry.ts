import type { Environment } from "../config/environment.ts";
import { type OtlpSettings, otlpSettings } from "../config/otlp.ts";
import { HostError, toHostError } from "../errors.ts";
import { spanTexts } from "../telemetry/attributes.ts";
import { createContext } from "../telemetry/context.ts";
import { createExporter } from "../telemetry/otlp/exporter.ts";
import { createTracer } from "../telemetry/otlp/tracer.ts";
import { type Tracing, withSpan } from "../telemetry/span.ts";
import { readTraceparent } from "../telemetry/traceparent.ts";
import type { HostOptions, ServerConfig } from "../types/config.ts";
import type { Clock, Secrets } from "../types/ports.ts";
import type { SpanAttributes, TelemetryOptions, TraceContext } from "../types/telemetry.ts";
import { registerSecrets } from "./register-secrets.ts";
import { within } from "./within.ts";

/** The tracing of a host that has it turned on. */
export interface Telemetry {
  /** Loads what spans need, once. Null: none can be made, and that was told. Never rejects. */
  open(): Promise<Tracing | null>;
  /** What is known of the way to a server (MCP conventions, recording MCP transport). */
  endpointOf(server: string): SpanAttributes;
  /** Resolves once spans were sent, or given up, which they are after `ms`. Never rejects. */
  flush(ms: number): Promise<void>;
}

export interface TelemetryParts {
  readonly servers: readonly (readonly [id: string, config: ServerConfig])[];
  readonly environment: Environment;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly version: string;
  readonly tell: (sentence: string) => void;
}

const scopeName = "drawbridge-mcp";

/**
 * The tracing that the options ask for; null for none.
 * @throws HostError `config_invalid`
 */
export function telemetryOf(telemetry: HostOptions["telemetry"], parts: TelemetryParts): Telemetry | null {
  if (telemetry === undefined || telemetry === false) return null;
  const options: TelemetryOptions = telemetry === true ? {} : telemetry;
  if (options.tracer !== undefined && options.exporter !== undefined) {
    throw new HostError("config_invalid", "`telemetry` takes a tracer or an exporter, not both.");
  }
  const endpointOf = endpoints(parts.servers);
  if (options.exporter !== undefined) {
    const made = exporting(options, parts);
    return made === null ? null : { ...made, endpointOf };
  }
  let opening: Promise<Tracing | null> | undefined;
  return {
    endpointOf,
    open() {
      opening ??= throughApi(options, parts);
      return opening;
    },
    // Whoever made the provider ends it too.
    flush: async () => {},
  };
}

/** Everything beside the tracer; each problem is told once. */
function tracingOf(
  content: boolean,
  tracer: Tracing["tracer"],
  active: () => TraceContext,
  { secrets, tell }: TelemetryParts,
): Tracing {
  const told = once(tell);
  return {
    ...{ tracer, content, active },
    texts: spanTexts((text) => secrets.redact(text)),
    failed: (thrown) =>
      told(`Spans are missing, because the tracer failed: ${secrets.redact(toHostError(thrown).message)}`),
  };
}

/** The package is a program's own to install: it is loaded only where tracing is wanted. */
async function throughApi(options: TelemetryOptions, parts: TelemetryParts): Promise<Tracing | null> {
  const { tracer, content = false } = options;
  const api = await import("@opentelemetry/api").catch(() => null);
  if (api !== null) {
    const made = tracer ?? api.trace.getTracer(scopeName, parts.version);
    return tracingOf(content, made, () => api.context.active(), parts);
  }
  if (tracer !== undefined) return tracingOf(content, tracer, () => createContext(), parts);
  parts.tell(
    "No spans are made, because @opentelemetry/api is not installed: npm install @opentelemetry/api",
  );
  return null;
}

/** Sends spans to where the environment says; null where it says nothing, or nothing that can be used. */
function exporting(
  { content }: TelemetryOptions,
  parts: TelemetryParts,
): Pick<Telemetry, "open" | "flush"> | null {
  const { environment, secrets, clock, fetch, version, tell } = parts;
  const settings = otlpSettings(environment);
  if (settings === null) return null;
  if ("problem" in settings) {
    tell(settings.problem);
    return null;
  }
  const { url, headers, timeoutMs, resource } = settings;
  registerSecrets("OTLP", { url, headers }, secrets);
  const told = once(tell);
  const exporter = createExporter({
    ...{ url, headers, timeoutMs, clock, fetch, onProblem: told },
    source: {
      resource: { "service.version": version, ...resource },
      scope: { name: scopeName, version },
    },
  });
  const outside = contextOf(settings);
  const tracer = createTracer(clock, exporter.add);
  const tracing = tracingOf(content ?? settings.content, tracer, () => outside, parts);
  return {
    open: () => Promise.resolve(tracing),
    async flush(ms) {
      let sent = false;
      const sending = exporter.flush().then(() => {
        sent = true;
      });
      await within(clock, ms, sending);
      if (!sent)
        told(`The last spans were dropped: ${new URL(url).origin} did not take them within ${ms / 1000} s.`);
    },
  };
}

/** The process that started this one may have a span under way. */
function contextOf({ parent }: OtlpSettings): TraceContext {
  const identity = parent === null ? null : readTraceparent(parent);
  return identity === null ? createContext() : withSpan(createContext(), { spanContext: () => identity });
}

function endpoints(servers: TelemetryParts["servers"]): (server: string) => SpanAttributes {
  const known = new Map(servers.map(([id, config]) => [id, endpoint(config)]));
  return (server) => known.get(server) ?? {};
}

function endpoint(config: ServerConfig): SpanAttributes {
  if ("command" in config) return { "network.transport": "pipe" };
  if (!("url" in config) || !URL.canParse(config.url)) return {};
  const { hostname, port, protocol } = new URL(config.url);
  return {
    "network.transport": "tcp",
    "network.protocol.name": "http",
    "server.address": hostname,
    "server.port": port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
  };
}

function once(tell: (sentence: string) => void): (sentence: string) => void {
  let told = false;
  return (sentence) => {
    if (!told) tell(sentence);
    told = true;
  };
}
