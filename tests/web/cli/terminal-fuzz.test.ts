// Files with hostile names and values, made by chance: what commands print of them has no control character.
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { cliFolder } from '../support/cli/cli-folder.ts';
import { ambryCli } from '../support/cli/shared-cli.ts';
import { Mutants } from '../support/mutants.ts';
import { fuzzSize } from '../tokenizer/support/fuzz-size.ts';

const { at, model } = await cliFolder();
const raw = /(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u;
const mutants = new Mutants(5);

/** A file of a matrix whose header was changed: names, types, shapes, metadata. */
function safetensors(): Uint8Array {
  const name = mutants.text('weight');
  const header = mutants.json({
    __metadata__: { [mutants.text('format')]: mutants.text('pt') },
    [name]: { dtype: 'F32', shape: [1], data_offsets: [0, 4] },
  });
  const json = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(12 + json.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true);
  file.set(json, 8);
  return file;
}

async function expectNoControls(args: readonly string[]): Promise<void> {
  const { out, err, code } = await ambryCli(args);
  const what = JSON.stringify(args);
  expect(code, `${what}: ${err}`).not.toBe(null);
  expect(raw.exec(out)?.[0], `${what}: ${JSON.stringify(out.slice(0, 2000))}`).toBeUndefined();
  expect(raw.exec(err)?.[0], `${what}: ${JSON.stringify(err.slice(0, 2000))}`).toBeUndefined();
  expect(`${out}${err}`.split('\n'), what).not.toContain(': valid');
}

test('models', async () => {
  for (let i = 0; i < fuzzSize(40); i++) {
    const paths = Array.from({ length: 10 }, (_, n) => at(`m${i}-${n}.safetensors`));
    for (const path of paths) {
      await writeFile(path, safetensors());
    }
    await expectNoControls(['validate', ...paths, '--values']);
    await expectNoControls(['inspect', paths[0] as string, '--tensors', '--stats']);
    await expectNoControls(['metadata', paths[1] as string]);
  }
}, 600_000);

test('passages and queries', async () => {
  for (let i = 0; i < fuzzSize(20); i++) {
    const lines = Array.from({ length: 30 }, () => mutants.text(mutants.text('the water is deep')));
    await writeFile(at('hostile.txt'), lines.join('\n\n'));
    const made = await ambryCli(['index', model, at('hostile.txt'), at('hostile.ambryindex')]);
    expect(made.code, made.err).toBe(0);
    const query = mutants.text('water').replaceAll('\u0000', '');
    await expectNoControls(['search', at('hostile.ambryindex'), '-k', '9', '--', query]);
  }
}, 600_000);
