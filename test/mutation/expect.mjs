// Stands for `vitest` where the tests run in the process of the mutation tester: the same `expect`, and tests that are
// kept in a list to be run again and again.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
const { JestAsymmetricMatchers, JestChaiExpect, JestExtend, ASYMMETRIC_MATCHERS_OBJECT, chai } = await import(
  pathToFileURL(resolve("@vitest/expect")).href
);
for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect);
Object.assign(expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
expect.unreachable = (message = "") => chai.assert.fail(`expected not to be reached ${message}`);

/** Every test that was declared: `{ file, name, run }`. */
export const tests = [];
/** What is to be done once no test is run any more. */
export const ends = [];
let loading = { file: "", before: [], after: [] };
let finished = [];

/** Imports a file; its tests are added to the list. */
export async function load(file) {
  loading = { file, before: [], after: [] };
  await import(pathToFileURL(file).href);
}

export function test(name, run) {
  if (typeof run !== "function") throw new Error(`A test with options is not known here: ${name}`);
  const { file, before, after } = loading;
  tests.push({ file, name, run: () => runWith(before, run, after) });
}

async function runWith(before, run, after) {
  const own = [];
  finished = own;
  try {
    for (const hook of before) await hook();
    await run();
  } finally {
    for (const hook of [...own.reverse(), ...after]) await hook();
  }
}

export const beforeEach = (hook) => void loading.before.push(hook);
export const afterEach = (hook) => void loading.after.push(hook);
export const afterAll = (hook) => void ends.push(hook);
export const onTestFinished = (hook) => void finished.push(hook);

test.runIf = (condition) => (condition ? test : () => {});
test.skipIf = (condition) => test.runIf(!condition);
test.each = (rows) => (name, run) => {
  rows.forEach((row, index) => {
    const values = Array.isArray(row) ? row : [row];
    test(`${name} [${index}]`, () => run(...values));
  });
};
