import type { Hazard } from "../hazards.ts";

/** What a rule is about: the hazards that come near it, or why nothing that the adapter sends ever does. */
export type Neighbourhood = readonly Hazard[] | { readonly never: string };

/** The neighbourhood of every rule of a simulator, by the name under which its list has it. */
export type Neighbourhoods = Readonly<Record<string, Neighbourhood>>;

export const never = (reason: string): Neighbourhood => ({ never: reason });

export const objectAnyway: Neighbourhood = never(
  "what a server lists without a type is an object from then on",
);
