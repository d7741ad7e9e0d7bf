const names: Readonly<Record<string, string>> = {
  "31": "red",
  "32": "green",
  "33": "yellow",
  "36": "cyan",
  "90": "grey",
};

interface Look {
  readonly bold: boolean;
  readonly dim: boolean;
  readonly colour: string;
}

const plain: Look = { bold: false, dim: false, colour: "" };

function changed(look: Look, code: string): Look {
  if (code === "" || code === "0") return plain;
  if (code === "1") return { ...look, bold: true };
  if (code === "2") return { ...look, dim: true };
  if (code === "22") return { ...look, bold: false, dim: false };
  if (code === "39") return { ...look, colour: "" };
  return /^(?:3|9)\d$/.test(code) ? { ...look, colour: names[code] ?? code } : look;
}

const tag = ({ bold, dim, colour }: Look): string =>
  `‹${[...(bold ? ["bold"] : []), ...(dim ? ["dim"] : []), ...(colour === "" ? [] : [colour])].join(" ")}›`;

/** Rows with their colours as words, wherever they change: how a terminal writes the same look is its own business. */
export function readableColours(rows: readonly string[]): string[] {
  let look = plain;
  let shown = tag(plain);
  return rows.map((row) =>
    row
      .split(/(\u001b\[[0-9;]*m)/)
      .map((part) => {
        const [, codes] = /^\u001b\[([0-9;]*)m$/.exec(part) ?? [];
        if (codes !== undefined) look = codes.split(";").reduce(changed, look);
        if (codes !== undefined || part === "" || tag(look) === shown) return codes === undefined ? part : "";
        shown = tag(look);
        return `${shown}${part}`;
      })
      .join(""),
  );
}
