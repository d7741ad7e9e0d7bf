// The client that the public conformance suite starts for each scenario: `client.mjs URL`, with the scenario's name,
// the revision and what the scenario hands out in the environment.
import { runHost } from "./run-host.mjs";
import { serverOf } from "./server.mjs";
import { readSkills } from "./skills.mjs";

const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const revision = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? "2026-07-28";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const url = process.argv.at(-1) ?? "";

// The suite may be gone: nobody else would end this process then.
setTimeout(() => process.exit(1), 75_000).unref();

try {
  if (scenario.startsWith("sep-2640-")) await readSkills(url, scenario);
  else await runHost(serverOf(url, scenario, context), revision, context);
} catch (thrown) {
  console.error(thrown);
  process.exitCode = 1;
}
