import { expect, test } from "vitest";
import { environment, homeFolder, root } from "../command.ts";
import { hasTmux, terminals } from "./tmux.ts";

const home = homeFolder();
const openPane = terminals();
const server = "everything=node node_modules/@modelcontextprotocol/server-everything/dist/index.js";

test.runIf(hasTmux)(
  "a prompt of a server: an argument is asked for, what is sent is shown and agreed to; a resource by Tab",
  async () => {
    const pane = await openPane({ cwd: root, environment: environment(home), columns: 100 });
    pane.type(`clear; node dist/cli/main.js chat --model offline --server '${server}'; echo code=$?`);
    pane.press("Enter");
    await pane.sees(/servers: everything[\s\S]*\n>/);
    pane.type("/everything:args");
    pane.press("Tab");
    await pane.sees("> /everything:args-prompt");
    pane.type("city=Paris");
    pane.press("Enter");
    await pane.sees("state>");
    pane.type("France");
    pane.press("Enter");
    await pane.sees(/│ {3}What's weather in Paris, France\?[\s\S]*Send this to the model\?/);
    pane.press("y");
    // The offline model finds a tool in these words.
    await pane.sees("Run everything/get-env?");
    pane.press("n");
    await pane.sees(/not run[\s\S]*\n\n>$/);
    pane.type("see @everything:demo://resource/static/document/fea");
    pane.press("Tab");
    await pane.sees("features.md");
    pane.press("Enter");
    await pane.sees("added everything demo://resource/static/document/features.md (9,889 bytes)");
    await pane.sees(/\n\n>$/);
    pane.type("/everything:args-prompt");
    pane.press("Enter");
    await pane.sees("city>");
    pane.press("C-c");
    await pane.sees("Not sent.");
    pane.press("C-d");
    expect(await pane.sees("code=0")).toBeDefined();
  },
);
