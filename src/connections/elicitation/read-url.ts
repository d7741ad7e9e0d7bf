import type { ElicitationAsked } from "../../types/elicitation.ts";
import { visibleLine } from "../../util/visible.ts";
import { isThisMachine } from "../auth/address-kind.ts";

const longestUrl = 4_096;
/** Readers of URLs disagree about these: what is shown would not be what is opened. */
const ambiguous = /[\s\\]/;
const beyondAscii = /[^\u0021-\u007e]/;

/**
 * An address that a server asks the person to open (MCP 2025-11-25, elicitation, URL mode). It stays as it was written,
 * so that what is shown is what would be opened. A text says why it may not be shown at all.
 */
export function readUrl(message: string, url: unknown): ElicitationAsked | string {
  if (typeof url !== "string" || url.length > longestUrl || !URL.canParse(url))
    return `the address is no URL of at most ${longestUrl} characters`;
  if (visibleLine(url) !== url || ambiguous.test(url))
    return "the address holds characters that cannot be seen, or that are read in more than one way";
  const parsed = new URL(url);
  const { protocol, username, password } = parsed;
  if (protocol !== "https:" && !(protocol === "http:" && isThisMachine(parsed)))
    return "the address is neither https nor on this machine";
  return {
    mode: "url",
    message,
    url,
    warnings: warningsOf(url, parsed, username !== "" || password !== ""),
  };
}

function warningsOf(url: string, parsed: URL, hasUser: boolean): string[] {
  const { hostname } = parsed;
  const punycode = hostname.split(".").some((label) => label.startsWith("xn--"));
  return [
    ...(punycode
      ? [`The name of the site holds letters that may look like others: it is really ${hostname}.`]
      : []),
    ...(hasUser ? [`What stands before the @ is no site: the address leads to ${hostname}.`] : []),
    ...(beyondAscii.test(url) && !punycode
      ? ["The address holds characters that may look like others."]
      : []),
    ...(/^\[|^\d+(?:\.\d+){3}$/.test(hostname) && !isThisMachine(parsed)
      ? [`The address names no site, but the machine ${hostname}.`]
      : []),
  ];
}
