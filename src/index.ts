export { parseCommand, serverIdFromCommand } from "./config/command.ts";
export { defaultLimits } from "./config/limits.ts";
export { HostError, type HostErrorData } from "./errors.ts";
export { createHost } from "./host.ts";
