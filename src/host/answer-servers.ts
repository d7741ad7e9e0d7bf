import { createConsent, type HostConsent } from "../consent/consent.ts";
import type { LastingGrants } from "../consent/grants.ts";
import { HostError } from "../errors.ts";
import type { HostOptions } from "../types/config.ts";
import type { Budget } from "../types/ports.ts";
import type { InputAnswerer, InputRecorder } from "../types/server-input.ts";
import { systemClock as clock } from "../util/clock.ts";
import { createElicit } from "./elicit.ts";
import type { HostParts } from "./parts.ts";
import { policyRules } from "./policy-rules.ts";
import { createSampling, samplingName } from "./sampling.ts";

/** What a run answers to its servers with; undefined where nothing is answered. */
export function answererOf(
  parts: HostParts,
  recorder: InputRecorder,
  budget: Budget,
): InputAnswerer | undefined {
  const { elicit, samplingConsent, secrets, principal, model, maxTokens, connections } = parts;
  if (elicit === null && samplingConsent === null) return undefined;
  const notOffered = () => Promise.reject(new HostError("internal", "this host does not offer it."));
  return {
    elicit:
      elicit === null
        ? notOffered
        : createElicit({ elicit, recorder, secrets, principal, clock: parts.clock }),
    sample:
      samplingConsent === null
        ? notOffered
        : createSampling({
            ...{ model, maxTokens, consent: samplingConsent, budget, recorder, principal },
            ...{ clock: parts.clock, lists: () => connections.current() },
          }),
  };
}

/**
 * Decides whether a server may ask the model; null when none is allowed to try. A rule that allows tools by a wildcard
 * was not written for this, and does not allow it: only one that names it does.
 */
export function samplingConsentOf(
  { policy, approve, servers }: HostOptions,
  redact: (text: string) => string,
  lasting: LastingGrants,
): HostConsent | null {
  if (!Object.values(servers).some((config) => config.sampling === true)) return null;
  const named = (rule: string) => !/^\s*allow\b/.test(rule) || rule.includes(samplingName);
  const { rules, administratorRules = [], projectRules = [] } = policyRules(policy);
  return createConsent({
    projectRules,
    rules: rules.filter(named),
    administratorRules: administratorRules.filter(named),
    approve: approve ?? null,
    clock,
    redact,
    lasting,
  });
}
