import { HostError } from "../errors.ts";
import type { Environment } from "./environment.ts";

export interface AnthropicSettings {
  /** Empty when there is none. */
  readonly apiKey: string;
  /** Absent: the API itself. */
  readonly baseUrl?: string;
}

/** The key in the environment, without the blanks and line breaks that come along when it is read from a file. */
export function anthropicKey(environment: Environment): string {
  return environment.ANTHROPIC_API_KEY?.trim() ?? "";
}

/**
 * How the environment says that the Anthropic API is reached; `given` wins over its base URL. What can never work is refused here, instead of being
 * tried again and again. No message holds a value.
 * @throws HostError `config_invalid`, naming the variable
 */
export function anthropicSettings(environment: Environment, given?: string): AnthropicSettings {
  const apiKey = anthropicKey(environment);
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw invalid(
      "ANTHROPIC_API_KEY",
      "holds a character that no key has, such as a line break or a curly quote; copy the key again",
    );
  }
  const baseUrl = given ?? environment.ANTHROPIC_BASE_URL?.trim() ?? "";
  const named = given === undefined ? "ANTHROPIC_BASE_URL" : "baseUrl";
  if (baseUrl === "") return { apiKey };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(named, "is not an http or https URL, such as https://api.anthropic.com");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(named, "holds a user name or password, which a base URL cannot");
  }
  return { apiKey, baseUrl };
}

function invalid(variable: string, problem: string): HostError {
  return new HostError("config_invalid", `${variable} ${problem}.`);
}
