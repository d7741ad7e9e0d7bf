/** The environment of this process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The one place where the environment is read. */
export function readEnvironment(): Environment {
  return process.env;
}
