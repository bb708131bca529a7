// Tests on a site whose server can end, with service workers.
import { test as base } from '../fixtures.ts';
import { OfflineLine } from '../pages/offline-line.ts';
import { type DeployedSite, deploySite } from '../support/deployed-site.ts';

interface Fixtures {
  deployed: DeployedSite;
  footer: OfflineLine;
  serverMayEnd: undefined;
}

export const test = base.extend<Fixtures>({
  serviceWorkers: 'allow',
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from this pattern.
  deployed: async ({}, use) => {
    const deployed = await deploySite();
    await use(deployed);
    deployed.close();
  },
  footer: async ({ page }, use) => use(new OfflineLine(page)),
  // The service worker asks whether the site is still there.
  serverMayEnd: [
    async ({ browserErrors }, use) => {
      browserErrors.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/);
      await use(undefined);
    },
    { auto: true },
  ],
});
