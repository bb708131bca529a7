import './node_modules/ambry-pdf/dist/index.js';
import * as ambry from './node_modules/ambry/dist/index.js';
import * as passages from './node_modules/ambry/dist/passages/passages.js';
import { checkWith } from './program/check-with.js';
import { report } from './program/report.js';

// `?index` and `?in-thread` have the service worker do it, with this entry of the package.
const assets = location.hash.slice(1);
const entry = location.search.slice(1);

async function ask() {
  const { result, error } = await chrome.runtime.sendMessage({ entry, assets });
  if (error) {
    throw new Error(error);
  }
  return result;
}

report(entry ? ask() : checkWith({ ...ambry, ...passages }, assets));
