// Downloads from servers that misbehave at random. Whatever they do, a job gets the bytes of exactly one version of the
// file, or an error with a code.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AmbryError } from '../../../web/src/base/errors.ts';
import type { ByteSource } from '../../../web/src/sources/base/byte-source.ts';
import type { WireSource } from '../../../web/src/sources/base/wire.ts';
import { directoryStore } from '../../../web/src/sources/cache/node-directory.ts';
import { cachingOpener } from '../../../web/src/sources/open-cached.ts';
import { openRanged } from '../../../web/src/sources/ranged.ts';
import { ByteServer } from '../support/servers/byte-server.ts';
import { HostileServer, randomOf } from '../support/servers/hostile-server.ts';
import { gather, quickRetries, runJob } from '../support/source-jobs.ts';

/** Two versions of one size, and one of another. Every byte differs. */
const versions = [150_000, 150_000, 149_000].map((size, version) =>
  Uint8Array.from({ length: size }, (_, i) => (i * 31 + (i >> 8) + version * 85) & 0xff),
);
const hashes = versions.map((bytes) => createHash('sha256').update(bytes).digest('hex'));

let hostile = new HostileServer(0, versions);
const server = await ByteServer.start((request, response) => hostile.answer(request, response));
const directory = await mkdtemp(join(tmpdir(), 'ambry-hostile-'));
afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

const openSource = cachingOpener(directoryStore);
const signal = new AbortController().signal;

/** The version that these bytes of the file are of. */
function versionOf(bytes: Uint8Array, begin = 0, end?: number): number {
  return versions.findIndex((file) =>
    Buffer.from(file.buffer, 0, file.length).subarray(begin, end).equals(bytes),
  );
}

const wholeOf = async (source: ByteSource) => gather(source.stream(0, await source.measure()));

/** The result of a job that reads the whole file, or may. */
async function job(
  wire: WireSource,
  use: (source: ByteSource) => Promise<Buffer> = wholeOf,
): Promise<Buffer> {
  const retryPolicy = quickRetries(2000);
  const open = () => openSource(wire, { signal, retryPolicy, whole: true });
  return (await runJob(open, use)).result;
}

let files = 0;

/** The result of a job: the number of the version, or the code of the error. */
async function outcome(work: () => Promise<number>): Promise<string> {
  try {
    const version = await work();
    return version < 0 ? 'a mixture' : 'one version';
  } catch (error) {
    return error instanceof AmbryError ? error.code : String(error);
  }
}

async function outcomes(
  seeds: number,
  work: (url: string, seed: number) => Promise<number>,
  fails = true,
): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (let seed = 1; seed <= seeds; seed++) {
    hostile = new HostileServer(seed, versions, fails);
    // The files of two servers may not have one address: the versions of both have the same names.
    const result = await outcome(() => work(`${server.origin}/${files++}`, seed));
    found.set(result, [...(found.get(result) ?? []), seed]);
  }
  return found;
}

/** Seeds are printed, so that a case can be run alone. */
function expectSafe(found: Map<string, number[]>): void {
  const bad = [...found].filter(([result]) => !/^(one version|Http|Mismatch)$/.test(result));
  expect(bad).toEqual([]);
  expect(found.get('one version')?.length).toBeGreaterThan(20);
}

test('a job that streams the file gets one version, or an error', async () => {
  const found = await outcomes(150, async (url) => versionOf(await job({ kind: 'url', url })));
  expectSafe(found);
  expect(found.get('one version')?.length).toBeGreaterThan(75);
});

test('a job that reads parts of the file gets parts of one version, or an error', async () => {
  const found = await outcomes(100, async (url, seed) => {
    const random = randomOf(seed);
    let of = -1;
    await job({ kind: 'url', url }, async (source) => {
      const places = Array.from({ length: 4 }, () => Math.floor(random() * 140_000));
      const read: number[] = [];
      for (const at of places) {
        read.push(versionOf(await source.read(at, 500), at, at + 500));
      }
      const rest = await wholeOf(source);
      of = versionOf(rest);
      if (read.some((version) => version !== of)) {
        of = -1;
      }
      return rest;
    });
    return of;
  });
  expectSafe(found);
});

test('a job with a cache and a SHA-256 gets this file, or an error, also when it is kept', async () => {
  const found = await outcomes(60, async (url, seed) => {
    const sha256 = hashes[seed % 2] as string;
    const wire = { kind: 'url', url, cache: { directory }, sha256 } as const;
    const failed = await job(wire).then(
      () => undefined,
      (error: unknown) => error,
    );
    hostile = new HostileServer(seed + 10_000, versions, true, seed % 2);
    const again = versionOf(await job(wire));
    if (failed && !(failed instanceof AmbryError)) {
      throw failed;
    }
    return again === seed % 2 ? again : -1;
  });
  expectSafe(found);
  expect((await readdir(directory)).filter((name) => !/\.(bin|json)$/.test(name))).toEqual([]);
});

test('a job with a cache continues and uses again one version, or has an error', async () => {
  const found = await outcomes(60, async (url) => {
    const wire = { kind: 'url', url, cache: { directory } } as const;
    const begin = async (source: ByteSource) => Buffer.from(await source.read(70_000, 100));
    await job(wire, begin).catch(() => undefined);
    const first = versionOf(await job(wire));
    return first < 0 ? first : versionOf(await job(wire));
  });
  expectSafe(found);
});

test('rows that are read by range are of one version, or there is an error', async () => {
  const found = await outcomes(
    200,
    async (url, seed) => {
      const random = randomOf(seed);
      const file = await openRanged({ kind: 'url', url }, { signal, open: openSource });
      const source = file.source(signal);
      let of: number | undefined;
      for (let i = 0; i < 3; i++) {
        const at = Math.floor(random() * 140_000);
        const version = versionOf(await source.read(at, 500), at, at + 500);
        of ??= version;
        if (of !== version) {
          return -1;
        }
      }
      return of ?? -1;
    },
    false,
  );
  // Servers without ranges or versions are refused.
  found.delete('Unsupported');
  expectSafe(found);
});
