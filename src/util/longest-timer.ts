/** The longest time that a timer can take, in ms: a longer one would fire at once. */
export const longestTimerMs = 2_147_483_647;
