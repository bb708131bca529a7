// The message of an error, for people.

/** The error's message as a sentence. A name from the file at its beginning keeps its case. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  const sentence = text.replace(
    /^[a-z]+(?=[ ,])/,
    (word) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
