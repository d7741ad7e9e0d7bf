import type { ServerConfig } from "../../types/config.ts";
import type { ServerLog } from "../../types/events.ts";
import type { Clock } from "../../types/ports.ts";
import { isObject, own } from "../../util/own.ts";
import { tasksExtension } from "../protocol.ts";
import { createTaskNotices, type TaskNotices } from "../tasks/task-notices.ts";
import { type AnswerRequest, createAnswers, type HostOffer } from "./answer.ts";
import { type Completions, createCompletions } from "./completions.ts";
import { createLogMessages } from "./log-messages.ts";
import { rootsOf } from "./roots.ts";

/** What one server may ask of the host, and what it tells beside its answers; through all its connections. */
export interface ServerRequests {
  /** As `ClientCapabilities`: names exactly what is answered. */
  readonly capabilities: Readonly<Record<string, object>>;
  readonly answer: AnswerRequest;
  readonly completions: Completions;
  readonly tasks: TaskNotices;
  /** Takes a notification; false when it is none of these. */
  notified(method: string, params: unknown): boolean;
}

export interface ServerRequestsSettings {
  readonly server: string;
  readonly config: ServerConfig;
  /** Whether the host has somebody to ask. */
  readonly elicitation: boolean;
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  readonly onLog: (log: ServerLog) => void;
}

export function createServerRequests(settings: ServerRequestsSettings): ServerRequests {
  const { server, config, elicitation, clock, redact } = settings;
  const roots = rootsOf(config.roots ?? [], redact);
  const offer: HostOffer = { elicitation, sampling: config.sampling === true, roots };
  const completions = createCompletions(clock);
  const tasks = createTaskNotices();
  const log = createLogMessages(server, clock, redact, settings.onLog);
  return {
    capabilities: capabilitiesOf(offer, config.tasks !== "never"),
    answer: createAnswers(server, offer, clock, redact),
    completions,
    tasks,
    notified(method, params) {
      if (method === "notifications/message") log(params);
      else if (method === "notifications/elicitation/complete")
        completions.done(isObject(params) ? own(params, "elicitationId") : undefined);
      else return tasks.heard(method, params);
      return true;
    },
  };
}

function capabilitiesOf(
  { elicitation, sampling, roots }: HostOffer,
  tasks: boolean,
): Readonly<Record<string, object>> {
  return {
    ...(elicitation ? { elicitation: { form: {}, url: {} } } : {}),
    ...(sampling ? { sampling: {} } : {}),
    ...(roots.length > 0 ? { roots: {} } : {}),
    ...(tasks ? { extensions: { [tasksExtension]: {} } } : {}),
  };
}
