// `ambry classify` with an image classifier: its output, and what fails.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambryCli } from '../../support/cli/shared-cli.ts';
import { networkFile, networkPlan as plan } from '../../support/files/network-file.ts';

let folder = '';
const at = (name: string) => join(folder, name);

async function succeed(args: readonly string[], input?: Uint8Array) {
  const run = await ambryCli(['classify', ...args], input);
  expect(run.code, run.err).toBe(0);
  return run;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-classify-'));
  await writeFile(at('net.bin'), networkFile());
  await writeFile(at('input.f32'), new Uint8Array(new Float32Array(16).fill(0.5).buffer));
  await writeFile(at('zeros.f32'), new Uint8Array(16 * 4));
  await writeFile(at('plan.json'), JSON.stringify(plan));
  await writeFile(at('labels.txt'), 'cat\ndog\nowl\n');
  await writeFile(at('grey.png'), PNG.sync.write(new PNG({ width: 5, height: 4, fill: true })));
  await writeFile(at('cut.png'), PNG.sync.write(new PNG({ width: 5, height: 4 })).subarray(0, 30));
});
afterAll(() => rm(folder, { recursive: true }));

describe('classify with images', () => {
  test('prints labels and scores', async () => {
    const { out } = await succeed([
      at('net.bin'),
      at('input.f32'),
      '-k',
      '2',
      '--labels',
      at('labels.txt'),
    ]);
    expect(out).toMatch(/^(cat|dog|owl)\t0\.\d{6}\t(cat|dog|owl)\t0\.\d{6}\n$/);
    const plain = await succeed([at('net.bin'), at('input.f32'), '-k', '1']);
    expect(plain.out).toMatch(/^[0-2]\t0\.\d{6}\n$/);
  });

  test('prints one JSON document', async () => {
    const [document] = (await succeed([at('net.bin'), at('input.f32'), '--json'])).json() as {
      logits: number[];
      labels: { label: string; index: number; score: number }[];
      layers: unknown[];
    }[];
    expect(document?.logits).toHaveLength(3);
    expect(document).toMatchObject({ input: at('input.f32') });
    expect(document?.labels).toHaveLength(3);
    expect(document?.layers.length).toBeGreaterThan(0);
    const sum = document?.labels.reduce((total, { score }) => total + score, 0);
    expect(sum).toBeCloseTo(1, 5);
  });

  test('reads images with a plan, and tensors from standard input', async () => {
    await succeed([at('net.bin'), at('grey.png'), '--plan', at('plan.json')]);
    const zeros = new Uint8Array(16 * 4);
    const piped = await succeed([at('net.bin'), '-', '--json'], zeros);
    expect(piped.json()).toHaveLength(1);
  });

  test('prints one document for each input', async () => {
    const args = [at('net.bin'), at('input.f32'), at('zeros.f32')];
    const documents = (await succeed([...args, '--json'])).json() as { input: string }[];
    expect(documents.map(({ input }) => input)).toEqual(args.slice(1));
    const { out } = await succeed([...args, '-k', '1']);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
  });

  test('--against compares with another variant', async () => {
    const made = await ambryCli(['quantize', at('net.bin'), at('dq8.bin'), '--type', 'dq8']);
    expect(made.code, made.err).toBe(0);
    const args = [at('net.bin'), at('input.f32'), at('zeros.f32'), '--against', at('dq8.bin')];
    const { out } = await succeed(args);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/input\.f32\t[0-2]\t[0-2]\t\d+\.\d{6}$/);
    expect(lines[2]).toMatch(/^same class for [0-2] of 2 inputs$/);
    expect(lines[3]).toMatch(/^logit difference: maximum \d+\.\d{6}, mean over inputs \d+\.\d{6}$/);
    const [document] = (await succeed([...args, '--json'])).json();
    expect(document).toMatchObject({ model: at('net.bin'), against: at('dq8.bin'), inputs: 2 });
    const foreign = await ambryCli([
      'classify',
      ...args.slice(0, 3),
      '--against',
      at('labels.txt'),
    ]);
    expect(foreign.code).toBe(1);
  });

  test('--trace prints a line for each layer', async () => {
    const { out } = await succeed([at('net.bin'), at('input.f32'), '--trace', '-k', '1']);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^input 0\t1×4×4\tf32\t[0-9a-f]{8}$/);
    expect(lines[1]).toMatch(/^conv 0\t2×4×4\tf32\t[0-9a-f]{8}$/);
  });

  test('fails with 1 for an input that it cannot classify', async () => {
    const cases = [
      [[at('net.bin'), at('cut.png'), '--plan', at('plan.json')], 'picture'],
      [[at('net.bin'), at('grey.png')], 'picture'],
      [[at('net.bin'), at('labels.txt'), '--plan', at('input.f32')], undefined],
      [[at('net.bin'), at('input.f32'), '--plan', at('labels.txt')], 'plan'],
    ] as const;
    for (const [args, path] of cases) {
      const run = await ambryCli(['classify', ...args, '--json']);
      expect(run.code, run.out).toBeGreaterThan(0);
      if (path === undefined) {
        continue;
      }
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject([{ error: { path } }]);
    }
  });

  test('fails with 2 for a NumPy file of another version', async () => {
    for (const start of ['\x93NUMPY\x01', '\x93NUMPY\x02\x00\x04\x00\x00\x00']) {
      await writeFile(at('odd.npy'), start, 'latin1');
      const { code, err } = await ambryCli(['classify', at('net.bin'), at('odd.npy')]);
      expect(code).toBe(2);
      expect(err).toContain('version 1.0');
    }
  });

  test('fails with 2 for another variant or no input', async () => {
    const other = await ambryCli(['classify', at('net.bin'), at('input.f32'), '--variant', 'sq8']);
    expect(other.code).toBe(2);
    expect(other.err).toContain('is vanilla, not sq8');
    const odd = await ambryCli(['classify', at('net.bin'), at('net.bin'), '--variant', 'int8']);
    expect(odd.code).toBe(2);
    const none = await ambryCli(['classify', at('net.bin')]);
    expect(none.code).toBe(2);
    expect(none.err).toContain('No image was given');
  });

  test('refuses what is for texts, and what --against has no use for, by name', async () => {
    const texts = await ambryCli(['classify', at('net.bin'), '--text', 'a']);
    expect(texts.code).toBe(2);
    expect(texts.err).toContain('--text is for a text classifier');
    const both = await ambryCli(['classify', at('net.bin'), '--text', 'a', '--fast']);
    expect(both.err).toContain('cannot be used together');
    const args = [at('net.bin'), at('input.f32'), '--against', at('net.bin'), '-k', '2'];
    const against = await ambryCli(['classify', ...args]);
    expect(against.code).toBe(2);
    expect(against.err).toContain('-k cannot be used with --against');
  });
});
