// Compiles the component of the README, and runs it in a program that takes Svelte's build for browsers.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { compile } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { smallModel } from '../../../tests/web/support/package.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const program = `
import { readFile } from 'node:fs/promises';
import { Window } from 'happy-dom';
const window = new Window();
const { document, Node, Element, Text, Comment, HTMLElement } = window;
Object.assign(globalThis, { window, document, Node, Element, Text, Comment, HTMLElement });
const { mount, unmount } = await import('svelte');
const { default: Length } = await import('./length.mjs');
const source = new Uint8Array(await readFile('small.weights'));
const component = mount(Length, { target: document.body, props: { source, text: 'the cat' } });
while (!document.querySelector('p')) await new Promise((resolve) => setTimeout(resolve, 20));
console.log(document.querySelector('p').textContent);
await unmount(component);
`;

test('the component of the README shows the length of a vector', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, source = ''] = /^```svelte\n(.*?)^```$/ms.exec(readme) ?? [];
  const { js, warnings } = compile(source, { generate: 'client', name: 'Length' });
  const folder = await mkdtemp(join(tmpdir(), 'ambry-svelte-'));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'length.mjs'), js.code);
  await writeFile(join(folder, 'program.mjs'), program);
  await writeFile(join(folder, 'small.weights'), await smallModel());
  const args = ['--conditions=browser', 'program.mjs'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'pipe', timeout: 55_000 });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await rm(folder, { recursive: true });
  expect(err).toBe('');
  expect(out).toBe('32\n');
  expect(warnings.filter(({ code }) => code !== 'state_referenced_locally')).toEqual([]);
});
