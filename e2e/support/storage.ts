// Browsers that store little.
import type { Page } from '@playwright/test';

/** Limits what an origin may store. */
export async function limitStorage(page: Page, origin: string, quotaSize: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize });
}

/** Has a script of the package run as in browsers where a worker cannot write private files. Returns the addresses from
 *  which the script was loaded so far. */
export async function withoutPrivateFiles(page: Page, script: string): Promise<readonly string[]> {
  const loaded: string[] = [];
  await page.route(`**/workers/${script}`, async (route) => {
    loaded.push(route.request().url());
    const response = await route.fetch();
    const body = `delete FileSystemFileHandle.prototype.createSyncAccessHandle;\n${await response.text()}`;
    await route.fulfill({ response, body });
  });
  return loaded;
}
