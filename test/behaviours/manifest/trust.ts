import { type Behaviour, testsIn } from "./behaviour.ts";

const consent = "test/behaviours/consent.test.ts";
const auditLog = "test/behaviours/audit-log.test.ts";

const readOnly = "on a trusted server a read-only tool runs unasked and is in the audit log";
const destructive = "on a trusted server a destructive tool is always asked, with the exact arguments";
const outside = "a tool that reaches outside is asked with a warning that says so";
const retried = "after a timeout %s is called as often as its hint and the trust in it allow";
const untrusted = "hints of an untrusted server never loosen anything";

const hints: Behaviour = {
  id: 10,
  behaviour:
    "Trusted server: read-only runs unasked and is logged, destructive is always asked with the exact arguments, open-world warns, idempotent is retried once after a timeout. Untrusted server: hints never loosen anything.",
  source: [
    "MCP 2026-07-28, Tools: annotations are untrusted unless the server is trusted",
    "ARCHITECTURE.md, invariants 2, 4, 7 and 9",
  ],
  implementation: ["src/consent/hints.ts", "src/consent/weigh.ts", "src/execution/retry.ts"],
  tests: testsIn(consent, readOnly, destructive, outside, retried, untrusted),
  removals: [
    {
      aspect: "trusted: read-only runs unasked",
      file: "src/consent/weigh.ts",
      find: "if (hints.readOnly) {",
      replace: "if (hints.readOnly && hints.destructive) {",
      breaks: readOnly,
    },
    {
      aspect: "trusted: what ran unasked is logged",
      file: "src/audit/durable-log.ts",
      find: "const audited = audit?.append(entry);",
      replace: 'const audited = entry.kind === "call_intended" ? undefined : audit?.append(entry);',
      breaks: readOnly,
    },
    {
      aspect: "trusted: destructive is asked, whatever a rule allows",
      file: "src/consent/weigh.ts",
      find: "if (!hints.destructive || silenced) return base;",
      replace: "if (!hints.destructive || base.rule !== null) return base;",
      breaks: destructive,
    },
    {
      aspect: "the exact arguments are shown",
      file: "src/calls/resolver.ts",
      find: "const json = JSON.stringify(parsed.value);",
      replace: 'const json = "{}";',
      breaks: destructive,
    },
    {
      aspect: "open-world warns",
      file: "src/consent/hints.ts",
      find: 'if (hints.reachesOutside === "yes") warnings.push("Its server says that it reaches outside.");',
      replace: "",
      breaks: outside,
    },
    {
      aspect: "trusted: idempotent is retried after a timeout",
      file: "src/execution/retry.ts",
      find: "return idempotentHint === true || (",
      replace: "return (",
      breaks: retried,
    },
    {
      aspect: "once",
      file: "src/execution/executor.ts",
      find: "const attemptsAtMost = 2;",
      replace: "const attemptsAtMost = 3;",
      breaks: retried,
    },
    {
      aspect: "only what is idempotent or read-only is retried",
      file: "src/execution/retry.ts",
      find: "tool.trusted && repeatable(tool)",
      replace: "tool.trusted",
      breaks: retried,
    },
    {
      aspect: "untrusted: idempotent is not believed",
      file: "src/execution/retry.ts",
      find: "tool.trusted && repeatable(tool)",
      replace: "repeatable(tool)",
      breaks: retried,
    },
    {
      aspect: "untrusted: read-only is not believed",
      file: "src/consent/hints.ts",
      find: "readOnly: tool.trusted && readOnlyHint",
      replace: "readOnly: readOnlyHint",
      breaks: untrusted,
    },
    {
      aspect: "untrusted: a closed world is not believed",
      file: "src/consent/hints.ts",
      find: "const closed = tool.trusted && openWorldHint === false;",
      replace: "const closed = openWorldHint === false;",
      breaks: untrusted,
    },
  ],
};

const thatRan =
  "every call that ran is in the audit log: server, tool, arguments, who allowed it, and how it ended";
const thatDidNotRun = "every call that did not run is in the audit log: denied, unknown, invalid";
const redacted = "secrets in arguments are redacted in the audit log, and nothing else of the arguments is";
const finds = "audit verify finds a line that %s";
const added = "where another file goes on behind the head, only what stands behind that record is a change";
const asWritten = "the audit log of a run is verified as it was written";
const command = "audit verify tells an empty log, a good one, and one that was changed";

const audit: Behaviour = {
  id: 13,
  behaviour:
    "Every call is in the audit log with server, tool, arguments (secrets redacted), decision and outcome; audit verify finds a changed, removed or reordered line.",
  source: [
    "MCP 2026-07-28, Tools, security: log tool usage for audit purposes",
    "ARCHITECTURE.md, invariant 3",
    "docs/decisions/2026-11-30-audit-chain.md",
  ],
  implementation: [
    "src/audit/recorder.ts",
    "src/audit/entries.ts",
    "src/audit/kept-text.ts",
    "src/audit/secrets.ts",
    "src/audit/key-shapes.ts",
    "src/util/hash-chain.ts",
    "src/stores/audit-file.ts",
    "src/stores/verify.ts",
    "src/stores/verify-behind.ts",
    "src/cli/commands/audit/verify.ts",
  ],
  tests: [
    ...testsIn(auditLog, thatRan, thatDidNotRun, redacted, finds, asWritten),
    ...testsIn("test/cli/audit.test.ts", command),
    ...testsIn("src/stores/verify-behind.test.ts", added),
  ],
  removals: [
    {
      aspect: "records that are added behind the end",
      file: "src/stores/verify-behind.ts",
      find: "goesOn.seq >= noted &&",
      replace: "goesOn.seq < 0 &&",
      breaks: added,
    },
    {
      aspect: "server and tool",
      file: "src/audit/entries.ts",
      find: "server: call.tool.route.server,",
      replace: 'server: "",',
      breaks: thatRan,
    },
    {
      aspect: "who decided",
      file: "src/audit/entries.ts",
      find: 'by.type === "rule" ? { ...by, rule: short(by.rule) } : by;',
      replace: '({ ...by, type: "default" });',
      breaks: thatRan,
    },
    {
      aspect: "the outcome",
      file: "src/execution/executor.ts",
      find: "settings.recorder.settled(approved, ended, attempt, context);",
      replace: "",
      breaks: thatRan,
    },
    {
      aspect: "denied calls",
      file: "src/loop/settle.ts",
      find: "ports.recorder.denied(verdict, context);",
      replace: "",
      breaks: thatDidNotRun,
    },
    {
      aspect: "rejected calls",
      file: "src/loop/settle.ts",
      find: "ports.recorder.rejected(entry, context.runId, context.turn);",
      replace: "",
      breaks: thatDidNotRun,
    },
    {
      aspect: "the arguments",
      file: "src/audit/entries.ts",
      find: "json(input)",
      replace: "{}",
      breaks: redacted,
    },
    {
      aspect: "registered secrets are redacted",
      file: "src/audit/kept-text.ts",
      find: "redactKeyShapes(secrets.redact(text))",
      replace: "redactKeyShapes(text)",
      breaks: redacted,
    },
    {
      aspect: "keys are redacted by their shape",
      file: "src/audit/kept-text.ts",
      find: "redactKeyShapes(secrets.redact(text))",
      replace: "secrets.redact(text)",
      breaks: redacted,
    },
    {
      aspect: "a server's secrets are registered",
      file: "src/host/register-secrets.ts",
      find: "secrets.register(`${owner} ${name}`, value);",
      replace: "secrets.register(owner + name, value.slice(0, 0));",
      breaks: redacted,
    },
    {
      aspect: "verify finds a changed line",
      file: "src/util/hash-chain.ts",
      find: "if (hashText(body) !== hash) return null;",
      replace: "",
      breaks: finds,
    },
    {
      aspect: "verify finds a removed or reordered line",
      file: "src/util/hash-chain.ts",
      find: "const { seq } = checked.position;",
      replace:
        "const { seq } = checked.position;\n    if (seq > 0) {\n      position = checked.position;\n      return null;\n    }",
      breaks: finds,
    },
    {
      aspect: "verify finds a removed last line",
      file: "src/util/hash-chain.ts",
      find: "if (head === undefined || position.seq >= head.seq) return null;",
      replace: "if (head === undefined || position.seq >= 0) return null;",
      breaks: finds,
    },
    {
      aspect: "verify leaves a good log alone",
      file: "src/util/hash-chain.ts",
      find: "const seq = previous.seq + 1;",
      replace: "const seq = previous.seq + 2;",
      breaks: asWritten,
    },
  ],
};

export const trustBehaviours: readonly Behaviour[] = [hints, audit];
