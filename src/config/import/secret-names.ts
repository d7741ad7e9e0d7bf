import { own } from "../../util/own.ts";

/**
 * What a variable stands for: a value that was found in a file, or what only the person can fill in, such as a question
 * of a host, with the text that says which one.
 */
type Meaning =
  | { readonly type: "value"; readonly value: string }
  | { readonly type: "asked"; readonly which: string };

/**
 * Chooses the variables that stand for secrets found in files, and for what a host asks. It knows the values, and never
 * gives them out.
 */
export interface SecretNames {
  /**
   * The variable for a meaning: `preferred`, unless that already has another one; then with the server's id in front,
   * so that no server is handed what was set for another. The same meaning under the same wish is the same variable: one
   * server in two files stays one.
   */
  nameFor(preferred: string, serverId: string, meaning: Meaning): string;
  /** Whether the variable is set already, and to this very value. */
  state(name: string, value: string): "unset" | "same" | "different";
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A variable's name made of any text: `api-key` is `API_KEY`. A text that is a name already stays as it is. */
export function variableName(text: string): string {
  if (identifier.test(text) && text.length <= 100) return text;
  const name = text
    .slice(0, 100)
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toUpperCase();
  if (name === "") return "SERVER";
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/** `github` and `api-key` are `GITHUB_API_KEY`; so are `github` and `github-api-key`. */
export function joinedName(serverId: string, what: string): string {
  const [server, name] = [serverId, what].map((part) => variableName(part).toUpperCase());
  return name?.startsWith(`${server}_`) === true ? name : `${server}_${name}`;
}

/** @param referenced Variables of the environment that servers name themselves: each is its value there, and no other. */
export function createSecretNames(
  environment: Readonly<Record<string, string | undefined>>,
  referenced: ReadonlySet<string>,
): SecretNames {
  const taken = new Map<string, string>();

  /** Takes the name for the meaning; false when it has another one. */
  function take(name: string, meaning: Meaning): boolean {
    const isValue = meaning.type === "value";
    if (referenced.has(name)) return isValue && own(environment, name) === meaning.value;
    const key = isValue ? `value ${meaning.value}` : `asked ${meaning.which}`;
    const known = taken.get(name);
    if (known === undefined) taken.set(name, key);
    return known === undefined || known === key;
  }

  return {
    nameFor(preferred, serverId, meaning) {
      const first = variableName(preferred);
      if (take(first, meaning)) return first;
      const second = joinedName(serverId, first);
      for (let count = second === first ? 2 : 1; ; count += 1) {
        const name = count === 1 ? second : `${second}_${count}`;
        if (take(name, meaning)) return name;
      }
    },
    state(name, value) {
      const set = own(environment, name);
      if (set === undefined) return "unset";
      return set === value ? "same" : "different";
    },
  };
}
