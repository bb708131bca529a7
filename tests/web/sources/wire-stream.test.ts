// A stream of which the caller's side reads the first bytes.
import { expect, test } from 'vitest';
import { ambry } from '../support/package.ts';

test.each([0, 10])('a stream that stalls after %d bytes can be left', async (size) => {
  let reason: unknown = 'never cancelled';
  const stalled = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(new Uint8Array(size)),
    cancel: (given) => {
      reason = given;
    },
  });
  const controller = new AbortController();
  const opened = ambry.open(stalled, { signal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  await expect(opened).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => reason).not.toBe('never cancelled');
});
