// A server in front of the site that counts what it sends, and lets requests wait.
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountedSite {
  /** Ends with a slash. */
  readonly url: string;
  /** What was sent, with the range that was asked for. Bytes are those of bodies, as they were on the line. */
  readonly sent: readonly { readonly path: string; readonly bytes: number }[];
  /** Goes on with the answers that wait, and lets no more wait. */
  release(): void;
  close(): void;
}

interface Waiting {
  /** Matches the paths, with their ranges, of the answers that wait. */
  readonly held: RegExp;
  /** Waiting answers begin with this many bytes. Default: they do not begin. */
  readonly afterBytes?: number;
}

export async function countSite(
  site: string,
  { held, afterBytes = 0 }: Partial<Waiting> = {},
): Promise<CountedSite> {
  const sent: { path: string; bytes: number }[] = [];
  const waiting: (() => void)[] = [];
  let isHeld = held !== undefined;
  const server = createServer((asked, response) => {
    const { method, url = '/', headers } = asked;
    const path = [url, headers.range].filter(Boolean).join(' ');
    const forward = (): void => {
      const to = new URL(url, site);
      const forwarded = send(to, { method, headers: { ...headers, host: to.host } });
      forwarded.on('response', (answer) => {
        const row = { path, bytes: 0 };
        sent.push(row);
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.on('data', (chunk: Buffer) => {
          row.bytes += chunk.length;
          if (afterBytes > 0 && row.bytes >= afterBytes && isHeld && held?.test(path)) {
            answer.unpipe(response);
            answer.pause();
            waiting.push(() => answer.pipe(response));
          }
        });
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end();
    };
    if (isHeld && afterBytes === 0 && held?.test(path)) {
      waiting.push(forward);
    } else {
      forward();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    release: () => {
      isHeld = false;
      for (const forward of waiting.splice(0)) {
        forward();
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
