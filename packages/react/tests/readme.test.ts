import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Window } from 'happy-dom';
import { type ComponentType, createElement } from 'react';
import { transformWithOxc } from 'vite';
import { expect, test } from 'vitest';
import { smallModel } from '../../../tests/web/support/package.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

test('the component of the README shows the length of a vector', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, tsx = ''] = /^```tsx\n(.*?)^```$/ms.exec(readme) ?? [];
  const { code } = await transformWithOxc(tsx, 'length.tsx');
  const folder = await mkdtemp(join(tmpdir(), 'ambry-react-'));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'length.mjs'), code);
  const { Length } = (await import(pathToFileURL(join(folder, 'length.mjs')).href)) as {
    Length: ComponentType<{ source: Uint8Array; text: string }>;
  };
  const window = new Window();
  Object.assign(globalThis, { window, document: window.document });
  const { createRoot } = await import('react-dom/client');
  const place = window.document.createElement('div');
  const root = createRoot(place as unknown as Element);
  root.render(createElement(Length, { source: await smallModel(), text: 'the cat' }));
  await expect.poll(() => place.innerHTML, { timeout: 50_000 }).toBe('<p>32</p>');
  root.unmount();
  await rm(folder, { recursive: true });
});
