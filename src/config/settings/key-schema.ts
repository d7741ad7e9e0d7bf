/**
 * One key of a config file: the part of JSON Schema (draft 07, which editors read best) that is needed here. From it
 * come the published schema and the checking.
 */
export interface KeySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly items?: KeySchema;
  /** Keys that an object must have. */
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, KeySchema>>;
  /** What other keys hold; `false`: there are no others. Absent: they are passed over with a warning. */
  readonly additionalProperties?: KeySchema | false;
  readonly examples?: readonly unknown[];
}
