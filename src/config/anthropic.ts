import type { Environment } from "./environment.ts";
import { type ModelApiSettings, modelApiSettings } from "./model-api.ts";

/** The key in the environment, without the blanks and line breaks that come along when it is read from a file. */
export function anthropicKey(environment: Environment): string {
  return environment.ANTHROPIC_API_KEY?.trim() ?? "";
}

/**
 * How the environment says that the Anthropic API is reached; `given` wins over its base URL.
 * @throws HostError `config_invalid`, naming the variable
 */
export function anthropicSettings(environment: Environment, given?: string): ModelApiSettings {
  const variables = {
    key: "ANTHROPIC_API_KEY",
    baseUrl: "ANTHROPIC_BASE_URL",
    example: "https://api.anthropic.com",
  };
  return modelApiSettings(environment, variables, given);
}
