// Answers the requests of pages for files of the site.

import { answerFrom } from './conditional.ts';
import type { KeptFiles } from './kept-files.ts';
import type { KeptSite } from './kept-site.ts';
import { notKeptPage } from './not-kept.ts';
import { pageAt, type SiteFile, type SiteFiles } from './site-files.ts';
import type { VisitedDocs } from './visited-docs.ts';

const docsFolder = 'docs/';
/** This folder also has the files of older builds, which open tabs need. */
const assetsFolder = 'assets/';

interface Sources {
  readonly root: URL;
  readonly site: SiteFiles;
  readonly kept: KeptSite;
  readonly files: KeptFiles;
  readonly docs: VisitedDocs;
  /** Is told of each file of the list that is fetched, because it is not kept. */
  readonly seen: (file: SiteFile) => Promise<unknown>;
}

/** Answers a request, or leaves it to the browser. `later` keeps the service worker alive for work after the answer. */
type Answer = (later: (work: Promise<unknown>) => void) => Promise<Response>;

export class Requests {
  readonly #from: Sources;
  readonly #fileAt: ReadonlyMap<string, SiteFile>;

  constructor(from: Sources) {
    this.#from = from;
    this.#fileAt = new Map(from.site.files.map((file) => [file.path, file]));
  }

  /** Undefined for what is not of the site: other addresses, and everything that is more than reading. */
  answerTo(request: Request): Answer | undefined {
    const { root, site, docs } = this.#from;
    const { href, pathname } = new URL(request.url);
    if (request.method !== 'GET' || !href.startsWith(root.href)) {
      return undefined;
    }
    const path = pathname.slice(root.pathname.length);
    if (path.startsWith(docsFolder)) {
      const answer: Answer = (later) => docs.answer(request, later);
      return request.mode === 'navigate' ? this.#orNotKept(answer) : answer;
    }
    if (request.mode === 'navigate') {
      const page = pageAt(site, path);
      return page === undefined ? this.#redirect(request, path) : this.#page(request, page);
    }
    const file = this.#fileAt.get(path);
    const isOlder = file === undefined && path.startsWith(assetsFolder);
    if (file !== undefined) {
      return (later) => this.#file(request, file, () => later(this.#from.seen(file)));
    }
    return isOlder ? () => this.#file(request, { path }) : undefined;
  }

  async #file(
    request: Request,
    file: Pick<SiteFile, 'path' | 'integrity'>,
    fetched = () => {},
  ): Promise<Response> {
    const kept = await this.#from.files.match(file).catch(() => undefined);
    if (kept !== undefined) {
      return answerFrom(kept, request.headers);
    }
    const response = await fetch(request);
    fetched();
    return response;
  }

  /** A page of which all is kept comes from there. Then its files are all of one build. */
  #page(request: Request, page: string): Answer {
    const { kept, files } = this.#from;
    const html = this.#fileAt.get(page);
    return this.#orNotKept(async () => {
      const stored = html && (await files.match(html).catch(() => undefined));
      if (stored !== undefined && (await kept.isComplete(page))) {
        return stored;
      }
      try {
        return await fetch(request);
      } catch (error) {
        // Some of it may work.
        if (stored !== undefined) {
          return stored;
        }
        throw error;
      }
    });
  }

  /** `chat` is the folder `chat/`, as on servers. */
  #redirect(request: Request, path: string): Answer | undefined {
    if (pageAt(this.#from.site, `${path}/`) === undefined) {
      return undefined;
    }
    const url = new URL(request.url);
    url.pathname += '/';
    return () => fetch(request).catch(() => Response.redirect(url.href));
  }

  #orNotKept(answer: Answer): Answer {
    return async (later) => {
      try {
        return await answer(later);
      } catch {
        return notKeptPage(this.#from.root, await this.#from.kept.completePages());
      }
    };
  }
}
