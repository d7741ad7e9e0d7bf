import { expect, test } from "vitest";
import { HostError } from "../errors.ts";
import { loadSdk } from "./sdk.ts";
import { inOwnWords } from "./sdk-words.ts";

const { SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");

test("what the SDK says of its probe is said in the host's words, down to the reason", () => {
  const cause = new SyntaxError("Unexpected token '<'");
  const thrown = new SdkError(
    SdkErrorCode.EraNegotiationFailed,
    "Version negotiation probe failed: the server answered with an unusable reply (x)",
    { cause },
    { cause },
  );
  expect(inOwnWords(thrown)).toBe(
    "it gave no usable answer when it was asked for its protocol (its answer is no JSON)",
  );
  const late = new SdkError(
    SdkErrorCode.RequestTimeout,
    "Version negotiation probe timed out after 10ms",
    {},
  );
  expect(inOwnWords(late)).toBe("it did not answer in time when it was asked for its protocol");
});

test("every code of the SDK that a server can cause has the host's words", () => {
  const said = (code: string, facts: object) => inOwnWords(new SdkError(code as never, "Words of it", facts));
  expect(said("CONNECTION_CLOSED", {})).toBe("it closed the connection");
  expect(said("NOT_CONNECTED", {})).toBe("it is not connected");
  expect(said("INVALID_RESULT", { method: "tools/list" })).toBe(
    "its answer to tools/list is not what MCP says it must be",
  );
  expect(said("UNSUPPORTED_RESULT_TYPE", {})).toBe("its answer is of a kind that this host does not know");
  expect(said("CLIENT_HTTP_UNEXPECTED_CONTENT", { contentType: "text/html" })).toBe(
    "it answered with the content type text/html instead of MCP",
  );
  expect(said("ERA_NEGOTIATION_FAILED", {})).toBe(
    "it gave no usable answer when it was asked for its protocol",
  );
});

test("what a server or the host itself said stays as it is", async () => {
  await loadSdk();
  expect(inOwnWords(new HostError("aborted", "Stopped by hand."))).toBe("Stopped by hand.");
  expect(inOwnWords(new SdkError(SdkErrorCode.RequestTimeout, "no whole tool list within 3 ms"))).toBe(
    "no whole tool list within 3 ms",
  );
  expect(inOwnWords(new Error("boom"))).toBe("boom");
  expect(inOwnWords({ any: "thing" })).toBe('{"any":"thing"}');
  expect(inOwnWords(new Error("Server's protocol version is not supported: 1999-01-01"))).toBe(
    "it speaks the unknown protocol version 1999-01-01",
  );
});
