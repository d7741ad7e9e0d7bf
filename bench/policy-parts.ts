// What the benchmark of decisions needs of the package, joined from the sources: the package keeps it to itself.
export { createConsent } from "../src/consent/consent.ts";
export { createGrantFiles } from "../src/stores/grant-files.ts";
export { systemClock } from "../src/util/clock.ts";
