import type { ConsentSettings } from "../consent/consent.ts";
import type { PolicyConfig } from "../types/config.ts";

type RuleSettings = Pick<
  ConsentSettings,
  "rules" | "projectRules" | "administratorRules" | "shadowRules" | "administratorShadowRules" | "flows"
>;

/** The rules of all tiers, as consent takes them. */
export function policyRules(policy: PolicyConfig = {}): RuleSettings {
  const { rules = [], projectRules = [], administratorRules = [] } = policy;
  const { shadowRules, administratorShadowRules, flows } = policy;
  return {
    ...{ rules, projectRules, administratorRules },
    ...(shadowRules === undefined ? {} : { shadowRules }),
    ...(administratorShadowRules === undefined ? {} : { administratorShadowRules }),
    ...(flows === undefined ? {} : { flows }),
  };
}
