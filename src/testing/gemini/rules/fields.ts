import type { ParseProblem } from "../parse-messages.ts";
import { fieldProblem, type GeminiRefusal, type GeminiRule } from "./request-view.ts";

function refusal(found: readonly { field: string; description: string }[]): GeminiRefusal | null {
  if (found.length === 0) return null;
  return { message: found.map(({ description }) => description).join("\n"), violations: found };
}

function at(path: string): string {
  return path === "" ? "" : ` at '${path}'`;
}

/** Names of fields that the API does not know, anywhere but in a schema. */
export const unknownFields: GeminiRule = ({ problems }) =>
  refusal(unknownNames(problems.filter(({ message }) => message !== "Schema")));

/** Keywords of a schema that the API's own `Schema` does not have. */
export const schemaKeywords: GeminiRule = ({ problems }) =>
  refusal(unknownNames(problems.filter(({ message }) => message === "Schema")));

function unknownNames(problems: readonly ParseProblem[]): { field: string; description: string }[] {
  return problems
    .filter(({ type }) => type === "unknown_name")
    .map(({ path, name }) => ({
      field: path,
      description: `Invalid JSON payload received. Unknown name "${name}"${at(path)}: Cannot find field.`,
    }));
}

/** A list where one value belongs, such as the `type` of a schema. */
export const singleValues: GeminiRule = ({ problems }) =>
  refusal(
    problems
      .filter(({ type }) => type === "list")
      .map(({ path, name }) => ({
        field: path,
        description: `Invalid JSON payload received. Unknown name "${name}"${at(path)}: Proto field is not repeating, cannot start list.`,
      })),
  );

/** A value of the wrong kind. */
export const fieldTypes: GeminiRule = ({ problems }) =>
  refusal(
    problems
      .filter(({ type }) => type === "value")
      .map(({ path, name, value, wanted }) => {
        const field = path === "" ? name : `${path}.${name}`;
        return {
          field,
          description: `Invalid value at '${field}' (${wanted}), ${JSON.stringify(value) ?? ""}`,
        };
      }),
  );

/** Tokens of the answer are more than none. */
export const tokenLimit: GeminiRule = ({ body }) => {
  const { maxOutputTokens } = (body.generationConfig ?? {}) as { readonly maxOutputTokens?: number };
  if (maxOutputTokens === undefined || maxOutputTokens > 0) return null;
  return fieldProblem("generation_config.max_output_tokens", "max_output_tokens must be positive.");
};

/** Only models that think take the settings of thinking. */
export const thinkingModels: GeminiRule = ({ body, facts }) => {
  const { thinkingConfig } = (body.generationConfig ?? {}) as { readonly thinkingConfig?: object };
  if (thinkingConfig === undefined || facts.thinks) return null;
  return { message: "Thinking is not supported by this model." };
};
