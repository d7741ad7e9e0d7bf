import { HostError } from "../../errors.ts";
import { isObject } from "../../util/own.ts";
import type { NeutralCall, NeutralFault, NeutralStep, NeutralTurn } from "./neutral-turn.ts";

/** What a member must be, in words, and whether a value is. */
type Kind = readonly [words: string, fits: (value: unknown) => boolean];

const text: Kind = ["a text", (value) => typeof value === "string"];
const flag: Kind = ["true or false", (value) => typeof value === "boolean"];
const count: Kind = [
  "a whole number from 0 on",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
];
const status: Kind = [
  "an HTTP status from 400 to 599",
  (value) => Number.isInteger(value) && Number(value) >= 400 && Number(value) <= 599,
];
const list: Kind = ["a list", Array.isArray];
const object: Kind = ["an object", isObject];
const input: Kind = ["an object, or a text", (value) => isObject(value) || typeof value === "string"];

/** The members of each form; those with `!` must be there. */
type Form = Readonly<Record<string, Kind>>;

const turnForm: Form = { thinking: text, text, calls: list, refusal: text, cut: flag, delayMs: count };
const callForm: Form = { id: text, "name!": text, input };

const turnFaults: ReadonlySet<string> = new Set(["stream_error", "cut"]);
const faultForms: Readonly<Record<NeutralFault["type"], Form>> = {
  rate_limited: { "type!": text, retryAfter: count },
  spend_limit: { "type!": text },
  overloaded: { "type!": text },
  unauthorized: { "type!": text },
  refused: { "type!": text, "status!": status, "kind!": text, "message!": text, details: object },
  html: {
    "type!": text,
    "status!": [
      "an HTTP status",
      (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
    ],
  },
  no_answer: { "type!": text },
  stream_error: { "type!": text, "afterEvents!": count, "turn!": object },
  cut: { "type!": text, "afterEvents!": count, "turn!": object },
};

/**
 * Reads a script: a JSON list of steps, each an answer (`thinking`, `text`, `calls`, `refusal`, `cut`, `delayMs`) or
 * `{"fault": {"type": …}}`. It is the same for every simulated API.
 * @throws HostError `config_invalid`: what is wrong, and in which step.
 */
export function readScript(json: string): readonly NeutralStep[] {
  let steps: unknown;
  try {
    steps = JSON.parse(json);
  } catch (cause) {
    throw new HostError("config_invalid", `The script is no JSON: ${(cause as Error).message}`, { cause });
  }
  if (!Array.isArray(steps)) throw wrong("The script", "must be a list of steps");
  return steps.map((step: unknown, index) => readStep(step, `Step ${index + 1}`));
}

function readStep(value: unknown, place: string): NeutralStep {
  if (!isObject(value)) throw wrong(place, "must be an object");
  if (!Object.hasOwn(value, "fault")) return readTurn(value, place);
  const other = Object.keys(value).find((name) => name !== "fault");
  if (other !== undefined)
    throw wrong(place, `has a fault, and "${other}" beside it: a step is one or the other`);
  return { fault: readFault(value.fault, `${place}: the fault`) };
}

function readTurn(value: Readonly<Record<string, unknown>>, place: string): NeutralTurn {
  checkForm(value, turnForm, place);
  if (Object.keys(value).every((name) => name === "delayMs")) {
    throw wrong(place, 'is empty: give it "text", "calls", "thinking" or "refusal", or a "fault"');
  }
  for (const [index, call] of (Array.isArray(value.calls) ? value.calls : []).entries()) {
    readCall(call, `${place}: call ${index + 1}`);
  }
  return value as NeutralTurn;
}

function readCall(value: unknown, place: string): NeutralCall {
  if (!isObject(value)) throw wrong(place, "must be an object");
  checkForm(value, callForm, place);
  return value as unknown as NeutralCall;
}

function readFault(value: unknown, place: string): NeutralFault {
  if (!isObject(value)) throw wrong(place, "must be an object");
  const type = String(value.type);
  const form = Object.hasOwn(faultForms, type) ? faultForms[type as NeutralFault["type"]] : undefined;
  if (form === undefined) {
    throw wrong(place, `has the type "${type}"; known are ${Object.keys(faultForms).join(", ")}`);
  }
  checkForm(value, form, place);
  if (turnFaults.has(type) && isObject(value.turn)) readTurn(value.turn, `${place}: its turn`);
  return value as unknown as NeutralFault;
}

function checkForm(value: Readonly<Record<string, unknown>>, form: Form, place: string): void {
  const names = Object.keys(form).map((name) => name.replace("!", ""));
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw wrong(place, `has "${unknown}"; known are ${names.join(", ")}`);
  for (const [name, [words, fits]] of Object.entries(form)) {
    const member = name.replace("!", "");
    if (!Object.hasOwn(value, member)) {
      if (name !== member) throw wrong(place, `needs "${member}": ${words}`);
    } else if (!fits(value[member])) throw wrong(place, `"${member}" must be ${words}`);
  }
}

function wrong(place: string, problem: string): HostError {
  return new HostError("config_invalid", `${place}${problem.startsWith('"') ? ":" : ""} ${problem}.`);
}
