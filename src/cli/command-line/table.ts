import type { CommandEntry, OptionSpec } from "./spec.ts";
import {
  auditExportSpec,
  auditHeadSpec,
  auditKeygenSpec,
  auditListSpec,
  auditShowSpec,
  auditVerifySpec,
} from "./specs/audit.ts";
import { callSpec } from "./specs/call.ts";
import { chatSpec } from "./specs/chat.ts";
import { completionSpec } from "./specs/completion.ts";
import { configSpec } from "./specs/config.ts";
import { conversationsSpec } from "./specs/conversations.ts";
import { doctorSpec } from "./specs/doctor.ts";
import { grantsRevokeSpec, grantsSpec } from "./specs/grants.ts";
import { helpSpec } from "./specs/help.ts";
import { importSpec } from "./specs/import.ts";
import { initSpec } from "./specs/init.ts";
import { loginSpec, logoutSpec } from "./specs/login.ts";
import { pathsSpec } from "./specs/paths.ts";
import { policyCheckSpec, policyExplainSpec } from "./specs/policy.ts";
import { promptSpec } from "./specs/prompt.ts";
import { purgeSpec } from "./specs/purge.ts";
import { readSpec } from "./specs/read.ts";
import { runSpec } from "./specs/run.ts";
import { simulateSpec } from "./specs/simulate.ts";
import { toolsSpec } from "./specs/tools.ts";
import { trustSpec, untrustSpec } from "./specs/trust.ts";

/** Every command, in the order of the overview. */
export const commands: readonly CommandEntry[] = [
  runSpec,
  chatSpec,
  callSpec,
  readSpec,
  promptSpec,
  initSpec,
  importSpec,
  doctorSpec,
  configSpec,
  trustSpec,
  untrustSpec,
  loginSpec,
  logoutSpec,
  toolsSpec,
  pathsSpec,
  conversationsSpec,
  policyExplainSpec,
  policyCheckSpec,
  auditListSpec,
  auditShowSpec,
  auditExportSpec,
  auditVerifySpec,
  auditHeadSpec,
  auditKeygenSpec,
  grantsSpec,
  grantsRevokeSpec,
  purgeSpec,
  simulateSpec,
  completionSpec,
  helpSpec,
];

/** The options that every command takes; `--version` stands for itself. */
export const commonOptions: readonly OptionSpec[] = [
  { name: "help", short: "h", help: "this text" },
  { name: "version", short: "v", help: "the version" },
];

/** The options of all commands by name: one name has one form everywhere. */
export const allOptions: ReadonlyMap<string, OptionSpec> = new Map(
  [...commonOptions, ...commands.flatMap((command) => command.options)].map((option) => [
    option.name,
    option,
  ]),
);

/** The commands of a topic: one, those that begin with a word such as `audit`, or none. */
export function commandsOf(topic: string): readonly CommandEntry[] {
  const exact = commands.filter(({ name }) => name === topic);
  return exact.length > 0 ? exact : commands.filter(({ name }) => name.startsWith(`${topic} `));
}

/** The first words of all commands, each once. */
export function firstWords(): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(" ", 1)[0] ?? ""))];
}
