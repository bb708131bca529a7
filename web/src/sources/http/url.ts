// What an address tells before it is asked.
import type { WireSource } from '../base/wire.ts';

/** Whether the address is asked over HTTP; others, such as `data:`, have no ranges and no versions. */
export function isHttpUrl(url: string): boolean {
  return /^https?:/i.test(url);
}

/** Whether the page has another origin. Its server then decides which headers the page may send and see. */
export function isOtherOrigin(url: string): boolean {
  const page = (globalThis as { location?: { origin: string } }).location;
  return page !== undefined && new URL(url).origin !== page.origin;
}

/** Whether the source is an address that ends with a slash, beneath which the files of a model lie. */
export function isUrlOfDirectory(source: WireSource): boolean {
  return (
    source.kind === 'url' && isHttpUrl(source.url) && new URL(source.url).pathname.endsWith('/')
  );
}
