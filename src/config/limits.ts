import type { Limits } from "../types/config.ts";

/** Most tokens of one answer. */
export const defaultMaxTokens = 16_000;

/** Every default of the host, in one place. */
export const defaultLimits: Limits = {
  serverStartMs: 30_000,
  eraProbeMs: 10_000,
  listMs: 30_000,
  callIdleMs: 60_000,
  callHardMs: 600_000,
  callsPerServer: 8,
  callsPerRun: 32,
  messageBytes: 32 * 1024 * 1024,
  stderrTailBytes: 64 * 1024,
  turns: 20,
  callsPerTurn: 64,
  offeredTools: 0,
  repeatedTurns: 8,
  calls: 0,
  tokens: 0,
  contextTokens: 0,
  cost: 0,
  runMs: 0,
  outputTokensPerResult: 10_000,
  outputTokensPerTurn: 40_000,
  modelRetries: 4,
  modelRetryMs: 300_000,
};

/** The defaults with those that are given over them; one that is undefined is not given. */
export function limitsOver(given: Partial<Limits> = {}): Limits {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(said) };
}
