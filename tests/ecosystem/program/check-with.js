// What every app does: embeds a text with a static encoder and with int8 weights, takes it apart into tokens, and reads a PDF and a text whose encoding has to be
// guessed. `assets` is the address of the folder with the files.
const fetchBytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

export async function checkWith(
  { open, openTokenizer, readDocument },
  assets,
  bytesOf = fetchBytes,
) {
  const address = (name) => new URL(name, assets).href;
  const text = 'The harbour is quiet in winter.';
  const model = await open(address('model.weights'), { kind: 'encoder' });
  const vector = await model.embed(text);
  await model.dispose();
  const encoder = await open(address('encoder.weights'), { kind: 'encoder', weights: 'int8' });
  const int8 = await encoder.embed(text);
  await encoder.dispose();
  const tokenizer = await openTokenizer(address('model.weights'));
  const { ids } = await tokenizer.tokenize(text);
  await tokenizer.dispose();
  const read = async (name) => {
    const { passages, encoding } = await readDocument(name, await bytesOf(address(name)));
    return { texts: passages.map((passage) => passage.text), encoding };
  };
  const pdf = await read('document.pdf');
  const notes = await read('notes.md');
  return { vector: Array.from(vector), int8: Array.from(int8), ids: Array.from(ids), pdf, notes };
}
