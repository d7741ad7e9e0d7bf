import { own } from "../../util/own.ts";
import type { Environment } from "../environment.ts";

/** What `${…}` may stand for. */
export interface Expansions {
  readonly environment: Environment;
  readonly workspaceFolder: string;
  readonly userHome: string;
}

/** A variable of the environment that a text used, and what stood for it. */
export interface UsedVariable {
  readonly name: string;
  readonly from: "environment" | "default";
  readonly value: string;
}

export interface Expanded {
  readonly text: string;
  readonly used: readonly UsedVariable[];
  /** What cannot be replaced, as the end of a sentence that begins with the key's name. The text is then of no use. */
  readonly problem?: string;
}

const variable = /^(?:env:)?([A-Za-z_][\w()]*)(?::-([\s\S]*))?$/;

/**
 * Replaces `${VAR}`, `${VAR:-default}` (when VAR is not set or empty), both also with `env:` in front,
 * `${workspaceFolder}` and `${userHome}`. `$${` is a plain `${`. One pass: what is put in is never looked at again, and
 * a `$` alone stays.
 */
export function expand(text: string, expansions: Expansions): Expanded {
  const used: UsedVariable[] = [];
  let done = "";
  let from = 0;
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", from)) {
    if (at > from && text.charAt(at - 1) === "$") {
      done += `${text.slice(from, at - 1)}\${`;
      from = at + 2;
      continue;
    }
    const end = text.indexOf("}", at);
    if (end === -1) return { text, used, problem: `holds a \${ without its }; write $\${ for a plain \${` };
    const found = lookUp(text.slice(at + 2, end), expansions);
    if (typeof found === "string") return { text, used, problem: found };
    if ("name" in found) used.push(found);
    done += text.slice(from, at) + found.value;
    from = end + 1;
  }
  return { text: done + text.slice(from), used };
}

/** What stands between the braces, or a problem. */
function lookUp(
  inner: string,
  { environment, workspaceFolder, userHome }: Expansions,
): UsedVariable | { readonly value: string } | string {
  if (inner === "workspaceFolder") return { value: workspaceFolder };
  if (inner === "userHome") return { value: userHome };
  const [, name, fallback] = variable.exec(inner) ?? [];
  if (name === undefined) return unreadable(inner);
  const value = own(environment, name);
  if (value !== undefined && (value !== "" || fallback === undefined))
    return { name, from: "environment", value };
  if (fallback !== undefined) return { name, from: "default", value: fallback };
  return `needs the environment variable ${name}, which is not set; set it, or write \${${name}:-default}`;
}

function unreadable(inner: string): string {
  if (/^input:[\w-]{1,60}$/.test(inner)) {
    return `asks with \${${inner}}, which only another host can; put it into an environment variable and write \${VAR}`;
  }
  return `holds a \${…} that is not known here; known are \${VAR}, \${VAR:-default}, \${workspaceFolder} and \${userHome}`;
}
