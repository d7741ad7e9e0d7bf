import { secretByName } from "./secret-shapes.ts";
import { type StandIn, urlWithoutSecrets, withoutSecrets } from "./secret-text.ts";

const flag = /^--?[A-Za-z][A-Za-z0-9_.-]{0,100}$/;
const wholeAssignment = /^(-{0,2}[A-Za-z_][A-Za-z0-9_.-]{0,100})=([\s\S][\s\S]*)$/;
const headerLine = /^([A-Za-z][A-Za-z0-9-]{0,100}):(\s{0,20})(\S[\s\S]*)$/;
const schemeWord = /^(\s*(?:bearer|basic|token|digest)\s\s*)([\s\S][\s\S]*)$/i;

/** The value of a header with its secret replaced; a word such as `Bearer` stays in front. */
export function headerWithoutSecret(name: string, value: string, stand: StandIn): string {
  if (!secretByName(name, value)) return withoutSecrets(value, stand);
  const [, word = "", credential = value] = schemeWord.exec(value) ?? [];
  return `${word}${stand(name, credential)}`;
}

/** A command's arguments with their secrets replaced: after a flag, in `NAME=value` and `Header: value`, by their shape. */
export function argumentsWithoutSecrets(args: readonly string[], stand: StandIn): string[] {
  return args.map((argument, index) => argumentWithoutSecrets(args[index - 1] ?? "", argument, stand));
}

function argumentWithoutSecrets(before: string, argument: string, stand: StandIn): string {
  if (flag.test(before) && !argument.startsWith("-") && secretByName(before, argument)) {
    return stand(before, argument);
  }
  return one(argument, stand, 3);
}

function one(text: string, stand: StandIn, depth: number): string {
  const [, name = "", value = ""] = wholeAssignment.exec(text) ?? [];
  if (name !== "") {
    if (secretByName(name, value)) return `${name}=${stand(name, value)}`;
    return depth > 0 ? `${name}=${one(value, stand, depth - 1)}` : withoutSecrets(text, stand);
  }
  const [, header = "", space = "", content = ""] = headerLine.exec(text) ?? [];
  if (header !== "" && secretByName(header, content)) {
    return `${header}:${space}${headerWithoutSecret(header, content, stand)}`;
  }
  return /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(text)
    ? urlWithoutSecrets(text, stand)
    : withoutSecrets(text, stand);
}
