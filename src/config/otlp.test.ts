import fc from "fast-check";
import { expect, test } from "vitest";
import { otlpSettings } from "./otlp.ts";

const endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";

test("the path for traces is put behind the endpoint of all signals, as it is", () => {
  for (const [given, url] of [
    ["http://c:4318", "http://c:4318/v1/traces"],
    ["https://c/otlp/?key=1", "https://c/otlp/v1/traces?key=1"],
  ] as const) {
    expect(otlpSettings({ [endpoint]: given })).toMatchObject({ url });
  }
});

test("what is said for traces alone wins", () => {
  const settings = otlpSettings({
    [endpoint]: "http://c",
    OTEL_EXPORTER_OTLP_HEADERS: "a=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2, c = x%3Dy",
    OTEL_EXPORTER_OTLP_TIMEOUT: "1",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "2500",
  });
  expect(settings).toMatchObject({ headers: { b: "2", c: "x=y" }, timeoutMs: 2_500 });
});

test("an empty variable is none, and a timeout that is no time is the default", () => {
  expect(otlpSettings({ [endpoint]: " " })).toBeNull();
  expect(otlpSettings({ [endpoint]: "http://c", OTEL_EXPORTER_OTLP_TIMEOUT: "soon" })).toMatchObject({
    timeoutMs: 10_000,
    resource: { "service.name": "drawbridge" },
    content: false,
    parent: null,
  });
});

test("lists of pairs are read whatever they hold, also names of the prototype", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const settings = otlpSettings({ [endpoint]: "http://c", OTEL_EXPORTER_OTLP_HEADERS: text });
      expect(settings).toHaveProperty("headers");
    }),
    { numRuns: 200 },
  );
  const headers = "__proto__=1,constructor=2";
  const settings = otlpSettings({ [endpoint]: "http://c", OTEL_EXPORTER_OTLP_HEADERS: headers });
  expect(settings !== null && "headers" in settings ? Object.keys(settings.headers) : []).toEqual([
    "__proto__",
    "constructor",
  ]);
});
