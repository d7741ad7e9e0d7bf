import type { TraceContext } from "../types/telemetry.ts";

/** A context with these values, for where `@opentelemetry/api` gives none. */
export function createContext(values: ReadonlyMap<symbol, unknown> = new Map()): TraceContext {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => createContext(new Map(values).set(key, value)),
    deleteValue(key) {
      const others = new Map(values);
      others.delete(key);
      return createContext(others);
    },
  };
}
