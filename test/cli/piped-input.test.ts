import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { mostPipedBytes, type PipedSettings, readPipedInput } from "../../src/cli/terminal/piped-input.ts";

const settings = (fields: Partial<PipedSettings> = {}): PipedSettings => ({
  source: "pipe",
  signal: new AbortController().signal,
  onNothing: () => {},
  ...fields,
});

function piped(...chunks: readonly (string | Buffer)[]): () => PassThrough {
  const stream = new PassThrough();
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  return () => stream;
}

test("the text is read to its end", async () => {
  expect(await readPipedInput(piped("a", "b\n"), settings())).toEqual({ text: "ab\n", bytes: 3, cut: false });
});

test("where nothing is piped in, standard input is not touched", async () => {
  const touched = () => {
    throw new Error("touched");
  };
  expect(await readPipedInput(touched, settings({ source: null }))).toBeNull();
});

test("an empty pipe is nothing", async () => {
  expect(await readPipedInput(piped(), settings())).toBeNull();
});

test("an open pipe that nobody writes to is left alone after a while, and that is said", async () => {
  const waited: number[] = [];
  const silent = new PassThrough();
  const read = await readPipedInput(
    () => silent,
    settings({ firstByteMs: 20, onNothing: (ms) => waited.push(ms) }),
  );
  expect(read).toBeNull();
  expect(waited).toEqual([20]);
  expect(silent.destroyed).toBe(true);
});

test("a pipe that begins and does not end is an error: half of it could mislead", async () => {
  const endless = new PassThrough();
  endless.write("begins");
  await expect(readPipedInput(() => endless, settings({ idleMs: 20 }))).rejects.toMatchObject({
    code: "input_invalid",
  });
});

test("more than the limit is cut at a whole character, and that is said", async () => {
  const text = `${"x".repeat(mostPipedBytes - 1)}€`;
  const read = await readPipedInput(piped(text), settings());
  expect(read).toEqual({ text: "x".repeat(mostPipedBytes - 1), bytes: mostPipedBytes, cut: true });
});

test("what is no text is refused", async () => {
  await expect(readPipedInput(piped(Buffer.from([0x7f, 0, 1])), settings())).rejects.toMatchObject({
    code: "input_invalid",
  });
});

test("an interruption ends the wait", async () => {
  const abort = new AbortController();
  const read = readPipedInput(() => new PassThrough(), settings({ signal: abort.signal }));
  abort.abort();
  await expect(read).rejects.toMatchObject({ code: "aborted" });
});
