// Asks the service worker of the site. There is none in development, in old browsers, in some private windows, and where the
// connection is neither encrypted nor to this machine.

import type { Question } from './worker-messages.ts';

/** The service worker that answers for this page. */
export const controller = (): ServiceWorker | null =>
  'serviceWorker' in navigator ? navigator.serviceWorker.controller : null;

/** Rejects if no answer comes in time. */
export function ask<T>(worker: ServiceWorker, question: Question, timeoutMs: number): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The service worker does not answer.')),
      timeoutMs,
    );
    port1.onmessage = ({ data }: MessageEvent<{ value: T } | { error: string }>) => {
      clearTimeout(timer);
      port1.close();
      if ('error' in data) {
        reject(new Error(data.error));
      } else {
        resolve(data.value);
      }
    };
    worker.postMessage(question, [port2]);
  });
}
