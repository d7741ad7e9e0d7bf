import type { ServerToolList } from "../types/tool.ts";
import type { ConsentSettings } from "./consent.ts";
import { contradictions } from "./rule-contradictions.ts";
import { ruleMisses } from "./rule-misses.ts";
import { idleRules, parseProjectRules, parseRules, type Rule } from "./rules.ts";
import { createShadow, type Shadow } from "./shadow.ts";

interface SettingsRules {
  /** Of all tiers. */
  readonly rules: readonly Rule[];
  readonly shadow: Shadow;
  /** What is odd about them, as sentences. */
  readonly warnings: readonly string[];
  /** What can match nothing of the tools that servers have, as sentences. */
  readonly misses: (lists: readonly ServerToolList[]) => readonly string[];
}

type RuleSettings = Pick<
  ConsentSettings,
  | "rules"
  | "projectRules"
  | "administratorRules"
  | "administratorShadowRules"
  | "shadowRules"
  | "servers"
  | "flows"
>;

/** The rules of a host, and those that it tries out. Throws `config_invalid` for one that is not valid. */
export function readRules(settings: RuleSettings): SettingsRules {
  const { administratorRules = [], administratorShadowRules, shadowRules, servers } = settings;
  const user = parseRules(settings.rules, "user");
  const administrator = parseRules(administratorRules, "administrator");
  const project = parseProjectRules(settings.projectRules ?? []);
  const tried = shadowRules === undefined ? null : parseRules(shadowRules, "user");
  const triedAbove =
    administratorShadowRules === undefined ? null : parseRules(administratorShadowRules, "administrator");
  const isTried = tried !== null || triedAbove !== null;
  const shadow = isTried ? [...(tried ?? user), ...(triedAbove ?? administrator), ...project] : null;
  return {
    rules: [...user, ...administrator, ...project],
    shadow: createShadow(shadow, settings.flows),
    warnings: [
      ...contradictions([...user, ...administrator, ...project, ...(tried ?? []), ...(triedAbove ?? [])]),
      // What an administrator writes is for many hosts, of which not each has every server and tool.
      ...(servers === undefined ? [] : idleRules([...user, ...project], servers)),
    ],
    misses: (lists) => ruleMisses([...user, ...project], lists),
  };
}
