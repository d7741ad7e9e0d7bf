import { mayBeSameName } from "./same-name.ts";
import { isStepUp, lenientReading, lenientStepsUp } from "./step-up.ts";

/** A folder that a rule names: its path worked out, in segments. A drive letter is the first one. */
export interface Folder {
  readonly absolute: boolean;
  readonly segments: readonly string[];
}

interface PathParts extends Folder {
  readonly stepsUp: boolean;
}

const drive = /^[A-Za-z]:(?=[/\\])/;
/** Not a path by itself: a URL, a drive without a folder, a home folder or a variable of a shell, a space that may be cut off, or what no path holds. */
const noPath = /^[A-Za-z][A-Za-z0-9+.-]+:|^[A-Za-z]:(?![/\\])|^[\s~$%]|[\u0000-\u001f]/;

/** The folder that a rule names, or null when the text is not one: a pattern, a step up, or nothing. */
export function readFolder(text: string): Folder | null {
  if (text === "" || noPath.test(text)) return null;
  const { stepsUp, ...folder } = readPath(text);
  return stepsUp ? null : folder;
}

function readPath(text: string): PathParts {
  const letter = drive.exec(text)?.[0];
  const rest = text.slice(letter?.length ?? 0);
  const named = rest.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  return {
    absolute: letter !== undefined || /^[/\\]/.test(rest),
    segments: letter === undefined ? named : [letter.toLowerCase(), ...named],
    stepsUp: lenientStepsUp(rest) > 0,
  };
}

/**
 * Whether the path is the folder or lies in it, by the text alone: links are not seen. `base` is the absolute folder
 * that relative paths go from. Null where it cannot be told: no base, or not a path. To allow, a path may not step up at
 * all, nor use a backslash where the folder has none; otherwise steps up are worked out, and case does not matter.
 */
export function isUnder(
  folder: Folder,
  text: string,
  base: string | null,
  allowing: boolean,
): boolean | null {
  const start = base === null ? null : readFolder(base);
  const whole = folder.absolute
    ? folder.segments
    : start?.absolute
      ? [...start.segments, ...folder.segments]
      : null;
  if (whole === null || noPath.test(text)) return null;
  if (allowing) return isUnderForSure(whole, text, start);
  const readings = new Set([text, decoded(text), lenientReading(text)]);
  const found = [...readings].map((reading) => {
    const segments = absoluteSegments(readPath(reading), start);
    return segments === null ? null : mayStartWith(segments, whole);
  });
  if (found.includes(true)) return true;
  return found.includes(null) || mayStepUp(text) ? null : false;
}

/** Whether something is a step up to some servers, and a name to others. */
function mayStepUp(text: string): boolean {
  return lenientStepsUp(text) > text.split(/[/\\]/).filter((segment) => segment === "..").length;
}

function isUnderForSure(whole: readonly string[], text: string, start: Folder | null): boolean | null {
  const isWindows = /^[a-z]:$/.test(whole[0] ?? "");
  const path = readPath(text);
  if (path.stepsUp || /%2f|%5c/i.test(text) || (!isWindows && text.includes("\\"))) return null;
  const segments = absoluteSegments(path, start);
  return segments === null ? null : startsWith(segments, whole);
}

function absoluteSegments(path: PathParts, start: Folder | null): readonly string[] | null {
  if (path.absolute) return workedOut(path.segments);
  return start?.absolute ? workedOut([...start.segments, ...path.segments]) : null;
}

function workedOut(segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (isStepUp(segment)) kept.pop();
    else kept.push(segment);
  }
  return kept;
}

function startsWith(segments: readonly string[], whole: readonly string[]): boolean {
  return whole.every((segment, index) => segments[index] === segment);
}

/** The same for a system that tells less apart; null where that cannot be told. */
function mayStartWith(segments: readonly string[], whole: readonly string[]): boolean | null {
  let sure = true;
  for (const [index, name] of whole.entries()) {
    const segment = segments[index];
    const same = segment === undefined ? false : mayBeSameName(segment, name);
    if (same === false) return false;
    sure &&= same === true;
  }
  return sure ? true : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
