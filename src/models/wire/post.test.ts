import { expect, test } from "vitest";
import type { AnswerReader, HostFetch } from "../../types/fetch.ts";
import { postChunks } from "./post.ts";

const url = "https://api.example/v1";

/** A `fetch` whose answer is a refusal; its body is given piece by piece, and then `end` decides. */
function refusing(pieces: readonly string[], end: () => Promise<{ done: boolean }>): HostFetch {
  const left = [...pieces];
  const reader: AnswerReader = {
    async read() {
      const piece = left.shift();
      return piece === undefined ? end() : { done: false, value: new TextEncoder().encode(piece) };
    },
    cancel: async () => {},
  };
  const headers = { get: () => null };
  return Object.assign((input: string | URL | Request) => fetch(input), {
    post: async () => ({ status: 401, headers, body: { getReader: () => reader } }),
  });
}

const cut = () => Promise.reject(new TypeError("terminated"));
const whole = async () => ({ done: true });
const never = new AbortController().signal;

test.each([
  ["that is whole", whole],
  ["that breaks off", cut],
])("a refusal with a body %s is told with its status and what came of it", async (_, end) => {
  const refused = postChunks(refusing(['{"error":', '"no"}'], end), url, {}, [], never);
  await expect(refused).rejects.toMatchObject({ name: "StatusError", status: 401, error: { error: "no" } });
  const empty = postChunks(refusing([], end), url, {}, [], never);
  await expect(empty).rejects.toMatchObject({ name: "StatusError", status: 401, message: "" });
});

test("an abort while a refusal is read is an abort", async () => {
  const abort = new AbortController();
  const reason = new Error("enough");
  const end = () => {
    abort.abort(reason);
    return cut();
  };
  await expect(postChunks(refusing(["half"], end), url, {}, [], abort.signal)).rejects.toBe(reason);
});
