// Where the nodes of a graph belong: the module that a node is part of, as a path.

import type { OnnxNode } from 'ambry';

/** How the weights of a module are called, after its path: `encoder.layer.0.output.dense.weight`. */
const parameter = /^(.+)\.(weight|bias|gamma|beta|weight_\w+|bias_\w+|[\w-]*(norm|embedding)s?)$/i;
const mostParts = 64;

/** The parts of a path by its slashes. Empty parts are left out. */
const partsOf = (path: string): string[] => path.split('/').filter(Boolean).slice(0, mostParts);

/** A path of the words between dots, in which a number stays with its list: `layer.0` is one part. */
function partsOfDotted(name: string): string[] {
  const parts: string[] = [];
  for (const word of name.split('.').filter(Boolean).slice(0, mostParts)) {
    const last = parts.length - 1;
    if (/^\d+$/.test(word) && last >= 0) {
      parts[last] += `.${word}`;
    } else {
      parts.push(word);
    }
  }
  return parts;
}

/** The module of a node by its own name (`/encoder/layer.0/attention/self/query/MatMul`), or by that of a weight. Undefined
 *  where neither has one. */
function statedPlace({ name, inputs }: OnnxNode): string[] | undefined {
  if (name.includes('/')) {
    return partsOf(name).slice(0, -1);
  }
  for (const input of inputs) {
    const [, module = ''] = parameter.exec(input) ?? [];
    if (module.includes('.')) {
      return partsOfDotted(module);
    }
  }
  return undefined;
}

/** What two paths have in common at their beginning. */
function commonOf(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((part, i) => part !== b[i]);
  return end < 0 ? a : a.slice(0, end);
}

/** The path of each node. A node that states none lies between two that do, in what these have in common; without any that do,
 *  the paths are empty. */
export function placesOf(nodes: readonly OnnxNode[]): (readonly string[])[] {
  const stated = nodes.map(statedPlace);
  const places: (readonly string[])[] = [];
  let next: readonly string[] = [];
  const following: (readonly string[])[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    next = stated[i] ?? next;
    following[i] = next;
  }
  let before: readonly string[] = [];
  for (const [i, own] of stated.entries()) {
    before = own ?? before;
    places.push(own ?? commonOf(before, following[i] ?? []));
  }
  return places;
}
