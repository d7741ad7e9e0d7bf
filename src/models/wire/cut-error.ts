/** The text of a member, as far as it is there. */
const members = {
  message: /"message"\s*:\s*"((?:[^"\\]|\\.)*)/,
  type: /"type"\s*:\s*"((?:[^"\\]|\\.)*)"/,
  code: /"code"\s*:\s*"((?:[^"\\]|\\.)*)"/,
};

/**
 * The API's own words in the beginning of an error's JSON that was too long to be read whole, in the form that all
 * errors have: `{error: {message, type, code}}`. Undefined when there are none.
 */
export function wordsOfCutError(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const found = Object.entries(members).flatMap(([name, pattern]) => {
    const value = unescaped(pattern.exec(text)?.[1]);
    return value === undefined ? [] : [[name, value] as const];
  });
  const error = Object.fromEntries(found);
  return error.message === undefined ? undefined : { error };
}

/** The text that stands in JSON; an escape that was cut at its end is left out. */
function unescaped(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  try {
    return String(JSON.parse(`"${written.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"`));
  } catch {
    return undefined;
  }
}
