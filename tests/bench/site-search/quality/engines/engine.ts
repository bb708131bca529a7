// What the benchmark asks of a search engine, whatever it is.
import type { DocPage } from '../markdown-site.ts';
import type { PageDocuments } from '../page-documents.ts';

/** The pages in the forms that engines take. All are made of the same HTML. */
export interface Site {
  readonly pages: readonly DocPage[];
  readonly documents: readonly PageDocuments[];
  /** Has a file for each page: its path and `.html`. */
  readonly folder: string;
  /** An empty folder for the index. */
  readonly out: string;
}

export interface Answer {
  /** The paths of pages, the best first. */
  readonly pages: readonly string[];
  readonly milliseconds: number;
  /** What was fetched for this query, packed as servers send it. */
  readonly bytes: number;
  readonly requests: number;
}

export interface Engine {
  readonly name: string;
  /** All that a server has to keep, without the code of the engine and without a model. */
  readonly indexBytes: number;
  /** Code that a reader downloads, packed, as far as it is known here. */
  readonly codeBytes: number | undefined;
  /** Ends the session of a reader: what was fetched is fetched again. */
  restart(): Promise<void>;
  /** The reader may type more letters of the last word if it is open. */
  search(query: string, count: number, isOpen: boolean): Promise<Answer>;
  close(): Promise<void>;
}

export type MakeEngine = (site: Site, peers: string) => Promise<Engine>;

/** The paths of the pages of sections, each once. */
export function eachOnce(paths: Iterable<string>, count: number): string[] {
  return [...new Set(paths)].slice(0, count);
}
