import './node_modules/ambry-pdf/dist/in-thread.js';
import * as inThread from './node_modules/ambry/dist/in-thread.js';
import * as pages from './node_modules/ambry/dist/index.js';
import * as passages from './node_modules/ambry/dist/passages/in-thread.js';
import { checkWith } from './program/check-with.js';

chrome.runtime.onMessage.addListener(({ entry, assets }, _sender, respond) => {
  const ambry = entry === 'in-thread' ? inThread : pages;
  checkWith({ ...ambry, ...passages }, assets).then(
    (result) => respond({ result }),
    (error) => respond({ error: error.message }),
  );
  return true;
});
