import fc from "fast-check";
import { expect, test } from "vitest";
import { limitsOver } from "../config/limits.ts";
import { HostError } from "../errors.ts";
import { createHost } from "../host.ts";
import { checkOptions } from "./check-options.ts";

const wrong: readonly (readonly [options: unknown, said: string])[] = [
  [undefined, "createHost takes an object with `servers`, such as { servers: {} }."],
  [[], "createHost takes an object with `servers`, such as { servers: {} }."],
  [{}, "`servers` must be an object of servers by id, such as {}."],
  [{ servers: [] }, "`servers` must be an object of servers by id, such as {}."],
  [{ servers: {}, polcy: {} }, 'There is no option `polcy`. Did you mean "policy"?'],
  [{ servers: {}, model: 5 }, "`model` must be a name, such as `anthropic/NAME`, or a Model."],
  [{ servers: {}, model: {} }, "`model` must be a name, such as `anthropic/NAME`, or a Model."],
  [{ servers: {}, fallbackModels: "x" }, "`fallbackModels` must be a list of names and Models."],
  [{ servers: {}, baseUrl: "nope" }, "`baseUrl` must be an address that begins with http: or https:."],
  [{ servers: {}, policy: 5 }, "`policy` must be an object."],
  [{ servers: {}, policy: { rules: "x" } }, "`policy.rules` must be a list."],
  [{ servers: {}, policy: { rule: [] } }, 'There is no option `policy.rule`. Did you mean "policy.rules"?'],
  [{ servers: {}, policy: { trust: [5] } }, "`policy.trust` must be a list of texts."],
  [{ servers: {}, policy: { flows: "on" } }, '`policy.flows` must be one of "ask", "off", "always".'],
  [{ servers: {}, limits: { turns: 0 } }, "`limits.turns` must be a whole number from 1 to 2147483647."],
  [
    { servers: {}, limits: { tokens: Number.POSITIVE_INFINITY } },
    "`limits.tokens` must be a whole number from 0 to 2147483647; 0 means no limit.",
  ],
  [
    { servers: {}, limits: { cost: "1" } },
    "`limits.cost` must be a number from 0 to 2147483647; 0 means no limit.",
  ],
  [{ servers: {}, limits: { turn: 1 } }, 'There is no option `limits.turn`. Did you mean "limits.turns"?'],
  [{ servers: {}, prices: { x: 1 } }, "`prices` must be an object of prices by model."],
  [
    { servers: {}, audit: true },
    "`audit` must be false, an object with `append()`, or an object of options.",
  ],
  [{ servers: {}, audit: { append: 1 } }, "`audit` must be an object with `append()`."],
  [{ servers: {}, audit: { sink: {} } }, "`audit.sink` must be an object with `append()`."],
  [{ servers: {}, telemetry: { exporter: "x" } }, '`telemetry.exporter` must be one of "environment".'],
  [{ servers: {}, approve: true }, "`approve` must be a function."],
  [{ servers: {}, store: "no" }, "`store` must be true or false."],
  [{ servers: {}, maxTokens: "5" }, "`maxTokens` must be a whole number from 1 on."],
];

test.each(wrong)("%j cannot work, and is said in a sentence", (options, said) => {
  expect(() => createHost(options as never)).toThrow(new HostError("config_invalid", said));
});

test("options that are undefined are not given, and a limit then has its default", () => {
  const none = { approve: undefined, limits: { turns: undefined, calls: 3 }, policy: { rules: undefined } };
  expect(() => checkOptions({ servers: {}, ...none })).not.toThrow();
  expect(limitsOver(none.limits as never)).toMatchObject({ turns: 20, calls: 3 });
});

test.each([
  [null, "The options of a run must be an object, such as { maxTurns: 5 }."],
  [{ signal: 5 }, "`signal` must be an AbortSignal."],
  [{ maxTurns: Number.NaN }, "`maxTurns` must be a whole number from 1 on."],
  [{ model: "claude-opus-5" }, "`model` must be a Model; `host.selectModel` makes one of a name."],
  [{ system: 5 }, "`system` must be a text."],
  [{ reads: { untrusted: "yes" } }, "`reads.untrusted` must be true or false."],
  [{ maxTurn: 5 }, 'There is no option `maxTurn`. Did you mean "maxTurns"?'],
  [{ id: 5 }, "`id` must be a text."],
])("%j are no options of a run, which is said before it begins", async (options, said) => {
  await using host = createHost({ servers: {}, model: "offline", state: false });
  const wrongOnes = new HostError("input_invalid", said);
  expect(() => host.run("Hello", options as never)).toThrow(wrongOnes);
  expect(() => host.conversation().run("Hello", options as never)).toThrow(wrongOnes);
});

test("whatever the options are, they are taken or refused with a sentence", () => {
  const keys = ["servers", "model", "policy", "limits", "audit", "telemetry", "prices", "__proto__"];
  const any = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue());
  fc.assert(
    fc.property(any, (options) => {
      try {
        checkOptions(options);
      } catch (thrown) {
        expect(thrown).toMatchObject({
          code: "config_invalid",
          message: expect.stringMatching(/^[^\n]+[.?]$/),
        });
      }
    }),
    { numRuns: 200 },
  );
});
