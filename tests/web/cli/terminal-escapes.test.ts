// What files and arguments of strangers make a terminal do: nothing. Every command prints control characters as text.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { commandNames } from '../../../web/src/cli/commands.ts';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { writeDirectory } from '../support/cli/reader-files.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { taggerDirectory } from '../support/directories/tagger-directories.ts';
import { maskDirectory, questionDirectory } from '../support/directories/token-head-directories.ts';
import { ambry } from '../support/package.ts';

const { at, model } = await cliFolder();
const stories = fileURLToPath(
  new URL('../../../web/demo/public/models/stories.amb', import.meta.url),
);

/** Red letters, a title of the window, a bell, C1's control sequence, an override, a separator of lines, a forged line, a
 *  deletion and a backspace. */
const hostile = '\u001b[31mRED\u001b]0;pwn\u0007\u009b31m\u202e\u2028\r\nvalid\u007f\b';
/** What texts hold in which a line feed or a carriage return ends the line. */
const inline = hostile.replaceAll(/[\r\n]/g, '');

function safetensors(header: object): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + json.length + 4);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  file.set([0, 0, 192, 127], 8 + json.length); // NaN
  return file;
}

const tokenizer = {
  added_tokens: [{ id: 1, content: `zz${hostile}`, special: false }],
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
  decoder: { type: 'ByteLevel' },
  model: { type: 'BPE', vocab: { a: 0 }, merges: [] },
};

beforeAll(async () => {
  const tensor = { dtype: 'F32', shape: [1], data_offsets: [0, 4] };
  const files: Readonly<Record<string, string | Uint8Array>> = {
    'values.safetensors': safetensors({
      __metadata__: { [`k${hostile}`]: `v${hostile}` },
      [`n${hostile}`]: tensor,
    }),
    'type.safetensors': safetensors({ [`n${hostile}`]: { ...tensor, dtype: `F${hostile}` } }),
    'words.txt': `cat 1 2\n${inline} 1 2.1\ndog 1 -2\n`,
    'doc.md': `# T${inline}\n\nthe water ${inline} is deep\n`,
    'tokenizer.json': JSON.stringify(tokenizer),
    [`name${inline}.safetensors`]: 'junk',
    'questions.txt': `: s${inline}\ncat dog cat dog\n`,
    'template.jinja': `{{ raise_exception(${JSON.stringify(`no${inline}`)}) }}`,
    'says.jinja': '{% for m in messages %}{{ m.content }}\n{% endfor %}',
    'labels.txt': `__label__${inline} water\n`,
    'examples.txt': `__label__${inline} water\n__label__b fire\n`,
    'several/a.safetensors': safetensors({ [`n${hostile}`]: tensor }),
  };
  await mkdir(at('several'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(at(name), content);
  }
  await writeDirectory(at('ner'), taggerDirectory({ labels: [`B-${inline}`, `I-${inline}`] }));
  await ambryCli(['convert', at('words.txt'), at('words.fifu')]);
  await ambry.convert(questionDirectory(), { output: at('reader.weights') });
  await ambry.convert(maskDirectory(), { head: 'fillMask', output: at('filler.weights') });
  await ambryCli(['index', model, at('doc.md'), at('doc.ambryindex')]);
});

/** A line that makes each command print what strangers wrote. */
const lines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  inspect: [
    ['values.safetensors'],
    ['values.safetensors', '--tensors'],
    ['values.safetensors', '--json'],
    ['type.safetensors'],
    ['several'],
  ],
  validate: [
    ['values.safetensors', '--values'],
    ['type.safetensors'],
    [`name${inline}.safetensors`],
    [`none${hostile}`],
    ['several', '--json'],
  ],
  metadata: [['values.safetensors'], ['values.safetensors', '--json'], ['words.fifu']],
  convert: [
    ['values.safetensors', 'made.amb'],
    [`name${inline}.safetensors`, 'made.amb'],
  ],
  quantize: [['values.safetensors', 'made.amb', '--type', `int8${inline}`]],
  similar: [
    ['words.fifu', 'cat', '-k', '3'],
    ['words.fifu', inline],
  ],
  analogy: [['words.fifu', 'cat', 'dog', inline]],
  'compute-accuracy': [['words.fifu', 'questions.txt']],
  select: [['words.fifu', 'made.fifu', '--words', inline]],
  reconstruct: [[`name${inline}.safetensors`, 'made.fifu']],
  'bucket-to-explicit': [[`name${inline}.safetensors`, 'made.fifu']],
  tokenize: [
    ['tokenizer.json', '--text', `azz${hostile}`],
    ['tokenizer.json', '--text', `azz${hostile}`, '--json'],
  ],
  detokenize: [
    ['tokenizer.json', '0', '1'],
    ['tokenizer.json', '0', '1', '--json'],
  ],
  embed: [[`name${inline}.safetensors`, '--text', 'a']],
  distill: [[`name${inline}.safetensors`, 'made.weights']],
  index: [[`name${inline}.safetensors`, 'doc.md', 'made.ambryindex']],
  search: [
    ['doc.ambryindex', 'water', '-k', '2'],
    ['doc.ambryindex', 'water', '-k', '2', '--json'],
    ['doc.ambryindex', `water${inline}`, '--markdown'],
  ],
  rank: [['tiny.weights', `q${inline}`, 'doc.md']],
  answer: [
    ['reader.weights', `water${inline}`, 'doc.md', '-k', '9'],
    ['reader.weights', 'water', 'doc.md', '-k', '9', '--json'],
    ['reader.weights', 'water', '--index', 'doc.ambryindex', '-k', '9'],
  ],
  fill: [
    ['filler.weights', `a [MASK]${inline}`, '--json'],
    ['filler.weights', 'a [MASK]', '--candidates', inline],
  ],
  generate: [
    [`name${inline}.safetensors`, '--prompt', 'a'],
    [stories, '--prompt', `a${hostile}`, '--max-tokens', '1', '--json'],
  ],
  chat: [[stories, '--template', 'template.jinja']],
  decide: [
    [`name${inline}.safetensors`, 'a', '--ask', 'b'],
    [stories, `a${hostile}`, '--ask', `b${inline}=x${inline},y`, '--template', 'says.jinja'],
    [stories, `a${hostile}`, '--ask', `b${inline}`, '--template', 'says.jinja', '--json'],
    [stories, 'a', '--ask', `b${inline}=`, '--template', 'says.jinja'],
    [stories, 'a', '--ask', 'b', '--template', 'template.jinja'],
  ],
  perplexity: [[`name${inline}.safetensors`, '--text', 'a']],
  classify: [
    [`name${inline}.safetensors`, 'doc.md', '--plan', 'doc.md'],
    [`name${inline}.safetensors`, '--text', 'a'],
  ],
  'train-classifier': [
    [`name${inline}.safetensors`, 'doc.md', 'made.safetensors'],
    ['tiny.weights', 'examples.txt', 'made.safetensors'],
    ['tiny.weights', 'examples.txt', 'made.safetensors', '--json'],
  ],
  tag: [
    [`name${inline}.safetensors`, 'a'],
    ['ner', `the cat ${hostile}`],
    ['ner', `the cat ${hostile}`, '--json'],
    ['ner', 'a', '--labels', `x${inline}`],
  ],
  redact: [
    [`name${inline}.safetensors`, 'doc.md'],
    ['ner', 'doc.md', '--json'],
    ['ner', 'doc.md', '--labels', `x${inline}`],
  ],
  pull: [[`hf:own${inline}er/name`]],
  cache: [[inline]],
  doctor: [[`http://127.0.0.1:1/${inline}`]],
  completions: [[inline]],
  'site-index': [[`none${inline}`]],
  serve: [[`name${inline}.safetensors`]],
  worker: [[inline]],
  demo: [['--port', inline]],
  mcp: [[`none${inline}.ambryindex`], ['--files', inline]],
};

test('every command has a line here', () => {
  expect(Object.keys(lines).toSorted()).toEqual([...commandNames].toSorted());
});

const raw = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u;
const cases = Object.entries(lines).flatMap(([name, rows]) =>
  rows.map((row) => [name, row] as const),
);

/** The names of files in the folder. */
const files =
  /^[\w.-]+\.(safetensors|txt|md|json|fifu|weights|amb|ambryindex|jinja)$|^several$|^ner$|^name/;

test.each(cases)('%s %j writes no control character', async (name, args) => {
  const given = args.map((arg) => (files.test(arg) ? at(arg) : arg));
  const { out, err } = await ambryCli([name, ...given], 'hello\n');
  expect(out + err).not.toBe('');
  expect(JSON.stringify(raw.exec(out)?.[0]), out).toBeUndefined();
  expect(JSON.stringify(raw.exec(err)?.[0]), err).toBeUndefined();
  expect(`${out}${err}`.split('\n'), 'a forged line').not.toContain('valid');
});

test.each([
  `--${inline}`,
  inline,
  `help${inline}`,
])('the command %j is named as text', async (arg) => {
  const { code, err } = await ambryCli([arg]);
  expect(code).toBe(2);
  expect(err).toContain(String.raw`\u001b[31mRED`);
  expect(raw.test(err)).toBe(false);
});

test('JSON keeps its values', async () => {
  const { out } = await ambryCli(['tokenize', at('tokenizer.json'), '--text', hostile, '--json']);
  expect(out).not.toMatch(raw);
  expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(`zz${hostile}`).slice(3, -1));
});
