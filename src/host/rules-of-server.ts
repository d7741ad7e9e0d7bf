import { matchesGlob } from "../consent/glob.ts";
import { parseRules } from "../consent/rules.ts";
import type { LoadedConfig, Setting } from "../types/settings.ts";

/**
 * The person's own rules that allow something of a server. Rules go by its id, whoever named it so: who agrees to a
 * project's server should see them.
 * @throws HostError `config_invalid` for a rule that is not valid
 */
export function allowRulesOf(
  loaded: Pick<LoadedConfig, "rules">,
  server: string,
): readonly Setting<string>[] {
  return loaded.rules.filter(({ value }) =>
    parseRules([value], "user").some((rule) => rule.effect === "allow" && matchesGlob(rule.server, server)),
  );
}
