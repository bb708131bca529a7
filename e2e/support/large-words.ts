// A large quantized file of word vectors at an address of the site, which the tests make and answer themselves. Layout:
// core/formats/finalfusion/README.md.
import type { Page } from '@playwright/test';

const words = 2500;
/** The codes of a word, one for each of its numbers. */
const length = 8000;
export const codeBytes = words * length;

function u32s(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value, 4 * i);
  });
  return bytes;
}

function u64(value: number): Buffer {
  return u32s(value % 2 ** 32, Math.floor(value / 2 ** 32));
}

const chunk = (id: number, content: Buffer): Buffer =>
  Buffer.concat([u32s(id), u64(content.length), content]);

/** Words `w0`, `w1` and so on. Near numbers have near vectors: word i has ones up to its place, and then minus ones. */
function largeWords(): Buffer {
  const list = Array.from({ length: words }, (_, i) => Buffer.from(`w${i}`));
  const vocabulary = chunk(
    1,
    Buffer.concat([u64(words), ...list.flatMap((word) => [u32s(word.length), word])]),
  );
  const head = Buffer.concat([Buffer.from('FiFu'), u32s(0, 2, 1, 4)]);
  const fields = Buffer.concat([u32s(0, 0, length, length, 2), u64(words), u32s(1, 10)]);
  const at = head.length + vocabulary.length + 12 + fields.length;
  const centroids = Buffer.alloc(length * 2 * 4);
  for (let i = 0; i < length; i += 1) {
    centroids.writeFloatLE(-1, 8 * i);
    centroids.writeFloatLE(1, 8 * i + 4);
  }
  const codes = Buffer.alloc(codeBytes);
  for (let i = 0; i < words; i += 1) {
    codes.fill(1, i * length, i * length + 3 * i);
  }
  const padding = Buffer.alloc(4 - (at % 4));
  const storage = chunk(4, Buffer.concat([fields, padding, centroids, codes]));
  return Buffer.concat([head, vocabulary, storage]);
}

/** Answers requests of `url` by ranges. What is further back than the first megabyte waits for `ready`. Returns how many bytes
 *  were sent. */
export async function serveLargeWords(
  page: Page,
  url: string,
  ready: () => Promise<unknown>,
): Promise<() => number> {
  const file = largeWords();
  let sent = 0;
  await page.context().route(url, async (route) => {
    const range = /^bytes=(\d+)-(\d*)$/.exec(route.request().headers()['range'] ?? '');
    const from = Number(range?.[1] ?? 0);
    const to = range?.[2] ? Math.min(Number(range[2]) + 1, file.length) : file.length;
    if (to - from > 1e6) {
      await ready();
    }
    const body = file.subarray(from, to);
    sent += body.length;
    await route
      .fulfill({
        status: range === null ? 200 : 206,
        headers: {
          etag: '"1"',
          'accept-ranges': 'bytes',
          'content-range': `bytes ${from}-${to - 1}/${file.length}`,
        },
        body,
      })
      // The page has aborted the request.
      .catch(() => undefined);
  });
  return () => sent;
}
