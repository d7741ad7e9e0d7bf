import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";

/** Whether tests can have a whole terminal. */
export const hasTmux: boolean = process.platform === "linux" && spawnSync("tmux", ["-V"]).status === 0;

/** A shell in a terminal of its own, as a person would sit before it. */
export interface Pane {
  /** Presses keys by tmux's names: `Enter`, `C-c`, `M-Enter`, `Up`. */
  press(...keys: readonly string[]): void;
  /** Types a text, character by character. */
  type(text: string): void;
  /** Pastes a text at once, marked as a paste when the program asked for that. */
  paste(text: string): void;
  /** The rows of the screen without the empty ones at the end; `colours`: with their escape sequences. */
  screen(colours?: boolean): string[];
  /** Waits until the screen holds the text, and gives the screen. Fails with the screen after 20 s. */
  sees(text: string | RegExp): Promise<string[]>;
  /** A format of tmux, such as `#{cursor_flag}` or `#{alternate_on}`. */
  ask(format: string): string;
}

export interface PaneOptions {
  /** Default: 80 x 24. */
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  /** The whole environment of the shell. */
  readonly environment: Readonly<Record<string, string>>;
}

const patienceMs = 20_000;
/** Opens terminals, each with a shell whose prompt is `$ `. Made at the top of a test file; gone when its tests are done. */
export function terminals(): (options: PaneOptions) => Promise<Pane> {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-tmux-"));
  const socket = join(folder, "socket");
  afterAll(() => {
    spawnSync("tmux", ["-S", socket, "kill-server"]);
    rmSync(folder, { recursive: true, force: true });
  });
  return (options) => openPane(socket, options);
}

async function openPane(socket: string, options: PaneOptions): Promise<Pane> {
  const { columns = 80, rows = 24, cwd, environment } = options;
  const tmux = (...args: readonly string[]) =>
    execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  const variables = Object.entries({ ...environment, PS1: "$ " }).map(([name, value]) => `${name}=${value}`);
  const shell = ["env", "-i", "TERM=tmux-256color", ...variables, "sh"];
  const size = ["-x", `${columns}`, "-y", `${rows}`];
  const id = tmux("new-session", "-d", "-P", "-F", "#{pane_id}", ...size, "-c", cwd, ...shell).trim();
  const screen = (colours = false) =>
    tmux("capture-pane", "-p", ...(colours ? ["-e"] : []), "-t", id)
      .trimEnd()
      .split("\n");
  const pane: Pane = {
    press: (...keys) => void tmux("send-keys", "-t", id, ...keys),
    type: (text) => void tmux("send-keys", "-t", id, "-l", text),
    paste(text) {
      tmux("set-buffer", "-b", "pasted", text);
      tmux("paste-buffer", "-p", "-b", "pasted", "-t", id);
    },
    screen,
    async sees(text) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const rows = screen();
        const whole = rows.join("\n");
        if (typeof text === "string" ? whole.includes(text) : text.test(whole)) return rows;
        if (Date.now() > deadline) throw new Error(`The screen never showed ${text}:\n${whole}`);
        await sleep(50);
      }
    },
    ask: (format) => tmux("display-message", "-p", "-t", id, format).trim(),
  };
  await pane.sees("$");
  return pane;
}

/** Rows in which nothing depends on the speed of the machine: `12 ms`, `1.2 s` and `3 min 5 s` are `TIME`. */
export function withoutTimes(rows: readonly string[]): string[] {
  return rows.map((row) => row.replace(/\d+ min \d+ s|\d+(?:\.\d)? m?s\b/g, "TIME"));
}
