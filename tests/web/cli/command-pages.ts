// The pages of documentation whose command lines examples-long.test.ts runs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** A page whose commands follow one another, and a test of its own runs them. */
const tutorial = 'docs/tutorial.md';

export const commandPages: readonly string[] = [
  'README.md',
  ...markdownIn('docs'),
  ...markdownIn('web/demo/public/models'),
].filter((page) => page !== tutorial);

export const isCommandPage = (page: string): boolean => commandPages.includes(page);

function markdownIn(room: string): string[] {
  const files = readdirSync(join(root, room)).filter((name) => name.endsWith('.md'));
  return files.map((name) => `${room}/${name}`);
}
