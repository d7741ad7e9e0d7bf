import { createSecrets } from "../audit/secrets.ts";
import { createCallResolver } from "../calls/resolver.ts";
import { createSchemaValidator } from "../calls/schema-validator.ts";
import { catalogTool } from "../catalog/definition.ts";
import { readEnvironment } from "../config/environment.ts";
import { checkServers } from "../config/servers.ts";
import { stateFolder } from "../config/state-folder.ts";
import { configHash } from "../connections/config-hash.ts";
import { createConsent } from "../consent/consent.ts";
import { noDrift } from "../consent/drift.ts";
import { HostError } from "../errors.ts";
import { openKeptDefinitions } from "../stores/definition-files.ts";
import { hashKeyPath, loadHashKey } from "../stores/hash-key.ts";
import type { HostOptions } from "../types/config.ts";
import type { DefinitionThen } from "../types/definitions.ts";
import type { PolicyExplanation, RunReads } from "../types/policy.ts";
import type { CatalogTool } from "../types/tool.ts";
import { systemClock as clock } from "../util/clock.ts";
import { own } from "../util/own.ts";
import { explanationWithoutSecrets } from "./event-secrets.ts";
import { callOf } from "./explain.ts";
import { policyRules } from "./policy-rules.ts";
import { principalOf } from "./principal.ts";
import { registerSecrets } from "./register-secrets.ts";
import { createFolders, isTrusted } from "./server-settings.ts";

export interface ExplainOptions {
  /** What the run would have read before. Default: nothing. */
  readonly reads?: RunReads;
}

/**
 * What `host.explain` says, without a connection: the definition of the tool is the one of the last run under the same
 * configuration of its server, of the options' `state` folder.
 * @throws HostError `server_unknown`; `call_unknown_tool` for a tool that was not seen; `input_invalid`; `config_invalid`
 */
export async function explainOffline(
  options: HostOptions,
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  { reads }: ExplainOptions = {},
): Promise<PolicyExplanation> {
  const { servers, policy, approve = null } = options;
  const secrets = createSecrets();
  for (const [id, config] of checkServers(servers, (id) => id)) registerSecrets(id, config, secrets);
  let before: DefinitionThen | null = null;
  const consent = createConsent({
    ...policyRules(policy),
    ...{ folderOf: createFolders(servers), approve, clock, redact: secrets.redact },
    drift: { ...noDrift, before: () => before },
  });
  const seen = await seenTool(options, server, tool);
  before = seen.before;
  const call = await callOf(createCallResolver(createSchemaValidator()), seen.tool, args);
  const explained = consent.explain(call, {
    principal: principalOf(options),
    ...(reads === undefined ? {} : { reads }),
  });
  return explanationWithoutSecrets(explained, call.arguments, secrets);
}

interface SeenTool {
  readonly tool: CatalogTool;
  /** What it was before it changed, until a person has accepted the change. */
  readonly before: DefinitionThen | null;
}

async function seenTool(options: HostOptions, server: string, tool: string): Promise<SeenTool> {
  const { servers, state, policy } = options;
  const config = own(servers, server);
  if (config === undefined) throw new HostError("server_unknown", `There is no server "${server}".`);
  const folder = typeof state === "string" ? state : stateFolder(readEnvironment());
  const store = await openKeptDefinitions(folder, clock);
  if (store === null) throw notSeen(server, tool);
  const hash = configHash(server, config, await loadHashKey(hashKeyPath(folder)));
  const of = { principal: principalOf(options), server, configHash: hash };
  const kept = await store.read(of, "seen");
  const { definition = null, before = null } =
    (kept.type === "kept" && kept.tools.find(({ name }) => name === tool)) || {};
  if (definition === null) throw notSeen(server, tool);
  const list = { server, configHash: hash, trusted: isTrusted(server, config, policy) };
  return { tool: catalogTool({ ...list, tools: [definition], quarantined: [] }, definition), before };
}

function notSeen(server: string, tool: string): HostError {
  return new HostError(
    "call_unknown_tool",
    `No run has seen a tool ${server}/${tool} with this configuration of its server: ask the server itself.`,
  );
}
