// Short programs that give the results of the pages, for the pages of other people. e2e/every-page/snippets.spec.ts runs each of them.
// Works without a page.

export interface Snippet {
  readonly title: string;
  readonly code: string;
}

/** A model with an address, or the name of a local file that the program finds beside itself. */
export interface SnippetModel {
  readonly address: string;
}

/** JSON is JavaScript, but for two line ends that older engines end a text at. A script of a page ends at `</script`. */
const literal = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('</', '<\\/');

const inPage = (code: string): Snippet => ({
  title: 'In your page (npm install ambry)',
  code: `${code.trim()}\n`,
});

/** Options that are set, as they stand in a program. */
function optionsText(options: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  const texts = set.map(([name, value]) => `${name}: ${literal(value)}`);
  return texts.length === 0 ? '' : `, { ${texts.join(', ')} }`;
}

export function searchSnippet(
  { address }: SnippetModel,
  passages: readonly string[],
  query: string,
  options: { readonly k: number; readonly hybrid?: number },
): Snippet {
  const list = passages.map((passage) => `  { text: ${literal(passage)} },\n`).join('');
  return inPage(`
import { createIndex, open } from 'ambry';

const model = await open(${literal(address)});
const index = await createIndex(model, [
${list}]);
const hits = await index.search(${literal(query)}${optionsText(options)});
console.log(hits.map(({ cosine, text }) => [cosine, text]));
`);
}

export function lookupSnippet(
  { address }: SnippetModel,
  word: string,
  options: { readonly k: number; readonly metric?: string | undefined },
): Snippet {
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'words' });
console.log(await model.similar(${literal(word)}${optionsText(options)}));
`);
}

export function analogySnippet(
  { address }: SnippetModel,
  [a, b, c]: readonly [string, string, string],
  options: { readonly k: number; readonly metric?: string | undefined; readonly include?: unknown },
): Snippet {
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'words' });
console.log(await model.analogy(${[a, b, c].map(literal).join(', ')}${optionsText(options)}));
`);
}

export function textSnippet(
  { address }: SnippetModel,
  prompt: unknown,
  options: Readonly<Record<string, unknown>>,
): Snippet {
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'generator' });
const { text } = await model.generate(${literal(prompt)}${optionsText(options)}).result;
console.log(text);
`);
}

/** The picture is a file beside the page. */
export function classifySnippet({ address }: SnippetModel, plan: string | null): Snippet {
  const load = plan === null ? '' : `const plan = await (await fetch(${literal(plan)})).text();\n`;
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'imageClassifier' });
const picture = await (await fetch('./picture.png')).blob();
${load}const labels = await model.classify(picture, { k: 10${plan === null ? '' : ', plan'} });
console.log(labels);
`);
}

export function labelsSnippet({ address }: SnippetModel, text: string, k: number): Snippet {
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'textClassifier' });
console.log(await model.classify(${literal(text)}, { k: ${k || 'model.labels.length'} }));
`);
}

export function namesSnippet(
  { address }: SnippetModel,
  text: string,
  options: Readonly<Record<string, unknown>>,
): Snippet {
  return inPage(`
import { open } from 'ambry';

const model = await open(${literal(address)}, { kind: 'tokenClassifier' });
console.log(await model.tag(${literal(text)}${optionsText(options)}));
`);
}

/** Learns the examples, or opens the file of a classifier that learned them, and labels a text. */
export function learnedSnippet(
  { address }: SnippetModel,
  examples: readonly { readonly label: string; readonly text: string }[] | null,
  text: string,
): Snippet {
  const list = (examples ?? []).map(
    (one) => `  { label: ${literal(one.label)}, text: ${literal(one.text)} },\n`,
  );
  const learned =
    examples === null
      ? `await open('./classifier.safetensors', { kind: 'textClassifier', encoder })`
      : `await createClassifier(encoder, [\n${list.join('')}])`;
  return inPage(`
import { ${examples === null ? '' : 'createClassifier, '}open } from 'ambry';

const encoder = await open(${literal(address)}, { kind: 'encoder', architecture: 'static' });
const classifier = ${learned};
console.log(await classifier.classify(${literal(text)}, { k: classifier.labels.length }));
`);
}

export function checkSnippet({ address }: SnippetModel): Snippet {
  return inPage(`
import { validate } from 'ambry';

const { valid, errors, warnings } = await validate(${literal(address)});
console.log({ valid, errors, warnings });
`);
}

/** An argument of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) && !text.startsWith('-')
    ? text
    : `'${text.replaceAll("'", "'\\''")}'`;

/** A line for a terminal. A name that begins with a dash is no option there. */
export function commandSnippet(...words: readonly string[]): Snippet {
  return {
    title: 'On the command line',
    code: `npx ambry ${words.map(shellWord).join(' ')}\n`,
  };
}
