// llama.cpp's sources as npm's node-llama-cpp has them, and the two programs that code blocks, compiled from them and from the core.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const here = join(root, 'tests/reference/ggml');
const cache = join(root, 'build/llama-cpp');
const published = 'node-llama-cpp@3.22.1';

function run(program: string, args: readonly string[], cwd = root): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], timeout: 300_000 });
}

/** The folder with llama.cpp's sources; undefined where they cannot be fetched. `AMBRY_LLAMA_CPP` names another one. */
export function llamaCppSources(): string | undefined {
  const given = process.env['AMBRY_LLAMA_CPP'];
  const sources = given ?? join(cache, 'sources');
  if (existsSync(join(sources, 'ggml/src/ggml-quants.c'))) {
    return sources;
  }
  try {
    mkdirSync(cache, { recursive: true });
    run('npm', ['pack', published], cache);
    run('tar', ['xzf', 'node-llama-cpp-3.22.1.tgz', 'package/llama/gitRelease.bundle'], cache);
    run('git', ['clone', '--quiet', 'package/llama/gitRelease.bundle', 'sources'], cache);
    return sources;
  } catch {
    return undefined;
  }
}

function compiler(names: readonly string[]): string {
  for (const name of names) {
    try {
      run(name, ['--version']);
      return name;
    } catch {
      // The next one.
    }
  }
  throw new Error(`no compiler: ${names.join(', ')}`);
}

export interface Programs {
  readonly ggml: string;
  readonly ours: string;
}

export function compiledPrograms(sources: string): Programs {
  const programs = { ggml: join(cache, 'quants-oracle'), ours: join(cache, 'quants-ours') };
  mkdirSync(cache, { recursive: true });
  const ggml = join(sources, 'ggml');
  const headers = ['include', 'src', 'src/ggml-cpu'].map((folder) => `-I${join(ggml, folder)}`);
  run(compiler(['clang-19', 'cc']), [
    '-O1',
    '-w',
    ...headers,
    join(here, 'quants-oracle.c'),
    join(ggml, 'src/ggml-quants.c'),
    '-lm',
    '-o',
    programs.ggml,
  ]);
  const core = ['core/tensor/codec/blocks/*.cpp', 'core/tensor/dtype/*.cpp', 'core/base/*.cpp'];
  run(compiler(['clang++-19', 'c++']), [
    '-O1',
    '-std=c++20',
    '-Icore',
    join(here, 'quants-ours.cpp'),
    'core/tensor/codec/codes/scaled_codes.cpp',
    ...globSync(core, { cwd: root }),
    '-o',
    programs.ours,
  ]);
  return programs;
}

/** What a program writes about its input: blocks to floats, or floats to blocks. */
export function coded(program: string, args: readonly string[], input: Uint8Array): Uint8Array {
  return execFileSync(program, args, { input, maxBuffer: 1 << 28, timeout: 300_000 });
}
