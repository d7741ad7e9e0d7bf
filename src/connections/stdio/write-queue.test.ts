import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { createWriteQueue } from "./write-queue.ts";

type Finish = (error?: Error) => void;

/** A pipe whose writes end when the test says so. */
function createPipe(onWrite: (text: string, finish: Finish) => void): Writable {
  const pipe = new Writable({
    write: (chunk, _encoding, finish) => onWrite(String(chunk), finish),
  });
  pipe.on("error", () => {});
  return pipe;
}

const codeOf = (sent: Promise<void>) =>
  sent.then(
    () => "sent",
    (error: { code: string }) => error.code,
  );

const later = () => new Promise((resolve) => setImmediate(resolve));

test("what is sent in one microtask is one write, and what gathers behind a write is the next", async () => {
  const writes: { text: string; finish: Finish }[] = [];
  const queue = createWriteQueue(createPipe((text, finish) => writes.push({ text, finish })));
  const first = [queue.send("a\n"), queue.send("b\n")];
  await later();
  const second = [queue.send("c\n"), queue.send("d\n")];
  await later();
  expect(writes.map((write) => write.text)).toEqual(["a\nb\n"]);
  writes[0]?.finish();
  await Promise.all(first);
  await later();
  expect(writes.map((write) => write.text)).toEqual(["a\nb\n", "c\nd\n"]);
  writes[1]?.finish();
  await Promise.all(second);
});

test("a write that is refused at once was not sent: every message of it may be repeated", async () => {
  const queue = createWriteQueue(createPipe((_text, finish) => finish(new Error("EPIPE"))));
  expect(await Promise.all([queue.send("a\n"), queue.send("b\n")].map(codeOf))).toEqual([
    "call_not_sent",
    "call_not_sent",
  ]);
});

test("a write that breaks later may have brought all but its last message", async () => {
  const queue = createWriteQueue(createPipe((_text, finish) => setImmediate(finish, new Error("EPIPE"))));
  const sends = [queue.send("a\n"), queue.send("b\n")].map(codeOf);
  await Promise.resolve();
  const behind = codeOf(queue.send("c\n"));
  expect(await Promise.all(sends)).toEqual(["call_connection_lost", "call_not_sent"]);
  expect(await behind).toBe("call_not_sent");
});

test("a single message of any size is taken, and one more behind a write; beyond that the bound holds", async () => {
  const queue = createWriteQueue(createPipe(() => {}));
  const large = `${"x".repeat(3 * 1024 * 1024)}\n`;
  const sends = [large, large, "small\n"].map((line) => codeOf(queue.send(line)));
  expect(await sends[2]).toBe("call_not_sent");
  queue.fail("The server has exited");
  expect(await Promise.all(sends)).toEqual(["call_connection_lost", "call_not_sent", "call_not_sent"]);
});

test("the end comes behind everything that was sent before it, and nothing is taken after it", async () => {
  let text = "";
  const pipe = createPipe((written, finish) => {
    text += written;
    setImmediate(finish);
  });
  const ended = new Promise<void>((resolve) => pipe.on("finish", resolve));
  const queue = createWriteQueue(pipe);
  const first = queue.send("a\n");
  await Promise.resolve();
  const sends = [first, queue.send("b\n")].map(codeOf);
  queue.end("closed");
  expect(await codeOf(queue.send("c\n"))).toBe("call_not_sent");
  await ended;
  expect(await Promise.all(sends)).toEqual(["sent", "sent"]);
  expect(text).toBe("a\nb\n");
});
