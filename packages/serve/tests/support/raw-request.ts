// A request with headers that fetch does not let a program set.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export function rawRequest(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      resolve({
        status: response.statusCode,
        body: await text(response),
        headers: response.headers,
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
