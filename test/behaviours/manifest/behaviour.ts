/** A test by its file and its name, as both stand in the source: a name of `test.each` is its template. */
export interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** The smallest edit of the source that takes one aspect of a behaviour out, and that still compiles. */
interface Removal {
  /** What is gone then, in a few words. */
  readonly aspect: string;
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Name of the behaviour's test that fails then. */
  readonly breaks: string;
}

/** One thing that this host promises. Paths are relative to the root of the project. */
export interface Behaviour {
  readonly id: number;
  readonly behaviour: string;
  /** Where the rule comes from. */
  readonly source: readonly string[];
  readonly implementation: readonly string[];
  readonly tests: readonly NamedTest[];
  readonly removals: readonly Removal[];
}

/** Tests of one file. */
export function testsIn(file: string, ...names: readonly string[]): readonly NamedTest[] {
  return names.map((name) => ({ file, name }));
}
