// What looking into files of a gigabyte at a URL costs, counted by the server.
import { describe, expect, test } from 'vitest';
import type { Content, Manners } from '../support/byte-server.ts';
import { ambry } from '../support/package.ts';
import { startServer } from '../support/server.ts';
import {
  ggufTokens,
  kTensors,
  sparseAlt,
  sparseAmb,
  sparseEmbd,
  sparseGguf,
  sparseSafetensors,
} from '../support/sparse-files.ts';

const server = await startServer(new Uint8Array(10));
const { formats } = await import('../support/core-module.ts').then(async () => ({
  formats: (await ambry.doctor()).map(({ found }) => found).join(),
}));

async function look(name: string, content: Content, manners: Partial<Manners> = {}) {
  const { url, asked, sent } = server.serve(name, { content, ...manners });
  const info = await ambry.inspect(url);
  expect(info.tensors).toHaveLength(kTensors);
  expect(info.bytes).toBe(content.size);
  expect(content.size).toBeGreaterThan(1e9);
  return { info, requests: asked.length, bytes: sent() };
}

describe('inspecting a gigabyte', () => {
  // One of the requests is the size probe.
  test.each([
    ['safetensors', sparseSafetensors()],
    ['embd', sparseEmbd()],
    ['gguf', sparseGguf()],
    ['gguf-vocabulary', sparseGguf(ggufTokens)],
  ])('of %s, whose table is in one place, takes four requests at most', async (name, content) => {
    const { info, requests, bytes } = await look(name, content);
    expect(name.startsWith(info.format)).toBe(true);
    expect(requests).toBeLessThanOrEqual(4);
    expect(bytes).toBeLessThan(3e6);
  });

  test.each([
    ['amb', sparseAmb()],
    ['alt', sparseAlt()],
  ])('of %s, whose table runs through the file, takes 400 requests and 2 MB at most', async (name, content) => {
    if (!formats.includes(name)) return;
    const { info, requests, bytes } = await look(name, content);
    expect(info.format).toBe(name);
    expect(requests).toBeLessThanOrEqual(400);
    expect(bytes).toBeLessThan(2e6);
  });

  test.each([
    ['without ranges', { ranges: false }],
    ['without a length', { ranges: false, length: 'none' }],
  ] as const)('of embd from a server %s takes its head only', async (_, manners) => {
    const { requests, bytes } = await look('embd-plain', sparseEmbd(), manners);
    expect(requests).toBe(1);
    expect(bytes).toBeLessThan(20e6);
  });
});
