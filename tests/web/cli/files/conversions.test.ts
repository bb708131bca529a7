// Converts files of other projects on the command line.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPath } from '../../../data-folder.mjs';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { describeWithData } from '../../support/data.ts';

const wordCount = 300;
const dim = 8;
const checkpoint = 'stories260k/stories260K.bin';

/** Vectors with values of a fixed pseudo-random sequence, which f32 holds exactly. */
function vectorsText(): string {
  let state = 1;
  const nextValue = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 16) - 32768) / 65536;
  };
  const line = (_: unknown, i: number) =>
    [`word${i}`, ...Array.from({ length: dim }, nextValue)].join(' ');
  return `${Array.from({ length: wordCount }, line).join('\n')}\n`;
}

let folder = '';
const at = (name: string) => join(folder, name);

async function succeed(...args: string[]) {
  const run = await ambryCli(args);
  expect(run.err).not.toContain('Error');
  expect(run.code, run.err).toBe(0);
  return run;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-conversions-'));
  await writeFile(at('vectors.txt'), vectorsText());
});
afterAll(() => rm(folder, { recursive: true }));

describe('word vectors', () => {
  test('are converted to finalfusion and back with their norms', async () => {
    await succeed('convert', at('vectors.txt'), at('a.fifu'), '--from', 'text');
    const [report] = (await succeed('validate', '--json', '--values', at('a.fifu'))).json();
    expect(report).toMatchObject({ format: 'finalfusion', valid: true, warnings: [] });
    await succeed('convert', at('a.fifu'), at('b.txt'), '-t', 'text', '-u');
    const before = vectorsText().trimEnd().split(/\s+/);
    const after = (await readFile(at('b.txt'), 'utf8')).trimEnd().split(/\s+/);
    expect(after).toHaveLength(before.length);
    for (const [i, text] of before.entries()) {
      if (i % (dim + 1) === 0) {
        expect(after[i]).toBe(text);
      } else {
        expect(Number(after[i])).toBeCloseTo(Number(text), 6);
      }
    }
  });

  test('are quantized, with a report, and reconstructed', async () => {
    await succeed('convert', at('vectors.txt'), at('c.fifu'), '--from', 'text');
    const quantized = ['quantize', at('c.fifu'), at('q.fifu'), '-q', 'pq', '--json'];
    const [report] = (await succeed(...quantized, '-i', '3', '-b', '4')).json();
    expect(report).toMatchObject({ source: at('c.fifu'), target: at('q.fifu') });
    await succeed('reconstruct', at('q.fifu'), at('r.fifu'));
    const [info] = (await succeed('inspect', '--json', at('r.fifu'))).json();
    expect(info).toMatchObject({ tensors: [{ dtype: 'f32', shape: [wordCount, dim] }, {}] });
  });

  test('with a short line fail with its byte, and nothing is written', async () => {
    await writeFile(at('short.txt'), 'one 1 2 3\ntwo 1 2\n');
    const { code, err } = await ambryCli([
      'convert',
      at('short.txt'),
      at('short.fifu'),
      '--from',
      'text',
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(/byte 1\d/);
    expect((await readdir(folder)).filter((name) => name.startsWith('short.fifu'))).toEqual([]);
  });
});

describeWithData('a llama2.c checkpoint', [checkpoint], () => {
  test('is converted to AMB with the tokenizer beside it', async () => {
    await succeed('convert', dataPath(checkpoint), at('stories.amb'));
    const [report] = (await succeed('validate', '--json', '--strict', at('stories.amb'))).json();
    expect(report).toMatchObject({ format: 'amb', valid: true, warnings: [] });
    const [info] = (await succeed('inspect', '--json', at('stories.amb'))).json();
    expect(info).toMatchObject({ tokenizer: { size: 512 }, config: { architecture: 'llama' } });
  });
});
