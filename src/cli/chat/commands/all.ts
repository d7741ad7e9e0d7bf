import { auditCommand } from "./audit.ts";
import { clearCommand } from "./clear.ts";
import type { ChatCommandSpec } from "./command.ts";
import { exitCommand } from "./exit.ts";
import { helpCommand } from "./help.ts";
import { modelCommand } from "./model.ts";
import { promptsCommand } from "./prompts.ts";
import { resourcesCommand } from "./resources.ts";
import { saveCommand } from "./save.ts";
import { serversCommand } from "./servers.ts";
import { systemCommand } from "./system.ts";
import { thinkingCommand } from "./thinking.ts";
import { toolsCommand } from "./tools.ts";
import { usageCommand } from "./usage.ts";

/** Every command of the chat, in the order of `/help`. */
export const chatCommands: readonly ChatCommandSpec[] = [
  toolsCommand,
  serversCommand,
  resourcesCommand,
  promptsCommand,
  usageCommand,
  auditCommand,
  modelCommand,
  systemCommand,
  thinkingCommand,
  clearCommand,
  saveCommand,
  helpCommand(() => chatCommands),
  exitCommand,
];
