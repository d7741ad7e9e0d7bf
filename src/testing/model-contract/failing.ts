import assert from "node:assert/strict";
import type { ModelEvent } from "../../types/model.ts";
import type { Clock } from "../../types/ports.ts";
import { systemClock } from "../../util/clock.ts";
import type { ContractBehaviour } from "./contract.ts";
import { ask, contractKey, failureOf, requestOf, userText, withModel } from "./fixtures.ts";
import type { ContractFault, ContractSetup, ContractTurn } from "./setup.ts";

const answer: ContractTurn = { text: "A whole answer, long enough for some deltas." };

/** A clock that notes how long is waited for, and waits for none of it. Watches of minutes stay as they are. */
function notingClock(): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    clock: {
      ...systemClock,
      after(ms, action) {
        if (ms > 100_000 || ms < 300) return systemClock.after(ms, action);
        waits.push(ms);
        return systemClock.after(0, action);
      },
    },
  };
}

/** A stream that breaks is asked again whole, and what was shown of it is revoked. */
function broken(name: string, type: "cut" | "stream_error", setup: ContractSetup): ContractBehaviour {
  const run = async (): Promise<void> => {
    const { clock, waits } = notingClock();
    const steps = [{ fault: { type, afterEvents: 4, turn: answer } }, answer];
    await withModel(setup, { steps, clock, maxRetries: 1 }, async (started) => {
      const { events, response } = await ask(started, requestOf([userText("go")]));
      const at = events.findIndex((event) => event.type === "attempt_failed");
      const failed = events[at];
      assert.ok(failed?.type === "attempt_failed" && failed.attempt === 1, "the failed attempt is told");
      assert.ok(failed.retryInMs > 0 && failed.reason !== "", "with its reason and the wait");
      const shown = events
        .slice(at + 1)
        .flatMap((event) => (event.type === "text_delta" ? [event.text] : []));
      assert.equal(shown.join(""), answer.text, "the second attempt is whole");
      assert.deepEqual(response.message.content, [{ type: "text", text: answer.text }]);
      const failures = events.flatMap((event) => (event.type === "usage" ? [event.usage.requests] : []));
      const counted = failures.reduce((sum, requests) => sum + requests, response.usage.requests);
      assert.equal(counted, 2, "both attempts are counted");
      assert.equal(waits.length, 1);
      assert.equal(started.requests[0]?.text, started.requests[1]?.text, "the same request");
    });
  };
  return { name, run };
}

/** A fault that ends the request at once, with one code and one line. */
async function refused(setup: ContractSetup, fault: ContractFault, code: string): Promise<string> {
  let message = "";
  await withModel(setup, { steps: [{ fault }], maxRetries: 3 }, async (started) => {
    const failure = await failureOf(started, requestOf([userText("go")]));
    assert.equal(failure.code, code);
    assert.ok(!failure.message.includes("\n"), "one line");
    assert.ok(!failure.message.includes(contractKey), "without the key");
    message = failure.message;
  });
  return message;
}

/** How failures are met. */
export function failingBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [...retryBehaviours(setup), ...refusalBehaviours(setup)];
}

/** What is tried again. */
function retryBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    broken("a stream that is cut is asked for again whole", "cut", setup),
    broken("an error in the middle of a stream is asked for again whole", "stream_error", setup),
    {
      name: "a rate limit is waited for as long as the API says, on the clock",
      run: async () => {
        const { clock, waits } = notingClock();
        const steps = [{ fault: { type: "rate_limited" as const, retryAfter: 7 } }, answer];
        await withModel(setup, { steps, clock, maxRetries: 1 }, async (started) => {
          const { events } = await ask(started, requestOf([userText("go")]));
          assert.deepEqual(waits, [7_000]);
          const [failed] = events;
          assert.ok(failed?.type === "attempt_failed" && failed.retryInMs === 7_000);
        });
      },
    },
    {
      name: "an overloaded API is asked again, and what it said in the end is what the request rejects with",
      run: async () => {
        const { clock } = notingClock();
        const overloaded = { fault: { type: "overloaded" as const } };
        await withModel(setup, { steps: [overloaded, overloaded], clock, maxRetries: 1 }, async (started) => {
          const failure = await failureOf(started, requestOf([userText("go")]));
          assert.equal(failure.code, "model_overloaded");
        });
      },
    },
  ];
}

/** What is told at once. */
function refusalBehaviours(setup: ContractSetup): ContractBehaviour[] {
  return [
    {
      name: "a spend limit is not waited for",
      run: async () => {
        await refused(setup, { type: "spend_limit" }, "model_spend_limit");
      },
    },
    {
      name: "a refused key is one line that names the variable",
      run: async () => {
        const message = await refused(setup, { type: "unauthorized" }, "model_auth");
        assert.ok(message.includes(setup.keyVariable), message);
      },
    },
    {
      name: "the key is in no message, whatever the API says",
      run: async () => {
        const message = `the key ${contractKey} has no access`;
        await refused(
          setup,
          { type: "refused", status: 401, kind: "invalid_request_error", message },
          "model_auth",
        );
      },
    },
    {
      name: "a refused request is told in the API's own words",
      run: async () => {
        const message = "something that only this API refuses";
        const fault = { type: "refused", status: 400, kind: "invalid_request_error", message } as const;
        assert.ok((await refused(setup, fault, "model_rejected")).includes(message));
      },
    },
    {
      name: "an answer of HTML is told by its status and its first line",
      run: async () => {
        const message = await refused(setup, { type: "html", status: 404 }, "model_bad_response");
        assert.ok(message.includes("404") && message.includes("Request refused"), message);
        assert.ok(!message.includes("proxy") && !message.includes("<"), message);
      },
    },
    {
      name: "a request that is too large for a proxy is told so",
      run: async () => {
        const message = await refused(setup, { type: "html", status: 413 }, "model_rejected");
        assert.ok(message.includes("413"), message);
      },
    },
    {
      name: "an abort ends a request at once: before it, while it waits for an answer, and in its stream",
      run: () => aborts(setup),
    },
  ];
}

async function aborts(setup: ContractSetup): Promise<void> {
  await withModel(setup, { steps: [] }, async (started) => {
    const failure = await failureOf(started, requestOf([userText("go")], { signal: AbortSignal.abort() }));
    assert.equal(failure.code, "aborted");
    assert.equal(started.requests.length, 0);
  });
  await withModel(setup, { steps: [{ ...answer, delayMs: 60_000 }] }, async (started) => {
    const controller = new AbortController();
    const asked = failureOf(started, requestOf([userText("go")], { signal: controller.signal }));
    setTimeout(() => controller.abort(), 100);
    assert.equal((await asked).code, "aborted");
  });
  await withModel(setup, { steps: [answer], fragmentBytes: 1 }, async ({ model }) => {
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const reading = async (): Promise<void> => {
      const request = requestOf([userText("go")], { signal: controller.signal });
      for await (const event of model.stream(request)) {
        seen.push(event);
        controller.abort();
      }
    };
    await assert.rejects(reading(), { code: "aborted" });
    assert.ok(
      seen.every(({ type }) => type !== "response"),
      "no response",
    );
  });
}
