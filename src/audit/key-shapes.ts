/**
 * Keys that anybody can tell by their shape: Anthropic and OpenAI, Stripe, GitHub, GitLab, npm, AWS, Slack, Google,
 * bearer tokens, JWTs. Each starts at the edge of a word and either matches a whole run of its characters or fails
 * within a bounded number of them, so that the time stays linear. `x{20}x*` is what `x{20,}` means, but needs no memory
 * for each repetition: V8 throws a RangeError when some millions of them have used it up.
 */
export const keys: RegExp = new RegExp(
  [
    "(?<![A-Za-z0-9])(?:",
    "(?<sk>sk-[A-Za-z0-9_-]{20}[A-Za-z0-9_-]*)",
    "|(?<stripe>[srp]k_(?:live|test)_[A-Za-z0-9]{16}[A-Za-z0-9]*)",
    "|(?<github>gh[pousr]_[A-Za-z0-9]{30}[A-Za-z0-9]*|github_pat_[A-Za-z0-9_]{22}[A-Za-z0-9_]*)",
    "|(?<gitlab>glpat-[A-Za-z0-9_-]{20}[A-Za-z0-9_-]*)",
    "|(?<npm>npm_[A-Za-z0-9]{36})",
    "|(?<aws>A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9]))",
    "|(?<slack>xox[a-z]-[A-Za-z0-9-]{10}[A-Za-z0-9-]*)",
    "|(?<google>AIza[A-Za-z0-9_-]{35})",
    "|(?<bearer>[Bb]earer[ \\t]{1,4}[A-Za-z0-9._~+/=-]{16}[A-Za-z0-9._~+/=-]*)",
    "|(?<jwt>(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*)",
    ")",
  ].join(""),
  "g",
);

const names: Readonly<Record<string, string>> = {
  sk: "API key",
  stripe: "Stripe key",
  github: "GitHub token",
  gitlab: "GitLab token",
  npm: "npm token",
  aws: "AWS access key",
  slack: "Slack token",
  google: "Google API key",
  bearer: "bearer token",
  jwt: "JWT",
};

function replaceKey(found: string, ...rest: readonly unknown[]): string {
  const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
  const group = Object.keys(names).find((name) => groups[name] !== undefined) ?? "";
  // `sk-` also begins ordinary hyphenated words; keys hold digits.
  if (group === "sk" && !/[0-9]/.test(found)) return found;
  return `⟨${names[group]}, ${found.length} chars⟩`;
}

const pemBegin = "-----BEGIN ";
const pemHeader = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY-----/y;
const pemFooter = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY-----/g;

/** Private keys in PEM form; one without its end is hidden up to the end of the text. */
function redactPem(text: string): string {
  let result = "";
  let from = 0;
  for (let at = text.indexOf(pemBegin); at !== -1; at = text.indexOf(pemBegin, at)) {
    pemHeader.lastIndex = at;
    const header = pemHeader.exec(text);
    if (header === null) {
      at += pemBegin.length;
      continue;
    }
    pemFooter.lastIndex = at + header[0].length;
    const footer = pemFooter.exec(text);
    const end = footer === null ? text.length : footer.index + footer[0].length;
    result += `${text.slice(from, at)}⟨private key, ${end - at} chars⟩`;
    from = end;
    at = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** The text with everything that has the shape of a well-known kind of key replaced by what it is and its length. */
export function redactKeyShapes(text: string): string {
  if (text.length < 16) return text;
  return redactPem(text).replace(keys, replaceKey);
}
