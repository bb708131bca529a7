// What the files of a package import: other files must be in the package, and other packages in its manifest.
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';

const builtin = new Set(builtinModules);
/** Imports, also in code that a bundler has made small. Texts may have the same words, so names must look like names. */
const later = /\bimport\(\s*(['"])([^'"\s]+)\1\s*\)/g;
const atOnce = /(?:^|[;}\n])\s*(?:import|export)\b(?:[^'"`;()=]*?\bfrom)?\s*(['"])([^'"\s]+)\1/g;
const comments = /\/\*[\s\S]*?\*\//g;
const packageName = /^(?:@[a-z0-9._-]+\/)?[a-z0-9][a-z0-9._-]*(?=\/|$)/i;
/** Names that the tool around a plugin gives meaning to. */
const given = /^(virtual:|@docusaurus\/)/;

/**
 * @param {import('./stage.mjs').Staged} staged
 * @returns {string[]}
 */
export function checkImports({ name, folder, files, manifest }) {
  const declared = new Set([
    name,
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]);
  const present = new Set(files);
  /** @type {Set<string>} */
  const faults = new Set();
  // The pages of ambry-demo are bundled, and show code as texts.
  for (const path of files.filter((each) => /^dist\/.*(\.m?js|\.d\.m?ts)$/.test(each))) {
    for (const target of importsOf(readFileSync(join(folder, path), 'utf8'))) {
      if (target.startsWith('.')) {
        const file = posix.join(posix.dirname(path), target);
        const typed = file.replace(/\.m?[jt]s$/, '.d.ts');
        if (!present.has(file) && !present.has(typed)) {
          faults.add(`${path} imports ${target}, which is not in the package`);
        }
        continue;
      }
      const [needed] = packageName.exec(target) ?? [];
      // A text that is part of a message, such as `${name}`, is no name.
      if (needed && !builtin.has(needed) && !given.test(target) && !declared.has(needed)) {
        faults.add(`${path} imports ${needed}, which is neither a dependency nor a peer`);
      }
    }
  }
  return [...faults];
}

/** @param {string} code */
function importsOf(code) {
  const bare = code.replace(comments, '');
  return [...bare.matchAll(later), ...bare.matchAll(atOnce)].map(([, , target = '']) => target);
}
