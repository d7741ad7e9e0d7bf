import type { Environment } from "./environment.ts";

/** Where spans are sent, as the environment says it (OpenTelemetry, OTLP exporter configuration). */
export interface OtlpSettings {
  readonly url: string;
  /** Their values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Attributes of the process, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
  /** Whether words of the conversation are sent. */
  readonly content: boolean;
  /** The span of whoever started this process: `TRACEPARENT` and `TRACESTATE` (OpenTelemetry, environment variable carriers). */
  readonly parent: { readonly traceparent: string; readonly tracestate?: string } | null;
}

const defaultTimeoutMs = 10_000;

/** Null where nothing is to be sent; a sentence where it cannot be. */
export function otlpSettings(environment: Environment): OtlpSettings | { readonly problem: string } | null {
  const is = (name: string, value: string) => environment[name]?.trim().toLowerCase() === value;
  if (is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none")) return null;
  const whole = textOf(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const base = textOf(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
  const text = whole ?? base;
  if (text === undefined) return null;
  const of = (setting: string) =>
    textOf(environment, `OTEL_EXPORTER_OTLP_TRACES_${setting}`) ??
    textOf(environment, `OTEL_EXPORTER_OTLP_${setting}`);
  if (of("PROTOCOL") === "grpc") {
    const problem =
      "No spans are sent: OTEL_EXPORTER_OTLP_PROTOCOL is grpc. Set it to http/json, and the endpoint to the port for HTTP, often 4318.";
    return { problem };
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return {
      problem: "No spans are sent: the OTLP endpoint of the environment is no http:// or https:// URL.",
    };
  }
  if (whole === undefined) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  const timeoutMs = Number(of("TIMEOUT"));
  const traceparent = textOf(environment, "TRACEPARENT");
  const tracestate = textOf(environment, "TRACESTATE");
  return {
    url: url.href,
    headers: pairsOf(of("HEADERS")),
    timeoutMs: timeoutMs > 0 ? timeoutMs : defaultTimeoutMs,
    resource: resourceOf(environment),
    content: /^(true|span_only|span_and_event)$/i.test(
      textOf(environment, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT") ?? "",
    ),
    parent:
      traceparent === undefined ? null : { traceparent, ...(tracestate === undefined ? {} : { tracestate }) },
  };
}

function resourceOf(environment: Environment): Readonly<Record<string, string>> {
  const given = pairsOf(textOf(environment, "OTEL_RESOURCE_ATTRIBUTES"));
  const name = textOf(environment, "OTEL_SERVICE_NAME") ?? given["service.name"] ?? "drawbridge";
  return { ...given, "service.name": name };
}

/** An empty variable is as good as none (OpenTelemetry, environment variables). */
function textOf(environment: Environment, name: string): string | undefined {
  const text = environment[name]?.trim();
  return text === "" ? undefined : text;
}

/** `key=value,key=value`, values percent-encoded (W3C Baggage, without properties). What cannot be read is left out. */
function pairsOf(text = ""): Readonly<Record<string, string>> {
  const pairs = text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    const key = pair.slice(0, Math.max(at, 0)).trim();
    return key === "" ? [] : [[key, decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
