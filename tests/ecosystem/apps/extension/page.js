import * as ambry from './node_modules/ambry/dist/index.js';
import * as passages from './node_modules/ambry/dist/passages/passages.js';
import { checkWith } from './program/check-with.js';
import { report } from './program/report.js';

// `?asks` has the service worker do it.
const assets = location.hash.slice(1);
report(
  location.search === '?asks'
    ? chrome.runtime.sendMessage(assets).then(({ result, error }) => {
        if (error) throw new Error(error);
        return result;
      })
    : checkWith({ ...ambry, ...passages }, assets),
);
