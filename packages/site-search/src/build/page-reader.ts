// Reads the pages of a site some at a time, and leaves out those that are not for searching.
import { createHash } from 'node:crypto';
import { AmbryError } from 'ambry/encoder';
import { decodePage } from './html/decode-page.ts';
import type { PageContent } from './html/page-content.ts';
import { readPage } from './html/read-page.ts';
import type { Settings } from './options.ts';
import { pageUrl, readPageFile } from './site-files.ts';

export interface SitePage {
  /** The path of the file below the site. */
  readonly path: string;
  readonly url: string;
  readonly content: PageContent;
}

interface LeftOut {
  duplicates: number;
  hidden: number;
  redirects: number;
  empty: number;
  skipped: number;
}

export class SiteReader {
  readonly leftOut: LeftOut = { duplicates: 0, hidden: 0, redirects: 0, empty: 0, skipped: 0 };
  readonly #folder: string;
  readonly #settings: Settings;
  readonly #urls: ReadonlySet<string>;
  readonly #texts = new Set<string>();

  constructor(folder: string, paths: readonly string[], settings: Settings) {
    this.#folder = folder;
    this.#settings = settings;
    this.#urls = new Set(paths.map((path) => pageUrl(path, settings)));
  }

  /** Undefined if the page is left out. */
  async read(path: string): Promise<SitePage | undefined> {
    const content = await this.#contentOf(path);
    if (!content) {
      return undefined;
    }
    const url = pageUrl(path, this.#settings);
    const reason = isErrorPage(path) ? 'hidden' : this.#reasonToLeaveOut(content, url);
    if (reason === undefined) {
      return { path, url, content };
    }
    this.leftOut[reason]++;
    return undefined;
  }

  async #contentOf(path: string): Promise<PageContent | undefined> {
    const { signal, skipBad, onWarning, rules } = this.#settings;
    try {
      const { html, warnings } = await decodePage(readPageFile(this.#folder, path), path, signal);
      for (const warning of warnings) {
        onWarning?.(`${path}: ${warning}`);
      }
      const content = readPage(html, path, signal, rules);
      return { ...content, title: this.#shortTitle(content.title) };
    } catch (error) {
      if (!skipBad || !(error instanceof AmbryError)) {
        throw error;
      }
      onWarning?.(`${path} is skipped. ${error.code}: ${error.message}`);
      this.leftOut.skipped++;
      return undefined;
    }
  }

  /** Without what all titles end with. A title that is nothing else stays. */
  #shortTitle(title: string): string {
    const suffixes = [this.#settings.titleSuffix ?? []].flat();
    const end = suffixes.find((suffix) => suffix !== '' && title.endsWith(suffix.trimEnd()));
    return (end !== undefined && title.slice(0, -end.trimEnd().length).trim()) || title;
  }

  #reasonToLeaveOut(content: PageContent, url: string): keyof LeftOut | undefined {
    if (content.isHidden && this.#settings.noindex !== 'ignore') {
      return 'hidden';
    }
    if (content.isRedirect) {
      return 'redirects';
    }
    if (!content.sections.some(({ blocks }) => blocks.length > 0)) {
      return 'empty';
    }
    if (this.#isCopyOfOther(content, url)) {
      return 'duplicates';
    }
    const digest = createHash('sha256').update(JSON.stringify(content.sections)).digest('base64');
    if (this.#texts.has(digest)) {
      return 'duplicates';
    }
    this.#texts.add(digest);
    return undefined;
  }

  /** Whether the page states another page of the site as the one that should be found. */
  #isCopyOfOther({ canonical }: PageContent, url: string): boolean {
    if (canonical === '' || !URL.canParse(canonical, 'http://site.invalid/')) {
      return false;
    }
    const { pathname } = new URL(canonical, `http://site.invalid/${url}`);
    // The site may be published below a path of its host.
    const names = pathname.slice(1).split('/');
    const stated = names.map((_, i) => names.slice(i).join('/'));
    const isSame = (one: string) =>
      [one, `${one}.html`, `${one}/`, one.replace(/\/$/, '')].includes(url);
    return !stated.some(isSame) && stated.some((one) => one !== '' && this.#urls.has(one));
  }
}

/** The page that hosts answer with where there is none, also that of a language. */
const isErrorPage = (path: string): boolean =>
  /^(?:[a-z]{2,3}(?:-[a-z\d]{2,8})?\/)?(?:404|_?not[-_]?found)(?:\/index)?\.x?html?$/i.test(path);
