import { type Behaviour, testsIn } from "./behaviour.ts";

const definitions = "test/behaviours/definitions.test.ts";
const toolList = "test/behaviours/tool-list.test.ts";
const wire = "test/behaviours/wire.test.ts";
const names = "src/catalog/names.test.ts";
const lists = "test/connections/lists.test.ts";

const becomesDefinition =
  "an MCP tool becomes a tool definition of the model, and a missing description becomes empty text";
const sentDefinition =
  "an MCP tool is sent to the Messages API with its input_schema, and without a description as empty text";

const definition: Behaviour = {
  id: 1,
  behaviour:
    "An MCP tool becomes a tool definition: inputSchema becomes input_schema, a missing description becomes empty text.",
  source: ["MCP 2026-07-28, Tools: Tool", "Messages API: tools[].input_schema, tools[].description"],
  implementation: [
    "src/connections/ingest-tools.ts",
    "src/models/anthropic/tools.ts",
    "src/models/schema/lower.ts",
  ],
  tests: [...testsIn(definitions, becomesDefinition), ...testsIn(wire, sentDefinition)],
  removals: [
    {
      aspect: "a missing description becomes empty text",
      file: "src/connections/ingest-tools.ts",
      find: 'typeof raw.description === "string" ? raw.description : ""',
      replace: "String(raw.description)",
      breaks: becomesDefinition,
    },
    {
      aspect: "the server's inputSchema is kept",
      file: "src/connections/ingest-tools.ts",
      find: "readInputSchema(raw.inputSchema)",
      replace: "readInputSchema(undefined)",
      breaks: becomesDefinition,
    },
    {
      aspect: "inputSchema is sent as input_schema",
      file: "src/models/anthropic/tools.ts",
      find: '"input_schema":',
      replace: '"inputSchema":',
      breaks: sentDefinition,
    },
    {
      aspect: "the description is sent",
      file: "src/models/anthropic/tools.ts",
      find: '"description":${JSON.stringify(definition.description)}',
      replace: '"description":""',
      breaks: sentDefinition,
    },
  ],
};

const lonePrefix = "the tools of a lone server have its prefix too";
const sameName =
  "two servers with a tool of the same name are both usable, and each call reaches its own server";
const byTheMap = "a call is routed by the map of what the model saw, never by taking its name apart";
const hostilePairs =
  "no two hostile pairs with distinct slugs share an alias, and every alias is one the model APIs accept";
const hashLike = "a tool that is named like another tool's hashed alias is hashed itself";
const longName = "a long name is cut to 64 characters and stays distinct from its neighbour";
const noSeparator = "a slug never holds the separator";

const alias: Behaviour = {
  id: 2,
  behaviour:
    "Aliases are always prefixed, two servers with the same tool do not collide, calls are routed by the map, and no two hostile pairs share an alias.",
  source: [
    "ARCHITECTURE.md, invariant 5",
    "Messages API: tools[].name matches [a-zA-Z0-9_-]{1,64}",
    "MCP 2026-07-28, Tools: a name is unique within its server only",
  ],
  implementation: ["src/catalog/names.ts", "src/catalog/definition.ts", "src/calls/resolver.ts"],
  tests: [
    ...testsIn(toolList, lonePrefix),
    ...testsIn(definitions, sameName, byTheMap),
    ...testsIn(names, hostilePairs, hashLike, longName, noSeparator),
  ],
  removals: [
    {
      aspect: "always prefixed",
      file: "src/catalog/names.ts",
      find: "const plain = `${slug}__${tool}`;",
      replace: "const plain = tool;",
      breaks: lonePrefix,
    },
    {
      aspect: "the same tool of two servers has two aliases",
      file: "src/catalog/names.ts",
      find: "const slug = slugOf(server);",
      replace: 'const slug = "tools";',
      breaks: sameName,
    },
    {
      aspect: "calls are routed by the map",
      file: "src/calls/resolver.ts",
      find: "snapshot.byAlias.get(block.name)",
      replace: 'snapshot.tools.find((one) => one.route.tool === block.name.split("__").at(-1))',
      breaks: byTheMap,
    },
    {
      aspect: "what is made safe carries a hash of the pair",
      file: "src/catalog/names.ts",
      find: "return `${slug}__${safe}_${hash}`;",
      replace: "return `${slug}__${safe}`;",
      breaks: hostilePairs,
    },
    {
      aspect: "two server ids made safe stay two",
      file: "src/catalog/names.ts",
      find: "return `${start}-${sha256Hex(server).slice(0, 6)}`;",
      replace: "return start;",
      breaks: hostilePairs,
    },
    {
      aspect: "a name that looks hashed is hashed",
      file: "src/catalog/names.ts",
      find: " && !endsLikeHash.test(tool)",
      replace: "",
      breaks: hashLike,
    },
    {
      aspect: "at most 64 characters",
      file: "src/catalog/names.ts",
      find: '"_").slice(0, room);',
      replace: '"_");',
      breaks: longName,
    },
    {
      aspect: "the separator is the first of its kind",
      file: "src/catalog/names.ts",
      find: "(?:_[A-Za-z0-9-]+)*$/",
      replace: "(?:_+[A-Za-z0-9-]+)*$/",
      breaks: noSeparator,
    },
  ],
};

const stableBytes = "the order of the tools and the bytes of their definitions do not change between turns";
const namesAlone =
  "the order of the tools depends on their names alone, not on the config or the servers' lists";
const keyOrder =
  "the bytes of the definitions do not depend on the order of a server's list or of the keys in its schemas";
const appended = "after list_changed the list is read again and the new tool is appended at the next turn";

const order: Behaviour = {
  id: 3,
  behaviour: "The order of the tools and the bytes of their definitions do not change between turns.",
  source: ["ARCHITECTURE.md, invariant 6", "Messages API, prompt caching: tools are the start of the prefix"],
  implementation: [
    "src/catalog/catalog.ts",
    "src/catalog/merge.ts",
    "src/models/anthropic/tools.ts",
    "src/models/schema/lower.ts",
  ],
  tests: [
    ...testsIn(definitions, stableBytes, appended),
    ...testsIn(toolList, namesAlone),
    ...testsIn(wire, keyOrder),
  ],
  removals: [
    {
      aspect: "the order is the same in every turn",
      file: "src/catalog/catalog.ts",
      find: "      from = lists;\n      return latest;",
      replace:
        "      from = lists;\n      latest = frozenSnapshot(latest.version, [...latest.tools].reverse(), latest.quarantined);\n      return latest;",
      breaks: stableBytes,
    },
    {
      aspect: "the order depends on names alone",
      file: "src/catalog/merge.ts",
      find: "const all = inOrder(lists.flatMap((list) => list.tools.map((tool) => catalogTool(list, tool))));",
      replace: "const all = lists.flatMap((list) => list.tools.map((tool) => catalogTool(list, tool)));",
      breaks: namesAlone,
    },
    {
      aspect: "the keys of a schema are sent in one order",
      file: "src/models/schema/lower.ts",
      find: "stableJson(withoutDangling(complete, complete, dialect))",
      replace: "JSON.stringify(withoutDangling(complete, complete, dialect))",
      breaks: keyOrder,
    },
    {
      aspect: "a gone tool keeps its place",
      file: "src/catalog/merge.ts",
      find: "tools: [...kept, ...fresh.values()]",
      replace: "tools: [...kept.filter((tool) => tool.listed), ...fresh.values()]",
      breaks: appended,
    },
  ],
};

const readOnce = "the tool list is read once with all its pages, however many turns there are";
const afterTtl = "a list is read again once its ttlMs has passed, and not before";
const withoutTtl = "without ttlMs a list stays good until a change is announced";
const oldAnnounces = "a change that an old server announces is in the next list";
const listening =
  "a change that a server announces over subscriptions/listen reaches the model, appended to its list";
const boundary =
  "a change counts from the next turn on: within a turn, calls are routed by the list that the model saw";

const list: Behaviour = {
  id: 4,
  behaviour:
    "tools/list is read once with all its pages, cached, ttlMs is respected, and it is read again after list_changed (pushed, or over subscriptions/listen); a change is applied at a turn boundary by appending.",
  source: [
    "MCP 2026-07-28, Tools: listing, pagination, caching (ttlMs), subscriptions/listen",
    "MCP 2025-11-25, Tools: notifications/tools/list_changed",
    "ARCHITECTURE.md, invariant 6",
  ],
  implementation: [
    "src/connections/lists.ts",
    "src/connections/paging.ts",
    "src/connections/ingest-receive.ts",
    "src/connections/listening.ts",
    "src/connections/bring-up.ts",
    "src/catalog/merge.ts",
    "src/loop/run.ts",
  ],
  tests: [
    ...testsIn(definitions, readOnce, appended),
    ...testsIn(toolList, boundary, listening),
    ...testsIn(lists, afterTtl, withoutTtl, oldAnnounces),
  ],
  removals: [
    {
      aspect: "read once",
      file: "src/connections/lists.ts",
      find: "(!stale && clock.now() < expiresAt) || clock.now() < notBefore",
      replace: "clock.now() < notBefore",
      breaks: readOnce,
    },
    {
      aspect: "all pages",
      file: "src/connections/paging.ts",
      find: "...(nextCursor === null ? {} : { nextCursor }),",
      replace: "",
      breaks: readOnce,
    },
    {
      aspect: "read again after ttlMs",
      file: "src/connections/lists.ts",
      find: "read.ttlMs > 0 ? clock.now() + read.ttlMs : Number.POSITIVE_INFINITY",
      replace: "Number.POSITIVE_INFINITY",
      breaks: afterTtl,
    },
    {
      aspect: "not read again without ttlMs",
      file: "src/connections/lists.ts",
      find: "read.ttlMs > 0 ? clock.now() + read.ttlMs : Number.POSITIVE_INFINITY",
      replace: "clock.now() + read.ttlMs",
      breaks: withoutTtl,
    },
    {
      aspect: "read again after a pushed list_changed",
      file: "src/connections/ingest-receive.ts",
      find: "state.onToolsChanged();",
      replace: "return;",
      breaks: oldAnnounces,
    },
    {
      aspect: "a subscription to changes is kept open",
      file: "src/connections/bring-up.ts",
      find: 'opened.era === "modern" && filter !== null',
      replace: 'opened.era === "legacy" && filter !== null',
      breaks: listening,
    },
    {
      aspect: "applied at a turn boundary",
      file: "src/loop/run.ts",
      find: "await answerCalls(turn, last, snapshot, next,",
      replace: "await answerCalls(turn, last, await ports.catalog.snapshot(settings.signal), next,",
      breaks: boundary,
    },
    {
      aspect: "applied by appending",
      file: "src/catalog/merge.ts",
      find: "tools: [...kept, ...fresh.values()]",
      replace: "tools: inOrder([...kept, ...fresh.values()])",
      breaks: appended,
    },
  ],
};

export const toolBehaviours: readonly Behaviour[] = [definition, alias, order, list];
