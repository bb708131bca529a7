// Source maps as the package ships them. Its own sources are files of the package, so that it has each of them once. Sources of
// libraries are not in it, and some bundlers fail where a source is missing, so the maps do not lead to them.
import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';

const isShipped = (name) => !/\/node_modules\/|\/web\/src\/wasm\//.test(name);

/** Rewrites the file. */
export function trimSourceMap(path) {
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(path, 'utf8'));
  const kept = map.sources.flatMap((name, i) => (isShipped(name) ? [i] : []));
  const places = new Map(kept.map((old, i) => [old, i]));
  const mappings = decode(map.mappings).map((line) =>
    line.map(([column, source, ...rest]) =>
      places.has(source) ? [column, places.get(source), ...rest] : [column],
    ),
  );
  const sources = kept.map((i) => map.sources[i]);
  writeFileSync(path, JSON.stringify({ ...map, sources, mappings: encode(mappings) }));
}
