import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from '@jest/globals';
import { open, openTokenizer } from 'ambry';
import { readDocument } from 'ambry/passages';
import { checkWith } from './program/check-with.js';

/** jsdom has no `fetch`. */
const bytesOf = (url) =>
  new Promise((resolve, reject) => {
    get(url, (response) => resolve(buffer(response).then((bytes) => new Uint8Array(bytes)))).on(
      'error',
      reject,
    );
  });

test('checks', async () => {
  const result = await checkWith(
    { open, openTokenizer, readDocument },
    process.env.ASSETS,
    bytesOf,
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
}, 60_000);
