// Tells a file of questions from word vectors.

const headBytes = 256;

/** Questions begin with a colon and the name of a section. In a GloVe file, the colon is a word, and a number follows it. */
export async function hasQuestions(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  return /^\s*:\s*[^\s\d.-]/.test(new TextDecoder('latin1').decode(bytes));
}
