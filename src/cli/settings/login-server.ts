import { HostError } from "../../errors.ts";
import type { ServerConfig } from "../../types/config.ts";
import { didYouMean } from "../../util/closest.ts";
import { visibleLine } from "../../util/visible.ts";
import type { HostFlags } from "../host-flags.ts";
import { loadSettings, noSuchServer, serverNamed } from "../settings.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { disabledText } from "./merge.ts";
import { trustCommand } from "./server-lines.ts";

/** The server that a login is about: a configured one by its id, or any by its URL. */
export interface LoginServer {
  readonly id: string;
  readonly config: ServerConfig;
}

/** @throws HostError `server_unknown`, `server_pending`, `config_invalid` */
export async function loginServer(named: string, flags: HostFlags, terminal: Terminal): Promise<LoginServer> {
  if (/^https?:\/\//i.test(named)) return { id: named, config: { type: "http", url: named } };
  const library = await import("../../index.ts");
  const loaded = await loadSettings(flags, library, terminal);
  const server = serverNamed(named, loaded);
  if (server === undefined) {
    const hint = didYouMean(
      named,
      loaded.servers.map(({ id }) => id),
    );
    throw noSuchServer(named, loaded, `${hint} Its URL works as well.`);
  }
  if (server.disabled) throw new HostError("config_invalid", disabledText(server));
  if (server.problem !== undefined) throw new HostError("config_invalid", server.problem);
  if (server.pending) {
    const text = `Nobody agreed to server ${visibleLine(JSON.stringify(server.id))} yet. First: ${trustCommand(server.id)}`;
    throw new HostError("server_pending", text, { data: { server: server.id } });
  }
  return { id: server.id, config: server.config };
}
