import type { Environment } from "./environment.ts";
import { type ModelApiSettings, modelApiSettings } from "./model-api.ts";

export interface GeminiApiSettings extends ModelApiSettings {
  /** The variable that the key is from. */
  readonly keyVariable: string;
}

/** The variable with the key: Google's own tools read both. */
export function geminiKeyVariable(environment: Environment): string {
  const given = (name: string): boolean => (environment[name]?.trim() ?? "") !== "";
  return !given("GEMINI_API_KEY") && given("GOOGLE_API_KEY") ? "GOOGLE_API_KEY" : "GEMINI_API_KEY";
}

/**
 * How the environment says that the Gemini API is reached; `given` wins over its base URL.
 * @throws HostError `config_invalid`, naming the variable
 */
export function geminiSettings(environment: Environment, given?: string): GeminiApiSettings {
  const keyVariable = geminiKeyVariable(environment);
  const variables = {
    key: keyVariable,
    baseUrl: "GEMINI_BASE_URL",
    example: "https://generativelanguage.googleapis.com",
  };
  return { keyVariable, ...modelApiSettings(environment, variables, given) };
}
