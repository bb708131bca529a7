// Builds what is not built or has changed: the modules, the package, the packages around it, the pages and the documentation.
// `npm run build` and `npm start` run it, and the tests begin with it. Each step can be run alone, by its command.
import { fileURLToPath } from 'node:url';
import { runStep } from './steps.mjs';

const node = (...args) => [process.execPath, ...args];
const isBelow = (...folders) => {
  const pattern = RegExp(`^(${folders.join('|')})/`);
  return (path) => pattern.test(path);
};

const isCore = isBelow('core', 'wasm');
const isTest = (path) => /(^|\/)(tests|e2e)\//.test(path);
const isPage = isBelow('web/demo');
const isModel = isBelow('web/demo/public/models');
const isDocumentation = (path) => path.endsWith('.md') || path.startsWith('docs/');

/** A file counts as read where a step might read it. @type {import('./steps.mjs').Step[]} */
export const steps = [
  {
    name: 'modules',
    command: node('wasm/build.mjs', '--progress'),
    reads: (path) => (isCore(path) && !isDocumentation(path)) || /^CMake[^/]*$/.test(path),
    makes: ['web/src/wasm'],
  },
  {
    name: 'package',
    command: node('web/build.mjs', 'package'),
    reads: (path) =>
      isModel(path) || !(isCore(path) || isTest(path) || isPage(path) || isDocumentation(path)),
    uses: ['web/src/wasm'],
    makes: [
      'dist',
      'packages/*/dist',
      'packages/models/models',
      'packages/whole/{embedded,wasm}',
      'packages/pdf/reader',
    ],
  },
  {
    name: 'pages',
    command: node('web/build.mjs', 'pages'),
    reads: (path) =>
      path === 'docs/glossary.md' || !(isCore(path) || isTest(path) || isDocumentation(path)),
    uses: ['dist'],
    makes: ['packages/demo/site', 'web/demo/public/samples'],
    leaves: isBelow('packages/demo/site/docs'),
  },
  {
    name: 'documentation',
    command: node('docs/site/build.ts'),
    reads: (path) =>
      isDocumentation(path) ||
      /^tests\/lint\/|\.weights$/.test(path) ||
      !(isCore(path) || isTest(path) || isPage(path)),
    uses: ['dist', 'packages/site-search/dist'],
    makes: ['packages/demo/site/docs'],
  },
];

/** Runs the steps. `afterModules` is called when the processors have less to do. Returns whether all are good. */
export async function buildAll(afterModules = () => {}) {
  const [modules, wholePackage, ...others] = steps;
  if (!(await runStep(modules))) {
    return false;
  }
  afterModules();
  if (!(await runStep(wholePackage))) {
    return false;
  }
  // Neither of the others reads what the other one makes, and each keeps one processor busy.
  const results = await Promise.all(others.map(runStep));
  return results.every(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildAll()) ? 0 : 1;
}
