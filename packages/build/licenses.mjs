// The licenses of the libraries in a bundled file, as its first comment.
import { readdirSync, readFileSync } from 'node:fs';

const mitLicense = readFileSync(new URL('../../LICENSE', import.meta.url), 'utf8');

/** The libraries that are part of our files need their licenses there. They are part, because a page without a bundler has
 *  no way to say where a worker finds a library, and bundlers treat those of other module systems in different ways. */
export function licensesIn({ moduleIds }) {
  const folders = moduleIds.map((id) => /.*\/node_modules\/(@[^/]+\/)?[^/]+\//.exec(id)?.[0]);
  return [...new Set(folders)].filter(Boolean).sort().map(licenseIn).join('\n');
}

/** What a library has in itself. */
const noticesOf = {
  unpdf: `
PDF.js is in this file. Copyright Mozilla Foundation. Licensed under the Apache License, Version 2.0:
http://www.apache.org/licenses/LICENSE-2.0`,
};

function licenseIn(folder) {
  const { name, license, author } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  if (!file && license !== 'MIT') {
    throw new Error(`${name} has no text of its license ${license}`);
  }
  const owner = (author?.name ?? author ?? name).replace(/ [<(].*/, '');
  const text = file
    ? readFileSync(`${folder}${file}`, 'utf8')
    : mitLicense.replace(/^Copyright .*$/m, `Copyright (c) ${owner}`);
  return `/*! ${name}\n${text.trim()}${noticesOf[name] ?? ''}\n*/`;
}
