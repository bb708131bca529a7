// Which pages of the repository the site has, under which address, and in which order the sidebar lists them.
import { posix } from 'node:path';
import { entryPages, topics } from './api-topics.ts';

const apiPaths = [...topics, ...entryPages].map(({ id }) => `docs/api/${id}.md`);

const formatPages = [
  'gguf',
  'amb',
  'alt',
  'embd',
  'huggingface',
  'safetensors',
  'pytorch',
  'onnx',
  'finalfusion',
  'fasttext',
  'wordvec',
  'tinyruntime',
].map((id) => `core/formats/${id}/README.md`);

/** Groups of the sidebar: the title, and its pages by their path in the repository. Pages that do not exist are left out. */
export const groups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  [
    'Start',
    [
      'README.md',
      'docs/tutorial.md',
      'docs/which-model.md',
      'docs/cookbook.md',
      'docs/coming-from.md',
      'docs/same-task.md',
      'docs/not-for.md',
      'docs/browser.md',
      'docs/node.md',
      'docs/command-line.md',
    ],
  ],
  [
    'Guides',
    [
      'docs/search.md',
      'docs/site-search.md',
      'docs/chat.md',
      'docs/decide.md',
      'docs/conversion.md',
      'docs/bundlers.md',
      'docs/csp.md',
      'docs/threads.md',
      'docs/gpu.md',
      'docs/offline.md',
      'docs/sizes.md',
      'docs/embedding.md',
      'docs/tokenizing.md',
      'docs/static.md',
      'docs/late-interaction.md',
      'docs/sparse.md',
      'docs/token-classification.md',
      'docs/answers.md',
      'docs/scale.md',
      'docs/links.md',
      'docs/comparison.md',
      'docs/troubleshooting.md',
    ],
  ],
  [
    'Reference',
    ['docs/what-opens.md', 'docs/stability.md', 'docs/commands.md', 'docs/glossary.md'],
  ],
  ['API', ['docs/api/index.md', ...apiPaths]],
  ['Formats', ['docs/formats.md', ...formatPages]],
  ['Performance', ['docs/performance.md', 'docs/engines.md']],
  ['Development', ['ARCHITECTURE.md', 'docs/decisions.md', 'CONTRIBUTING.md', 'CHANGELOG.md']],
];

/** The pages that only those who work on the repository read, by the paths of their files on the site. They are not searched. */
export function isForDevelopers(file: string): boolean {
  const listed = groups.map(([title, paths]) => [title, paths.map(fileOf)] as const);
  const group = listed.find(([, files]) => files.includes(file))?.[0];
  return group === undefined ? /^(core|e2e|tests|wasm|web)\//.test(file) : group === 'Development';
}

const fileOf = (path: string): string => sitePath(path).replace(/\.md$/, '.html');

/** The path of a page on the site: `docs/threads.md` is `threads.md`, and a README is the page of its folder. */
export function sitePath(path: string): string {
  const name = path.replace(/^docs\//, '').replace(/(^|\/)README\.md$/, '$1index.md');
  return posix.normalize(name);
}
