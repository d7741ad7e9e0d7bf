// The same work on Drawbridge with everything on: consent rules, validation, flushed audit and journal, budgets.
import { createHost } from "drawbridge-mcp";

/** A hundred rules that do not match, and the ones that do. */
const rules = Array.from({ length: 100 }, (_, index) => `ask other-${index}/tool_* path=/data/${index}/**`);

export async function connect(servers, { stateFolder, model = "claude-opus-5" }) {
  const host = createHost({
    servers,
    model,
    policy: { trust: Object.keys(servers), rules },
    limits: { turns: 1_000, repeatedTurns: 0 },
    state: stateFolder,
  });
  return { host };
}

export async function ask({ host }, question, { onTurn = () => {} } = {}) {
  const run = host.run(question);
  for await (const event of run) if (event.type === "turn_started") onTurn();
  const result = await run.result;
  if (result.stop.type !== "answered") throw new Error(JSON.stringify(result.stop));
  if (result.messages.some((message) => message.content.some((block) => block.isError === true))) {
    throw new Error("a call failed");
  }
  return result;
}

export const close = ({ host }) => host.close();

/** Waits for the servers, as a run does. */
export const ready = ({ host }) => host.tools();

/** One call with a large answer, through every stage: decided, recorded, cut to its budget, the whole kept aside. */
export async function big({ host }, bytes) {
  const result = await host.call("bench", "big", { bytes });
  if (result.isError) throw new Error("the call failed");
}
