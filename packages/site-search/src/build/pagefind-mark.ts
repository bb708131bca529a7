// Sites that are marked for Pagefind: where any page has `data-pagefind-body`, pages without it are left out.
import { AmbryError } from 'ambry/encoder';
import { Parser } from 'htmlparser2';
import { decodePage } from './html/decode-page.ts';
import type { BuildOptions } from './options.ts';
import { pause } from './pause.ts';
import { readPageFile } from './site-files.ts';

const mark = 'data-pagefind-body';
/** Pages that are looked at together. */
const batchPages = 32;

/** The options with the mark as what is required, and as the content, unless they say otherwise. */
export async function withPagefindMark(
  folder: string,
  paths: readonly string[],
  options: BuildOptions,
): Promise<BuildOptions> {
  if (options.requires !== undefined) {
    return options;
  }
  for (let at = 0; at < paths.length; at += batchPages) {
    await pause(options.signal);
    const batch = paths.slice(at, at + batchPages);
    const marked = await Promise.all(batch.map((path) => hasMark(folder, path)));
    if (marked.includes(true)) {
      return { content: `[${mark}]`, ...options, requires: `[${mark}]` };
    }
  }
  return options;
}

async function hasMark(folder: string, path: string): Promise<boolean> {
  try {
    const bytes = readPageFile(folder, path);
    // Documentation may write about the mark, so only an element with it counts.
    return bytes.includes(mark) && isMarked((await decodePage(bytes, path)).html);
  } catch (error) {
    // The page is read once more, and its error is told then.
    if (error instanceof AmbryError) {
      return false;
    }
    throw error;
  }
}

function isMarked(html: string): boolean {
  let found = false;
  const parser = new Parser({
    onopentag: (_, attributes) => {
      found ||= mark in attributes;
    },
  });
  parser.end(html);
  return found;
}
