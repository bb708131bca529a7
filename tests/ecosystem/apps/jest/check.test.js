import { test } from '@jest/globals';
import { check } from './program/check.js';

test('checks', async () => {
  process.stdout.write(`${JSON.stringify(await check(process.env.ASSETS))}\n`);
}, 60_000);
