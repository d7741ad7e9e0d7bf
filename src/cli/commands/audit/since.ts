import { HostError } from "../../../errors.ts";
import { visibleLine } from "../../../util/visible.ts";

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A moment: how long ago (`30m`, `2h`, `7d`), or a date with or without a time (`2026-11-30`, `2026-11-30T08:00Z`).
 * @throws HostError `config_invalid`
 */
export function parseMoment(option: string, text: string, now: number): Date {
  const [, amount = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== "") return new Date(now - Number(amount) * (unitMs[unit] ?? 0));
  const date = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
    ? new Date(text)
    : null;
  if (date !== null && !Number.isNaN(date.getTime())) return date;
  throw new HostError(
    "config_invalid",
    `${option} takes 30m, 2h, 7d or a date such as 2026-11-30, not "${visibleLine(text.slice(0, 60))}".`,
  );
}
