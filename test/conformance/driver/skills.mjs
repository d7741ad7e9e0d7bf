import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";

/**
 * The host itself knows no skills: these scenarios look at the SDK's client for them alone. It lists, and reads where
 * a scenario is about what was read.
 */
export async function readSkills(url, scenario) {
  const client = new Client(
    { name: "drawbridge", version: "0.0.0" },
    { versionNegotiation: { mode: "auto" }, capabilities: {} },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    if (scenario === "sep-2640-client-no-prefetch") return;
    for (const entry of entries) await skills.read(entry);
  } finally {
    await client.close();
  }
}
