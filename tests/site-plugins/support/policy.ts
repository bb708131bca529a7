// The strictest policy under which a built page works: the scripts and styles that its generator writes into it are allowed
// by their hashes, and nothing else is.
import { createHash } from 'node:crypto';

export interface InlineParts {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Whether elements have the attribute `style`. */
  readonly hasStyleAttributes: boolean;
}

export function inlineParts(html: string): InlineParts {
  const bodies = (pattern: RegExp) =>
    [...html.matchAll(pattern)].map(([, body = '']) => body).filter((body) => body !== '');
  const scripts = bodies(/<script(?![^>]*\ssrc=)(?![^>]*json)[^>]*>(.*?)<\/script>/gs);
  const styles = bodies(/<style[^>]*>(.*?)<\/style>/gs);
  return { scripts, styles, hasStyleAttributes: /<[a-z][^<>]*\sstyle=/i.test(html) };
}

/** Firefox checks links that a page prefetches by `default-src`. */
export function policyOf(html: string, prefetches: boolean): string {
  const { scripts, styles, hasStyleAttributes } = inlineParts(html);
  return [
    `default-src ${prefetches ? "'self'" : "'none'"}`,
    `script-src 'self' 'wasm-unsafe-eval'${hashes(scripts)}`,
    `style-src 'self'${hashes(styles)}`,
    ...(hasStyleAttributes ? ["style-src-attr 'unsafe-inline'"] : []),
    "worker-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const hashes = (texts: readonly string[]): string =>
  [...new Set(texts)].map((text) => ` 'sha256-${sha256(text)}'`).join('');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');
