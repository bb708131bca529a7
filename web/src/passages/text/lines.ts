// The lines of a text.

const lineEnd = /\r\n|[\r\n]/g;

/** One by one, because a list of all lines would take many times the text. */
export function* linesIn(text: string): Generator<string> {
  let at = 0;
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    yield text.slice(at, index);
    at = index + end.length;
  }
  yield text.slice(at);
}
