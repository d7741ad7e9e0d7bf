import type { FoundServer, ImportHost, ServerSource, WrittenServer } from "../../types/found-servers.ts";
import { isObject } from "../../util/own.ts";
import { dependsOnFolder, inFolder } from "./folder.ts";
import type { RawServer } from "./raw-server.ts";
import { argumentsWithoutSecrets, headerWithoutSecret } from "./secret-arguments.ts";
import { joinedName, type SecretNames, variableName } from "./secret-names.ts";
import { holdsSecret, type StandIn, urlWithoutSecrets, withoutSecrets } from "./secret-text.ts";
import { translateVariables, type VariableSyntax } from "./variables.ts";

export interface CarrySettings {
  readonly host: ImportHost;
  readonly syntax: VariableSyntax;
  readonly file: string;
  readonly project?: string;
  /** The project whose file the servers are meant for, if it is a project's. */
  readonly target?: string;
  readonly windows: boolean;
  readonly names: SecretNames;
}

/** What the parts of one server share. */
interface Carrier {
  readonly note: (sentence: string) => void;
  readonly translate: (text: string, syntax?: VariableSyntax) => string;
  /** The variable for a secret. `preferred` is its name where the place has one of its own. */
  readonly standIn: (place: string, preferred?: string) => StandIn;
}

/** A host's entry as it will be written: variables in our syntax, secrets as variables, the rest as notes. */
export function carryServer(raw: RawServer, settings: CarrySettings): FoundServer {
  const project = raw.project ?? settings.project;
  const source: ServerSource = {
    host: settings.host,
    file: settings.file,
    ...(project === undefined ? {} : { project }),
    ...(settings.project === undefined ? {} : { projectFile: true }),
  };
  const found = { id: raw.id, sources: [source] };
  const notes = new Set(raw.notes);
  if (raw.blocked !== undefined) return { ...found, notes: [...notes], blocked: raw.blocked };
  const carrier = carrierOf(raw, settings, project, (sentence) => notes.add(sentence));
  const config = configOf(raw, carrier);
  if (typeof config === "string") return { ...found, notes: [...notes], blocked: config };
  return { ...found, config: placed(config, project, settings, carrier), notes: [...notes] };
}

/** A server that depends on its folder, with that folder where it would start in another one. */
function placed(
  config: WrittenServer,
  project: string | undefined,
  { target, host, windows }: CarrySettings,
  { note }: Carrier,
): WrittenServer {
  if ((project !== undefined && project === target) || !dependsOnFolder(config)) return config;
  if (project === undefined) {
    if (config.cwd !== undefined) note("Its cwd is a relative path: make it absolute.");
    return config;
  }
  note(`It is started in ${project}, as in ${host}.`);
  return inFolder(config, project, windows);
}

function carrierOf(
  raw: RawServer,
  settings: CarrySettings,
  project: string | undefined,
  note: (sentence: string) => void,
): Carrier {
  const { host, syntax, file, windows, names } = settings;
  const projectName = project?.split(/[\\/]/).findLast((part) => part !== "");
  const context = {
    host,
    syntax,
    inputs: raw.inputs ?? new Map(),
    ...(projectName === undefined ? {} : { projectName }),
    separator: windows ? "\\" : "/",
    windows,
    // The same text in another project's file, or of another host, may be filled in with something else.
    stand: (preferred: string, which: string) =>
      names.nameFor(preferred, raw.id, {
        type: "asked",
        which: `${host} ${settings.project ?? ""} ${which}`,
      }),
  };
  return {
    note,
    translate: (text, written = syntax) => translateVariables(text, { ...context, syntax: written }, note),
    standIn: (place, preferred) => (what, secret) => {
      const reference = withoutDefaults(secret);
      if (reference !== secret && !holdsSecret(what, reference)) {
        note(`${place} has a default that looks like a secret and is not copied: it is in ${file}.`);
        return reference;
      }
      const meaning = { type: "value", value: secret } as const;
      const name = names.nameFor(preferred ?? joinedName(raw.id, what), raw.id, meaning);
      const wanted = {
        unset: `set ${name} in your environment; its value is in ${file}.`,
        same: `it becomes \${${name}}, which is set in your environment already.`,
        different: `set ${name} in your environment, where it now has another value; the one for this server is in ${file}.`,
      }[names.state(name, secret)];
      note(`${place} looks like a secret and is not copied: ${wanted}`);
      return `\${${name}}`;
    },
  };
}

/** `${VAR:-text}` as `${VAR}`. */
function withoutDefaults(text: string): string {
  return text.replace(/(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*):-[^{}]*\}/g, (_, name: string) => `\${${name}}`);
}

/** The config, or why there is none. */
function configOf(raw: RawServer, carrier: Carrier): WrittenServer | string {
  const shared = sharedSettings(raw, carrier);
  const command = typeof raw.command === "string" ? raw.command.trim() : "";
  if (command !== "") {
    if (raw.url !== undefined) carrier.note("It has a command and a URL; the command is used.");
    return { ...stdioSettings(raw, command, carrier), ...shared };
  }
  if (typeof raw.url !== "string" || raw.url.trim() === "") return "It has neither a command nor a URL.";
  const url = carrier.translate(raw.url.trim());
  if (!/^(?:https?:\/\/|\$\{)/i.test(url)) return "Its URL does not begin with http:// or https://.";
  if (!url.includes("${") && !URL.canParse(url)) return "Its URL cannot be read.";
  return { ...httpSettings(raw, url, carrier), ...shared };
}

function stdioSettings(raw: RawServer, command: string, carrier: Carrier): WrittenServer {
  const { note, translate, standIn } = carrier;
  if (raw.headers !== undefined) note("Its headers are left out: it is a command.");
  const args = textList(raw.args, "args", carrier).map((text) => translate(text));
  const env = [
    ...environmentOf(raw, carrier),
    ...(raw.passedOn ?? []).map((name): [string, string] => [name, `\${${variableName(name)}}`]),
  ];
  const cwd = typeof raw.cwd === "string" && raw.cwd !== "" ? translate(raw.cwd) : undefined;
  return {
    command: withoutSecrets(translate(command), standIn("Its command")),
    ...(args.length === 0 ? {} : { args: argumentsWithoutSecrets(args, standIn("An argument")) }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
    ...(cwd === undefined ? {} : { cwd: withoutSecrets(cwd, standIn("Its folder")) }),
  };
}

function environmentOf(raw: RawServer, carrier: Carrier): [string, string][] {
  return textEntries(raw.env, "env", carrier).map(([name, value]) => {
    const ours = carrier.translate(value);
    return [name, holdsSecret(name, ours) ? carrier.standIn(`Variable ${name}`, name)(name, ours) : ours];
  });
}

function httpSettings(raw: RawServer, url: string, carrier: Carrier): WrittenServer {
  if (isObject(raw.env) && Object.keys(raw.env).length > 0) {
    carrier.note("Its environment variables are left out: it is reached by a URL.");
  }
  const headers = textEntries(raw.headers, "headers", carrier).map(([name, value]): [string, string] => {
    const stand = carrier.standIn(`Header ${name}`);
    const ours = carrier.translate(value, raw.headerSyntax);
    return [name, headerWithoutSecret(name, ours, (_, secret) => stand(name, secret))];
  });
  headers.push(...(raw.readyHeaders ?? []).map(([name, value]): [string, string] => [name, value]));
  return {
    type: raw.sse === true ? "sse" : "http",
    url: urlWithoutSecrets(url, carrier.standIn("A part of its URL")),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
  };
}

function sharedSettings(raw: RawServer, carrier: Carrier): WrittenServer {
  const { timeoutMs } = raw;
  const timed = typeof timeoutMs === "number" && Number.isFinite(timeoutMs) && timeoutMs >= 1;
  if (timeoutMs !== undefined && !timed) carrier.note("Its timeout is not a time and is left out.");
  const allowed = textList(raw.allowedTools, "the list of its tools", carrier);
  const denied = textList(raw.deniedTools, "the list of its tools that are off", carrier);
  const tools = [...allowed, ...denied.map((name) => `!${name}`)].filter(
    (name) => name !== "" && name !== "!",
  );
  return {
    ...(timed ? { timeout: Math.round(timeoutMs) } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...(raw.disabled === true ? { disabled: true } : {}),
  };
}

/** Texts of a list; numbers and truth values are taken as they are written. */
function textList(value: unknown, what: string, { note }: Carrier): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    note(`Not a list, and left out: ${what}.`);
    return [];
  }
  return value.flatMap((item: unknown) => {
    const text = textOf(item);
    if (text === undefined) note(`An entry of ${what} is not a text and is left out.`);
    return text === undefined ? [] : [text];
  });
}

function textEntries(value: unknown, what: string, { note }: Carrier): [string, string][] {
  if (value === undefined || value === null) return [];
  if (!isObject(value)) {
    note(`Not an object, and left out: ${what}.`);
    return [];
  }
  return Object.entries(value).flatMap(([name, item]): [string, string][] => {
    const text = textOf(item);
    if (text === undefined) note(`In ${what}, ${name} is not a text and is left out.`);
    return text === undefined ? [] : [[name, text]];
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
    ? String(value)
    : undefined;
}
