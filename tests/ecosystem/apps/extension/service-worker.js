import * as ambry from './node_modules/ambry/dist/in-thread.js';
import * as passages from './node_modules/ambry/dist/passages/in-thread.js';
import { checkWith } from './program/check-with.js';

chrome.runtime.onMessage.addListener((assets, _sender, respond) => {
  checkWith({ ...ambry, ...passages }, assets).then(
    (result) => respond({ result }),
    (error) => respond({ error: `${error.name}: ${error.message}` }),
  );
  return true;
});
