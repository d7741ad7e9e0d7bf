import type { KeyRule } from "../../src/models/schema/dialect.ts";
import { renameKeys } from "../../src/models/schema/rename.ts";
import type { Json, JsonObject } from "../../src/types/json.ts";
import { isObject } from "../../src/util/own.ts";

/** Arguments with the names that a model knows the properties of a schema by. */
export function asTheModelWrites(value: Json, schema: JsonObject, keys: KeyRule): Json {
  const { send } = renameKeys(schema, keys);
  const rename = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(rename);
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part as JsonObject).map(([key, member]) => [send(key), rename(member)]),
    );
  };
  return rename(value);
}
