import { limitKeys, openLimits } from "../config/settings/limit-keys.ts";
import { HostError } from "../errors.ts";
import type { AuditOptions } from "../types/audit.ts";
import type { HostOptions, PolicyConfig } from "../types/config.ts";
import type { TelemetryOptions } from "../types/telemetry.ts";
import { isObject } from "../util/own.ts";
import {
  type Check,
  type Checks,
  callback,
  countFromOne,
  flag,
  isFunction,
  isModel,
  isText,
  list,
  must,
  oneOf,
  problemIn,
  text,
} from "./option-checks.ts";

const texts = must("a list of texts", (value) => Array.isArray(value) && value.every(isText));
const elsewhere: Check = () => null;

const isNamedModel = (value: unknown): boolean => isText(value) || isModel(value);
const isAddress = (value: unknown): boolean =>
  typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const limits = Object.fromEntries(
  Object.entries(limitKeys).map(([key, { type, minimum = 0, maximum = Infinity }]): [string, Check] => {
    const isNumber = type === "integer" ? Number.isSafeInteger : Number.isFinite;
    const open = openLimits.has(key) ? "; 0 means no limit" : "";
    const what = `a ${type === "integer" ? "whole " : ""}number from ${minimum} to ${maximum}${open}`;
    return [
      key,
      must(what, (value) => isNumber(value) && Number(value) >= minimum && Number(value) <= maximum),
    ];
  }),
);

const policy: Checks<PolicyConfig> = {
  rules: list,
  administratorRules: list,
  shadowRules: list,
  administratorShadowRules: list,
  projectRules: list,
  flows: oneOf("ask", "off", "always"),
  trust: texts,
};

const audit: Checks<AuditOptions> = {
  sink: must("an object with `append()`", (value) => isObject(value) && isFunction(value.append)),
  arguments: elsewhere,
  required: flag,
  sign: text,
  rotateBytes: elsewhere,
};

const telemetry: Checks<TelemetryOptions> = {
  tracer: must("an object with `startSpan()`", (value) => isObject(value) && isFunction(value.startSpan)),
  exporter: oneOf("environment"),
  content: flag,
  onProblem: callback,
};

const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, name) =>
    isObject(value) ? problemIn(value, checks, `${name}.`) : `\`${name}\` must be an object.`;

const options: Checks<HostOptions> = {
  servers: must("an object of servers by id, such as {}", isObject),
  model: must("a name, such as `anthropic/NAME`, or a Model", isNamedModel),
  fallbackModels: must(
    "a list of names and Models",
    (value) => Array.isArray(value) && value.every(isNamedModel),
  ),
  baseUrl: must("an address that begins with http: or https:", isAddress),
  system: text,
  principal: text,
  policy: members(policy),
  approve: callback,
  elicit: callback,
  instructions: oneOf("trusted", "all", "none"),
  authorize: callback,
  limits: members(limits),
  prices: must(
    "an object of prices by model",
    (value) => isObject(value) && Object.values(value).every(isObject),
  ),
  audit: (value, name) => {
    if (value === false) return null;
    if (!isObject(value))
      return `\`${name}\` must be false, an object with \`append()\`, or an object of options.`;
    return "append" in value ? audit.sink(value, name) : problemIn(value, audit, `${name}.`);
  },
  telemetry: (value, name) => (typeof value === "boolean" ? null : members(telemetry)(value, name)),
  state: elsewhere,
  store: flag,
  resourceTools: flag,
  wrapResults: flag,
  maxTokens: countFromOne,
};

/**
 * Says of options that no compiler looked at, or that were read from somewhere, what cannot work.
 * @throws HostError `config_invalid`
 */
export function checkOptions(given: unknown): void {
  const problem = !isObject(given)
    ? "createHost takes an object with `servers`, such as { servers: {} }."
    : (problemIn(given, options, "") ?? options.servers(given.servers, "servers"));
  if (problem !== null) throw new HostError("config_invalid", problem);
}
