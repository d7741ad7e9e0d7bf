import { builtinServer, type ToolSnapshot } from "../../types/tool.ts";
import type { Exchange } from "./history.ts";
import { readMatches } from "./matches.ts";
import { foundLines, matchesText } from "./matches-text.ts";
import { type GoalState, type Plan, wasDenied } from "./plan.ts";
import { summaryText } from "./summary-text.ts";
import { phraseText } from "./values.ts";

/** How every answer begins: nobody should take it for a language model's. */
export const preface = "Offline model (rules, not a language model):";

const mostCharacters = 6_000;
const mostToolsNamed = 40;

/** The answer from what was found. Extracts only; says nothing that no tool said. */
export function answerText(plan: Plan, snapshot: ToolSnapshot): string {
  const parts = plan.goals.map((state) => goalText(state, plan));
  const headline = parts.map((part) => part.headline).join(" ");
  const bodies = parts.map((part) => part.body).filter((body) => body !== "");
  const nothing = plan.goals.every((state) => state.exchanges.length === 0);
  if (nothing) bodies.push(toolsText(snapshot));
  for (const part of plan.question.leftOut) {
    bodies.push(
      `Not done: “${shortened(part, 200)}”. These rules find and extract; they do not act on what they found.`,
    );
  }
  const first = headline === "" ? "the question names nothing to do." : headline;
  return [`${preface} ${first}`, ...bodies].join("\n\n");
}

interface Part {
  readonly headline: string;
  readonly body: string;
}

function goalText(state: GoalState, plan: Plan): Part {
  const { goal, exchanges, scan } = state;
  if (exchanges.length === 0) return unansweredText(state);
  const answered = exchanges.filter((exchange) => !exchange.isError);
  const failed = exchanges.filter((exchange) => exchange.isError);
  const failures = failed.map(failureText);
  if (answered.length === 0) {
    const denied = failed.some(wasDenied);
    return {
      headline: denied ? "the call was not allowed." : "no tool gave an answer.",
      body: failures.join("\n\n"),
    };
  }
  const found = scan ?? foundLines(answered);
  if (found !== null) {
    const { headline, body } = matchesText(goal, found);
    return { headline, body: scan === null ? [body, ...failures].join("\n\n") : body };
  }
  const bodies = answered.map((exchange) =>
    plan.question.wantsSummary && readMatches(exchange.text).others.length > 8
      ? `${callText(exchange)}\n${summaryText(exchange.text)}`
      : `${callText(exchange)}\n${shortened(exchange.text)}`,
  );
  const names = [...new Set(answered.map((exchange) => exchange.label))].join(", ");
  return { headline: `${names} answered.`, body: [...bodies, ...failures].join("\n\n") };
}

function callText(exchange: Exchange): string {
  return `${exchange.label} ${shortened(JSON.stringify(exchange.arguments), 300)}:`;
}

function failureText(exchange: Exchange): string {
  const what = wasDenied(exchange) ? "was not run" : "gave an error";
  return `${exchange.label} ${shortened(JSON.stringify(exchange.arguments), 300)} ${what}: ${shortened(exchange.text, 1_000)}`;
}

/** Why nothing was called: what the best tool would still need, or that no tool fits. */
function unansweredText({ goal, candidates }: GoalState): Part {
  const [best] = candidates;
  const asked = shortened(phraseText(goal.tokens), 200);
  if (best === undefined) return { headline: `no tool matches “${asked}”.`, body: "" };
  const { route } = best.facts.tool;
  if (best.filled.missing.length === 0) return { headline: "the run was at its limit of turns.", body: "" };
  const missing = best.filled.missing.slice(0, 10).join(", ");
  return {
    headline: `no tool was called for “${asked}”, because the question does not say everything that one needs.`,
    body: `${route.server}/${route.tool} fits best; it still needs: ${missing}. Write values in quotes, paths as they are, or name=value.`,
  };
}

function toolsText(snapshot: ToolSnapshot): string {
  const labels = snapshot.tools
    .filter((tool) => tool.listed && tool.route.server !== builtinServer)
    .map((tool) => `${tool.route.server}/${tool.route.tool}`);
  if (labels.length === 0) return "There are no tools.";
  const more = labels.length > mostToolsNamed ? ` and ${labels.length - mostToolsNamed} more` : "";
  return `Tools: ${labels.slice(0, mostToolsNamed).join(", ")}${more}.`;
}

function shortened(text: string, most = mostCharacters): string {
  return text.length <= most
    ? text
    : `${text.slice(0, most)}\n(${text.length - most} more characters are not shown)`;
}
