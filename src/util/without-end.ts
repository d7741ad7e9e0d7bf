/** The text without these characters at its end, in linear time, which `/[…]+$/` does not take: it tries again from each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
