import { type Behaviour, testsIn } from "./behaviour.ts";

const results = "test/behaviours/results.test.ts";
const wire = "test/behaviours/wire.test.ts";
const structured = "src/results/structured.test.ts";

const textAndImage = "text and image results are mapped";
const described = "audio, resource_link and resource are described, and no base64 is sent as text";
const preferred = "structured content is preferred when the tool's outputSchema accepts it";
const hidesNothing = "structured content that its outputSchema refuses hides nothing of the text";
const longText = "with an outputSchema the structured content goes before a long text, which is kept";

const kinds: Behaviour = {
  id: 5,
  behaviour:
    "Text and image results are mapped; audio, resource_link and resource are described; structuredContent is preferred when the tool has an outputSchema that it satisfies.",
  source: [
    "MCP 2026-07-28, Tools: content kinds, structuredContent, outputSchema",
    "Messages API: tool_result content is text and image; an image's media type is that of its bytes",
  ],
  implementation: [
    "src/results/mapper.ts",
    "src/results/draft.ts",
    "src/results/blocks.ts",
    "src/results/image.ts",
    "src/results/structured.ts",
  ],
  tests: [
    ...testsIn(results, textAndImage, described, preferred, hidesNothing),
    ...testsIn(structured, longText),
  ],
  removals: [
    {
      aspect: "text",
      file: "src/results/draft.ts",
      find: "if (text !== null) pieces.push(textPiece(text));",
      replace: "",
      breaks: textAndImage,
    },
    {
      aspect: "image",
      file: "src/results/blocks.ts",
      find: "return imagePieces(block, keep);",
      replace: 'return binaryPieces("Image", block.mimeType, block.data, keep);',
      breaks: textAndImage,
    },
    {
      aspect: "an image's type is that of its bytes",
      file: "src/results/image.ts",
      find: 'image: { type: "image", mediaType, data: bytes.text }',
      replace: 'image: { type: "image", mediaType: declared as typeof mediaType, data: bytes.text }',
      breaks: textAndImage,
    },
    {
      aspect: "audio is described, not sent",
      file: "src/results/blocks.ts",
      find: 'return binaryPieces("Audio", block.mimeType, block.data, keep);',
      replace: "return { pieces: [textPiece(block.data)], asideBytes: 0 };",
      breaks: described,
    },
    {
      aspect: "resource_link",
      file: "src/results/blocks.ts",
      find: "pieces: [textPiece(linkLine(block))]",
      replace: "pieces: []",
      breaks: described,
    },
    {
      aspect: "resource",
      file: "src/results/blocks.ts",
      find: "return resourcePieces(block, keep);",
      replace: "return { pieces: [], asideBytes: 0 };",
      breaks: described,
    },
    {
      aspect: "structuredContent",
      file: "src/results/draft.ts",
      find: "if (json !== null) pieces.push(textPiece(json));",
      replace: "",
      breaks: preferred,
    },
    {
      aspect: "structuredContent is preferred",
      file: "src/results/structured.ts",
      find: "const preferred = tool?.definition.outputSchema !== undefined",
      replace: "const preferred = tool === null",
      breaks: preferred,
    },
    {
      aspect: "only structuredContent that satisfies the outputSchema is preferred",
      file: "src/results/structured.ts",
      find: "if (checked.valid) return null;",
      replace: "if (checked.valid || checked.problems.length > 0) return null;",
      breaks: hidesNothing,
    },
  ],
};

const toolsWords =
  "an error of a tool reaches the model as an error with the tool's words, and the host does not repeat the call";
const sentAsError =
  "an error of a tool is sent to the Messages API as is_error with the tool's words, and a success is not";

const errors: Behaviour = {
  id: 6,
  behaviour:
    "isError reaches the model as is_error with the tool's words, is never retried by the host, and the model can correct itself.",
  source: [
    "MCP 2026-07-28, Tools: error handling, isError",
    "Messages API: tool_result.is_error; its content is text and not empty",
    "ARCHITECTURE.md, invariant 7",
  ],
  implementation: [
    "src/connections/ingest-content.ts",
    "src/results/draft.ts",
    "src/models/anthropic/message.ts",
    "src/execution/retry.ts",
    "src/loop/run.ts",
  ],
  tests: [...testsIn(results, toolsWords), ...testsIn(wire, sentAsError)],
  removals: [
    {
      aspect: "isError is read",
      file: "src/connections/ingest-content.ts",
      find: "isError: readIsError(isError, repairs)",
      replace: "isError: false",
      breaks: toolsWords,
    },
    {
      aspect: "isError is sent as is_error",
      file: "src/models/anthropic/message.ts",
      find: `',"is_error":true' : ""`,
      replace: `"" : ""`,
      breaks: sentAsError,
    },
    {
      aspect: "with the tool's words",
      file: "src/results/draft.ts",
      find: "pieces: notEmpty(texts, true), pictures,",
      replace: 'pieces: [textPiece("The tool failed.")], pictures,',
      breaks: toolsWords,
    },
    {
      aspect: "never retried by the host",
      file: "src/execution/retry.ts",
      find: 'if (outcome.type === "answered" ||',
      replace: 'if (outcome.type === "answered") return outcome.reply.isError;\n  if (',
      breaks: toolsWords,
    },
    {
      aspect: "the model can correct itself",
      file: "src/loop/run.ts",
      find: 'if (next.type === "answer_cut_calls" && next.stop !== null)',
      replace:
        'const failed = ports.transcript.messages.at(-1)?.content.some((block) => "isError" in block && block.isError);\n      if (failed) return { stop: { type: "answered" }, message: last };\n      if (next.type === "answer_cut_calls" && next.stop !== null)',
      breaks: toolsWords,
    },
  ],
};

const bigOutput =
  "a big output is cut at the budget, says so, and stays readable through the built-in paging tool";
const noConsent = "the host's own tools are allowed whatever the rules say, and are never hidden";
const wholeByPages = "the pages of any output put together are the output, and none is over the budget";

const budget: Behaviour = {
  id: 11,
  behaviour:
    "A big output is cut at the budget and says so, and the full text stays readable to the model through a built-in paging tool.",
  source: ["DESIGN: output budget per result and per turn", "MCP 2026-07-28, Tools: results are untrusted"],
  implementation: [
    "src/results/fit.ts",
    "src/results/cut-text.ts",
    "src/results/aside.ts",
    "src/results/pager.ts",
    "src/results/pager-tool.ts",
    "src/host/parts.ts",
  ],
  tests: [
    ...testsIn(results, bigOutput),
    ...testsIn("src/consent/policy.test.ts", noConsent),
    ...testsIn("src/results/pager.test.ts", wholeByPages),
  ],
  removals: [
    {
      aspect: "cut at the budget",
      file: "src/results/fit.ts",
      find: "if (measured.tokens <= allowance) return",
      replace: "if (measured.tokens >= 0) return",
      breaks: bigOutput,
    },
    {
      aspect: "says how much is left out",
      file: "src/results/cut-text.ts",
      find: "const marker = `${before}[… ${count(missing)} bytes${lines} left out …]\\n`;",
      replace: "const marker = before;",
      breaks: bigOutput,
    },
    {
      aspect: "says how to read the whole",
      file: "src/results/fit.ts",
      find: "[...cut.pieces, noted]",
      replace: "cut.pieces",
      breaks: bigOutput,
    },
    {
      aspect: "the full text is kept",
      file: "src/results/aside.ts",
      find: "spill.put(runId, text)",
      replace: "spill.put(runId, text.slice(0, 10_000))",
      breaks: bigOutput,
    },
    {
      aspect: "the paging tool is offered to the model",
      file: "src/host/parts.ts",
      find: "builtin: pagerTools,",
      replace: "builtin: { ...pagerTools, tools: [] },",
      breaks: bigOutput,
    },
    {
      aspect: "the paging tool needs nobody's consent",
      file: "src/consent/policy.ts",
      find: "return route.server === builtinServer;",
      replace: 'return route.server === "";',
      breaks: noConsent,
    },
    {
      aspect: "every part of the full text can be read",
      file: "src/results/pager.ts",
      find: 'const first = Math.max(0, integer(given, "offset", 1) - 1);',
      replace: "const first = 0;",
      breaks: wholeByPages,
    },
  ],
};

export const resultBehaviours: readonly Behaviour[] = [kinds, errors, budget];
