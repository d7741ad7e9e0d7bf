/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Read its members by own-property lookup only: keys come from servers and models. */
export interface JsonObject {
  readonly [key: string]: Json;
}
