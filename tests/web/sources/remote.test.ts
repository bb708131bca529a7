// What looking into files of a gigabyte at a URL costs, counted by the server.
import { describe, expect, test } from 'vitest';
import {
  ggufTokens,
  sparseAlt,
  sparseAmb,
  sparseEmbd,
  sparseGguf,
  sparseSafetensors,
  tensors,
} from '../support/files/sparse-files.ts';
import { ambry, smallModel } from '../support/package.ts';
import { type Content, contentOf, type Manners } from '../support/servers/byte-server.ts';
import { startServer } from '../support/servers/server.ts';

const server = await startServer(new Uint8Array(10));
async function look(name: string, content: Content, manners: Partial<Manners> = {}) {
  const { url, asked, sent } = server.serve(name, { content, etag: '"one"', ...manners });
  const info = await ambry.inspect(url);
  expect(info.tensors).toHaveLength(tensors);
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
  ])('of %s with one table takes at most four requests', async (name, content) => {
    const { info, requests, bytes } = await look(name, content);
    expect(name.startsWith(info.format)).toBe(true);
    expect(requests).toBeLessThanOrEqual(4);
    expect(bytes).toBeLessThan(3e6);
  });

  test.each([
    ['amb', sparseAmb()],
    ['alt', sparseAlt()],
  ])('of %s with headers between tensors takes at most 400 requests and 2 MB', async (name, content) => {
    const { info, requests, bytes } = await look(name, content);
    expect(info.format).toBe(name);
    expect(requests).toBeLessThanOrEqual(400);
    expect(bytes).toBeLessThan(2e6);
  });

  test.each([
    ['without ranges', { ranges: false }],
    ['without a length', { ranges: false, length: 'none' }],
  ] as const)('of embd from a server %s downloads its head only', async (_, manners) => {
    const { requests, bytes } = await look('embd-plain', sparseEmbd(), manners);
    expect(requests).toBe(1);
    expect(bytes).toBeLessThan(20e6);
  });
});

describe('validating at a URL', () => {
  test.each([
    ['safetensors', sparseSafetensors(), 4],
    ['embd', sparseEmbd(), 4],
    ['gguf', sparseGguf(), 4],
    ['amb', sparseAmb(), 400],
    ['alt', sparseAlt(), 400],
  ])('checks the headers of a gigabyte of %s and reports this depth', async (format, content, most) => {
    const { url, asked, sent } = server.serve(`${format}-validated`, { content, etag: '"one"' });
    expect(await ambry.validate(url)).toMatchObject({ format, depth: 'headers' });
    expect(asked.length).toBeLessThanOrEqual(most);
    expect(sent()).toBeLessThan(2e6);
  });

  const damaged = async (): Promise<Uint8Array> => {
    const file = await smallModel();
    file[file.length - 100] = (file[file.length - 100] ?? 0) ^ 1;
    return file;
  };

  test('verifies checksums if requested, and always in a local file', async () => {
    const file = await damaged();
    const { url } = server.serve('damaged', { content: contentOf(file), etag: '"one"' });
    const { validate } = ambry;
    expect(await validate(url)).toMatchObject({ valid: true, depth: 'headers' });
    const asked = await validate(url, { checksums: true });
    expect(asked).toMatchObject({ valid: false, depth: 'checksums' });
    expect(await validate(file)).toMatchObject({ valid: false, depth: 'checksums' });
    const glance = await validate(file, { checksums: false });
    expect(glance).toMatchObject({ valid: true, depth: 'structure' });
  });

  test('verifies checksums if the whole file is downloaded in any case', async () => {
    const content = contentOf(await damaged());
    const { url } = server.serve('damaged-plain', { content, ranges: false });
    expect(await ambry.validate(url)).toMatchObject({ valid: false, depth: 'checksums' });
  });
});
