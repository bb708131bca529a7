// Loaded before a worker (`node --import`). Ends the thread of the model, or the whole process, when it is given a text with
// certain words. A model's own crash and a process that runs out of memory look the same from outside.
import { Worker } from 'node:worker_threads';

const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  const sent = JSON.stringify(message) ?? '';
  if (sent.includes('end the process')) {
    process.kill(process.pid, 'SIGKILL');
  }
  if (sent.includes('crash the model')) {
    void this.terminate();
  } else {
    post.call(this, message, ...rest);
  }
};
