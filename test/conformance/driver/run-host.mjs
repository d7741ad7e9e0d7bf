import { createHost } from "drawbridge-mcp";
import { scriptedModel } from "drawbridge-mcp/testing";
import { accept, agree } from "./agree.mjs";
import { callsOf, correctedCalls, serverId } from "./calls.mjs";

/**
 * One conversation of the real host with the server of a scenario: a model by script calls its tools and corrects what
 * was turned down; then everything else that the server offers is read once. Rejects when the run does not come to its
 * end, or was of another era than the revision's.
 * @param {import("drawbridge-mcp").ServerConfig} server
 * @param {string} revision
 * @param {object} context the suite's own
 */
export async function runHost(server, revision, context) {
  const model = scriptedModel([
    ({ snapshot: { tools } }) => ({ text: "I look.", calls: callsOf(tools, context) }),
    ({ messages }) => ({ text: "I have looked.", calls: correctedCalls(messages) }),
    { text: "That was all." },
  ]);
  const host = createHost({
    servers: { [serverId]: server },
    model,
    policy: { rules: [`allow ${serverId}/*`] },
    authorize: agree,
    elicit: accept,
    state: false,
    audit: false,
  });
  try {
    const { stop, messages } = await host.run("Use what there is.").result;
    for (const { role, content } of messages) if (role === "user") console.log(JSON.stringify(content));
    if (stop.type !== "answered") throw new Error(JSON.stringify(stop));
    checkEra(host, revision);
    await readOffers(host);
  } finally {
    await host.close();
  }
}

/** What is checked of one era says nothing about the other. */
function checkEra(host, revision) {
  const [status] = host.status();
  const era = revision >= "2026-07-28" ? "modern" : "legacy";
  if (status?.era !== era) throw new Error(`The server should be ${era}: ${JSON.stringify(status)}`);
}

async function readOffers(host) {
  const [resources, prompts] = await Promise.all([host.resources(), host.prompts()]);
  for (const { server, entries } of resources)
    for (const { uri } of entries) await host.readResource(server, uri);
  for (const { server, entries } of prompts)
    for (const { name } of entries) await host.getPrompt(server, name);
}
