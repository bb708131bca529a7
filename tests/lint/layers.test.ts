import { describe, expect, it } from 'vitest';
import { checkFolders } from './circles.mjs';
import { checkHeaderNames, checkIncludes, includesOf, readRooms } from './includes.mjs';
import { checkCircles, checkImports, checkWorkers } from './layers.mjs';

const rooms = readRooms(`
ambry_room(base)
ambry_room(io DEPENDS base)
ambry_room(simd DEPENDS base)
ambry_room(kernels HOT gemm.cpp DEPENDS simd io)
ambry_room(formats DEPENDS io)
ambry_room(api DEPENDS formats
           kernels)
`);

const include = (path: string, line: string) =>
  checkIncludes({ path, text: `// first line\n${line}\n` }, rooms);
const imports = (path: string, text: string) => checkImports({ path, text });

describe('rooms', () => {
  it('reaches the dependencies of its dependencies', () => {
    expect([...(rooms.get('api') ?? [])].sort()).toEqual([
      'base',
      'formats',
      'io',
      'kernels',
      'simd',
    ]);
    expect([...(rooms.get('base') ?? [])]).toEqual([]);
  });

  it('rejects a graph that names a room before its definition', () => {
    expect(() => readRooms('ambry_room(io DEPENDS base)\n')).toThrow(/not yet stated/);
    expect(() => readRooms('# nothing\n')).toThrow(/no rooms/);
  });
});

describe('includes', () => {
  it('may go down, also past the next room', () => {
    expect(include('core/api/a.cpp', '#include "base/result.h"')).toEqual([]);
    expect(include('core/io/a.cpp', '#include "io/a.h"')).toEqual([]);
    expect(include('core/io/a.cpp', '#include <vector>')).toEqual([]);
  });

  it('may not go up, and are reported with file and line', () => {
    expect(include('core/io/a.cpp', '#include "api/engine.h"')).toEqual([
      { path: 'core/io/a.cpp', line: 2, message: expect.stringContaining('api/engine.h') },
    ]);
    expect(include('core/formats/a/a.cpp', '#include "kernels/dot.h"')).toHaveLength(1);
  });

  it('start at core/', () => {
    expect(include('core/io/a.cpp', '#include "a.h"')).toHaveLength(1);
    expect(include('core/io/a.cpp', '#include "../base/result.h"')).toHaveLength(1);
  });

  it('keep sibling formats apart, but not the registry from its rows', () => {
    expect(include('core/formats/a/parse.cpp', '#include "formats/b/parse.h"')).toHaveLength(1);
    expect(include('core/formats/a/parse.cpp', '#include "formats/a/layout.h"')).toEqual([]);
    expect(include('core/formats/a/parse.cpp', '#include "formats/format.h"')).toEqual([]);
    expect(include('core/formats/registry.cpp', '#include "formats/b/parse.h"')).toEqual([]);
  });

  it('keep intrinsics in simd and Emscripten in wasm', () => {
    for (const header of ['<wasm_simd128.h>', '<smmintrin.h>', '<simde/wasm/simd128.h>']) {
      expect(include('core/kernels/dot.h', `#include ${header}`)).toHaveLength(1);
      expect(include('core/simd/isa.h', `#include ${header}`)).toEqual([]);
    }
    expect(include('core/api/a.cpp', '#include <emscripten/bind.h>')).toHaveLength(1);
    expect(include('wasm/bindings/a.cpp', '#include <emscripten/bind.h>')).toEqual([]);
  });

  it('of the bindings may use core/api and core/base only', () => {
    for (const path of ['wasm/bindings/a.cpp', 'wasm/border/a.cpp', 'wasm/choices/a.cpp']) {
      expect(include(path, '#include "api/inspect.h"')).toEqual([]);
      expect(include(path, '#include "base/result.h"')).toEqual([]);
      expect(include(path, '#include "io/source.h"')).toHaveLength(1);
      expect(include(path, '#include "outcome.h"')).toHaveLength(1);
    }
  });

  it('of the bindings go to the border, and not back', () => {
    expect(include('wasm/bindings/a.cpp', '#include "bindings/model_kind.h"')).toEqual([]);
    expect(include('wasm/bindings/a.cpp', '#include "border/outcome.h"')).toEqual([]);
    expect(include('wasm/border/outcome.h', '#include "border/handles.h"')).toEqual([]);
    expect(include('wasm/border/a.cpp', '#include "bindings/model_kind.h"')).toHaveLength(1);
    expect(include('wasm/choices/a.cpp', '#include "border/outcome.h"')).toHaveLength(1);
  });
});

describe('imports', () => {
  it('may go down', () => {
    expect(imports('web/src/index.ts', "import { a } from './search/client.ts';")).toEqual([]);
    expect(imports('web/src/convert/a.ts', "import type { A } from '../rpc/protocol.ts';")).toEqual(
      [],
    );
    expect(imports('web/src/search/a.ts', "import { a } from '../encoder/a.ts';")).toEqual([]);
    expect(imports('web/src/words/worker.ts', "import create from '../wasm/ambry.mjs';")).toEqual(
      [],
    );
    expect(imports('web/demo/search/a.ts', "import { open } from 'ambry';")).toEqual([]);
  });

  it('may not go up, or from one feature to another', () => {
    expect(imports('web/src/rpc/a.ts', "import { b } from '../runtime/b.ts';")).toHaveLength(1);
    expect(imports('web/src/model/a.ts', "import { b } from '../encoder/b.ts';")).toHaveLength(1);
    expect(imports('web/src/words/a.ts', "import { b } from '../generator/b.ts';")).toHaveLength(1);
    expect(imports('web/src/sources/a.ts', "import b from '../wasm/ambry.mjs';")).toHaveLength(1);
  });

  it('keep the caller and the worker apart', () => {
    const worker = "import { b } from './worker-b.ts';";
    expect(imports('web/src/words/client.ts', worker)).toHaveLength(1);
    expect(imports('web/src/words/worker.ts', worker)).toEqual([]);
    expect(imports('web/src/entries/words.ts', "export { b } from '../words/worker.ts';")).toEqual(
      [],
    );
    expect(imports('web/src/rpc/a.ts', "await import('../entries/b.ts');")).toHaveLength(1);
  });

  it('inside the package may not use index.ts or types.ts', () => {
    expect(
      imports('web/src/words/a.ts', "import type { B } from '../entries/types.ts';"),
    ).toHaveLength(1);
    expect(imports('web/src/cli/a.ts', "import type { B } from '../entries/types.ts';")).toEqual(
      [],
    );
  });

  it('of pages and of e2e use the public name', () => {
    expect(imports('web/demo/a.ts', "import { b } from '../src/index.ts';")).toHaveLength(1);
    expect(imports('e2e/a.ts', "import '../web/src/base/errors.ts';")).toHaveLength(1);
    expect(imports('e2e/a.ts', "import { page } from './pages/search.ts';")).toEqual([]);
  });

  it('of a page are its own, or what pages share', () => {
    const shared = "import { byId } from '../shared/dom/dom.ts';";
    expect(imports('web/demo/words/a.ts', shared)).toEqual([]);
    expect(imports('web/demo/words/a.ts', "import '../chat/b.ts';")).toHaveLength(1);
    expect(imports('web/demo/shared/dom/a.ts', "import '../../words/b.ts';")).toHaveLength(1);
  });

  it('of packages use public names', () => {
    expect(imports('packages/serve/src/a.ts', "import { open } from 'ambry';")).toEqual([]);
    expect(imports('packages/serve/src/openai/a.ts', "import '../service/b.ts';")).toEqual([]);
    expect(imports('packages/serve/src/a.ts', "import '../../answers/src/index.ts';")).toHaveLength(
      1,
    );
    expect(imports('packages/serve/build.mjs', "import '../../web/build/a.mjs';")).toHaveLength(1);
    expect(imports('packages/serve/build.mjs', "import '../build/a.mjs';")).toEqual([]);
    expect(imports('web/src/cli/a.ts', "import type { A } from 'ambry-serve';")).toHaveLength(1);
  });

  it('are found if they span several lines', () => {
    const text = "// one\nimport {\n  a,\n  b,\n} from '../entries/b.ts';\n";
    expect(imports('web/src/words/a.ts', text)).toMatchObject([{ line: 2 }]);
  });

  it('of an unknown folder are rejected', () => {
    expect(imports('web/src/extra/a.ts', "import { b } from '../base/errors.ts';")).toHaveLength(1);
  });
});

describe('circles', () => {
  const file = (name: string, text: string) => ({ path: `web/src/words/${name}.ts`, text });

  it('are found through types and later imports', () => {
    const faults = checkCircles([
      file('a', "import type { B } from './b.ts';"),
      file('b', "const c = await import('./c.ts');"),
      file('c', "export { a } from './a.ts';"),
    ]);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.message).toContain(
      'web/src/words/a.ts → web/src/words/b.ts → web/src/words/c.ts → web/src/words/a.ts',
    );
  });

  it('are not reported if two files share a third', () => {
    const faults = checkCircles([
      file('a', "import './b.ts';\nimport './c.ts';"),
      file('b', "import './c.ts';"),
      file('c', ''),
    ]);
    expect(faults).toEqual([]);
  });
});

describe('circles of folders', () => {
  const targets: Readonly<Record<string, readonly string[]>> = {
    'core/a/roof.cpp': ['core/a/floor/one.h'],
    'core/a/floor/one.h': ['core/a/floor/two.h'],
    'core/a/floor/two.h': ['core/a/beside/three.h'],
    'core/a/beside/three.h': [],
  };
  const check = (changes: typeof targets = {}) => {
    const all = { ...targets, ...changes };
    const files = Object.keys(all).map((path) => ({ path, text: '' }));
    return checkFolders(files, ({ path }) =>
      (all[path] ?? []).map((target, i) => ({ target, line: i + 1 })),
    );
  };

  it('are not there where folders use each other in one direction', () => {
    expect(check()).toEqual([]);
  });

  it('are found though no file imports itself', () => {
    expect(check({ 'core/a/beside/three.h': ['core/a/floor/one.h'] })).toHaveLength(1);
    expect(check({ 'core/a/floor/one.h': ['core/elsewhere.h', 'core/a/roof.cpp'] })).toEqual([
      {
        path: 'core/a/floor/one.h',
        line: 2,
        message: 'closes a circle: core/a → core/a/floor → core/a',
      },
    ]);
  });

  it('are found by the includes of core and of wasm', () => {
    const header = (path: string, ...names: string[]) => ({
      path,
      text: names.map((name) => `#include "${name}"\n`).join(''),
    });
    const files = [
      header('core/text/bpe/a.cpp', 'text/bpe/b.h', 'text/unicode/a.h'),
      header('core/text/bpe/b.h'),
      header('core/text/unicode/a.h'),
      header('core/text/unicode/b.h', 'base/result.h', 'text/bpe/b.h'),
      header('core/base/result.h'),
      header('wasm/bindings/a.cpp', 'border/a.h', 'text/bpe/b.h'),
      header('wasm/border/a.h'),
    ];
    expect(checkFolders(files, includesOf)).toEqual([
      {
        path: 'core/text/unicode/b.h',
        line: 2,
        message: 'closes a circle: core/text/bpe → core/text/unicode → core/text/bpe',
      },
    ]);
    const climbing = [
      ...files.slice(0, 3),
      ...files.slice(4, 6),
      header('wasm/border/a.h', 'bindings/b.h'),
      header('wasm/bindings/b.h'),
    ];
    expect(checkFolders(climbing, includesOf)).toHaveLength(1);
  });
});

describe('names of headers', () => {
  it('occur once in core', () => {
    const paths = [
      'core/a/a_layout.h',
      'core/b/b_layout.h',
      'core/b/check.cpp',
      'core/c/check.cpp',
    ];
    expect(checkHeaderNames(paths)).toEqual([]);
    expect(checkHeaderNames([...paths, 'core/c/a_layout.h', 'wasm/border/b_layout.h'])).toEqual([
      { path: 'core/c/a_layout.h', line: 1, message: expect.stringContaining('core/a/a_layout.h') },
    ]);
  });
});

it('finds a worker that is not started by an entry', () => {
  const text = "const a = 1;\nnew Worker(new URL('./a.js', import.meta.url));\n";
  expect(checkWorkers({ path: 'web/src/words/client.ts', text })).toMatchObject([{ line: 2 }]);
  expect(checkWorkers({ path: 'web/src/entries/words.ts', text })).toEqual([]);
  expect(checkWorkers({ path: 'web/demo/words/words.ts', text })).toEqual([]);
});
