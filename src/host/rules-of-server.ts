import { matchesGlob } from "../consent/glob.ts";
import { parseRules } from "../consent/rules.ts";
import type { LoadedConfig, Setting } from "../types/settings.ts";

/**
 * The rules, the person's own and an administrator's, that allow something of a server. Rules go by its id, whoever named
 * it so: who agrees to a project's server should see them.
 * @throws HostError `config_invalid` for a rule that is not valid
 */
export function allowRulesOf(
  loaded: Pick<LoadedConfig, "rules" | "administratorRules">,
  server: string,
): readonly Setting<string>[] {
  const { rules, administratorRules = [] } = loaded;
  return [...administratorRules, ...rules].filter(({ value }) =>
    parseRules([value], "user").some((rule) => rule.effect === "allow" && matchesGlob(rule.server, server)),
  );
}
