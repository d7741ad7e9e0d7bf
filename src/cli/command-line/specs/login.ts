import type { LoginCommand } from "../../commands/login.ts";
import type { LogoutCommand } from "../../commands/logout.ts";
import { configOptions, readHostFlags } from "../host-options.ts";
import { type CommandEntry, defineCommand, usageError } from "../spec.ts";

export const loginSpec: CommandEntry = defineCommand<LoginCommand>({
  name: "login",
  section: "Set up",
  summary: "log in to a server that asks for it (OAuth)",
  words: [{ name: "SERVER", optional: true }],
  options: [
    { name: "open", help: "open the address in a browser as well" },
    {
      name: "timeout",
      value: "TIME",
      help: "longest wait for you: 30s, 5m, or seconds (at most 10m)",
    },
    { name: "json", help: "write JSON lines: the page to visit, then the result" },
    ...configOptions,
  ],
  about: [
    "Shows the address of the page where you log in and waits until the browser comes back to this computer. On another computer, such as over SSH, open the page there and paste the address that the browser ends at: it cannot be reached, and is all that is needed.",
    "SERVER is a server's id, or the URL of one that is not configured. Logins are kept in the state folder and made new by themselves. Without SERVER those that are kept are listed.",
  ],
  example: "drawbridge login tracker",
  exits: {
    answered: "logged in, not needed, or listed",
    usage: true,
    serverDown: "the server or its authorization server refused",
    unasked: "nobody came to log in",
    interrupted: true,
  },
  read(words) {
    const [server] = words.positionals;
    if (server === undefined && words.has("open"))
      throw usageError("Which server? drawbridge login SERVER --open");
    return {
      ...(server === undefined ? {} : { server }),
      open: words.has("open"),
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/login.ts")).logInToServer,
});

export const logoutSpec: CommandEntry = defineCommand<LogoutCommand>({
  name: "logout",
  section: "Set up",
  summary: "forget the login at a server",
  words: [{ name: "SERVER", optional: true }],
  options: [
    { name: "all", help: "forget the logins at all servers" },
    { name: "json", help: "write the result as one JSON document" },
    ...configOptions,
  ],
  about: [
    "Has the tokens taken back where the authorization server can do that, and forgets them here in any case.",
  ],
  example: "drawbridge logout tracker",
  exits: { answered: "forgotten, or there was nothing", usage: true },
  read(words) {
    const [server] = words.positionals;
    if ((server === undefined) !== words.has("all"))
      throw usageError("Which login? drawbridge logout SERVER, or drawbridge logout --all");
    return {
      ...(server === undefined ? {} : { server }),
      json: words.has("json"),
      flags: readHostFlags(words),
    };
  },
  load: async () => (await import("../../commands/logout.ts")).logOutOfServer,
});
