import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Processes whose environment or command line names the folder: those that tests started (Linux; elsewhere none are seen). */
function processesNaming(folder: string): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((id) => {
      try {
        const command = readFileSync(`/proc/${id}/cmdline`, "utf8");
        const named =
          command.includes(folder) || readFileSync(`/proc/${id}/environ`, "utf8").includes(folder);
        return named ? [`${id}: ${command.replaceAll("\0", " ").slice(0, 200)}`] : [];
      } catch {
        return [];
      }
    });
}

/** What is there once it is empty, or after ten seconds: a process that was killed may take a moment to go. */
async function settled(list: () => string[]): Promise<string[]> {
  const deadline = Date.now() + 10_000;
  while (list().length > 0 && Date.now() < deadline) await sleep(50);
  return list();
}

/**
 * Gives the whole run of tests a home and a folder for temporary files of its own, and fails it when a test left
 * something in that home or a process behind.
 */
export default function sealHome(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-tests-"));
  const home = join(folder, "home");
  const temporary = join(folder, "tmp");
  for (const path of [home, temporary]) mkdirSync(path);
  for (const name of Object.keys(process.env)) {
    if (/^(?:XDG_\w+_HOME|DRAWBRIDGE_\w+|ANTHROPIC_\w+)$/.test(name)) delete process.env[name];
  }
  Object.assign(process.env, { HOME: home, USERPROFILE: home, TMPDIR: temporary });
  return async () => {
    const left = await settled(() => processesNaming(folder));
    for (const one of left) process.kill(Number.parseInt(one, 10), "SIGKILL");
    const written = readdirSync(home, { recursive: true }).map(String);
    rmSync(folder, { recursive: true, force: true });
    const found = [
      ...left.map((one) => `a process was left: ${one}`),
      ...written.map((one) => `a test wrote into its home: ${one}`),
    ];
    if (found.length === 0) return;
    // Vitest reports an error of a teardown and still ends with 0.
    process.exitCode = 1;
    throw new Error(found.join("\n"));
  };
}
