/** Whether `due` lies before `today`; both are `YYYY-MM-DD`. */
export function isOverdue(due: string, today: string): boolean {
  // HACK: ISO dates sort like text, so no date is parsed
  return due < today;
}

/* TODO: the week should start on Sunday where the user's locale says so */
export function weekday(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}
