const mostHeadings = 12;
const mostSentences = 3;

/** An extract of a longer text: its size, its headings and its first sentences. */
export function summaryText(text: string): string {
  const lines = text.split("\n");
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  const headings = lines.filter((line) => /^#{1,4} \S/.test(line)).slice(0, mostHeadings);
  const prose = lines.filter((line) => /^[\p{L}"'(]/u.test(line) && line.length > 30).join(" ");
  const sentences = prose
    .slice(0, 2_000)
    .split(/(?<=[.!?]) /)
    .slice(0, mostSentences)
    .join(" ");
  const parts = [`${lines.length} lines, ${words} words.`];
  if (headings.length > 0)
    parts.push(`Headings: ${headings.map((line) => line.replace(/^#+ /, "")).join("; ")}.`);
  if (sentences !== "") parts.push(`It begins: ${sentences}`);
  else parts.push(lines.slice(0, 10).join("\n"));
  return parts.join("\n");
}
