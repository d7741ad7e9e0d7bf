import type { Pane } from "../chat/tmux.ts";

/** A screen of the story, as it was when everything that belongs on it was there. */
export interface Shot {
  readonly name: string;
  readonly plain: readonly string[];
  readonly colours: readonly string[];
}

const prompt = /\n>$/;
const shell = /\n\$$/;
/** The question of a call with its choices, and nothing pressed yet. */
const choices = /\[m\] deny and say why.*$/;

/** Five minutes of somebody who has never seen the command. Gives the screens that they saw. */
export async function playNewcomer(pane: Pane): Promise<Shot[]> {
  const shots: Shot[] = [];
  async function shot(name: string, until: RegExp): Promise<void> {
    const plain = await pane.sees(until);
    shots.push({ name, plain, colours: pane.screen(true) });
  }
  async function say(text: string, name: string, until: RegExp): Promise<void> {
    pane.press("C-l");
    pane.type(text);
    await pane.sees(text.slice(-12));
    pane.press("Enter");
    await shot(name, until);
  }
  async function enter(line: string, name: string, until: RegExp): Promise<void> {
    pane.type(`clear; ${line}`);
    pane.press("Enter");
    await shot(name, until);
  }

  await enter("drawbridge init", "init offers what another host has", /Which of these[\s\S]*wiki[\s\S]*└/);
  pane.press("Enter");
  await shot("init is done", /drawbridge chat .*[\s\S]*\n\$$/);
  await enter("drawbridge doctor", "doctor says what is missing", /No model[\s\S]*\n\$$/);
  await enter(
    "drawbridge import --dry-run",
    "import shows, and writes nothing",
    /Nothing was written[\s\S]*\n\$$/,
  );
  await enter("drawbridge trust workspace", "what the project's server starts", /\[n\] not now$/);
  pane.press("y");
  await shot("it is agreed to", /Agreed, as long[\s\S]*\n\$$/);
  await enter(
    "drawbridge chat",
    "the first screen of a chat",
    /workspace.* 3 tools[\s\S]*\n>$|\(3 tools\)\n>$/,
  );
  await inChat(pane, say, shot);
  pane.press("C-d");
  await pane.sees(shell);
  return shots;
}

async function inChat(
  pane: Pane,
  say: (text: string, name: string, until: RegExp) => Promise<void>,
  shot: (name: string, until: RegExp) => Promise<void>,
): Promise<void> {
  await say('Read the file "a.txt"', "a question", choices);
  pane.press("m");
  await pane.sees("Why not?");
  pane.type("ask me later");
  await pane.sees("ask me later");
  pane.press("Enter");
  await shot("denied with a message", /was not run[\s\S]*1 call\n\n>$/);
  await say('Read the file "a.txt"', "the same question", choices);
  pane.press("a");
  await shot("allowed always", /The bridge is up[\s\S]*1 call\n\n>$/);
  await say('Read the file "a.txt"', "no question any more", /allowed earlier[\s\S]*1 call\n\n>$/);
  const long = `${"one two three four ".repeat(33)}five`;
  pane.press("C-l");
  pane.paste(`Search the code for "${long}"`);
  await pane.sees(/five"$/);
  pane.press("Enter");
  await shot("a long argument is folded", /\[s\] show everything/);
  pane.press("s");
  await shot("all of it is shown", /four five"[\s\S]*\[m\] deny and say why$/);
  pane.press("c");
  await pane.sees(/No line contains[\s\S]*1 call\n\n>$/);
  await say("Run the command program=cat", "a question about a command", choices);
  pane.press("y");
  // Until it is known to be with the server, a call that is stopped is one that never ran.
  await pane.sees(/… workspace\/run_command .* · [1-9] s/);
  pane.press("C-c");
  await shot("a call is stopped", /Stopped\. The conversation goes on[\s\S]*\n\n>$/);
  await say("/usage", "usage", /all .*out\n>$/);
  await say("/tools", "tools", /search_code[^\n]*\n>$/);
  await pane.sees(prompt);
}
