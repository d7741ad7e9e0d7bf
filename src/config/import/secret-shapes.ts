/**
 * What counts as a secret in another program's file. Better a variable too many than a secret copied:
 * - a value whose name speaks of one (`GITHUB_TOKEN`, `--api-key`, `Authorization`), unless the name says that it is a
 *   file or an address (`TOKEN_FILE`, `AUTH_URL`) or the value is a switch (`true`, `0`), a path, or a number of tokens;
 * - a value with the shape of a well-known kind of key, wherever it stands;
 * - a value with 24 or more letters and digits mixed in one run, unless it is a digest or a commit;
 * - a URL with a user or a password in it, or with such a value in its query.
 */
const secretWords =
  /key|token|secret|passw|passphrase|auth(?!ors?\b)|credential|cookie|jwt|bearer|private|webhook|session|signature|connection[_-]?str|conn[_-]?str|(?:^|[_-])(?:pat|pin|otp|pass|dsn)(?:$|[_-])|[_-]pwd$/i;
const alwaysSecret = /webhook/i;
const harmlessName =
  /(?:^|[_-])(?:file|path|dir|folder|ur[li]|host|port|type|mode|limit|count|size|ttl|timeout|enabled|region|version|budget)$/i;
/** `MAX_TOKENS=4000` */
const countName = /tokens$/i;
/** Names whose value is often a file's path; a token or a password never is. */
const fileName = /^(?!.*(?:token|pass|secret)).*(?:key|credential|cert|auth)/i;
const switchValue = /^(?:true|false|yes|no|on|off|none|[01])?$/i;
const filePath = /^(?:~?[\\/]|\.{1,2}[\\/]|[A-Za-z]:[\\/])[^\s]{0,1000}\.[A-Za-z]{1,6}$/;

/**
 * Each begins at the edge of a word and matches what follows or needs a bounded look ahead, so that the time stays linear:
 * what begins like a JWT is one, so that it is not read again. `x{16}x*` is what `x{16,}` means, but needs no memory
 * for each repetition: V8 throws a RangeError when some millions of them have used it up.
 */
const keyShapes: string = [
  "(?<![A-Za-z0-9])(?:",
  "sk-(?=[A-Za-z_-]{0,30}[0-9])[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*",
  "|[srp]k_(?:live|test)_[A-Za-z0-9]{8}[A-Za-z0-9]*",
  "|gh[pousr]_[A-Za-z0-9]{16}[A-Za-z0-9]*|github_pat_[A-Za-z0-9_]{16}[A-Za-z0-9_]*",
  "|glpat-[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*|npm_[A-Za-z0-9]{30}[A-Za-z0-9]*|A(?:KIA|SIA)[A-Z0-9]{16}|xox[a-z]-[A-Za-z0-9-]{10}[A-Za-z0-9-]*",
  "|AIza[A-Za-z0-9_-]{30}[A-Za-z0-9_-]*|ntn_[A-Za-z0-9]{16}[A-Za-z0-9]*|lin_api_[A-Za-z0-9]{16}[A-Za-z0-9]*|tvly-[A-Za-z0-9-]{16}[A-Za-z0-9-]*",
  "|(?:[Bb]earer|[Bb]asic)[ \\t]{1,4}[A-Za-z0-9._~+/=-]{8}[A-Za-z0-9._~+/=-]*",
  "|eyJ[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]*){0,2}",
  ")|-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----)?",
].join("");

/** A variable, a known shape of key, or a run of letters and digits. */
export const pieces: RegExp = new RegExp(
  `((?<!\\$)\\$\\{[^{}]*\\})|(${keyShapes})|([A-Za-z0-9]{24}[A-Za-z0-9]*)`,
  "g",
);
/** A variable, with its default: that is a literal text too. */
const variable = /(?<!\$)\$\{[^{}:]*(?::-([^{}]*))?\}/g;
const scheme = /^\s*(?:bearer|basic|token|digest)\s\s*/i;

/** Whether a name speaks of a secret. */
export function secretName(name: string): boolean {
  return alwaysSecret.test(name) || (secretWords.test(name) && !harmlessName.test(name));
}

/** Whether the value of this name is a secret because of the name. A variable alone, or one after `Bearer`, is none. */
export function secretByName(name: string, value: string): boolean {
  if (!secretName(name)) return false;
  const literal = value
    .replace(variable, (_, fallback: string = "") => fallback)
    .replace(scheme, "")
    .trim();
  if (switchValue.test(literal) || (countName.test(name) && /^[0-9_]*$/.test(literal))) return false;
  return !(fileName.test(name) && filePath.test(literal));
}

/** The text with everything that has the shape of a secret replaced; variables stay. */
export function replaceShapes(text: string, stand: (secret: string) => string): string {
  return text.replace(pieces, (found: string, ...rest: readonly unknown[]) => {
    const [inVariable, key, , at] = rest;
    if (inVariable !== undefined) return found;
    const before = text.slice(Math.max(0, Number(at) - 8), Number(at));
    return key !== undefined || randomRun(found, before) ? stand(found) : found;
  });
}

/** Letters and digits mixed as nobody types them. Digests and commits are public. */
function randomRun(text: string, before: string): boolean {
  if (!/[0-9]/.test(text) || !/[A-Za-z]/.test(text)) return false;
  return !(/^[0-9a-f]*$/.test(text) && /(?:@|sha256:|sha512:)$/.test(before));
}
