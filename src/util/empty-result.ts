/** Stands for a tool's result without anything in it: some model APIs refuse empty ones. */
export const emptyResult = "(no output)";

/** Stands for an error of a tool that says nothing, where a model API takes texts alone. */
export const emptyError = "The tool failed and gave no reason.";
