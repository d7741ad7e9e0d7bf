import { lenientReading, lenientStepsUp } from "./step-up.ts";

const startElsewhere = /^\s*(?:[a-z][a-z0-9+.-]*:[/\\]|file:)/i;
const rootElsewhere = /^\s*(?:[a-z]:|[/\\~$%])/i;
const pathName = /path|file|dir|folder/i;

/** Whether a name or a text without spaces is likely to be a path, and no content. */
export function looksLikePath(name: string, value: string): boolean {
  return pathName.test(name) || !/\s/.test(value.trim());
}

/** A longer text is no path that a system opens. */
const longestPath = 8192;

/** Whether a text names a place by itself: a URL, or a path from a root, from a home folder, or with a step up. */
export function leadsElsewhere(name: string, value: string): boolean {
  if (startElsewhere.test(value)) return true;
  if (value.length > longestPath || !looksLikePath(name, value)) return false;
  const read = lenientReading(value);
  return (
    rootElsewhere.test(value) ||
    startElsewhere.test(read) ||
    rootElsewhere.test(read) ||
    lenientStepsUp(value) > 0
  );
}
