// `ambry validate`: exit codes, JSON output, and the advice to fix a file.
import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cliFolder } from '../../support/cli/cli-folder.ts';
import { ambryCli } from '../../support/cli/shared-cli.ts';

const { at, model, file } = await cliFolder();

describe('validate', () => {
  test('prints one line for each file, and the worst exit code wins', async () => {
    await writeFile(at('bad.weights'), file.slice(0, -40));
    const good = await ambryCli(['validate', model, '--json', '--strict', '--values']);
    expect(good.code).toBe(0);
    const { code, json } = await ambryCli(['validate', model, at('bad.weights'), '--json']);
    expect(code).toBe(1);
    expect(json()).toMatchObject([
      { file: model, format: 'embd', version: expect.any(String), valid: true, errors: [] },
      {
        file: at('bad.weights'),
        valid: false,
        errors: [{ code: expect.any(String), message: expect.any(String) }],
        warnings: expect.any(Array),
      },
    ]);
    const all = await ambryCli(['validate', at('none'), at('bad.weights'), model]);
    expect(all.code).toBe(2);
    expect(all.out).toMatch(/INVALID/);
    expect(all.out).toMatch(/: valid/);
    expect(all.err).toMatch(/No such file/);
  });

  test('--values --json gives statistics', async () => {
    const [report] = (await ambryCli(['validate', model, '--values', '--json'])).json();
    expect(report).toMatchObject({ valid: true, rewritable: true });
    expect((report as { statistics: unknown[] }).statistics[0]).toMatchObject({
      tensor: 'embeddings.word_embeddings.weight',
      nan: 0,
      histogram: { counts: expect.any(Array) },
    });
  });

  test('shows the faulty bytes, and how to fix a file that is not strict', async () => {
    const untidy = file.slice();
    untidy[60] = 7; // the header's reserved word
    new DataView(untidy.buffer).setUint32(untidy.length - 12, crc32(untidy.subarray(0, -16)), true);
    await writeFile(at('untidy.weights'), untidy);
    const { code, out } = await ambryCli(['validate', at('untidy.weights'), '--strict']);
    expect(code).toBe(1);
    expect(out).toMatch(/error +BadValue at byte 60, header\.reserved/);
    expect(out).toMatch(/00000030( +..){12} +\[07\]/);
    expect(out).toContain('--to embd');
    const target = at('fixed.weights');
    const fixed = await ambryCli(['convert', at('untidy.weights'), target, '--to', 'embd']);
    expect(fixed.code).toBe(0);
    expect((await ambryCli(['validate', target, '--strict'])).code).toBe(0);
    expect(Buffer.compare(await readFile(target), Buffer.from(file))).toBe(0);
  });
});
