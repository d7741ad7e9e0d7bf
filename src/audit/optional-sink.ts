import { messageOf } from "../errors.ts";
import type { AuditSink } from "../types/audit.ts";
import type { Clock } from "../types/ports.ts";
import { createPatience } from "./patience.ts";

/** Calls wait this long for a log that need not be written. */
const waitMs = 5_000;

/**
 * A log that calls do not depend on: what cannot be written, or not in time, is passed over. `onFailure` is told of
 * the first failure, and of no other.
 */
export function optionalSink(
  sink: AuditSink,
  clock: Clock,
  onFailure: (sentence: string) => void,
): AuditSink {
  const wait = createPatience(clock, waitMs, () => new Error(`no answer within ${waitMs / 1000} s`));
  let told = false;

  async function forgiven(writing: () => Promise<void> | undefined): Promise<void> {
    try {
      const written = writing();
      if (written !== undefined) await wait(written);
    } catch (cause) {
      if (told) return;
      told = true;
      onFailure(
        `The audit log cannot be written, and calls run without it, as audit.required is false: ${messageOf(cause)}`,
      );
    }
  }

  return {
    append: (entry) => forgiven(() => sink.append(entry)),
    flush: () => forgiven(() => sink.flush?.()),
    get location() {
      return sink.location ?? "";
    },
    close: () => forgiven(() => sink.close?.()),
  };
}
