import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { hasTmux, type Pane, terminals } from "../chat/tmux.ts";
import { processesOf } from "../command.ts";
import { newcomersPlaces, type Place } from "./place.ts";
import { readableColours } from "./readable-colours.ts";
import { playNewcomer, type Shot } from "./story.ts";

const golden = join(import.meta.dirname, "../../golden/screens");
const openPane = terminals();
const newcomersPlace = newcomersPlaces();

if (!hasTmux)
  process.stderr.write("SKIPPED: no tmux here, so that no test sees the screens of a newcomer.\n");

const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;
const variants = sizes.flatMap((size) => [
  { ...size, colour: true },
  { ...size, colour: false },
]);

function album(shots: readonly Shot[], rowsOf: (shot: Shot) => readonly string[]): string {
  return shots.map((shot) => `=== ${shot.name}\n${rowsOf(shot).join("\n")}\n`).join("\n");
}

/** What is left of a story once it was played. */
interface Played {
  readonly shots: readonly Shot[];
  readonly normal: Place["normal"];
  readonly pane: Pane;
  readonly home: string;
}

/** Plays the story between two looks at the terminal's settings. */
async function play({ columns, rows, colour }: (typeof variants)[number]): Promise<Played> {
  const { home, project: cwd, environment, normal } = newcomersPlace(colour ? {} : { NO_COLOR: "1" });
  const pane = await openPane({ columns, rows, cwd, environment });
  pane.type(`stty -a > ${home}/before; clear`);
  pane.press("Enter");
  await pane.sees(/^\$$/);
  const shots = await playNewcomer(pane);
  pane.type(`stty -a > ${home}/after; echo looked`);
  pane.press("Enter");
  await pane.sees(/\nlooked\n/);
  return { shots, normal, pane, home };
}

/** All at the same time: most of a story is waiting. */
let stories: readonly Played[] = [];
beforeAll(async () => {
  if (hasTmux) stories = await Promise.all(variants.map(play));
}, 120_000);

const settingsOf = (home: string, name: string): string => readFileSync(join(home, name), "utf8");

test.runIf(hasTmux).each(variants.map((variant, index) => ({ ...variant, index })))(
  "five minutes of a newcomer at $columns x $rows, colours: $colour",
  async ({ columns, rows, colour, index }) => {
    const { shots, normal, pane, home } = stories[index] as Played;
    const name = join(golden, `${columns}x${rows}`);
    await expect(album(shots, ({ plain }) => normal(plain))).toMatchFileSnapshot(`${name}.txt`);
    const coloured = album(shots, ({ colours }) => readableColours(normal(colours)));
    if (colour) await expect(coloured).toMatchFileSnapshot(`${name}-colour.txt`);
    else expect(coloured).not.toContain("‹");
    expect(settingsOf(home, "after")).toBe(settingsOf(home, "before"));
    expect(pane.ask("#{cursor_flag} #{alternate_on}")).toBe("1 0");
    pane.type("exit");
    pane.press("Enter");
    await expect.poll(() => processesOf(home), { timeout: 10_000 }).toEqual([]);
  },
);
