import type { ImageBlock } from "../types/message.ts";

/** A part of a result on its way to the model: text, or a picture with its price in tokens and its description. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly image: ImageBlock; readonly tokens: number; readonly label: string };

export const textPiece = (text: string): Piece => ({ type: "text", text });

/** Whether a model API takes the text as a block: some refuse blocks without a visible character. */
export const isUsable = (text: string): boolean => /\S/.test(text);
