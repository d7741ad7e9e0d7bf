import { dirname, resolve } from "node:path";
import type { Node } from "jsonc-parser";
import { builtinServer } from "../../types/tool.ts";
import { type AuthEntry, authProblems, readAuth } from "./auth-entry.ts";
import type { Report, SettingsDocument } from "./document.ts";
import { flag, type Located, member, membersOf, number, text, texts } from "./members.ts";
import { nameOf, quoted } from "./name.ts";

/** A text of an entry in which `${VAR}` is replaced. */
export interface ServerText extends Located<string> {
  /** In words, as `VariableUse.place`. */
  readonly place: string;
  /** As in the file: `args[2]`. */
  readonly key: string;
}

/** How a server is started or reached, not yet expanded. */
export type ServerTarget =
  | {
      readonly type: "stdio";
      readonly command: ServerText;
      readonly args: readonly ServerText[];
      readonly env: readonly (readonly [string, ServerText])[];
      readonly cwd?: ServerText;
    }
  | {
      readonly type: "http" | "streamable-http" | "sse";
      readonly url: ServerText;
      readonly headers: readonly (readonly [string, ServerText])[];
      readonly auth?: AuthEntry;
    };

/** Keys of ours in an entry. */
export interface EntrySettings {
  readonly tools?: readonly string[];
  readonly timeout?: Located<number>;
  readonly protocol?: "auto" | "modern" | "legacy";
  readonly tasks?: "auto" | "always" | "never";
  readonly drift?: "ask" | "block";
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly trust?: boolean;
  readonly sampling?: boolean;
  readonly private?: boolean;
  /** Absolute. */
  readonly stderr?: string;
  /** Absolute. */
  readonly roots?: readonly string[];
}

export interface ServerEntry {
  readonly id: string;
  readonly document: SettingsDocument;
  readonly offset: number;
  /** Null: the entry adds its keys to one of less weight. */
  readonly target: ServerTarget | null;
  readonly settings: EntrySettings;
}

/** The entries of a document that was checked against the schema, without those that the report refuses. */
export function readServers(document: SettingsDocument, report: Report): readonly ServerEntry[] {
  return membersOf(member(document.root, "mcpServers")).flatMap(([id, node, offset]) => {
    const before = report.problems.length;
    const complain = (at: number, problem: string) =>
      report.problems.push(`${document.placeOf(at)}: ${nameOf(["mcpServers", id])} ${problem}.`);
    if (id === builtinServer) complain(offset, "has the host's own id; choose another");
    checkKind(node, offset, complain);
    for (const { offset: at, key, what } of authProblems(member(node, "auth"))) {
      report.problems.push(
        `${document.placeOf(at)}: ${nameOf(["mcpServers", id, "auth", ...key.split(".")])} ${what}.`,
      );
    }
    for (const name of idleKeys(node)) {
      const at = document.placeOf(member(node, name)?.offset ?? offset);
      report.warnings.push(`${at}: ${nameOf(["mcpServers", id, name])} has no effect here.`);
    }
    if (report.problems.length > before) return [];
    return [
      {
        id,
        document,
        offset,
        target: readTarget(node),
        settings: readSettings(node, dirname(document.path)),
      },
    ];
  });
}

function checkKind(node: Node, offset: number, complain: (at: number, problem: string) => void): void {
  const [command, url, type] = [member(node, "command"), member(node, "url"), member(node, "type")];
  // An empty one is the schema's to refuse.
  if (text(command)?.value.trim() === "" && command?.value !== "") {
    complain(command?.offset ?? offset, "has a command of nothing but spaces; name a program");
  } else if (command !== undefined && url !== undefined) {
    complain(url.offset, "has both command and url; keep one");
  } else if (type !== undefined && command !== undefined && type.value !== "stdio") {
    complain(type.offset, `has a command, which is of type "stdio", not ${quoted(String(type.value))}`);
  } else if (type !== undefined && url !== undefined && type.value === "stdio") {
    complain(type.offset, 'has a url, which is of type "http" or "sse", not "stdio"');
  } else if (command === undefined && url === undefined) {
    const of = ["type", "args", "env", "cwd", "headers", "auth"].find(
      (key) => member(node, key) !== undefined,
    );
    if (of !== undefined) complain(offset, `has ${of}, and neither command nor url; add one`);
  }
}

/** Keys that mean nothing for a server of this kind. */
function idleKeys(node: Node): readonly string[] {
  const idle = member(node, "url") === undefined ? ["headers", "auth"] : ["args", "env", "cwd", "stderr"];
  const hasTarget = member(node, "url") !== undefined || member(node, "command") !== undefined;
  return hasTarget ? idle.filter((key) => member(node, key) !== undefined) : [];
}

function readTarget(node: Node): ServerTarget | null {
  const [command, url] = [text(member(node, "command")), text(member(node, "url"))];
  if (command !== undefined) {
    const cwd = text(member(node, "cwd"));
    return {
      type: "stdio",
      command: { ...command, place: "command", key: "command" },
      args: texts(member(node, "args")).map((argument, index) => ({
        ...argument,
        place: `argument ${index + 1}`,
        key: `args[${index}]`,
      })),
      env: textMembers(member(node, "env"), "env", "environment variable"),
      ...(cwd === undefined ? {} : { cwd: { ...cwd, place: "cwd", key: "cwd" } }),
    };
  }
  if (url === undefined) return null;
  const type = member(node, "type")?.value;
  const auth = readAuth(member(node, "auth"));
  return {
    type: type === "sse" || type === "streamable-http" ? type : "http",
    url: { ...url, place: "url", key: "url" },
    headers: textMembers(member(node, "headers"), "headers", "header"),
    ...(auth === undefined ? {} : { auth }),
  };
}

function textMembers(
  node: Node | undefined,
  key: string,
  words: string,
): readonly (readonly [string, ServerText])[] {
  return membersOf(node).flatMap(([name, value]) => {
    const found = text(value);
    const place = `${words} ${name}`;
    return found === undefined ? [] : [[name, { ...found, place, key: nameOf([key, name]) }] as const];
  });
}

function readSettings(node: Node, folder: string): EntrySettings {
  const timeout = number(member(node, "timeout"));
  const protocol = member(node, "protocol")?.value;
  const known = protocol === "auto" || protocol === "modern" || protocol === "legacy";
  const tasks = member(node, "tasks")?.value;
  const knownTasks = tasks === "auto" || tasks === "always" || tasks === "never";
  const drift = member(node, "drift")?.value;
  const knownDrift = drift === "ask" || drift === "block";
  const tools = member(node, "tools");
  const flags = ["required", "disabled", "trust", "sampling", "private"];
  const [required, disabled, trust, sampling, isPrivate] = flags.map((key) => flag(member(node, key)));
  const stderr = text(member(node, "stderr"))?.value;
  const roots = texts(member(node, "roots")).map(({ value }) => resolve(folder, value));
  return {
    ...(tools === undefined ? {} : { tools: texts(tools).map(({ value }) => value) }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(known ? { protocol } : {}),
    ...(knownTasks ? { tasks } : {}),
    ...(knownDrift ? { drift } : {}),
    ...(required === undefined ? {} : { required }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(trust === undefined ? {} : { trust }),
    ...(sampling === undefined ? {} : { sampling }),
    ...(isPrivate === undefined ? {} : { private: isPrivate }),
    ...(stderr === undefined ? {} : { stderr: resolve(folder, stderr) }),
    ...(roots.length === 0 ? {} : { roots }),
  };
}
