// A plugin of Vite that builds the service worker into sw.js at the root of the site, after the pages. The list of the site's
// files is in it.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { sitePages } from '../demo/shell/pages.ts';
import { listSiteFiles } from './site-files.ts';

const input = fileURLToPath(new URL('../demo/service-worker/worker.ts', import.meta.url));

/** Writes the service worker for the built site in `folder`, at its root. */
export async function writeServiceWorker(folder: string): Promise<void> {
  const opens = Object.fromEntries(sitePages.map(({ path, opens = [] }) => [path, opens]));
  const __SITE_FILES__ = JSON.stringify(listSiteFiles(folder, opens));
  const bundle = await rolldown({ input, transform: { define: { __SITE_FILES__ } } });
  // A classic script: Firefox ESR runs no modules as service workers.
  await bundle.write({ file: `${folder}/sw.js`, format: 'iife', minify: true });
  await bundle.close();
}

export function serviceWorker(): Plugin {
  let site = '';
  let isWritten = false;
  return {
    name: 'ambry-service-worker',
    apply: 'build',
    configResolved: ({ build }) => {
      site = build.outDir;
    },
    // Only built pages have a service worker, so only they have the script that starts it.
    transformIndexHtml: {
      order: 'pre',
      handler: () => [
        {
          tag: 'script',
          attrs: { type: 'module', src: '/shell/offline/main.ts' },
          injectTo: 'head',
        },
      ],
    },
    writeBundle: () => {
      isWritten = true;
    },
    // Vite also closes a bundle that it could not make. An error here would take the place of the one that says why.
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        if (isWritten) {
          await writeServiceWorker(site);
        }
      },
    },
  };
}
