import type { Paint } from "../../terminal/paint.ts";
import type { Session } from "../session.ts";

/** What a command of the chat may use. */
export interface CommandContext {
  readonly session: Session;
  readonly paint: Paint;
  /** Columns that a line may have. */
  readonly columns: number;
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Writes one line, escaped already. */
  print(line: string): void;
  /** A question with yes or no; null when nobody can be asked. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
}

/** One command of the chat. */
export interface ChatCommandSpec {
  /** With its slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What may follow it: `[server]`, `FILE`. */
  readonly argument?: string;
  /** One line, in small letters. */
  readonly summary: string;
  /** More lines for `/help COMMAND`. */
  readonly about?: readonly string[];
  /** `leave` ends the chat. Throws a HostError with what the person can do. */
  run(argument: string, context: CommandContext): Promise<"leave" | undefined> | "leave" | undefined;
}
