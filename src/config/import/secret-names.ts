import { own } from "../../util/own.ts";

/** Chooses the variables that stand for secrets found in files. It knows their values, and never gives them out. */
export interface SecretNames {
  /**
   * The variable for a secret: `preferred`, unless that already stands for another value; then with the server's id
   * in front. The same value under the same wish is the same variable, so that one server in two files stays one.
   */
  nameFor(preferred: string, serverId: string, value: string): string;
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

export function createSecretNames(environment: Readonly<Record<string, string | undefined>>): SecretNames {
  const taken = new Map<string, string>();

  /** Takes the name for the value; false when it stands for another one. */
  function take(name: string, value: string): boolean {
    const known = taken.get(name);
    if (known === undefined) taken.set(name, value);
    return known === undefined || known === value;
  }

  return {
    nameFor(preferred, serverId, value) {
      const first = variableName(preferred);
      if (take(first, value)) return first;
      const second = joinedName(serverId, first);
      for (let count = second === first ? 2 : 1; ; count += 1) {
        const name = count === 1 ? second : `${second}_${count}`;
        if (take(name, value)) return name;
      }
    },
    state(name, value) {
      const set = own(environment, name);
      if (set === undefined) return "unset";
      return set === value ? "same" : "different";
    },
  };
}
