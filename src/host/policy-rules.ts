import type { ConsentSettings } from "../consent/consent.ts";
import type { PolicyConfig } from "../types/config.ts";

type RuleSettings = Pick<
  ConsentSettings,
  "rules" | "projectRules" | "administratorRules" | "shadowRules" | "flows"
>;

/** The rules of all tiers, as consent takes them. */
export function policyRules(policy: PolicyConfig = {}): RuleSettings {
  const { rules = [], projectRules = [], administratorRules = [], shadowRules, flows } = policy;
  return {
    ...{ rules, projectRules, administratorRules },
    ...(shadowRules === undefined ? {} : { shadowRules }),
    ...(flows === undefined ? {} : { flows }),
  };
}
