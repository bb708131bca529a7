// The built package in Node: the half of a CLIP that embeds texts, from every form of directory.
import { describe, expect, test } from 'vitest';
import { clipDirectory, clipIds, clipModule } from '../support/directories/clip-directories.ts';
import { ambry } from '../support/package.ts';
import { ByteServer, contentOf } from '../support/servers/byte-server.ts';

const { open, convert } = ambry;
const texts = ['The cat sat on the mat', 'a dog', ''];

describe('the half for texts of CLIP', () => {
  test('opens out of the whole model, with one warning', async () => {
    const warnings: { path?: string | undefined; message: string }[] = [];
    await using model = await open(clipDirectory(), {
      kind: 'encoder',
      onWarning: (warning) => warnings.push(warning),
    });
    expect(warnings).toEqual([expect.objectContaining({ path: 'logit_scale' })]);
    expect(warnings[0]?.message).toContain('pictures');
    expect([model.dim, model.tokenDim]).toEqual([24, 32]);
    const { ids } = await model.tokenize('The  CAT');
    expect([...ids]).toEqual(clipIds(['<|startoftext|>', 'the</w>', 'cat</w>', '<|endoftext|>']));
    for (const vector of await model.embed(texts)) {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test('gives the same from its half alone, from a module and from one file', async () => {
    await using model = await open(clipDirectory(), { kind: 'encoder' });
    const expected = await model.embed(texts);
    await using half = await open(clipDirectory(false), { kind: 'encoder' });
    expect(half.dim).toBe(24);
    await using module = await open(clipModule(), { kind: 'encoder' });
    expect(await module.embed(texts, { normalize: true })).toEqual(expected);
    const raw = await module.embed(texts);
    expect(Math.abs(Math.hypot(...(raw[0] ?? [])) - 1)).toBeGreaterThan(0.01);
    const file = new Uint8Array(await (await convert(clipDirectory())).arrayBuffer());
    await using again = await open(file);
    expect(again.kind === 'encoder' && (await again.embed(texts))).toEqual(expected);
  });

  test('is read by its address', async () => {
    const server = await ByteServer.start();
    try {
      for (const [name, bytes] of clipModule()) {
        server.serve(`st/${name}`, { content: contentOf(bytes) });
      }
      for (const [name, bytes] of clipDirectory()) {
        server.serve(`clip/${name}`, { content: contentOf(bytes) });
      }
      await using module = await open(`${server.origin}/st/`, { kind: 'encoder' });
      await using model = await open(`${server.origin}/clip/`, { kind: 'encoder' });
      expect(await module.embed('a dog', { normalize: true })).toEqual(await model.embed('a dog'));
    } finally {
      await server.close();
    }
  });

  test('pools the first end of a text', async () => {
    await using model = await open(clipDirectory(), { kind: 'encoder' });
    const [cut, whole] = await model.embed(['a dog <|endoftext|> on the mat', 'a dog']);
    expect(cut).toEqual(whole);
    const long = await model.embed('cat '.repeat(100));
    expect(long.every(Number.isFinite)).toBe(true);
  });
});
