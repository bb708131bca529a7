// Gives files to a page and takes downloads from it.

import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';

export interface GivenFile {
  readonly name: string;
  readonly mimeType?: string;
  readonly buffer: Buffer;
}

/** Chooses files in a file input. */
export function chooseFiles(
  picker: Locator,
  files: readonly GivenFile[],
  usual = 'application/octet-stream',
): Promise<void> {
  return picker.setInputFiles(
    files.map(({ name, mimeType = usual, buffer }) => ({ name, mimeType, buffer })),
  );
}

/** Drops files on the page. */
export async function dropFiles(page: Page, files: readonly GivenFile[]): Promise<void> {
  const plain = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const { name, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      made.items.add(new File([bytes], name));
    }
    return made;
  }, plain);
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
  }
}

/** The file that the page downloads after `trigger`. */
export async function download(page: Page, trigger: () => Promise<void>): Promise<Buffer> {
  const started: Promise<Download> = page.waitForEvent('download');
  await trigger();
  return readFile(await (await started).path());
}
