import type { ImageBlock } from "../types/message.ts";

/** A part of a result on its way to the model: text, or a picture with its price in tokens and its description. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: ImageBlock; readonly tokens: number; readonly label: string };

/** What a call gave, before the output budget. */
export interface Draft {
  readonly callId: string;
  /** How the call is named to the model. */
  readonly alias: string;
  readonly isError: boolean;
  /** True for pages of kept outputs: they are never kept again. */
  readonly paged: boolean;
  readonly pieces: readonly Piece[];
  /** Pictures of a failed call: an error result may hold text only. */
  readonly pictures: readonly Extract<Piece, { type: "image" }>[];
  /** Bytes kept aside because no model could use them. */
  readonly asideBytes: number;
}

export const textPiece = (text: string): Piece => ({ type: "text", text });

/** Whether a model API takes the text as a block: some refuse blocks without a visible character. */
export const isUsable = (text: string): boolean => /\S/.test(text);
