// Serves the sites and makes the files, once for all test files.

import { readFile } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { parityFiles } from './parity-files.ts';
import { makeTestFiles, type TestFiles } from './test-files.ts';
import { servePackage, servePages, serveSearchedSite, type TestSite } from './test-site.ts';

/** The addresses of a site with the pages, and of one with the package. They end with a slash. */
export interface Sites {
  readonly pages: string;
  readonly package: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly files: TestFiles;
    readonly sites: Sites;
    /** The sites without any way to keep data. */
    readonly sitesWithoutStorage: Sites;
    /** The address of a static site with an index and the element. */
    readonly searchedSite: string;
  }
}

const ends: (() => Promise<void>)[] = [];

export async function teardown(): Promise<void> {
  for (const end of ends.splice(0).reverse()) {
    await end();
  }
}

export async function setup(project: TestProject): Promise<void> {
  try {
    await provideAll(project);
  } catch (error) {
    await teardown();
    throw error;
  }
}

async function provideAll(project: TestProject): Promise<void> {
  const { remove, ...files } = await makeTestFiles();
  ends.push(remove);
  project.provide('files', files);
  const inPackage = new Map(await parityFiles());
  inPackage.set('valid.weights', Uint8Array.from(await readFile(files.valid)));
  project.provide('sites', await sitesOf(inPackage, true));
  project.provide('sitesWithoutStorage', await sitesOf(inPackage, false));
  project.provide('searchedSite', addressOf(await serveSearchedSite()));
}

/** The site ends with the tests. */
function addressOf({ url, close }: TestSite): string {
  ends.push(close);
  return url;
}

async function sitesOf(files: ReadonlyMap<string, Uint8Array>, storage: boolean): Promise<Sites> {
  return {
    pages: addressOf(await servePages({ storage })),
    package: addressOf(await servePackage(files, { storage })),
  };
}
