/** A text in pieces of so many characters; never half of one. */
export function pieces(text: string, length: number): string[] {
  const characters = [...text];
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += length) {
    found.push(characters.slice(at, at + length).join(""));
  }
  return found;
}
