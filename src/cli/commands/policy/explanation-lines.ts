import type { DecisionSource } from "../../../types/outcome.ts";
import type { PolicyExplanation, PolicyStep, RuleReading, ShadowVerdict } from "../../../types/policy.ts";
import type { LoadedConfig, SettingOrigin } from "../../../types/settings.ts";
import { oneLine } from "../../../util/one-line.ts";
import { visibleLine } from "../../../util/visible.ts";
import { originText } from "../../settings/written.ts";
import type { Paint } from "../../terminal/paint.ts";
import { wrapLine } from "../../terminal/wrap-words.ts";

/** What is explained. */
interface AskedCall {
  readonly server: string;
  readonly tool: string;
  readonly headless: boolean;
  /** Why the model does not get the tool at all. */
  readonly keptBack?: string;
}

/** A rule's reading, and where the rule was written. */
interface PlacedReading extends RuleReading {
  readonly origin: SettingOrigin | null;
}

interface PlacedExplanation extends Omit<PolicyExplanation, "rules"> {
  readonly rules: readonly PlacedReading[];
}

/** The explanation with the file and line, or the option, of every rule. */
export function withOrigins(explanation: PolicyExplanation, loaded: LoadedConfig): PlacedExplanation {
  const { administratorRules = [], rules, projectRules } = loaded;
  const tiers = { administrator: administratorRules, user: rules, project: projectRules };
  return {
    ...explanation,
    rules: explanation.rules.map((reading) => ({
      ...reading,
      origin: tiers[reading.tier].find(({ value }) => value === reading.rule)?.origin ?? null,
    })),
  };
}

const colours = { allow: "green", ask: "yellow", deny: "red" } as const;

/** The decision, how it came to it, and every rule whose names fit; escaped, and wrapped to the width. */
export function explanationLines(
  call: AskedCall,
  explanation: PlacedExplanation,
  paint: Paint,
  columns: number,
): string[] {
  const { decision, steps, rules, warnings, suggestedRule, shadow } = explanation;
  const shown = visibleLine(oneLine(JSON.stringify(explanation.arguments), 160));
  const lines = [
    `${paint(colours[decision], decisionText(call, explanation))}  ${nameOf(call)} ${paint("dim", shown)}`,
    `  ${visibleLine(explanation.reason)}`,
    ...askedText(call, explanation).map((text) => paint("dim", `  ${text}`)),
    ...(suggestedRule === undefined ? [] : [`  To allow it, add the rule: ${visibleLine(suggestedRule)}`]),
    ...(steps.length > 1 ? ["", paint("bold", "Step by step"), ...steps.map(stepLine)] : []),
    "",
    paint("bold", "Rules for this tool"),
    ...(rules.length === 0 ? [paint("dim", "  none")] : []),
    ...rules.flatMap((rule) => ruleLines(rule, explanation.by, paint)),
    ...(call.keptBack === undefined
      ? []
      : [paint("yellow", `! The model does not get the tool: ${visibleLine(call.keptBack)}`)]),
    ...warnings.map((warning) => paint("yellow", `! ${visibleLine(warning)}`)),
    ...(shadow === undefined ? [] : [paint("yellow", `! ${shadowText(decision, shadow)}`)]),
  ];
  return lines.map((line) => wrapLine(line, columns, 2));
}

function nameOf({ server, tool }: AskedCall): string {
  return `${visibleLine(server)}/${visibleLine(tool)}`;
}

function decisionText({ headless }: AskedCall, { decision, hidden }: PlacedExplanation): string {
  if (decision === "ask") return headless ? "denied, as nobody can be asked" : "asked";
  if (decision === "allow") return "allowed";
  return hidden ? "denied, and hidden from the model" : "denied";
}

/** What may answer for a person. What a conversation has read is its own: no answer of an earlier one holds for a flow. */
function askedText({ headless }: AskedCall, { decision, grantable, by }: PlacedExplanation): string[] {
  if (decision !== "ask" || !grantable || by.type === "flow") return [];
  const answer = headless ? "would allow it all the same" : "would answer it";
  return [`An earlier "always" of yours, if there is one, ${answer}: drawbridge grants list.`];
}

/** As a run says it. */
function shadowText(holds: PolicyExplanation["decision"], { decision, reason }: ShadowVerdict): string {
  return `The policy that is tried out would ${decision} it, not ${holds} it. ${visibleLine(reason)}`;
}

function stepLine({ stage, effect, reason }: PolicyStep, index: number): string {
  return `  ${index + 1}. ${stage}: ${effect}. ${visibleLine(reason)}`;
}

function ruleLines(rule: PlacedReading, by: DecisionSource, paint: Paint): string[] {
  const { matches, failed = "" } = rule;
  const decides = by.type === "rule" && by.tier === rule.tier && by.rule === rule.rule;
  const mark = decides ? paint("green", "✓") : matches ? "·" : paint("dim", "✗");
  const state = decides ? "decides" : matches ? matchText(rule) : `not met: ${visibleLine(failed)}`;
  const origin = rule.origin === null ? "" : `, ${originText(rule.origin)}`;
  return [`  ${mark} ${visibleLine(rule.rule)}`, paint("dim", `      ${state} (${rule.tier}${origin})`)];
}

/** A match that is not what decides. */
function matchText({ decides }: PlacedReading): string {
  return decides ? "a step on the way" : "matches; another is before it";
}
