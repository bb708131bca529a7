// Indexes what a generator has built, and tells the generator's logger.
import { join } from 'node:path';
import type { Progress } from 'ambry/encoder';
import type { BuildOptions, BuildResult } from '../../build/options.ts';
import { indexFolder, indexOptions, type SearchPluginOptions } from './options.ts';

export interface PluginLogger {
  info(message: string): void;
  warn(message: string): void;
}

/** What a plugin knows of the pages of its generator. The user's options come before. */
export type PagePreset = Pick<
  BuildOptions,
  'content' | 'ignore' | 'requires' | 'titleSuffix' | 'cleanUrls' | 'trailingSlash' | 'element'
> & {
  /** Pages that are not for searching, by the path of their file below the site. */
  readonly exclude?: (path: string) => boolean;
};

/** Progress is told so often, in milliseconds. */
const quietFor = 5000;

/**
 * `folder` is the built site. Each of the `locales`, folders in it, gets an index of its own; `''` is the site without the
 * other ones. Rejects as `buildSiteIndex` does.
 */
export async function indexSite(
  folder: string,
  options: SearchPluginOptions,
  preset: PagePreset,
  logger: PluginLogger,
  locales: readonly string[] = [''],
): Promise<void> {
  for (const locale of locales) {
    const others = locales.filter((other) => other !== '' && other !== locale);
    const isOther = (path: string) => others.some((other) => path.startsWith(`${other}/`));
    const exclude = (path: string) =>
      (locale === '' && isOther(path)) || preset.exclude?.(path) === true;
    // One script serves all of them.
    const element = locale === locales[0];
    await indexFolderOf(folder, locale, options, { ...preset, exclude, element }, logger);
  }
}

async function indexFolderOf(
  site: string,
  locale: string,
  options: SearchPluginOptions,
  { exclude, ...pages }: PagePreset,
  logger: PluginLogger,
): Promise<void> {
  // The build is imported late, because the configuration of a generator is loaded for its dev server, too.
  const { buildSiteIndex } = await import('../../build/build-site-index.ts');
  const folder = join(site, locale);
  const ignore = [pages.ignore, options.ignore].filter((one) => one !== undefined).join(', ');
  const { cache, ...given } = indexOptions(options);
  const begin = Date.now();
  const result = await buildSiteIndex(folder, join(folder, indexFolder(options)), {
    ...pages,
    ...given,
    ...(ignore !== '' && { ignore }),
    ...(cache !== undefined && {
      cache: locale === '' ? cache : `${cache}-${locale}`,
    }),
    include: (path) => {
      const below = locale === '' ? path : `${locale}/${path}`;
      return !exclude?.(below) && !options.exclude?.(below);
    },
    onProgress: progressTo(logger),
    onWarning: (warning) => logger.warn(`search: ${warning}`),
  });
  logger.info(summary(locale, result, Date.now() - begin));
}

function progressTo(logger: PluginLogger): (progress: Progress) => void {
  let told = Date.now();
  return ({ phase, loaded, total }) => {
    if (Date.now() - told < quietFor) {
      return;
    }
    told = Date.now();
    const share = total === 0 ? '' : ` ${Math.floor((100 * loaded) / total)} %`;
    logger.info(`search: ${phase}${share}`);
  };
}

function summary(locale: string, result: BuildResult, took: number): string {
  const { pages, passages, files, bytes, cached } = result;
  const unchanged = cached > 0 ? ` (${cached} unchanged)` : '';
  const size = `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
  const name = locale === '' ? 'search' : `search of ${locale}`;
  return `${name}: ${passages} passages from ${pages} pages${unchanged}, ${size}, in ${(took / 1000).toFixed(1)} s`;
}
