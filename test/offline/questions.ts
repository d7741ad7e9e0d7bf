import type { JsonObject } from "../../src/types/json.ts";

/** A call that would be right: `server/tool` and its arguments, without those that equal the schema's defaults. */
type RightCall = readonly [tool: string, given: JsonObject];

/** A question and its right first turn: for each call the ways to make it. No call at all is `[]`. */
export interface Question {
  readonly text: string;
  readonly calls: readonly (readonly RightCall[])[];
}

function one(text: string, ...ways: RightCall[]): Question {
  return { text, calls: [ways] };
}

function none(text: string): Question {
  return { text, calls: [] };
}

function readOf(path: string): RightCall[] {
  return [
    ["workspace/read_file", { path }],
    ["filesystem/read_text_file", { path }],
  ];
}

const todos: RightCall = ["workspace/search_code", { pattern: "TODO|FIXME" }];

/** Written before the rules were; the rules were tuned on these. */
export const questions: readonly Question[] = [
  one("Find all TODO comments in the project and create a summary", todos),
  one("Which HACKs are left in the code?", ["workspace/search_code", { pattern: "HACK" }]),
  one("grep for FIXME in src/server", ["workspace/search_code", { pattern: "FIXME", path: "src/server" }]),
  one("Where is overdueTodos used?", ["workspace/search_code", { pattern: "overdueTodos" }]),
  one(
    'Search the TypeScript files for "JSON.parse"',
    ["workspace/search_code", { pattern: "JSON.parse", glob: "*.ts" }],
    ["workspace/search_code", { pattern: "JSON.parse", glob: "**/*.ts" }],
  ),
  one("Find files named schema.sql", ["filesystem/search_files", { path: ".", pattern: "**/schema.sql" }]),
  one("Find all *.ts files in src", ["filesystem/search_files", { path: "src", pattern: "**/*.ts" }]),
  one("Show me src/shared/dates.ts", ...readOf("src/shared/dates.ts")),
  one(
    "Show the first 5 lines of README.md",
    ["filesystem/read_text_file", { path: "README.md", head: 5 }],
    ["workspace/read_file", { path: "README.md", end_line: 5 }],
  ),
  one("List the directory web with sizes", ["filesystem/list_directory_with_sizes", { path: "web" }]),
  one("How big is web/style.css and when was it modified?", [
    "filesystem/get_file_info",
    { path: "web/style.css" },
  ]),
  one("Read README.md, db/schema.sql and scripts/backup.sh", [
    "filesystem/read_multiple_files",
    { paths: ["README.md", "db/schema.sql", "scripts/backup.sh"] },
  ]),
  one("Create a directory called reports/2026", ["filesystem/create_directory", { path: "reports/2026" }]),
  one('Write "hello world" to notes/hello.txt', [
    "filesystem/write_file",
    { path: "notes/hello.txt", content: "hello world" },
  ]),
  one("Move web/style.css to web/theme.css", [
    "filesystem/move_file",
    { source: "web/style.css", destination: "web/theme.css" },
  ]),
  one("Run `node --version`", ["workspace/run_command", { program: "node", args: ["--version"] }]),
  one("Which directories may you access?", ["filesystem/list_allowed_directories", {}]),
  one("Read the knowledge graph", ["memory/read_graph", {}]),
  one("Create an entity named Ada of type person", [
    "memory/create_entities",
    { entities: [{ name: "Ada", entityType: "person", observations: [] }] },
  ]),
  one('Add the observation "likes tea" to the entity Ada', [
    "memory/add_observations",
    { observations: [{ entityName: "Ada", contents: ["likes tea"] }] },
  ]),
  one("Delete the entity Ada", ["memory/delete_entities", { entityNames: ["Ada"] }]),
  one("Create a relation from Ada to Babbage of type works_with", [
    "memory/create_relations",
    { relations: [{ from: "Ada", to: "Babbage", relationType: "works_with" }] },
  ]),
  one('echo "hello there"', ["everything/echo", { message: "hello there" }]),
  one("What is the sum of 17 and 25?", ["everything/get-sum", { a: 17, b: 25 }]),
  {
    text: "Add 2 and 3 and echo 'hi'",
    calls: [[["everything/get-sum", { a: 2, b: 3 }]], [["everything/echo", { message: "hi" }]]],
  },
  one("Get the structured content for New York", [
    "everything/get-structured-content",
    { location: "New York" },
  ]),
  one("Get 5 resource links", ["everything/get-resource-links", { count: 5 }]),
  one("Print the environment variables", ["everything/get-env", {}]),
  none("Delete web/style.css"),
  none("What is the capital of France?"),
];

/** Written at the same time, kept aside while the rules were made, and only counted at the end. */
export const unseenQuestions: readonly Question[] = [
  one("Are there any FIXME notes left under tools?", [
    "workspace/search_code",
    { pattern: "FIXME", path: "tools" },
  ]),
  one("list what's inside db", ["filesystem/list_directory", { path: "db" }]),
  one("please cat scripts/backup.sh", ...readOf("scripts/backup.sh")),
  one(
    "find markdown files",
    ["filesystem/search_files", { path: ".", pattern: "**/*.md" }],
    ["filesystem/search_files", { path: ".", pattern: "*.md" }],
  ),
  one("compute 3.5 plus -2", ["everything/get-sum", { a: 3.5, b: -2 }]),
  one(
    "what do you know about Grace Hopper in the knowledge graph?",
    ["memory/search_nodes", { query: "Grace Hopper" }],
    ["memory/open_nodes", { names: ["Grace Hopper"] }],
  ),
  one("say 'good morning'", ["everything/echo", { message: "good morning" }]),
  one("rename scripts/backup.sh to scripts/nightly.sh", [
    "filesystem/move_file",
    { source: "scripts/backup.sh", destination: "scripts/nightly.sh" },
  ]),
  one("give me a debug annotated message with an image", [
    "everything/get-annotated-message",
    { messageType: "debug", includeImage: true },
  ]),
  none("Tell me a joke about bridges"),
];
