// What servers cost a host: those that are late, and those that many conversations share.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** So late are the servers of `knownTen`, in milliseconds: none of them answers before that. */
export const lateMs = 5_000;

/** From the start to the first request of a host that knows ten late servers from another time. */
export async function knownTen(withFake, subject) {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-bench-known-"));
  const file = join(folder, "late");
  const late = { command: process.execPath, args: [here("slow-server.mjs"), file] };
  const servers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`bench${index}`, late]));
  const stateFolder = join(folder, "state");
  try {
    writeFileSync(file, "0");
    await subject("bridge", "connect", { servers, model: "offline", stateFolder }, "http://127.0.0.1:9");
    writeFileSync(file, String(lateMs));
    return await withFake({ turns: 0, parallel: 0, tool: "", input: {} }, async (url, messages) => {
      const startedAt = Date.now();
      await subject("bridge", "ask", { servers, stateFolder }, url);
      return messages[0].firstRequestAt - startedAt;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most memory of 200 conversations at once on three servers, in MiB. */
export function peakOf(kind, withFake, subject) {
  const server = { command: process.execPath, args: [here("tool-server.mjs")] };
  const ids = ["bench", "bench1", "bench2"];
  const servers = Object.fromEntries(ids.map((id) => [id, server]));
  const turns = { turns: 6, parallel: 6, conversations: true, input: { text: "hello ".repeat(300) } };
  return withFake({ ...turns, tool: ids.map((id) => `${id}__echo`) }, async (url) => {
    const { peak } = await subject(kind, "conversations", { servers, conversations: 200 }, url);
    return peak;
  });
}
