// The lines of a text.

const lineEnd = /\r\n|[\r\n]/g;

/** One by one, because a list of all lines would take many times the text. */
export function* linesIn(text: string): Generator<string> {
  const ends = new RegExp(lineEnd, 'g');
  let at = 0;
  for (let found = ends.exec(text); found; found = ends.exec(text)) {
    yield text.slice(at, found.index);
    at = ends.lastIndex;
  }
  yield text.slice(at);
}
