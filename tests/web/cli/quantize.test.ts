// `ambry quantize`: what it says that is lost, and options that reach the job.
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ambFile } from '../support/amb-file.ts';
import { ambryCli } from '../support/cli.ts';
import { cliFolder } from '../support/cli-folder.ts';

const { at, model, file } = await cliFolder();

describe('quantize', () => {
  test('quantize makes it smaller', async () => {
    const { code, json } = await ambryCli([
      'quantize',
      model,
      at('int8.weights'),
      '--type',
      'int8',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(json()).toMatchObject([
      {
        source: model,
        target: at('int8.weights'),
        report: { bytes: expect.any(Number), tensors: expect.any(Array) },
        agreement: { texts: 12 },
        warnings: [],
      },
    ]);
    expect((await readFile(at('int8.weights'))).length).toBeLessThan(file.length / 2);
  });

  test('quantize prints what every tensor loses', async () => {
    await writeFile(at('small.amb'), ambFile());
    const args = ['--type', 'adaptive', '--bits', '6', '--block', '32', '--scale', 'fp16'];
    const { code, out, err } = await ambryCli([
      'quantize',
      at('small.amb'),
      at('smaller.amb'),
      ...args,
      '--keep',
      'embed|q_proj',
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^tensor +type +before +after +max error +relative +cosine$/m);
    expect(out).toMatch(/^model\.layers\.0\.mlp\.up_proj\.weight +f32 → adaptive +16\.4 kB/m);
    expect(out).toMatch(
      /^model\.layers\.0\.self_attn\.q_proj\.weight +f32 +16\.4 kB +16\.4 kB +0/m,
    );
    expect(out).toMatch(/^total +\d+\.\d %/m);
    expect(out).toMatch(/not compared/);
    const encoder = await ambryCli(['quantize', model, at('half.weights'), '--type', 'f16']);
    expect(encoder.out).toMatch(/^Embeddings of 12 texts: cosine (0\.9|1\.0)\d+ on average/m);
  });
});
