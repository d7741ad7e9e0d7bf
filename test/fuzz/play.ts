import { createHost } from "../../src/host.ts";
import { type FakeServer, type FakeTool, fakeServer } from "../../src/testing/fake-server.ts";
import type { RunEvent, RunResult } from "../../src/types/events.ts";
import type { Conversation, RunInput } from "../../src/types/host.ts";
import type { Json, JsonObject } from "../../src/types/json.ts";
import type { ImageBlock } from "../../src/types/message.ts";
import type { ToolSnapshot } from "../../src/types/tool.ts";
import { png } from "../support/images.ts";
import type { Plan, RunPlan, ServerPlan, ToolPlan } from "./plan.ts";
import type { CallableTool } from "./script.ts";
import type { Scene, Stage } from "./stage.ts";
import type { TurnPlan } from "./turn-plan.ts";

/** What one run led to. */
export interface PlayedRun {
  readonly events: readonly RunEvent[];
  readonly result: RunResult;
  readonly planned: RunPlan;
  /** The answers that the model gave. */
  readonly turns: readonly TurnPlan[];
  /** What tools answered, as their servers sent it. */
  readonly results: readonly Json[];
  readonly aborted: boolean;
  readonly requests: number;
  /** `api/name` of the model. */
  readonly model: string;
}

/** What a conversation led to. */
export interface Played {
  readonly runs: readonly PlayedRun[];
  /** Calls that reached each server. */
  readonly received: Readonly<Record<string, FakeServer["calls"]>>;
  readonly callable: readonly CallableTool[];
}

/** How long a tool that hangs waits for its cancellation, in ms. */
const hangMs = 3;

/** What comes from another process was parsed: generated objects may be without a prototype. */
function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function fakeTool(planned: ToolPlan, changeList: () => void, tell: (result: Json) => void): FakeTool {
  let calls = 0;
  const { name, description, schema, acts } = planned;
  return {
    definition: overTheWire({ name, description, inputSchema: schema }),
    async run(_, { signal }) {
      const act = acts[Math.min(calls, acts.length - 1)];
      calls += 1;
      if (act === undefined) return {};
      if (act.type === "error") throw new Error(act.message);
      if (act.type === "change_list") changeList();
      if (act.type === "hang") {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, hangMs);
          signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
        });
      }
      tell(act.result);
      return overTheWire(act.result);
    },
  };
}

function startServer({ tools }: ServerPlan, tell: (result: Json) => void): FakeServer {
  // The list grows, and the description of its first tool changes.
  const changeList = (): void => {
    const [first, ...others] = made;
    const changed =
      first === undefined ? [] : [{ ...first, definition: { ...first.definition, description: "New." } }];
    const added = {
      definition: { name: "added", inputSchema: { type: "object" } },
      run: () => ({ content: [] }),
    };
    server.changeTools([...changed, ...others, added]);
  };
  const made = tools.map((planned) => fakeTool(planned, changeList, tell));
  const server = fakeServer(made);
  return server;
}

function crowdOf(count: number): FakeServer {
  const definition = (index: number): JsonObject => ({
    name: `op_${index}`,
    inputSchema: { type: "object" },
  });
  return fakeServer(
    Array.from({ length: count }, (_, index) => ({
      definition: definition(index),
      run: () => ({ content: [{ type: "text", text: "done" }] }),
    })),
  );
}

/** The tools that the snapshot offers, each with arguments that its schema takes. */
function callableTools({ tools }: ToolSnapshot, plan: Plan): CallableTool[] {
  return tools.flatMap((tool) => {
    const server = plan.servers.find(({ id }) => id === tool.route.server);
    if (server === undefined) return [];
    const planned = server.tools.find(({ name }) => name === tool.route.tool);
    return [{ tool, arguments: planned?.arguments ?? null }];
  });
}

const dot: ImageBlock = { type: "image", mediaType: "image/png", data: png(1, 1).toString("base64") };

function inputOf({ input, images }: RunPlan): RunInput {
  if (images === 0) return input;
  return [{ type: "text", text: input }, ...Array.from({ length: images }, () => dot)];
}

/** Plays a conversation on a stage, from the start of its servers to their end. */
export async function play(plan: Plan, stage: Stage): Promise<Played> {
  const results: Json[] = [];
  const tell = (result: Json): void => void results.push(result);
  const servers = new Map(plan.servers.map((server) => [server.id, startServer(server, tell)]));
  if (plan.crowd > 0) servers.set("crowd", crowdOf(plan.crowd));
  const host = createHost({
    servers: Object.fromEntries([...servers].map(([id, { config }]) => [id, config])),
    model: "offline",
    policy: { rules: plan.rules },
    limits: { turns: 8, offeredTools: plan.offeredTools, contextTokens: plan.contextTokens },
    system: plan.system,
    state: false,
    audit: false,
  });
  try {
    const callable = callableTools(await host.tools(), plan);
    const conversation = host.conversation();
    const runs: PlayedRun[] = [];
    for (const planned of plan.runs) {
      const scene = await stage.enter(planned, callable, plan.fragmentBytes);
      const run = await playRun(conversation, planned, scene);
      runs.push({ ...run, results: results.splice(0) });
    }
    const received = Object.fromEntries([...servers].map(([id, { calls }]) => [id, calls]));
    return { runs, received, callable };
  } finally {
    await host.close();
  }
}

async function playRun(
  conversation: Conversation,
  planned: RunPlan,
  scene: Scene,
): Promise<Omit<PlayedRun, "results">> {
  const abort = new AbortController();
  const run = conversation.run(inputOf(planned), { model: scene.model, signal: abort.signal });
  const events: RunEvent[] = [];
  if (planned.abortAfter === 0) abort.abort();
  for await (const event of run) {
    events.push(event);
    if (events.length === planned.abortAfter) abort.abort();
  }
  const result = await run.result;
  const { aborted } = abort.signal;
  const requests = await scene.leave(aborted);
  const model = `${scene.model.api}/${scene.model.name}`;
  return { events, result, planned, turns: scene.given, aborted, requests, model };
}
