import { expect, test } from "vitest";
import { readUrl } from "../../../src/connections/elicitation/read-url.ts";
import type { ElicitationRequest } from "../../../src/types/elicitation.ts";
import { ofType, runCalls } from "./ask-host.ts";
import { askingServer, inputRequired, textResult } from "./asking-server.ts";

const params = (url: string) => ({ mode: "url", message: "Open this.", url, elicitationId: "e1" });

test.each(["legacy", "modern"] as const)(
  "a %s server asks for an address to be opened, and gets no content",
  async (era) => {
    const url = "https://example.com/connect?state=abc";
    const asked: ElicitationRequest[] = [];
    const server = askingServer({
      era,
      tools: ["t"],
      async call({ ask, params: given }) {
        if (era === "legacy") return textResult(JSON.stringify(await ask("elicitation/create", params(url))));
        if (given.inputResponses !== undefined) return textResult(JSON.stringify(given.inputResponses));
        return inputRequired({ a: { method: "elicitation/create", params: params(url) } });
      },
    });
    const { told, entries } = await runCalls(server, ["t"], {
      elicit(request) {
        asked.push(request);
        return { action: "accept", content: { secret: "never sent" } };
      },
    });
    expect(asked[0]).toMatchObject({ mode: "url", url, warnings: [] });
    expect(told).toContain('{"action":"accept"}');
    expect(entries.find(({ kind }) => kind === "elicitation_asked")).toMatchObject({ mode: "url", url });
  },
);

test.each([
  ["http://example.com/", "neither https"],
  ["http://app.localhost/", "neither https"],
  ["http://127.0.0.1.example.com/", "neither https"],
  ["http://[64:ff9b::7f00:1]/", "neither https"],
  ["javascript:alert(1)", "neither https"],
  ["file:///etc/passwd", "neither https"],
  ["data:text/html,x", "neither https"],
  ["https://good.example\\@evil.example", "read in more than one way"],
  ["https://good.example/\u202efdp", "cannot be seen"],
  ["https://good.example/\u001b[2K", "cannot be seen"],
  ["https://a b.example", "no URL"],
  ["https://good.example/ x", "read in more than one way"],
  [`https://example.com/${"a".repeat(5_000)}`, "no URL of at most"],
  [undefined, "no URL"],
])("the address %j is not even shown", (url, reason) => {
  expect(readUrl("?", url)).toContain(reason);
});

test.each([
  ["https://аpple.com/", "letters that may look like others: it is really xn--pple-43d.com"],
  ["https://xn--pple-43d.com/", "letters that may look like others"],
  ["https://bank.example@evil.example/", "no site: the address leads to evil.example"],
  ["https://example.com/п", "characters that may look like others"],
  ["https://203.0.113.7/", "names no site, but the machine 203.0.113.7"],
])("%s is shown as it was written, with a warning", (url, warning) => {
  expect(readUrl("?", url)).toMatchObject({ url, warnings: [expect.stringContaining(warning)] });
});

test.each(["http://localhost:8080/x", "http://127.0.0.1/", "http://[::1]:3/", "https://example.com/a?b=c#d"])(
  "%s needs no warning",
  (url) => {
    expect(readUrl("?", url)).toMatchObject({ mode: "url", url, warnings: [] });
  },
);

/** A legacy server that begins only once something was opened (error -32042). */
function lockedServer(complete: boolean) {
  let tries = 0;
  const server = askingServer({
    era: "legacy",
    tools: ["t"],
    call({ send }) {
      tries += 1;
      if (tries > 1) return textResult("unlocked");
      if (complete) {
        setTimeout(
          () => send({ method: "notifications/elicitation/complete", params: { elicitationId: "e1" } }),
          20,
        );
      }
      const elicitations = [params("https://example.com/unlock")];
      return { error: { code: -32042, message: "Locked.", data: { elicitations } } };
    },
  });
  return { server, tries: () => tries };
}

test("a call that needs something opened first is sent again once the server says that it is done", async () => {
  const { server, tries } = lockedServer(true);
  const { told, events } = await runCalls(server, ["t"], { elicit: () => ({ action: "accept" }) });
  expect([told, tries()]).toEqual(["unlocked", 2]);
  expect(ofType(events, "elicitation_requested")).toMatchObject([{ mode: "url" }]);
});

test("a call that needs something opened first is not sent again when the person says no", async () => {
  const { server, tries } = lockedServer(false);
  const { told } = await runCalls(server, ["t"], { elicit: () => ({ action: "decline" }) });
  expect(tries()).toBe(1);
  expect(told).toContain("The person did not open what the server needs first.");
});

test("where nobody can be asked, such an error is one like any other", async () => {
  const { server, tries } = lockedServer(false);
  const { told } = await runCalls(server, ["t"]);
  expect(tries()).toBe(1);
  expect(told).toContain("-32042");
});
