import type { ImageBlock, TextBlock } from "./message.ts";

/** An argument of a prompt, always a text (MCP `PromptArgument`). */
export interface ServerPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** A prompt as its server listed it, sanitised (MCP `Prompt`). Every text is the server's and not escaped. */
export interface ServerPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly ServerPromptArgument[];
}

/** One message of a prompt, its content as a model takes it. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly blocks: readonly (TextBlock | ImageBlock)[];
}

/** A prompt with its arguments filled in (MCP `GetPromptResult`). Its words are the server's. */
export interface FilledPrompt {
  readonly server: string;
  readonly name: string;
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  /** Its messages as the input of a run, marked as the server's words. */
  readonly input: readonly (TextBlock | ImageBlock)[];
}

/** What an argument belongs to that is completed. */
export type CompletionReference =
  | { readonly type: "prompt"; readonly name: string }
  | { readonly type: "resource"; readonly uriTemplate: string };

/** What an argument may be (MCP `completion/complete`). */
export interface ArgumentCompletion {
  /** At most 100, each of at most 1,000 characters, none with control characters. */
  readonly values: readonly string[];
  /** There are more than these. */
  readonly hasMore: boolean;
}
