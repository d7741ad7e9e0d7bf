import { HostError } from "../errors.ts";
import type { Environment } from "./environment.ts";

/** Names of the variables that say how a model's API is reached. */
export interface ModelApiVariables {
  readonly key: string;
  readonly baseUrl: string;
  /** A base URL as it should look. */
  readonly example: string;
}

export interface ModelApiSettings {
  /** Empty when there is none. */
  readonly apiKey: string;
  /** Absent: where the API usually is. */
  readonly baseUrl?: string;
}

/**
 * How the environment says that a model's API is reached; `given` wins over its base URL. What can never work is
 * refused here, instead of being tried again and again. No message holds a value.
 * @throws HostError `config_invalid`, naming the variable
 */
export function modelApiSettings(
  environment: Environment,
  variables: ModelApiVariables,
  given?: string,
): ModelApiSettings {
  const apiKey = environment[variables.key]?.trim() ?? "";
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw invalid(
      variables.key,
      "holds a character that no key has, such as a line break or a curly quote; copy the key again",
    );
  }
  const baseUrl = given ?? environment[variables.baseUrl]?.trim() ?? "";
  const named = given === undefined ? variables.baseUrl : "baseUrl";
  if (baseUrl === "") return { apiKey };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalid(named, `is not an http or https URL, such as ${variables.example}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid(named, "holds a user name or password, which a base URL cannot");
  }
  if (url.search !== "" || url.hash !== "") {
    throw invalid(named, "holds a query or a fragment, but paths are appended to a base URL");
  }
  return { apiKey, baseUrl };
}

function invalid(variable: string, problem: string): HostError {
  return new HostError("config_invalid", `${variable} ${problem}.`);
}
