import { constants } from "node:fs";
import { access, readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { randomId } from "../../util/random-id.ts";

/** The folder where everything is kept. */
export interface StateFacts {
  readonly folder: string;
  readonly exists: boolean;
  /** Why it cannot be written, in the system's words; null when it can. */
  readonly problem: string | null;
  /** Bytes left on its disk; null when the system does not say. */
  readonly freeBytes: number | null;
}

/** Whether the computer's time can be right. */
export interface ClockFacts {
  /** ISO 8601, UTC. */
  readonly now: string;
  /** Why it cannot, in a sentence; null when nothing speaks against it. */
  readonly problem: string | null;
}

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if (above === folder) throw error;
    return existing(above);
  }
}

/** Looks at the state folder, and writes into it for a moment when it exists: it is not made here. */
export async function stateFacts(folder: string): Promise<StateFacts> {
  try {
    const nearest = await existing(folder);
    const freeBytes = await statfs(nearest).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    );
    const exists = nearest === folder;
    const problem = await (exists ? tryWriting(folder) : tryAccess(nearest));
    return { folder, exists, problem, freeBytes };
  } catch (error) {
    return { folder, exists: false, problem: reasonOf(error), freeBytes: null };
  }
}

async function tryWriting(folder: string): Promise<string | null> {
  const path = join(folder, `${randomId("probe")}.tmp`);
  try {
    await writeFile(path, "", { mode: 0o600, flag: "wx" });
    await rm(path, { force: true });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

async function tryAccess(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** No clock was right before this was written. */
const earliest = Date.UTC(2026, 0, 1);
/** Disks of other computers may have another time by this much, in ms. */
const slackMs = 5 * 60_000;

/** Compares the clock with what was written before: nobody has to be asked for the time. */
export async function clockFacts(folder: string, now: number): Promise<ClockFacts> {
  const iso = new Date(now).toISOString();
  if (now < earliest) return { now: iso, problem: `The clock says ${iso.slice(0, 10)}, which is past.` };
  const places = [folder, join(folder, "audit"), join(folder, "runs")];
  const newest = Math.max(0, ...(await Promise.all(places.map(newestIn))));
  if (newest <= now + slackMs) return { now: iso, problem: null };
  const written = new Date(newest).toISOString();
  return { now: iso, problem: `The clock says ${iso}, but something was kept at ${written} already.` };
}

async function newestIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name))
        .then(({ mtimeMs }) => mtimeMs)
        .catch(() => 0),
    ),
  );
  return times.reduce((newest, time) => Math.max(newest, time), 0);
}
