// The stemmers of most languages begin with an equal function, the machine that runs a stemmer. The package has it once.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, tokenizer, tokTypes } from 'acorn';

const stemmers = /[/\\]@orama[/\\]stemmers[/\\]dist[/\\]([a-z]{2})\.js$/;
/** Stemmers that are written in another way. */
const others = ['bg', 'ta', 'uk'];
/** The function is taken from this one. Any of them would do. */
const model = 'de.js';
/** The shared function counts as a file of the library, so that it has its license. */
const shared = 'stemmer-machine';

/** The function at the start of a stemmer. */
function machineOf(code, id) {
  const [first] = parse(code, { ecmaVersion: 2022, sourceType: 'module' }).body;
  if (first?.type !== 'FunctionDeclaration') {
    throw new Error(
      `${id} does not begin with a function. If it should not, name it in ${import.meta.url}`,
    );
  }
  return { name: first.id.name, text: code.slice(first.start, first.end), end: first.end };
}

/** The text with its own names replaced by numbers, because each stemmer has other short names. */
export function withoutNames(text) {
  const numbers = new Map();
  const words = [];
  for (const { type, start, end } of tokenizer(text, { ecmaVersion: 2022 })) {
    const word = text.slice(start, end);
    const isOwn = type === tokTypes.name && words.at(-1) !== '.';
    if (isOwn && !numbers.has(word)) {
      numbers.set(word, `#${numbers.size}`);
    }
    words.push(isOwn ? numbers.get(word) : word);
  }
  return words.join(' ');
}

export const sharedStemmer = {
  name: 'ambry-shared-stemmer',
  resolveId: (path, importer) =>
    path === `./${shared}.js` && stemmers.test(importer ?? '')
      ? join(dirname(importer), `${shared}.js`)
      : null,
  load: (id) => {
    if (!id.endsWith(`${shared}.js`)) {
      return null;
    }
    const path = join(dirname(id), model);
    return `export default ${machineOf(readFileSync(path, 'utf8'), path).text}`;
  },
  transform: (code, id) => {
    const language = stemmers.exec(id)?.[1];
    if (!language || others.includes(language)) {
      return null;
    }
    const { name, text, end } = machineOf(code, id);
    const path = join(dirname(id), model);
    const wanted = machineOf(readFileSync(path, 'utf8'), path).text;
    if (withoutNames(text) !== withoutNames(wanted)) {
      throw new Error(`${id} begins with another function than ${path}, so they cannot share it.`);
    }
    return { code: `import ${name} from './${shared}.js';${code.slice(end)}`, map: null };
  },
};
