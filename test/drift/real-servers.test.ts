import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { createHost } from "../../src/host.ts";

const packageMain = (name: string) => `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
const server = (name: string, ...args: string[]) => ({ command: "node", args: [packageMain(name), ...args] });

test("the public servers, used together, look like nobody else's and speak of nobody else's tools", async () => {
  const servers = {
    everything: server("everything"),
    filesystem: server("filesystem", tmpdir()),
    memory: server("memory"),
    thinking: server("sequential-thinking"),
    work: server("filesystem", tmpdir()),
  };
  await using host = createHost({ servers, model: "offline", state: false, audit: false });
  const { tools, warnings } = await host.tools();
  expect(tools.length).toBeGreaterThan(40);
  expect(warnings).toBeUndefined();
});
