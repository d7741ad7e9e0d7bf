import { createHost } from "../../src/host.ts";
import {
  type FakeServer,
  fakeServer,
  type ScriptedStep,
  scriptedModel,
  textTool,
} from "../../src/testing/index.ts";
import type { ApprovalAnswer, ApprovalQuestion } from "../../src/types/approval.ts";
import type { AuditEntry } from "../../src/types/audit.ts";
import type { HostOptions, PolicyConfig, ServerConfig } from "../../src/types/config.ts";
import type { RunEvent } from "../../src/types/events.ts";
import type { Host } from "../../src/types/host.ts";

/** Three servers: the person's notes, the web, and a chat. */
function flowServers(): Record<"notes" | "web" | "chat", FakeServer> {
  const notes = fakeServer([textTool("read", () => "my diary"), textTool("write", () => "written")]);
  const web = fakeServer([
    textTool("fetch", () => "a page", { annotations: { openWorldHint: true } }),
    textTool("post", () => "posted"),
  ]);
  const chat = fakeServer([textTool("send", () => "sent")]);
  return { notes, web, chat };
}

type FlowServers = ReturnType<typeof flowServers>;

export interface FlowHost extends AsyncDisposable {
  readonly host: Host;
  readonly servers: FlowServers;
  readonly questions: ApprovalQuestion[];
  readonly audit: AuditEntry[];
  /** Has the model make calls, one a turn, and gives back the events. */
  run(names: readonly string[]): Promise<RunEvent[]>;
}

export interface FlowSettings {
  readonly policy?: PolicyConfig;
  readonly more?: Partial<Record<keyof FlowServers, Partial<ServerConfig>>>;
  /** Null: nobody can be asked. */
  readonly answer?: ((question: ApprovalQuestion) => ApprovalAnswer) | null;
  readonly options?: Partial<HostOptions>;
}

/** The steps of a model that makes these calls, one a turn. */
export function stepsOf(names: readonly string[]): ScriptedStep[] {
  return [...names.map((name) => ({ calls: [{ name, input: {} }] })), { text: "done" }];
}

/** A host on the three servers that allows all their tools, unless told otherwise. */
export function openFlowHost(settings: FlowSettings = {}): FlowHost {
  const { policy = { rules: ["allow */*"] }, more = {}, answer = null, options = {} } = settings;
  const servers = flowServers();
  const questions: ApprovalQuestion[] = [];
  const audit: AuditEntry[] = [];
  const host = createHost({
    servers: {
      notes: { ...servers.notes.config, ...more.notes } as ServerConfig,
      web: { ...servers.web.config, private: false, ...more.web } as ServerConfig,
      chat: { ...servers.chat.config, private: false, ...more.chat } as ServerConfig,
    },
    model: scriptedModel([{ text: "unused" }]),
    state: false,
    policy,
    audit: { append: async (entry) => void audit.push(entry) },
    ...(answer === null
      ? {}
      : {
          approve: (request) => {
            questions.push(...request.questions);
            for (const question of request.questions) request.answer(question.id, answer(question));
          },
        }),
    ...options,
  });
  const conversation = host.conversation();
  return {
    host,
    servers,
    questions,
    audit,
    async run(names) {
      const events: RunEvent[] = [];
      const going = conversation.run("go", { model: scriptedModel(stepsOf(names)) });
      for await (const event of going) events.push(event);
      return events;
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}

/** How each call was decided, in order: `notes/read allow rule`. */
export function decisions(events: readonly RunEvent[]): string[] {
  const routes = new Map<string, string>();
  const told: string[] = [];
  for (const event of events) {
    if (event.type === "call_proposed") routes.set(event.callId, `${event.server}/${event.tool}`);
    if (event.type !== "call_decided") continue;
    told.push(`${routes.get(event.callId)} ${event.decision} ${event.by.type}`);
  }
  return told;
}
