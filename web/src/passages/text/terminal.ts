// Texts that were made for a terminal have codes that set colors and move the cursor.

/** Sequences of ANSI: those of colors, and those of titles and links. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

export function withoutColors(text: string): string {
  return text.includes('\x1b') ? text.replace(sequences, '') : text;
}
