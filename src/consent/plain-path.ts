import { lenientStepsUp } from "./step-up.ts";

/** A path in one spelling: what it starts from, then its steps, each ended by a slash. */
export type PlainPath = string;

const longestPath = 4096;
/** What a server or its shell may read as something else than a name: variables, wildcards, escapes, quotes. */
const otherMeaning = /[\u0000-\u001f\u007f%$*?{}`"'<>|;&\ud800-\udfff]/;
const drive = /^[A-Za-z]:[\\/]/;

/**
 * What a path says without a look at the disk, or null where it cannot be said: it holds a step up, starts at a folder
 * that nobody knows (`~`, `C:x`, a share), or holds what may be read as something else than a name. A path that is not
 * absolute starts at the working folder of its server, and is in no folder that is absolute.
 */
export function plainPath(text: string): PlainPath | null {
  if (text === "" || text.length > longestPath || text !== text.trim() || otherMeaning.test(text))
    return null;
  const start = lenientStepsUp(text) > 0 ? null : startOf(text);
  if (start === null) return null;
  const kept: string[] = [];
  for (const step of text.slice(start.length).split(start.steps)) {
    if (start.name !== "/" && step.includes(":")) return null;
    if (step !== "" && step !== ".") kept.push(`${step}/`);
  }
  return start.name + kept.join("");
}

interface Start {
  readonly name: string;
  /** Characters of it in the text. */
  readonly length: number;
  readonly steps: string | RegExp;
}

function startOf(text: string): Start | null {
  if (drive.test(text)) return { name: `${text.slice(0, 2)}/`, length: 3, steps: /[\\/]/ };
  if (text.includes("\\") || text.startsWith("//") || text.startsWith("~")) return null;
  return text.startsWith("/") ? { name: "/", length: 1, steps: "/" } : { name: "./", length: 0, steps: "/" };
}

/** Whether a path is a folder or lies in it. What cannot be said of either is no. */
export function isWithin(path: PlainPath | null, folder: PlainPath | null): boolean {
  return path !== null && folder !== null && path.startsWith(folder);
}
