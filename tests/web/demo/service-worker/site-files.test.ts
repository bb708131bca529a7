// Which files a page needs without a connection.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listSiteFiles } from '../../../../web/build/site-files.ts';
import { filesOf, pageAt, usedFilesOf } from '../../../../web/demo/service-worker/site-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'ambry-site-'));
afterAll(() => rmSync(folder, { recursive: true }));

const contents: Readonly<Record<string, string>> = {
  'index.html':
    '<script src="./assets/main-AAAAAAAA.js"></script><a href="chat/index.html">Chat</a>',
  'chat/index.html':
    '<script src="../assets/chat-BBBBBBBB.js"></script><link href="../assets/page-CCCCCCCC.css">',
  'check/index.html': '<script src="../assets/samples-JJJJJJJJ.js"></script>',
  '404.html': '<script src="/assets/main-AAAAAAAA.js"></script>',
  'docs/index.html': '<script src="/assets/main-AAAAAAAA.js"></script>',
  'sw.js': 'assets/lost-HHHHHHHH.js',
  'assets/main-AAAAAAAA.js': 'import("./later-DDDDDDDD.js")',
  'assets/later-DDDDDDDD.js': 'new Worker(new URL("worker-EEEEEEEE.js",import.meta.url))',
  'assets/worker-EEEEEEEE.js': 'import("./later-DDDDDDDD.js");"run-baseline-FFFFFFFF.wasm"',
  'assets/chat-BBBBBBBB.js':
    'const a=b+".weights",b="tiny-model";"run-relaxed-GGGGGGGG.wasm";"run-baseline-FFFFFFFF.wasm"',
  'assets/page-CCCCCCCC.css': '@font-face{src:url(./font-IIIIIIII.woff2)}',
  'assets/font-IIIIIIII.woff2': 'font',
  'assets/run-baseline-FFFFFFFF.wasm': 'baseline',
  'assets/run-relaxed-GGGGGGGG.wasm': 'relaxed!',
  'assets/lost-HHHHHHHH.js': '',
  'assets/samples-JJJJJJJJ.js': 'import "./later-DDDDDDDD.js";"models/other.weights"',
  'models/tiny-model.weights': 'weights',
  'models/other.weights': 'main-AAAAAAAA.js',
};
for (const [path, text] of Object.entries(contents)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const site = listSiteFiles(folder, { 'chat/index.html': ['models/tiny-model.weights'] });
const pathsOf = (page: string, flavour: 'baseline' | 'relaxed') =>
  filesOf(site, page, flavour).map(({ path }) => path);

describe('the files of a page', () => {
  it('are all that can be reached from it', () => {
    expect(pathsOf('chat/index.html', 'relaxed')).toEqual([
      'assets/chat-BBBBBBBB.js',
      'assets/font-IIIIIIII.woff2',
      'assets/page-CCCCCCCC.css',
      'assets/run-relaxed-GGGGGGGG.wasm',
      'chat/index.html',
      'models/tiny-model.weights',
    ]);
  });

  it('have no samples, but the scripts that the list of samples needs', () => {
    expect(pathsOf('check/index.html', 'relaxed')).toEqual([
      'assets/later-DDDDDDDD.js',
      'assets/samples-JJJJJJJJ.js',
      'assets/worker-EEEEEEEE.js',
      'check/index.html',
    ]);
  });

  it('go through workers and circles, and not through links to other pages', () => {
    expect(pathsOf('index.html', 'baseline')).toEqual([
      'assets/later-DDDDDDDD.js',
      'assets/main-AAAAAAAA.js',
      'assets/run-baseline-FFFFFFFF.wasm',
      'assets/worker-EEEEEEEE.js',
      'index.html',
    ]);
  });

  it('have the build that the browser runs', () => {
    const baseline = pathsOf('chat/index.html', 'baseline');
    expect(baseline).toContain('assets/run-baseline-FFFFFFFF.wasm');
    expect(baseline).not.toContain('assets/run-relaxed-GGGGGGGG.wasm');
  });

  it('are none for an unknown page', () => {
    expect(pathsOf('docs/index.html', 'baseline')).toEqual([]);
  });
});

describe('what a page needs for what was used of it', () => {
  const usedOf = (page: string, ...used: string[]) =>
    usedFilesOf(site, page, used, 'baseline')
      .map(({ path }) => path)
      .sort();

  it('is what it names, with fonts of its styles and the models that it opens', () => {
    expect(usedOf('chat/index.html')).toEqual([
      'assets/chat-BBBBBBBB.js',
      'assets/font-IIIIIIII.woff2',
      'assets/page-CCCCCCCC.css',
      'chat/index.html',
      'models/tiny-model.weights',
    ]);
    expect(usedOf('index.html')).toEqual(['assets/main-AAAAAAAA.js', 'index.html']);
  });

  it('has what was loaded later, by its name in this build or in an older one', () => {
    const wanted = ['assets/later-DDDDDDDD.js', 'assets/main-AAAAAAAA.js', 'index.html'];
    expect(usedOf('index.html', 'assets/later-DDDDDDDD.js')).toEqual(wanted);
    expect(usedOf('index.html', 'assets/later-ZZZZZZZZ.js')).toEqual(wanted);
    expect(usedOf('index.html', 'assets/late-ZZZZZZZZ.js', 'models/other.weights')).toHaveLength(2);
  });

  it('has scripts that a script imports at once', () => {
    expect(usedOf('check/index.html')).toContain('assets/later-DDDDDDDD.js');
  });

  it('has no files of other pages', () => {
    expect(usedOf('chat/index.html', 'assets/main-AAAAAAAA.js', 'index.html')).toHaveLength(5);
  });
});

describe('what a script fetches later', () => {
  const find = (path: string) => site.files.find((file) => file.path === path);
  const later = (path: string) => (find(path)?.later ?? []).map((place) => site.files[place]?.path);

  it('is known of workers, and of what they load', () => {
    expect(later('assets/worker-EEEEEEEE.js')).toEqual([
      'assets/later-DDDDDDDD.js',
      'assets/run-baseline-FFFFFFFF.wasm',
    ]);
    expect(later('assets/later-DDDDDDDD.js')).toEqual(['assets/worker-EEEEEEEE.js']);
  });

  it('is told by pages of themselves', () => {
    expect(later('assets/main-AAAAAAAA.js')).toEqual([]);
  });
});

describe('the list', () => {
  it('has pages but those that are made later', () => {
    expect(Object.keys(site.pages)).toEqual(['chat/index.html', 'check/index.html', 'index.html']);
  });

  it('has sizes, and hashes of files that keep their names', () => {
    const find = (path: string) => site.files.find((file) => file.path === path);
    expect(find('models/tiny-model.weights')).toEqual({
      path: 'models/tiny-model.weights',
      bytes: 7,
      integrity: expect.stringMatching(/^sha256-[\w+/]{43}=$/),
    });
    expect(find('assets/chat-BBBBBBBB.js')?.integrity).toBeUndefined();
  });

  it('has no file that no page needs, but the models that are offered as samples', () => {
    const paths = site.files.map(({ path }) => path);
    expect(paths).not.toContain('assets/lost-HHHHHHHH.js');
    expect(paths).toContain('models/other.weights');
  });
});

it('a folder is its page', () => {
  expect(pageAt(site, '')).toBe('index.html');
  expect(pageAt(site, 'chat/')).toBe('chat/index.html');
  expect(pageAt(site, 'chat/index.html')).toBe('chat/index.html');
  for (const path of ['chat', 'docs/', 'toString', 'chat/other.html']) {
    expect(pageAt(site, path)).toBeUndefined();
  }
});
