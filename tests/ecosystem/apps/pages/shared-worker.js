import './node_modules/ambry-pdf/dist/index.js';
import * as ambry from './node_modules/ambry/dist/index.js';
import * as passages from './node_modules/ambry/dist/passages/passages.js';
import { checkWith } from './program/check-with.js';

addEventListener('connect', ({ ports: [port] }) => {
  port.onmessage = async ({ data }) => {
    try {
      port.postMessage({ result: await checkWith({ ...ambry, ...passages }, data) });
    } catch (error) {
      port.postMessage({ error: `${error.name}: ${error.message}` });
    }
  };
});
