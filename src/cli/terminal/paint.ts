import type { WriteStream } from "node:tty";

type Colour = "red" | "green" | "yellow" | "dim" | "bold";

const codes: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  dim: [2, 22],
  bold: [1, 22],
};

/** Puts a colour around a text, or leaves it as it is. */
export type Paint = (colour: Colour, text: string) => string;

/** What a progress line and colours need of a stream. */
export type Output = Pick<NodeJS.WritableStream, "write"> &
  Partial<Pick<WriteStream, "isTTY" | "columns" | "hasColors">>;

const plain: Paint = (_colour, text) => text;
const painted: Paint = (colour, text) => {
  const [on, off] = codes[colour];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};

/** Colours only where the stream is a terminal that has them; `hasColors` honours NO_COLOR. */
export function paintFor(output: Output): Paint {
  return output.isTTY === true && output.hasColors?.() === true ? painted : plain;
}
