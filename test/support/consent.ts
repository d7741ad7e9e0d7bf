import { type ConsentSettings, createConsent, type HostConsent } from "../../src/consent/consent.ts";
import { createTestClock, type TestClock } from "../../src/testing/clock.ts";
import type { ApprovalRequest } from "../../src/types/approval.ts";
import type { ConsentContext } from "../../src/types/consent.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Verdict } from "../../src/types/outcome.ts";
import type { ToolCall } from "../../src/types/tool.ts";

/** A context of one conversation that remembers its events and can be aborted. */
export interface TestContext extends ConsentContext {
  readonly events: RunEvent[];
  readonly abort: () => void;
}

export function makeContext(parts: Partial<ConsentContext> = {}): TestContext {
  const controller = new AbortController();
  const events: RunEvent[] = [];
  return {
    runId: "run_1",
    turn: 1,
    principal: "ann",
    grants: { answers: new Map() },
    signal: controller.signal,
    emit: (event) => events.push(event),
    origin: "model",
    ...parts,
    events,
    abort: () => controller.abort(),
  };
}

/** A consent whose approver is driven by the test: it keeps the requests and ends when told to. */
export interface DrivenConsent {
  readonly consent: HostConsent;
  readonly requests: ApprovalRequest[];
  readonly clock: TestClock;
  /** Lets every running approver return. */
  readonly finish: () => void;
}

export function makeConsent(settings: Partial<ConsentSettings> = {}): DrivenConsent {
  const requests: ApprovalRequest[] = [];
  const endings: (() => void)[] = [];
  const clock = createTestClock();
  const approve = (request: ApprovalRequest) => {
    requests.push(request);
    return new Promise<void>((resolve) => endings.push(resolve));
  };
  const consent = createConsent({ rules: [], approve, clock, ...settings });
  const finish = () => {
    for (const end of endings.splice(0)) end();
  };
  return { consent, requests, clock, finish };
}

/** The verdict if the promise is settled now, else null. */
export async function settled(verdict: Promise<Verdict> | undefined): Promise<Verdict | null> {
  return await Promise.race([verdict ?? null, Promise.resolve(null)]);
}

/** `allow` or `deny` and the reason, of one call. */
export async function decisionOf(
  consent: HostConsent,
  call: ToolCall,
  context: ConsentContext = makeContext(),
): Promise<string> {
  const verdict = await consent.decide([call], context)[0];
  const decision = verdict?.type === "approved" ? verdict.approved.decision : verdict?.decision;
  return `${decision?.type} by ${decision?.by.type}: ${decision?.reason}`;
}
