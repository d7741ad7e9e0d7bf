import type { SimulatedStep } from "../../src/testing/anthropic/turns.ts";
import type { WireObject } from "../../src/testing/wire-server/api.ts";
import type { Model } from "../../src/types/model.ts";
import type { CaseApi, StartedApi } from "../support/case-apis/api.ts";
import { hurriedClock } from "./hurried-clock.ts";
import type { RunPlan } from "./plan.ts";
import { type CallableTool, lastPlan, stepOf } from "./script.ts";
import type { TurnPlan } from "./turn-plan.ts";

/** One run in front of the simulator of its API. */
export interface Scene {
  readonly model: Model;
  /** The answers that were given so far. */
  readonly given: readonly TurnPlan[];
  /** Ends the run, and gives the number of its requests. @throws Error when the simulator refused one */
  leave(aborted: boolean): Promise<number>;
}

/** The simulators that conversations are played before. */
export interface Stage {
  enter(run: RunPlan, tools: readonly CallableTool[], fragmentBytes: number): Promise<Scene>;
  close(): Promise<void>;
}

/** Requests for the number of tokens alone: no turn answers them. */
const isCount = /(?:\/count_tokens|\/input_tokens|:countTokens)$/;

interface Simulated extends StartedApi {
  /** The model of a name, made once. */
  model(name: string): Model;
}

/**
 * A stage for conversations of some APIs: each run is answered by its model's number, even and odd ones of `main` first.
 * Simulators are started when they are needed.
 */
export function openStage(main: readonly CaseApi[], others: readonly CaseApi[]): Stage {
  const started = new Map<string, Simulated>();
  const done = (): SimulatedStep => ({ content: [{ type: "text", text: "done" }] });
  let next: (body: WireObject) => SimulatedStep = done;

  async function startedOf(api: CaseApi, fragmentBytes: number): Promise<Simulated> {
    const key = `${api.name} ${fragmentBytes}`;
    const known = started.get(key);
    if (known !== undefined) return known;
    const simulated = await api.start({
      turns: (body) => next(body),
      maxRetries: 2,
      clock: hurriedClock,
      fragmentBytes,
      deltaChars: 40,
    });
    const models = new Map<string, Model>();
    const model = (name: string): Model => {
      const found = models.get(name) ?? simulated.modelNamed(name);
      models.set(name, found);
      return found;
    };
    const made = { ...simulated, model };
    started.set(key, made);
    return made;
  }

  return {
    async enter(run, tools, fragmentBytes) {
      const all = run.model < 2 ? main : [...main, ...others];
      const api = all[Math.floor(run.model / 2) % all.length];
      if (api === undefined) throw new Error("There is no API.");
      const { requests, model } = await startedOf(api, fragmentBytes);
      const turns = [...run.turns];
      const given: TurnPlan[] = [];
      requests.length = 0;
      next = (body) => {
        const plan = turns.shift() ?? lastPlan;
        given.push(plan);
        return stepOf(plan, body, tools, api);
      };
      return {
        model: model(api.models[run.model % 2 === 0 ? 0 : 1]),
        given,
        async leave(aborted) {
          // What was sent before an abort may arrive behind it.
          if (aborted) await new Promise((resolve) => setTimeout(resolve, 2));
          next = done;
          const asked = requests.filter(({ path, status }) => status >= 400 || !isCount.test(path));
          if (asked.length <= given.length) return asked.length;
          const refused = asked.filter(({ status }) => status >= 400).map(({ text }) => text);
          throw new Error(`${api.name} refused ${asked.length - given.length} of: ${refused.join("\n")}`);
        },
      };
    },
    async close() {
      for (const api of started.values()) await api[Symbol.asyncDispose]();
      started.clear();
    },
  };
}
