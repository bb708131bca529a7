// The recipes of CONTRIBUTING.md: every file that they name exists, and what they say to add is enough. The walks add it to
// copies of the sources and ask the compiler.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from './support/code-blocks.ts';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const recipes = page
  .split(/^## /m)
  .filter((section) => section.startsWith('Add '))
  .map((section) => [section.split('\n')[0] ?? '', section] as const);

/** What stands in a recipe for a name that the reader chooses, and a name that is there. */
const chosen: ReadonlyMap<string, string> = new Map([
  ['<id>', 'embd'],
  ['<feature>', 'encoder'],
  ['<page>', 'check'],
  ['<kind>', 'reranker'],
]);

/** The paths in backticks, each of `a.{h,cpp}` by itself. */
function pathsIn(section: string): string[] {
  const named = [...section.matchAll(/`([\w.<>/-]+(?:\{[\w.,]+\})?[\w.]*)`/g)].map(
    ([, it]) => it ?? '',
  );
  return named
    .filter((path) => path.includes('/') && !/^(ambry|@)/.test(path))
    .map((path) => path.replaceAll(/<\w+>/g, (name) => chosen.get(name) ?? name))
    .flatMap((path) => {
      const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
      return list === undefined ? [path] : list.split(',').map((one) => before + one + after);
    });
}

describe.each(recipes)('%s', (_, section) => {
  test.each(pathsIn(section))('%s exists', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });
});

test('there are recipes for what is added most', () => {
  const titles = recipes.map(([title]) => title).join('\n');
  for (const thing of ['format', 'dtype', 'architecture', 'kind', 'option', 'call', 'page']) {
    expect(titles).toContain(thing);
  }
});

describe('a copy of the sources with what the recipe adds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ambry-recipes-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Copies a file and changes the copy. Includes find the copy first. */
  function change(path: string, before: string | RegExp, after: string): string {
    const target = join(folder, path);
    const text = readFileSync(existsSync(target) ? target : join(root, path), 'utf8');
    const changed = text.replace(before, after);
    expect(changed, path).not.toBe(text);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, changed);
    return target;
  }

  const flags = ['-std=c++20', '-fno-exceptions', '-fno-rtti', '-Wall', '-Wextra', '-Werror'];
  const includes = [`-I${join(folder, 'core')}`, `-I${join(root, 'core')}`];
  const compile = (...args: string[]) => {
    const { status, stderr } = spawnSync('clang++-19', [...flags, ...includes, ...args], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  };

  test('knows a decoder architecture of three rows', () => {
    const architecture = change(
      'core/model/decoder/architectures/architecture.cpp',
      /^(constexpr auto kArchitectures = [\s\S]*?)^\}\);/m,
      '$1    {{.name = "scratch", .norm_eps = 1e-6}, kQwen3},\n});',
    );
    const names = change(
      'core/formats/gguf/names/tensor_names.cpp',
      '{"starcoder2", "starcoder2", kStarcoder2Names}',
      '{"scratch", "scratch", kQwen3Names},\n$&',
    );
    change(
      'core/formats/huggingface/config/known_decoders.h',
      '{"starcoder2", "starcoder2", true}',
      '{"scratch", "scratch"},\n$&',
    );
    const reader = join(root, 'core/formats/huggingface/config/decoder_config_json.cpp');
    compile('-fsyntax-only', names, reader);
    const main = join(folder, 'main.cpp');
    writeFileSync(
      main,
      `#include <cstdio>
      #include "model/decoder/architectures/architecture.h"
      #include "model/decoder/architectures/tensor_tables.h"
      using namespace ambry::model;
      int main() {
        const auto found = find_architecture("scratch");
        if (!found) return 1;
        const auto like = decoder_tensor_rows(DecoderArchitecture::Qwen3);
        const auto rows = decoder_tensor_rows(*found);
        std::printf("%s %d\\n", architecture_name(*found).data(), rows.data() == like.data());
      }`,
    );
    const program = join(folder, 'main');
    compile(main, architecture, '-o', program);
    expect(execFileSync(program, { encoding: 'utf8' })).toBe('scratch 1\n');
  });

  test('has an option for sampling of four rows', () => {
    change(
      'core/infer/decoder/sampling/sampler_options.h',
      '  uint32_t top_k = 0;',
      '  double scratch = 2;\n$&',
    );
    const options = change(
      'core/infer/decoder/sampling/sampler_options.cpp',
      '    {"topNSigma", ',
      '    {"scratch", AMBRY_OFFSET(scratch), 2, 0, 5, "0 … 5"},\n$&',
    );
    const main = join(folder, 'option.cpp');
    writeFileSync(
      main,
      `#include <cstdio>
      #include "infer/decoder/sampling/sampler_options.h"
      using namespace ambry::infer;
      int main() {
        SamplerOptions options = usual_sampling();
        std::printf("%g %d ", options.scratch, static_cast<bool>(check(options)));
        options.scratch = 6;
        std::printf("%s\\n", check(options).error().path.c_str());
      }`,
    );
    const program = join(folder, 'option');
    compile(
      main,
      options,
      ...['error', 'concat', 'shortest'].map((name) => join(root, `core/base/${name}.cpp`)),
      '-o',
      program,
    );
    expect(execFileSync(program, { encoding: 'utf8' })).toBe('2 1 options.scratch\n');
  });

  test('refuses no such option in JavaScript', () => {
    cpSync(join(root, 'web/src'), join(folder, 'web/src'), { recursive: true });
    const types = 'web/src/generator/base/sampling-types.ts';
    change(types, '  readonly topNSigma?: number;', '$&\n  readonly scratch?: number;');
    change(types, '  topNSigma: 0,', '$&\n  scratch: 2,');
    const names = join(folder, 'web/src/generator/base/option-names.ts');
    const script = `import { generateOptionNames } from '${names}'; console.log(generateOptionNames.scratch);`;
    const args = ['--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('true\n');
  });

  test('opens a kind of model with one class and one row', () => {
    const main = join(folder, 'kind.cpp');
    writeFileSync(
      main,
      `#include "bindings/kind.h"
      namespace ambry::api {
      class ScratchModel final : public OpenedModel {
       public:
        static constexpr std::string_view kKind = "scratch";
        static Result<std::unique_ptr<Loader>> load(const io::Source&, std::string_view) {
          return std::unique_ptr<Loader>(new FinishedLoader(std::make_unique<ScratchModel>()));
        }
        ScratchModel() : OpenedModel(kKind) {}
        std::string info() const override { return "{}"; }
        uint64_t weight_bytes() const override { return 0; }
      };
      }
      const ambry::wasm::Kind kScratch = ambry::wasm::kind_of<ambry::api::ScratchModel>();
      const auto opened = ambry::wasm::Kind::begin("scratch", {}, "{}");`,
    );
    // Bindings are compiled for WebAssembly, with the headers of Emscripten and with type information.
    const emscripten = execFileSync('em++', ['--cflags'], { encoding: 'utf8' }).trim().split(/\s+/);
    const flags = [...emscripten, '-msimd128', '-frtti', '-Wno-unused-command-line-argument'];
    compile(...flags, '-fsyntax-only', `-I${join(root, 'wasm')}`, main);
  });

  test('has the kind in JavaScript with a module, a folder and rows of one table', () => {
    const rooms = ['web/src', 'web/build', 'wasm', 'tsconfig.json'];
    for (const room of [...rooms, 'web/tsconfig.client.json', 'web/tsconfig.worker.json']) {
      const filter = (path: string) => !path.endsWith('.wasm');
      cpSync(join(root, room), join(folder, room), { recursive: true, filter });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    change(
      'wasm/modules.json',
      '  "ambry-inspect": {',
      '  "ambry-scratch": { "holds": "nothing", "bindings": ["model"], "flavours": ["baseline"] },\n$&',
    );
    // The build makes the first of the core's table of formats, the others of modules.json.
    change('web/src/wasm/tables.ts', 'export type ModelKind = ', "$&'scratch' | ");
    const run = (script: string) =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', script]);
    run(`import { writeFileSync } from 'node:fs';
      import { loaderOf, readModules, typesOf, typesOfAll } from '${join(folder, 'wasm/module-files.mjs')}';
      const modules = readModules();
      const scratch = modules.find(({ name }) => name === 'ambry-scratch');
      const write = (name, text) => writeFileSync('${join(folder, 'web/src/wasm/')}' + name, text);
      write('module.d.mts', typesOfAll(modules));
      write('ambry-scratch.d.mts', typesOf(scratch));
      write('module-scratch.ts', loaderOf(scratch, {}));`);

    const feature = join(folder, 'web/src/scratch/');
    mkdirSync(feature, { recursive: true });
    writeFileSync(join(feature, 'types.ts'), 'export interface ScratchInfo { size: number }\n');
    writeFileSync(
      join(feature, 'protocol.ts'),
      `import type { OpenCalls } from '../model/protocol.ts';
      export type ScratchCalls = OpenCalls & { guess: { in: string; out: number } };`,
    );
    writeFileSync(
      join(feature, 'client.ts'),
      `import type { FileInfo } from '../model/file-info.ts';
      import type { OpenedModel } from '../model/protocol.ts';
      import { WorkerResource } from '../model/resource.ts';
      import type { ModelFacts } from '../model/model-facts.ts';
      import type { Connection } from '../runtime/connect.ts';
      import type { ScratchCalls } from './protocol.ts';
      import type { ScratchInfo } from './types.ts';
      export class Scratch extends WorkerResource<ScratchCalls> implements ModelFacts {
        readonly kind = 'scratch';
        readonly info: FileInfo & { readonly scratch: ScratchInfo };
        readonly weightBytes: number;
        readonly flavour: string;
        constructor(connection: Connection<ScratchCalls>, opened: OpenedModel) {
          super(connection);
          this.info = opened.info as this['info'];
          this.weightBytes = opened.weightBytes;
          this.flavour = opened.flavour;
        }
        guess(text: string): Promise<number> {
          return this.connection.channel.call('guess', text, {});
        }
      }`,
    );
    writeFileSync(
      join(feature, 'worker.ts'),
      `import type { ModelHandlers } from '../model/worker-open.ts';
      import type { WorkerRuntime } from '../runtime/worker-runtime.ts';
      import type { ScratchModule } from '../wasm/module.mjs';
      import type { ScratchCalls } from './protocol.ts';
      export const scratchHandlers = (
        runtime: WorkerRuntime<ScratchModule>,
      ): ModelHandlers<ScratchCalls> => ({
        loader: { prepare: () => runtime.wasm(), load: () => Promise.reject(new Error('none')) },
        handlers: { guess: async (text) => text.length },
      });`,
    );
    const table = 'web/src/entries/entry-table.ts';
    change(
      table,
      /^export const kinds: .*$/m,
      "$&\n  scratch: { is: 'a scratch', class: ['Scratch', 'scratch/client.ts'], types: 'scratch/types.ts', worker: 'scratch' },",
    );
    change(
      table,
      /^export const workers: .*$/m,
      "$&\n  scratch: { is: 'scratches', module: 'scratch', handlers: ['scratchHandlers', 'scratch/worker.ts'] },",
    );
    run(
      `import { writeEntries } from '${join(folder, 'web/build/write-entries.mjs')}'; writeEntries();`,
    );
    writeFileSync(
      join(folder, 'web/src/user.ts'),
      `import { type Model, open, type Scratch, type ScratchInfo } from './index.ts';
      import { kindNames } from './entries/tables.ts';
      const opened: Promise<Scratch> = open('a.scratch', { kind: 'scratch' });
      export const guessed: Promise<number> = opened.then((model) => model.guess(kindNames.scratch));
      export const sizeOf = (model: Model): ScratchInfo['size'] =>
        model.kind === 'scratch' ? model.info.scratch.size : 0;`,
    );
    for (const side of ['client', 'worker']) {
      const { stdout } = spawnSync(
        join(root, 'node_modules/.bin/tsc'),
        ['-p', join(folder, `web/tsconfig.${side}.json`)],
        { encoding: 'utf8' },
      );
      expect(stdout, side).toBe('');
    }
    const handlers = readFileSync(
      join(folder, 'web/src/entries/built/kinds/worker-kinds.ts'),
      'utf8',
    );
    expect(handlers).toContain('scratch: made(moduleScratch, scratchHandlers)');
  }, 60_000);

  test('has a page of one row', async () => {
    for (const room of ['web/build', 'web/demo/shell', 'docs/glossary.md']) {
      cpSync(join(root, room), join(folder, room), { recursive: true });
    }
    change(
      'web/demo/shell/pages.ts',
      /^export const sitePages: readonly SitePage\[\] = \[$/m,
      "$&\n{ path: 'scratch/index.html', name: 'Scratch', title: 'scratch', description: 'A page.', styles: [], skip: ['#a', 'Skip'] },",
    );
    const plugin = join(folder, 'web/build/pages-plugin.ts');
    const script = `import { pages } from '${plugin}';
      const { handler } = pages().transformIndexHtml;
      console.log(handler('<h1>Here</h1>', { path: '/scratch/index.html' }));`;
    const args = ['--input-type=module', '--eval', script];
    const html = execFileSync(process.execPath, args, { encoding: 'utf8' });
    expect(html).toContain('<h1>Here</h1>');
    expect(html).toContain('<script type="module" src="../scratch/main.ts"></script>');
    expect(html).toContain('<a href="../scratch/index.html" aria-current="page">Scratch</a>');
  });
});
