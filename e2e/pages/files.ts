// Files on their way into a page and out of it.

import { readFile } from 'node:fs/promises';
import type { Download, Locator, Page } from '@playwright/test';

export interface GivenFile {
  readonly name: string;
  readonly mimeType?: string;
  readonly buffer: Buffer;
}

/** Chooses files in a picker of the page. */
export function chooseFiles(
  picker: Locator,
  files: readonly GivenFile[],
  usual = 'application/octet-stream',
): Promise<void> {
  return picker.setInputFiles(
    files.map(({ name, mimeType = usual, buffer }) => ({ name, mimeType, buffer })),
  );
}

/** Drops files on the page, the way a file manager does. */
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

/** What the page hands out when `trigger` is pulled. */
export async function download(page: Page, trigger: () => Promise<void>): Promise<Buffer> {
  const started: Promise<Download> = page.waitForEvent('download');
  await trigger();
  return readFile(await (await started).path());
}
