import { expect, test } from "vitest";
import { scriptedModel } from "../src/testing/scripted-model.ts";
import type { AuditEntry } from "../src/types/audit.ts";
import type { ServerConfig } from "../src/types/config.ts";
import type { RunEvent } from "../src/types/events.ts";
import { startCase } from "./support/case-host.ts";
import { type Checks, check, runnable } from "./support/cases.ts";
import { membersOf } from "./support/members.ts";

const checks: Checks<string> = {
  noOutputContains: (wanted, output) => {
    for (const secret of wanted as string[]) expect(output).not.toContain(secret);
  },
};

/** The servers of a case's config. None of them is there, so nothing of theirs is required or asked for elsewhere. */
function configsOf(config: unknown): Record<string, ServerConfig> {
  const servers = Object.entries(membersOf(membersOf(config).servers));
  return Object.fromEntries(
    servers.map(([id, server]) => {
      const here = JSON.stringify({ ...membersOf(server), required: false }).replace(
        /https?:\/\/[^/]+\//,
        "http://127.0.0.1:9/",
      );
      return [id, JSON.parse(here) as ServerConfig];
    }),
  );
}

test.each(runnable("ops").map((one) => [one.id, one.kind, one] as const))(
  "%s %s",
  async (_id, _kind, one) => {
    const audit: AuditEntry[] = [];
    const listed = { tools: [{ name: "t", description: "t", inputSchema: { type: "object" } }] };
    const told = { stderr: String(one.serverStderr), exit: 1 };
    const plays = { type: "server", script: { "tools/list": { result: listed }, "tools/call": told } };
    const model = scriptedModel([{ calls: [{ name: "telling__t" }] }, { text: "done" }]);
    await using started = await startCase({ telling: { plays } }, model, {
      servers: configsOf(one.config),
      audit: { append: async (entry) => void audit.push(entry) },
    });
    const events: RunEvent[] = [];
    for await (const event of started.host.run("go on")) events.push(event);
    const failed = started.host.status().filter(({ state }) => state === "failed");
    expect(failed.length).toBeGreaterThanOrEqual(Object.keys(configsOf(one.config)).length);
    expect(audit.length).toBeGreaterThan(0);
    expect(JSON.stringify(events)).toContain(String(one.serverStderr).slice(0, 12));
    await check(one, checks, JSON.stringify([events, audit, started.host.status()]));
  },
);
