/** What was expected where a rule is not valid; the reader of rules adds which rule it is. */
export class RuleProblem extends Error {}
