import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { connect as open, type TestConnection } from "../../../test/fixtures/stdio/client.ts";
import type { WireError } from "../protocol.ts";
import { standInReason } from "../stand-in.ts";

const opened: TestConnection[] = [];
const connect: typeof open = (...settings) => {
  const connection = open(...settings);
  opened.push(connection);
  return connection;
};

afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.transport.kill()));
});

const thai = "สวัสดี 🙂 \u2028 é";

test("a message that arrives byte by byte keeps every character", async () => {
  const { transport, request } = connect();
  await transport.start();
  expect(await request("bytewise", { thai })).toEqual({ jsonrpc: "2.0", id: 0, result: { thai } });
});

test("banners, logs, blank lines and a byte order mark on stdout do not disturb", async () => {
  const { transport, request } = connect();
  await transport.start();
  expect(await request("noisy", { thai })).toMatchObject({ result: { thai } });
  expect(transport.skippedLines()).toBe(4);
  expect(transport.skippedSamples()[0]).toBe("Listening on port 3000");
});

test("start may be called again, and spawns before it returns", async () => {
  const { transport, request } = connect();
  const first = transport.start();
  const { pid } = transport;
  expect(pid).toBeTypeOf("number");
  expect(transport.start()).toBe(first);
  await first;
  expect(await request("pid")).toMatchObject({ result: pid });
});

test("an answer over the limit fails its own call and no other, though its id comes last and others lie inside", async () => {
  const { transport, request, closes } = connect({}, { messageBytes: 100_000 });
  await transport.start();
  const [oversize, other] = await Promise.all([
    request("oversize", { length: 400_000 }),
    request("echo", { thai }),
  ]);
  expect(oversize).toMatchObject({ id: 0, error: { code: -32603 } });
  const { error } = oversize as { error: WireError };
  expect(standInReason(error)).toBe("oversize");
  expect(error.message).toMatch(/answer of 550\d{3} bytes is over the limit of 100000 bytes/);
  expect(other).toMatchObject({ id: 1, result: { thai } });
  expect(await request("echo", { again: 1 })).toMatchObject({ result: { again: 1 } });
  expect(closes()).toBe(0);
});

test("a server's own request over the limit is answered with an error", async () => {
  const { transport, request } = connect({}, { messageBytes: 1000 });
  await transport.start();
  expect(await request("ask", { length: 2000 })).toMatchObject({
    result: { id: "ask-1", error: { code: -32600 } },
  });
});

test("a crash during a call closes once, with exit code and last words, and says so to later sends", async () => {
  const { transport, request, closed, closes } = connect();
  await transport.start();
  request("crash", { code: 3, text: "panic: boom" }).catch(() => {});
  await closed;
  expect(transport.exit()).toEqual({ code: 3, signal: null });
  expect(transport.stderrTail()).toBe("panic: boom");
  await expect(request("echo")).rejects.toMatchObject({
    code: "call_not_sent",
    message: "The server has exited with code 3: the message was not sent.",
  });
  await transport.close();
  expect(closes()).toBe(1);
});

test("a flood of stderr without line ends is drained, and its end is kept and redacted", async () => {
  const redact = (text: string) => text.replaceAll("hunter2hunter2", "(secret)");
  const { transport, request } = connect({}, { redact });
  await transport.start();
  await request("complain", { text: "progress 10%\r", times: 400_000 });
  await request("complain", { text: "the key is hunter2hunter2", times: 1 });
  await transport.close();
  expect(transport.stderrTail().length).toBeLessThanOrEqual(8192);
  expect(transport.stderrTail().length).toBeGreaterThan(8000);
  expect(transport.stderrTail().endsWith("progress 10%\rthe key is (secret)")).toBe(true);
});

test("a server gets the allow-listed environment and what its configuration adds", async () => {
  const environment = {
    PATH: process.env.PATH,
    HOME: "/home/of-host",
    ANTHROPIC_API_KEY: "sk-of-host",
    LC_ALL: "C",
  };
  const { transport, request } = connect({ env: { TOKEN: "of server" } }, { environment });
  await transport.start();
  const { result } = await request("environment");
  expect(result).toMatchObject({ HOME: "/home/of-host", LC_ALL: "C", TOKEN: "of server" });
  expect(result).not.toHaveProperty("ANTHROPIC_API_KEY");
});

test("a server runs in the folder of its configuration", async () => {
  const folder = realpathSync(tmpdir());
  const { transport, request } = connect({ cwd: folder });
  await transport.start();
  expect(await request("folder")).toMatchObject({ result: folder });
});

test("a command that is not on PATH fails the start in a sentence that names it", async () => {
  const { transport, closes } = connect({ command: "no-such-server" });
  await expect(transport.start()).rejects.toMatchObject({
    code: "server_start_failed",
    message:
      'The command "no-such-server" was not found on PATH; install it or correct the server\'s command.',
  });
  await expect(transport.send({ jsonrpc: "2.0", method: "x" })).rejects.toMatchObject({
    code: "call_not_sent",
  });
  expect(closes()).toBe(0);
  await transport.close();
  expect(closes()).toBe(1);
});

test("a working directory that does not exist fails the start and is named", async () => {
  const { transport } = connect({ cwd: "/no/such/folder" });
  await expect(transport.start()).rejects.toMatchObject({
    code: "server_start_failed",
    message: expect.stringContaining('"/no/such/folder"'),
  });
});

test("a listener that throws costs its own message only", async () => {
  const { transport, request, errors } = connect();
  await transport.start();
  const { onmessage } = transport;
  transport.onmessage = () => {
    transport.onmessage = onmessage;
    throw new Error("listener");
  };
  request("echo", { lost: true }).catch(() => {});
  expect(await request("echo", { kept: true })).toMatchObject({ result: { kept: true } });
  expect(errors.map((error) => error.message)).toEqual(["listener"]);
});
