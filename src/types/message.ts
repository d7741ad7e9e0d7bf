/** Words of the person or the model. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** Image types that every model API with vision accepts. */
export type ImageMediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** An image whose type was read from its bytes. `data` is plain base64 without whitespace. */
export interface ImageBlock {
  readonly type: "image";
  readonly mediaType: ImageMediaType;
  readonly data: string;
}

/** What the model showed of its reasoning; the provider's signed original lives in `AssistantMessage.native`. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly text: string;
}

/**
 * A call the model proposed. `name` is the alias the model saw; `input` is the raw text of the arguments
 * exactly as the model wrote it, not yet parsed, so that duplicate keys and unsafe numbers stay visible.
 */
export interface ToolCallBlock {
  readonly type: "tool_call";
  /** Unique in the transcript. */
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** The answer to one call. An error holds text only, and never no text at all. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly callId: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** The provider's own form of a turn: replayed byte for byte to the same API and model. */
export interface NativeTurn {
  readonly api: string;
  readonly model: string;
  /** JSON text in the provider's form; `[]` for a turn with nothing in it. */
  readonly json: string;
}

/** Tool results come first, in call order; other content follows. */
export interface UserMessage {
  readonly role: "user";
  readonly content: readonly (TextBlock | ImageBlock | ToolResultBlock)[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly (TextBlock | ThinkingBlock | ToolCallBlock)[];
  readonly native?: NativeTurn;
}

/** Messages are immutable once made: adapters cache their wire form by identity. */
export type Message = UserMessage | AssistantMessage;
