// The files that the builder has written.
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseManifest } from '../../src/shared/manifest.ts';

/** The files of a folder by path, with what they hold. */
export function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((file) => [file.slice(folder.length), readFileSync(file).toString('base64')]),
  );
}

export const manifestOf = async (out: string) =>
  parseManifest(await readFile(join(out, 'manifest.json'), 'utf8'));
