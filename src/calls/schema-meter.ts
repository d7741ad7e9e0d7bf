/** Thrown out of a check that would take too long. */
export class CheckTooLong extends Error {}

/**
 * Counts the work of one check. References and repeated items let a small schema cost exponential time; the meter
 * ends such a check instead of the event loop.
 */
export interface Meter {
  left: number;
}

/** Work of one check: about a tenth of a second at most. */
const budget = 500_000;

export function resetMeter(meter: Meter): void {
  meter.left = budget;
}

export function charge(meter: Meter, work: number): void {
  meter.left -= work;
  if (meter.left < 0) throw new CheckTooLong("The check was given up: too much work.");
}
