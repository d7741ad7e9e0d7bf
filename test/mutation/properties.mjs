// Stands for `fast-check` there: a change is tried on few inputs, always the same ones, and no smaller example is sought.
import fc from "fast-check";

export * from "fast-check";

const most = 40;

export function assert(property, { numRuns = 100, ...settings } = {}) {
  return fc.assert(property, { ...settings, numRuns: Math.min(numRuns, most), seed: 1, endOnFailure: true });
}

export default { ...fc, assert };
