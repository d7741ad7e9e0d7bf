import { createGlob, type Glob, matchesGlob } from "./glob.ts";
import { nameGlob } from "./rule-globs.ts";
import { RuleProblem } from "./rule-problem.ts";
import type { Word } from "./words.ts";

/**
 * A URL that all parsers read alike: no space or backslash, in its host no user and no escape, and none that a parser
 * may see which takes `?` and `#` for a part of the host.
 */
const plainUrl =
  /^(?:https?|wss?|ftp):\/\/[^\s\u0000-\u0020\u007f\\@%/?#]+(?:\/[^\s\u0000-\u0020\u007f\\]*|[?#][^\s\u0000-\u0020\u007f\\@]*)?$/i;

/** The pattern of a host. Written as it is in a URL that was parsed: in lower case, Unicode as Punycode. */
export function hostGlob(word: Word): Glob {
  const text = word.map((piece) => piece.text).join("");
  const expected = "host takes the name of a host, without scheme, port and path; * is any text";
  if (/[/\\@?#\s%]/.test(text) || (text.includes(":") && !/^\[[\da-fA-F:.]+\]$/.test(text))) {
    throw new RuleProblem(expected);
  }
  const isLiteral = word.every((piece) => piece.quoted || !piece.text.includes("*"));
  if (!isLiteral) {
    if (/[^ -~]/.test(text)) throw new RuleProblem("a host with a wildcard is written in Punycode (xn--…)");
    return nameGlob(word.map((piece) => ({ ...piece, text: piece.text.toLowerCase() })));
  }
  const host = hostsOf(`http://${text}`)?.[0];
  if (host === undefined) throw new RuleProblem(expected);
  return createGlob([{ type: "text", text: host }]);
}

/** Whether a URL's host fits; null where it is no URL, or one that a server may read differently. */
export function isHost(glob: Glob, text: string, allowing: boolean): boolean | null {
  const hosts = hostsOf(text);
  if (hosts === null) return null;
  const fits = hosts.some((host) => matchesGlob(glob, host));
  const isPlain = plainUrl.test(text);
  if (allowing) return isPlain ? fits : null;
  return fits || (isPlain ? false : null);
}

/** The host as WHATWG URL parses it, and the IPv4 address that an IPv6 one stands for. */
function hostsOf(text: string): readonly string[] | null {
  if (text.length > longestUrl) return null;
  let host: string;
  try {
    host = new URL(text).hostname.toLowerCase().replace(/\.$/, "");
  } catch {
    return null;
  }
  const mapped = /\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]/.exec(host);
  if (mapped === null) return [host];
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [host, [high >> 8, high & 255, low >> 8, low & 255].join(".")];
}

const longestUrl = 65_536;
