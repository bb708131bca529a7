// The built package in Node: the map of a file, statistics, the bytes around problems, rewriting, and
// files larger than memory.
import { mkdtemp, open as openFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelDirectory } from '../support/fixtures.ts';
import { ambry, smallModel } from '../support/package.ts';

const { inspect, validate, convert } = ambry;
const file = await smallModel();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ambry-validation-'));
});
afterAll(() => rm(folder, { recursive: true }));

const reservedAt = 60;

/** A file that only strict reading refuses: the header's reserved word, which no checksum but the
 *  file's covers, is set, and that one is made good. */
async function untidyFile(): Promise<Uint8Array<ArrayBuffer>> {
  const { crc32 } = await import('node:zlib');
  const untidy = file.slice();
  const view = new DataView(untidy.buffer);
  view.setUint32(reservedAt, 7, true);
  view.setUint32(untidy.length - 12, crc32(untidy.subarray(0, -16)), true);
  return untidy;
}

describe('inspect', () => {
  test('the regions follow one another from the first byte to the last', async () => {
    const { regions, tensors } = await inspect(file);
    let end = 0;
    for (const { kind, name, offset, bytes } of regions) {
      expect(offset).toBe(end);
      expect(name === '').toBe(kind === 'padding' || kind === 'unclaimed');
      end += bytes;
    }
    expect(end).toBe(file.length);
    expect(regions.filter(({ kind }) => kind === 'tensor')).toHaveLength(tensors.length);
  });

  test('memory is estimated for models that run, and null for others', async () => {
    const { run } = await inspect(file);
    expect(run).toMatchObject({ kind: 'encoder', format: 'embd', converts: false, obstacle: null });
    const { asStored = 0, int8 } = run.memory ?? {};
    expect(asStored).toBeGreaterThan(int8 ?? Number.POSITIVE_INFINITY);
    const weights = modelDirectory().get('model.safetensors') as Uint8Array;
    expect((await inspect(weights)).run).toMatchObject({
      kind: null,
      converts: true,
      memory: null,
    });
  });
});

describe('validate', () => {
  test('with values it gives statistics of every tensor', async () => {
    const { tensors } = await inspect(file);
    const { statistics = [] } = await validate(file, { values: true });
    expect(statistics.map(({ tensor }) => tensor)).toEqual(tensors.map(({ name }) => name));
    for (const { count, min, max, mean, histogram } of statistics) {
      expect(histogram?.counts).toHaveLength(64);
      expect(histogram?.counts.reduce((sum, n) => sum + n, 0)).toBe(count);
      expect(histogram?.low).toBeLessThanOrEqual(min ?? 0);
      expect(histogram?.high).toBeGreaterThan(max ?? 0);
      expect(mean).toBeGreaterThanOrEqual(min ?? 0);
    }
    expect((await validate(file)).statistics).toBeUndefined();
  });

  test('reports a NaN with its byte', async () => {
    const bad = file.slice();
    const { tensors } = await inspect(file);
    const offset = (tensors[2]?.offset ?? 0) + 12;
    new DataView(bad.buffer).setFloat32(offset, Number.NaN, true);
    const { errors } = await validate(bad, { values: true });
    expect(errors).toContainEqual(
      expect.objectContaining({ code: 'BadValue', byteOffset: offset, path: tensors[2]?.name }),
    );
  });

  test('shows the bytes around a problem', async () => {
    const { errors, warnings } = await validate(await untidyFile(), { context: true });
    expect(errors).toEqual([]);
    const [reserved] = warnings.filter(({ path }) => path === 'header.reserved');
    expect(reserved).toMatchObject({ byteOffset: reservedAt, context: { offset: 32 } });
    const { hex = '', offset = 0 } = reserved?.context ?? {};
    expect(hex).toBe(Buffer.from((await untidyFile()).subarray(32, 80)).toString('hex'));
    expect(hex.slice((reservedAt - offset) * 2).startsWith('07000000')).toBe(true);
    const short = await validate(file.slice(0, 70), { context: true });
    expect(short.errors[0]?.context?.hex.length).toBeLessThanOrEqual(96);
  });

  test('a lenient file can be rewritten as a strict one', async () => {
    const untidy = await untidyFile();
    const report = await validate(untidy, { strict: true });
    expect(report).toMatchObject({ valid: false, rewritable: true, format: 'embd' });
    const fixed = await convert(untidy, { to: report.format as string });
    expect(await validate(fixed, { strict: true })).toMatchObject({ valid: true, warnings: [] });
    expect(new Uint8Array(await fixed.arrayBuffer())).toEqual(file);
  });

  test('a damaged file cannot be rewritten', async () => {
    const damaged = file.slice();
    damaged[file.length - 100] = (damaged[file.length - 100] ?? 0) ^ 1;
    expect(await validate(damaged)).toMatchObject({ valid: false, rewritable: false });
  });
});

describe('files larger than memory', () => {
  const giB = 2 ** 30;

  /** Layout F0 with two tensors, `bytes` and 4 bytes, and a hole where they are. */
  async function sparseEmbd(name: string, bytes: number): Promise<string> {
    const dataAt = 192;
    const dataBytes = bytes + 64;
    const head = Buffer.alloc(dataAt);
    head.write('EMBD', 0, 'latin1');
    head.writeUInt16LE(1, 4);
    head.writeUInt32LE(2, 8);
    head.writeUInt32LE(64, 12);
    head.writeUInt32LE(8, 16);
    head.writeUInt32LE(72, 28);
    head.writeUInt32LE(2, 32);
    head.writeUInt32LE(dataAt, 36);
    head.writeBigUInt64LE(BigInt(dataBytes), 40);
    head.writeBigUInt64LE(BigInt(dataAt + dataBytes + 16), 48);
    const hash = (letter: string) => Math.imul(0x811c9dc5 ^ letter.charCodeAt(0), 0x01000193) >>> 0;
    for (const [i, rows] of [bytes / 4096, 1].entries()) {
      const at = 72 + i * 32;
      head.writeUInt32LE(hash('ab'[i] as string), at);
      head.writeUInt8(2, at + 5);
      head.writeUInt16LE(1, at + 6);
      head.writeUInt32LE(rows, at + 8);
      head.writeUInt32LE(i === 0 ? 1024 : 1, at + 12);
      head.writeBigUInt64LE(BigInt(i * bytes), at + 24);
    }
    head.write('ab', 136, 'latin1');
    const foot = Buffer.alloc(16);
    foot.write('DBME', 8, 'latin1');
    const path = join(folder, name);
    const handle = await openFile(path, 'w');
    await handle.write(head, 0, head.length, 0);
    await handle.write(foot, 0, foot.length, dataAt + dataBytes);
    await handle.close();
    return path;
  }

  test('EMBD of 5 GiB: the offset of a tensor past 4 GiB is right', async () => {
    const path = await sparseEmbd('large.weights', 5 * giB);
    const { tensors, bytes, regions } = await inspect({ path });
    expect(bytes).toBe(5 * giB + 192 + 64 + 16);
    expect(tensors[1]).toMatchObject({ name: 'b', offset: 5 * giB + 192, bytes: 4 });
    expect(regions.at(-1)).toMatchObject({ name: 'footer', offset: bytes - 16 });
    const { errors } = await validate({ path }, { strict: true });
    // No whole encoder, which is all that is wrong with it.
    expect(errors.filter(({ code }) => code !== 'NotFound')).toEqual([]);
  });

  test('safetensors of 5 GiB', async () => {
    const header = JSON.stringify({
      a: { dtype: 'F32', shape: [5 * 2 ** 18, 1024], data_offsets: [0, 5 * giB] },
      b: { dtype: 'F32', shape: [1], data_offsets: [5 * giB, 5 * giB + 4] },
    });
    const head = Buffer.alloc(8 + header.length);
    head.writeBigUInt64LE(BigInt(header.length), 0);
    head.write(header, 8, 'latin1');
    const path = join(folder, 'large.safetensors');
    const handle = await openFile(path, 'w');
    await handle.write(head, 0, head.length, 0);
    await handle.truncate(head.length + 5 * giB + 4);
    await handle.close();
    const { tensors } = await inspect({ path });
    expect(tensors[1]).toMatchObject({ name: 'b', offset: head.length + 5 * giB });
    expect(await validate({ path })).toMatchObject({ format: 'safetensors', valid: true });
  });

  test('rewriting half a gigabyte takes little memory', async () => {
    const path = await sparseEmbd('half.weights', giB / 2);
    const output = join(folder, 'again.weights');
    // What a first conversion brings up for good: the worker's heap, the module, the channel.
    await convert({ path: await sparseEmbd('small.weights', 2 ** 24) }, { to: 'embd', output });
    const before = process.memoryUsage().rss;
    let peak = 0;
    await convert(
      { path },
      {
        to: 'embd',
        output,
        onProgress: () => {
          peak = Math.max(peak, process.memoryUsage().rss);
        },
      },
    );
    expect((await stat(output)).size).toBeGreaterThan(giB / 2);
    // Chunks in flight and what the collector has not taken back yet; a file held is twice this.
    expect(peak - before).toBeLessThan(giB / 4);
    // What a writer adds: the checksums.
    expect((await validate({ path: output })).errors.map(({ code }) => code)).not.toContain(
      'Mismatch',
    );
    await rm(output);
  });
});
