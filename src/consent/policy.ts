import type { DecisionSource } from "../types/outcome.ts";
import { builtinServer, type CatalogTool, type ToolCall, type ToolRoute } from "../types/tool.ts";
import { meetsConditions } from "./conditions.ts";
import { decidingRule, isStricter } from "./deciding-rule.ts";
import { matchesGlob } from "./glob.ts";
import { type Hints, hintWarnings, readHints } from "./hints.ts";
import type { Rule, RuleEffect } from "./rules.ts";

/** What the policy says of a call, before anybody is asked. */
export interface Assessment {
  readonly type: "allow" | "ask" | "deny";
  readonly by: DecisionSource;
  /** In a sentence: for the person, the log and, when denied, the model. */
  readonly reason: string;
  readonly warnings: readonly string[];
  /** Whether a grant of the person may answer for later calls of the tool. */
  readonly grantable: boolean;
}

/** Total: every call has an assessment. */
export interface Policy {
  assess(call: ToolCall, origin: "model" | "direct"): Assessment;
  /** Whether the tool is kept from the model's list. */
  hidden(route: ToolRoute): boolean;
}

/** A verdict on its way: `rule` is null for hints and for the default. */
interface Base {
  readonly effect: RuleEffect;
  readonly rule: Rule | null;
  readonly by: DecisionSource;
  readonly reason: string;
}

/**
 * The one decision function. In order:
 * 1. the host's own tools are allowed;
 * 2. the administrator's rules, else the user's, give the base: inside a tier a matching deny wins, else the most
 *    specific match, ties to the stricter;
 * 3. where neither matches, a trusted server's read-only tool is allowed and everything else is asked;
 * 4. a tool that says it is destructive is asked, unless the base is a rule that allows it with an argument condition;
 * 5. the project's rules can only make the result stricter;
 * 6. a call that a person typed is allowed unless a deny stands at the end of all this.
 */
export function createPolicy(rules: readonly Rule[]): Policy {
  /** Rules whose names fit, for each tool: a call then looks at its conditions only. */
  const candidates = new WeakMap<CatalogTool, readonly Rule[]>();

  function candidatesFor(tool: CatalogTool): readonly Rule[] {
    let found = candidates.get(tool);
    if (found === undefined) {
      found = rules.filter((rule) => namesFit(rule, tool.route));
      candidates.set(tool, found);
    }
    return found;
  }

  return {
    assess(call, origin) {
      if (call.tool.route.server === builtinServer) return builtin(call);
      const matching = candidatesFor(call.tool).filter((rule) => meetsConditions(rule, call.arguments));
      const hints = readHints(call.tool);
      const final = tightenByProject(tightenByHints(baseOf(matching, hints), hints), matching);
      return origin === "direct" && final.effect !== "deny"
        ? finish(call, hints, direct)
        : finish(call, hints, final);
    },
    hidden(route) {
      if (route.server === builtinServer) return false;
      const named = rules.filter((rule) => rule.effect !== "deny" && namesFit(rule, route));
      return isHidden(named.filter((rule) => rule.conditions.length === 0)) && isHidden(named);
    },
  };
}

const direct: Base = {
  effect: "allow",
  rule: null,
  by: { type: "direct" },
  reason: "A person called it directly.",
};

function namesFit(rule: Rule, route: ToolRoute): boolean {
  return matchesGlob(rule.server, route.server) && matchesGlob(rule.tool, route.tool);
}

function inTier(rules: readonly Rule[], tier: Rule["tier"]): Rule | undefined {
  return decidingRule(rules.filter((rule) => rule.tier === tier));
}

function byRule(rule: Rule): Base {
  return {
    effect: rule.effect,
    rule,
    by: { type: "rule", tier: rule.tier, rule: rule.text },
    reason: `The rule \`${rule.text}\` ${ruleVerbs[rule.effect]} it.`,
  };
}

const ruleVerbs: Readonly<Record<RuleEffect, string>> = {
  allow: "allows",
  ask: "asks for",
  hide: "hides",
  deny: "denies",
};

function baseOf(matching: readonly Rule[], hints: Hints): Base {
  const rule = inTier(matching, "administrator") ?? inTier(matching, "user");
  if (rule !== undefined) return byRule(rule);
  if (hints.readOnly) {
    return {
      effect: "allow",
      rule: null,
      by: { type: "hint", hint: "readOnlyHint" },
      reason: "Its server is trusted and says that it only reads.",
    };
  }
  return { effect: "ask", rule: null, by: { type: "default" }, reason: "No rule covers it." };
}

function tightenByHints(base: Base, hints: Hints): Base {
  const silenced = base.rule !== null && (base.effect !== "allow" || base.rule.conditions.length > 0);
  if (!hints.destructive || silenced) return base;
  return {
    effect: "ask",
    rule: null,
    by: { type: "hint", hint: "destructiveHint" },
    reason: "Its server says that it is destructive, and such calls are always asked for.",
  };
}

function tightenByProject(base: Base, matching: readonly Rule[]): Base {
  const rule = inTier(matching, "project");
  return rule !== undefined && isStricter(rule.effect, base.effect) ? byRule(rule) : base;
}

function finish(call: ToolCall, hints: Hints, base: Base): Assessment {
  const type = base.effect === "hide" ? "deny" : base.effect;
  return {
    type,
    by: base.by,
    reason: base.reason,
    warnings: [...hintWarnings(hints, type === "ask"), ...call.warnings],
    grantable: !hints.destructive && (base.rule === null || base.rule.tier === "user"),
  };
}

function builtin(call: ToolCall): Assessment {
  return {
    type: "allow",
    by: { type: "builtin" },
    reason: "It is a tool of the host.",
    warnings: call.warnings,
    grantable: false,
  };
}

function isHidden(named: readonly Rule[]): boolean {
  const base = inTier(named, "administrator") ?? inTier(named, "user");
  return base?.effect === "hide" || inTier(named, "project")?.effect === "hide";
}
