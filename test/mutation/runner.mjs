// A test runner for the mutation tester. It loads the code, with every change in it, and the tests once, and then runs the
// tests that reach a change, the fast ones first, in the same process: a change costs milliseconds.
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import "./hooks.mjs";
import { createResettableMaps } from "./resettable-maps.mjs";

/** Next to the code, and whole hosts. */
const looking = "{src/{consent,audit},test/{attacks,drift,flows}}/**/*.test.ts";
/** Whoever starts programs looks at what was built, which is never changed; a property that counts its runs needs them all. */
const left = /[\\/]processes[\\/]|(?:real-servers|property)\.test\.ts$/;
const success = 0;
const failed = 1;

class Runner {
  /** What the changed code reads: which change is in force, how often it may still run, and which test it counts for. */
  #space = {};
  #maps = createResettableMaps();
  /** By id: what is to be run, and how many milliseconds it takes when nothing is changed; 0 when that is not known yet. */
  #tests = new Map();
  #ends = [];
  #unseal = async () => {};

  constructor() {
    globalThis.__stryker__ = this.#space;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const seal = await import(pathToFileURL(join(process.cwd(), "test/support/sealed-home.ts")).href);
    this.#unseal = seal.default();
    const { load, tests, ends } = await import("./expect.mjs");
    this.#ends = ends;
    this.#maps.watch();
    for (const file of globSync(looking).sort()) {
      if (!left.test(file)) await load(join(process.cwd(), file));
    }
    this.#maps.unwatch();
    for (const { file, name, run } of tests)
      this.#tests.set(`${file.slice(process.cwd().length + 1)}#${name}`, { run, duration: 0 });
  }

  async dryRun() {
    const results = [];
    for (const [id, test] of this.#tests) {
      this.#space.currentTestId = id;
      const failure = await this.#run(test, 120_000);
      this.#space.currentTestId = undefined;
      results.push(resultOf(id, test, failure));
    }
    return { status: "complete", tests: results, mutantCoverage: this.#space.mutantCoverage };
  }

  async mutantRun({ testFilter, activeMutant, hitLimit }) {
    const ids = (testFilter ?? [...this.#tests.keys()]).map((id) => [id, this.#tests.get(id)]);
    // Another process was asked for the run without a change.
    for (const [, test] of ids) if (test.duration === 0) await this.#run(test, 120_000);
    ids.sort(([, a], [, b]) => a.duration - b.duration);
    const space = this.#space;
    for (const [index, [id, test]] of ids.entries()) {
      this.#maps.reset();
      Object.assign(space, { hitCount: 0, hitLimit, activeMutant: activeMutant.id });
      const limit = 1_000 + 20 * test.duration;
      const failure = await this.#run({ run: test.run }, limit);
      const hits = space.hitCount;
      Object.assign(space, { hitCount: undefined, hitLimit: undefined, activeMutant: undefined });
      if (hits > hitLimit) return { status: "timeout", reason: "The change makes a loop without an end." };
      if (failure === null) continue;
      await this.#mustPass(id, test, failure === waited ? limit : 120_000);
      if (failure === waited) return { status: "timeout", reason: "The test does not end." };
      return { status: "killed", failureMessage: failure, killedBy: [id], nrOfTests: index + 1 };
    }
    return { status: "survived", nrOfTests: ids.length };
  }

  /**
   * A test that fails without the change too was broken by what an earlier change left, or by a busy machine: the process
   * is begun anew.
   */
  async #mustPass(id, test, limit) {
    this.#maps.reset();
    const failure = await this.#run({ run: test.run }, limit);
    if (failure !== null) throw new Error(`Without the change “${id}” fails too: ${failure}`);
  }

  /** Null when it passes. */
  async #run(test, limit) {
    const begun = performance.now();
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, limit, waited);
    });
    try {
      const ended = await Promise.race([test.run(), late]);
      return ended === waited ? waited : null;
    } catch (error) {
      return String(error?.message ?? error);
    } finally {
      clearTimeout(timer);
      test.duration = performance.now() - begun;
    }
  }

  async dispose() {
    for (const end of this.#ends) await end();
    await this.#unseal();
  }
}

const waited = "The test took too long.";

function resultOf(id, { duration }, failure) {
  const result = { id, name: id, timeSpentMs: Math.ceil(duration) };
  return failure === null
    ? { ...result, status: success }
    : { ...result, status: failed, failureMessage: failure };
}

const createRunner = () => new Runner();
// No part of the tester is asked for.
createRunner.inject = [];

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", factory: createRunner }];
