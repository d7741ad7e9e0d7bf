/** Words that say nothing about which tool is meant. */
const stopwords = new Set(
  (
    "a an the of in on at by to for from with without into and or but then also please can could would will you i we me my our " +
    "us your it its this that these those them their there here is are was were be been do does did has have had what which " +
    "who whom whose when where why how many much any all every each some as if so not no than too very just now let tell about " +
    "want need like give know left use used using may might should must up out s t re"
  ).split(" "),
);

/** Words that ask for the same action; a word may stand in several groups. */
const actionGroups: readonly string[] = [
  "search find grep look locate query hunt",
  "read show open cat display view print inspect",
  "list ls enumerate show",
  "write save overwrite store",
  "create make new add mkdir",
  "delete remove erase forget drop rm",
  "run execute launch start exec",
  "echo say repeat print",
  "sum add plus total calculate compute",
  "move rename mv",
  "edit change replace modify",
  "get fetch retrieve print",
  "compress gzip zip",
  "toggle switch turn",
  "trigger start",
  "simulate pretend",
];

/** Nouns for the same thing. */
const nounGroups: readonly string[] = [
  "directory folder dir",
  "sum plus total",
  "info metadata size big large modified permission old created",
  "env environment variable",
  "tree structure",
  "node entity",
];

/** A short form that is the same for a word's plural, -ed and -ing: only for comparing, never shown. */
export function stem(word: string): string {
  let short = word.toLowerCase();
  if (short.length > 4 && short.endsWith("ies")) short = `${short.slice(0, -3)}y`;
  else if (short.length > 4 && /(?:ss|ch|sh|x|z)es$/.test(short)) short = short.slice(0, -2);
  else if (short.length > 3 && /[^su]s$/.test(short)) short = short.slice(0, -1);
  if (short.length > 5 && short.endsWith("ing")) short = undouble(short.slice(0, -3));
  else if (short.length > 4 && short.endsWith("ed")) short = undouble(short.slice(0, -2));
  return short.length > 3 && short.endsWith("e") ? short.slice(0, -1) : short;
}

function undouble(short: string): string {
  return short.length > 3 && short.at(-1) === short.at(-2) && !/[ls]$/.test(short)
    ? short.slice(0, -1)
    : short;
}

/** The stems of a text or of an identifier in any style: `entityName`, `get-sum`, `read_file`. At most 2,000. */
export function stemsOf(text: string): string[] {
  const words =
    text
      .slice(0, 20_000)
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 2_000).map(stem);
}

const stopStems = new Set([...stopwords].map(stem));

/** Whether a stem says anything about what is meant. */
export function isTelling(word: string): boolean {
  return !stopStems.has(word);
}

function groupIndex(groups: readonly string[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const index = new Map<string, string[][]>();
  for (const group of groups.map((line) => line.split(" ").map(stem))) {
    for (const word of group) index.set(word, [...(index.get(word) ?? []), group]);
  }
  return index;
}

const actions = groupIndex(actionGroups);
const nouns = groupIndex(nounGroups);

/** Whether the stem is a verb that these rules know. */
export function isAction(word: string): boolean {
  return actions.has(word);
}

/** Whether two stems ask for the same action. */
export function sameAction(a: string, b: string): boolean {
  return a === b || (actions.get(a) ?? []).some((group) => group.includes(b));
}

/** Other stems for the same action or thing. */
export function synonymsOf(word: string): string[] {
  const groups = [...(actions.get(word) ?? []), ...(nouns.get(word) ?? [])];
  return [...new Set(groups.flat())].filter((other) => other !== word);
}

/** File extensions of the languages that people name in words. */
const languages: ReadonlyMap<string, string> = new Map([
  ["typescript", "ts"],
  ["javascript", "js"],
  ["python", "py"],
  ["markdown", "md"],
  ["sql", "sql"],
  ["css", "css"],
  ["html", "html"],
  ["json", "json"],
  ["yaml", "yaml"],
  ["rust", "rs"],
  ["java", "java"],
  ["csv", "csv"],
  ["golang", "go"],
  ["shell", "sh"],
]);

/** The file extension that a language's name stands for, or undefined. */
export function extensionOf(language: string): string | undefined {
  return languages.get(language.toLowerCase());
}

/** Notes in code that mean the same to most readers: asked for one of them, both are looked for. */
const markerFamilies: ReadonlyMap<string, string> = new Map([["TODO", "TODO|FIXME"]]);

/** The marks that are looked for when one is asked for, separated by `|`. */
export function markerFamily(marker: string): string {
  return markerFamilies.get(marker) ?? marker;
}
