// `ambry distill`, and static encoders on the command line.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { smallModel } from '../../support/package.ts';

let folder = '';
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-distill-cli-'));
  await writeFile(at('encoder.weights'), await smallModel());
  await writeFile(at('corpus.txt'), 'the cat sat\nthe dog ran home\n');
});
afterAll(() => rm(folder, { recursive: true }));

describe('ambry distill', () => {
  test('writes a static encoder that embeds', async () => {
    const options = ['--dim', '8', '--corpus', at('corpus.txt'), '--dtype', 'f16', '--json'];
    const run = await ambryCli(['distill', at('encoder.weights'), at('small.weights'), ...options]);
    expect(run.code, run.err).toBe(0);
    expect(run.json()).toEqual([
      { source: at('encoder.weights'), target: at('small.weights'), warnings: [] },
    ]);
    const embedded = await ambryCli(['embed', at('small.weights'), '--text', 'the cat', '--json']);
    expect(embedded.code, embedded.err).toBe(0);
    const inspected = await ambryCli(['inspect', at('small.weights'), '--json']);
    expect(inspected.json()[0]).toMatchObject({
      config: { architecture: 'static', embeddingDim: 8 },
    });
  });

  test('writes to standard output', async () => {
    const file = await ambryCli(['distill', at('encoder.weights'), at('a.weights'), '--dim', '4']);
    expect(file.code, file.err).toBe(0);
    const piped = await ambryCli(['distill', at('encoder.weights'), '-', '--dim', '4']);
    expect(piped.code, piped.err).toBe(0);
    expect(piped.stdout.equals(await readFile(at('a.weights')))).toBe(true);
  });

  test.each([
    ['--sif', '1.5'],
    ['--dim', '0'],
    ['--dtype', 'int3'],
    ['--vocab-size', 'many'],
  ])('refuses %s %s', async (option, value) => {
    const run = await ambryCli(['distill', at('encoder.weights'), at('b.weights'), option, value]);
    expect(run.code).toBe(2);
    expect(run.err).toContain(option);
  });

  test('does not replace its source or its corpus', async () => {
    const run = await ambryCli([
      'distill',
      at('encoder.weights'),
      at('corpus.txt'),
      '--corpus',
      at('corpus.txt'),
    ]);
    expect(run.code).not.toBe(0);
    expect(await readFile(at('corpus.txt'), 'utf8')).toContain('the cat');
  });
});
