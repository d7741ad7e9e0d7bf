import type { ImportHost } from "../../types/found-servers.ts";
import type { PromptInput } from "./raw-server.ts";
import { variableName } from "./secret-names.ts";
import { holdsSecret } from "./secret-text.ts";

/**
 * How a host writes variables: `none` takes every text as it is; `braces` is `${VAR}` and `${VAR:-default}`; `editor`
 * is VS Code's `${env:VAR}`, `${input:id}` and folders; `dollar` also has `$VAR`; `opencode` is `{env:VAR}`, `{file:path}`.
 */
export type VariableSyntax = "none" | "braces" | "editor" | "dollar" | "opencode";

export interface VariableContext {
  readonly host: ImportHost;
  readonly syntax: VariableSyntax;
  readonly inputs: ReadonlyMap<string, PromptInput>;
  /** The variable that stands for what only this host can fill in: `which` is its text in the file. */
  readonly stand: (preferred: string, which: string) => string;
  /** Last part of the project's path, where the server belongs to a project. */
  readonly projectName?: string;
  /** Separates the parts of a path on the system of the files. */
  readonly separator: string;
  readonly windows: boolean;
}

const braced = /\$\{([^{}]{1,300})\}/g;
const dollar =
  /\$(?:\{([A-Za-z_][A-Za-z0-9_]{0,200})(?::-([^{}]{0,300}))?\}|([A-Za-z_][A-Za-z0-9_]{0,200}))/g;
const percent = /%([A-Za-z_][A-Za-z0-9_]{0,200})%/g;
const curly = /\{(env|file):([\w.~/\\ -]{1,300})\}/g;
const stray = /(?<!\$)\$\{(?![A-Za-z_][A-Za-z0-9_]*(?::-[^{}]*)?\})/g;
/** What only an editor knows; anything else may be a text, even a secret. */
const foreign = /^(?:input|command|config|file):[\w.~/\\ -]{1,200}$/;
/** An editor's own variables; those of the environment are written in capitals, or as `env:NAME`. */
const editorNames = /^[a-z][A-Za-z]*$/;
const name = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The text in Drawbridge's own syntax, where `$${` stands for a plain `${`; `note` is told what has no counterpart there.
 */
export function translateVariables(
  text: string,
  context: VariableContext,
  note: (sentence: string) => void,
): string {
  switch (context.syntax) {
    case "none":
      return plain(text);
    case "braces":
      return withoutStray(text.replace(braced, (whole, inside: string) => ourForm(whole, inside, note)));
    case "editor":
      return withoutStray(
        text.replace(braced, (whole, inside: string) => editorForm(whole, inside, context, note)),
      );
    case "dollar": {
      const dollars = text.replace(dollar, (_, inBraces?: string, fallback?: string, bare?: string) =>
        withDefault(inBraces ?? bare ?? "", fallback, note),
      );
      return withoutStray(
        context.windows ? dollars.replace(percent, (_, variable: string) => `\${${variable}}`) : dollars,
      );
    }
    case "opencode":
      return plain(text).replace(curly, (whole, kind: string, inside: string) =>
        kind === "env" && name.test(inside) ? `\${${inside}}` : unknownForm(whole, inside, context, note),
      );
  }
}

/** A text in which nothing is a variable. */
function plain(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** What still looks like the beginning of a variable is none. */
function withoutStray(text: string): string {
  return text.replace(stray, () => "$${");
}

/** `${VAR}`, with its default unless that looks like a secret. */
function withDefault(
  variable: string,
  fallback: string | undefined,
  note: (sentence: string) => void,
): string {
  if (fallback === undefined) return `\${${variable}}`;
  if (!holdsSecret(variable, fallback)) return `\${${variable}:-${fallback}}`;
  note(
    `The default of \${${variable}} looks like a secret and is not copied: set ${variable} in your environment.`,
  );
  return `\${${variable}}`;
}

function ourForm(whole: string, inside: string, note: (sentence: string) => void): string {
  const at = inside.indexOf(":-");
  const variable = at === -1 ? inside : inside.slice(0, at);
  if (variable === "CLAUDE_PROJECT_DIR") return `\${workspaceFolder}`;
  if (!name.test(variable)) return whole;
  return withDefault(variable, at === -1 ? undefined : inside.slice(at + 2), note);
}

function editorForm(
  whole: string,
  inside: string,
  context: VariableContext,
  note: (sentence: string) => void,
): string {
  const { inputs, projectName, separator } = context;
  if (inside === "workspaceFolder" || inside === "userHome") return whole;
  if (inside === "workspaceRoot") return `\${workspaceFolder}`;
  if (inside === "/" || inside === "pathSeparator") return separator;
  if (inside === "workspaceFolderBasename" && projectName !== undefined) return projectName;
  if (editorNames.test(inside)) return unknownForm(whole, inside, context, note);
  if (name.test(inside)) return whole;
  const [kind = "", rest = ""] = splitOnce(inside, ":");
  if (kind === "env" && name.test(rest)) return `\${${rest}}`;
  if (kind === "input" && inputs.has(rest)) return inputForm(rest, inputs.get(rest), context, note);
  if (foreign.test(inside)) return unknownForm(whole, inside, context, note);
  return ourForm(whole, inside, note);
}

function inputForm(
  id: string,
  input: PromptInput | undefined,
  { stand }: VariableContext,
  note: (sentence: string) => void,
): string {
  const variable = stand(variableName(id).toUpperCase(), `input ${id}`);
  const fallback = input?.password === true ? undefined : input?.default;
  const usable = fallback !== undefined && !/[{}]/.test(fallback) && !holdsSecret(variable, fallback);
  note(
    usable
      ? `The prompt "${id}" is not asked: set ${variable} in your environment to change its default.`
      : `The prompt "${id}" is not asked: set ${variable} in your environment.`,
  );
  return usable ? `\${${variable}:-${fallback}}` : `\${${variable}}`;
}

/** Something that only the other host can fill in: the person does, by a variable. */
function unknownForm(
  whole: string,
  inside: string,
  { stand }: VariableContext,
  note: (sentence: string) => void,
): string {
  const variable = stand(variableName(inside).toUpperCase(), whole);
  note(`${whole} has no counterpart here: set ${variable} in your environment to what it stands for.`);
  return `\${${variable}}`;
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
