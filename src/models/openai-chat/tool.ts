import type { JsonObject } from "../../types/json.ts";
import { outsidePair } from "../../util/one-line.ts";
import { stableJson } from "../../util/stable-json.ts";
import type { ChatProfile } from "./profile.ts";

const continued = "… (continued in the description of the parameters)";

/**
 * A tool in the API's form. A description that is too long for OpenAI goes on in the description of its parameters,
 * which has no limit: nothing that the server says of its tool is lost.
 */
export function toolJson(
  alias: string,
  description: string,
  schema: string,
  { longestDescription }: ChatProfile,
): string {
  const write = (text: string, parameters: string): string =>
    `{"type":"function","function":{"name":${JSON.stringify(alias)},` +
    `"description":${JSON.stringify(text)},"parameters":${parameters}}}`;
  if (longestDescription === undefined || description.length <= longestDescription) {
    return write(description, schema);
  }
  const cut = outsidePair(description, longestDescription - continued.length);
  const parameters = JSON.parse(schema) as JsonObject;
  const own = typeof parameters.description === "string" ? `\n\n${parameters.description}` : "";
  const rest = `…${description.slice(cut)}${own}`;
  return write(`${description.slice(0, cut)}${continued}`, stableJson({ ...parameters, description: rest }));
}
