// A program that reads a PDF: without the package ambry-pdf, and with it.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paragraph, pdfFile } from '../web/support/files/pdf-file.ts';
import { installPackage } from './install.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const app = mkdtempSync(join(tmpdir(), 'ambry-pdf-'));
const vite = join(root, 'node_modules/.bin/vite');
const model = join(root, 'web/demo/public/models/english-192x1.weights');

beforeAll(() => {
  installPackage(app);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  writeFileSync(join(app, 'a.pdf'), pdfFile([{ lines: paragraph(700, 'The ferry leaves.') }]));
  writeFileSync(
    join(app, 'index.html'),
    '<!doctype html><script type="module" src="/main.js"></script>',
  );
});
afterAll(() => rmSync(app, { recursive: true }));

/** Puts ambry-pdf into a folder of packages. */
function installPdf(modules: string): void {
  const target = join(modules, 'ambry-pdf');
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'dist']) {
    cpSync(join(root, 'packages/pdf', name), join(target, name), { recursive: true });
  }
}

/** What a program in Node finds in the PDF; `first` is a line of its own. */
function read(first = ''): unknown {
  const script = `
    import { readFileSync } from 'node:fs';
    import { readDocument } from 'ambry/passages';
    ${first}
    const read = readDocument('a.pdf', readFileSync('a.pdf'));
    const found = await read.then(
      ({ passages }) => passages.map(({ text }) => text),
      ({ name, code, path, message }) => ({ name, code, path, message }),
    );
    console.log(JSON.stringify(found));`;
  const args = ['--input-type=module', '-e', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' }));
}

function index(): { readonly status: number | null; readonly stderr: string } {
  const command = join(app, 'node_modules/ambry/dist/cli/main.js');
  const args = [command, 'index', model, 'a.pdf', 'a.ambryindex'];
  return spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
}

/** Builds a page with these lines. Returns the names of its scripts. */
function build(...lines: readonly string[]): readonly string[] {
  writeFileSync(join(app, 'main.js'), lines.join('\n'));
  execFileSync(vite, ['build', '--logLevel', 'warn'], { cwd: app, encoding: 'utf8' });
  return readdirSync(join(app, 'dist/assets'));
}
const page = ["import { readDocument } from 'ambry/passages';", 'console.log(readDocument);'];

describe('without ambry-pdf', () => {
  test('Node says what to install', () => {
    expect(read()).toMatchObject({
      name: 'AmbryError',
      code: 'Unsupported',
      path: 'a.pdf',
      message: expect.stringContaining('Run npm install ambry-pdf') as string,
    });
  });

  test('the command line says what to install', () => {
    const { status, stderr } = index();
    expect(status).toBe(1);
    expect(stderr).toMatch(/a\.pdf: .*npm install ambry-pdf/);
  });

  test('a page that reads documents is built, without PDF.js', () => {
    expect(build(...page).filter((name) => /pdfjs|pdf-worker/.test(name))).toEqual([]);
  });
});

describe('with ambry-pdf', () => {
  test('a program that imports it reads PDFs, also where ambry cannot see it', () => {
    // Some package managers keep packages apart.
    installPdf(join(app, 'elsewhere'));
    expect(read("await import('./elsewhere/ambry-pdf/dist/node.js');")).toEqual([
      'The ferry leaves.',
    ]);
    expect(read()).toMatchObject({ code: 'Unsupported' });
  });

  describe('beside ambry', () => {
    beforeAll(() => installPdf(join(app, 'node_modules')));

    test('Node finds it', () => {
      expect(read()).toEqual(['The ferry leaves.']);
    });

    test('the command line finds it', () => {
      expect(index()).toMatchObject({ status: 0 });
    });

    test('a page that imports it has the worker', () => {
      const scripts = build("import 'ambry-pdf';", ...page);
      expect(scripts.filter((name) => /^pdf-worker-/.test(name))).toHaveLength(1);
    });

    test('a page that does not import it has nothing of it', () => {
      expect(build(...page).filter((name) => /pdfjs|pdf-worker/.test(name))).toEqual([]);
    });
  });
});
