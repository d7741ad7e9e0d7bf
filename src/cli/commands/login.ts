import type { Login } from "../../index.ts";
import type { AuthorizationRequest } from "../../types/auth.ts";
import { visibleLine } from "../../util/visible.ts";
import { exitCodes } from "../exit-code.ts";
import type { HostFlags } from "../host-flags.ts";
import { loginServer } from "../settings/login-server.ts";
import { shownUrl } from "../settings/written.ts";
import type { Interrupt } from "../terminal/interrupt.ts";
import { openInBrowser } from "../terminal/open-browser.ts";
import { type Paint, paintFor } from "../terminal/paint.ts";
import { readPastedUrl } from "../terminal/pasted-url.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface LoginCommand {
  /** Absent: the logins that are kept are listed. */
  readonly server?: string;
  readonly open: boolean;
  readonly json: boolean;
  readonly flags: HostFlags;
}

/** Takes the person through the login at a server; without a server lists what is kept. */
export async function logInToServer(
  command: LoginCommand,
  terminal: Terminal,
  interrupt: Interrupt,
): Promise<number> {
  const library = await import("../../index.ts");
  if (command.server === undefined) return listed(command, await library.listLogins());
  const { id, config } = await loginServer(command.server, command.flags, terminal);
  terminal.waitFor("the server");
  const login = await library.logIn(id, config, {
    signal: interrupt.signal,
    authorize: (request) => show(request, command, terminal),
  });
  terminal.waitFor(null);
  if (command.json) {
    process.stdout.write(`${visibleLine(JSON.stringify({ server: id, login }))}\n`);
  } else if (login === null) terminal.line("Nothing to do: the server asks for no login.");
  else terminal.line(`Logged in ${loginLine(login, terminal.paint)}`);
  return exitCodes.answered;
}

/** Shows where to log in, and gives what the person pastes; nothing when the browser comes back by itself. */
function show(
  { url, issuer, scopes, redirectUri, signal }: AuthorizationRequest,
  { open }: LoginCommand,
  terminal: Terminal,
): Promise<string | undefined> | undefined {
  terminal.waitFor(null);
  const wants = scopes.length === 0 ? "" : `, to grant: ${scopes.map(visibleLine).join(", ")}`;
  terminal.line(terminal.paint("bold", `Log in at ${visibleLine(issuer)}${wants}`));
  terminal.line(visibleLine(url));
  if (new URL(url).hostname.includes("xn--")) {
    const text = "! The name of this page is written in letters that can look like others.";
    terminal.line(terminal.paint("yellow", text));
  }
  terminal.line(
    terminal.paint(
      "dim",
      `The browser comes back to ${visibleLine(redirectUri)}. If that is on another computer, paste here the address that it ends at.`,
    ),
  );
  if (open) openInBrowser(url, (problem) => terminal.line(terminal.paint("yellow", `! ${problem}`)));
  return readPastedUrl(process.stdin, signal, (problem) => terminal.line(problem));
}

function listed({ json }: LoginCommand, logins: readonly Login[]): number {
  const paint = paintFor(process.stdout);
  const shown = logins.map((login) => ({ ...login, url: shownUrl(login.url) }));
  const lines = json
    ? [visibleLine(JSON.stringify({ logins: shown }))]
    : shown.length === 0
      ? ["No logins are kept."]
      : shown.map((login) => `${visibleLine(login.url)}: ${loginLine(login, paint)}`);
  process.stdout.write(lines.map((line) => `${line}\n`).join(""));
  return exitCodes.answered;
}

function loginLine({ issuer, scopes, endsAt, isRenewed }: Login, paint: Paint): string {
  const granted = scopes.length === 0 ? "" : `, granted: ${scopes.map(visibleLine).join(", ")}`;
  const until = endsAt === undefined ? "" : `, until ${endsAt.slice(0, 16).replace("T", " ")} UTC`;
  return paint("dim", `by ${visibleLine(issuer)}${granted}${isRenewed ? ", made new by itself" : until}`);
}
