// What the clients of the benchmark send. Each request resolves to a word for its outcome.
import { request } from 'node:http';

const words = 'the cat sat on a mat while rain fell and people went home to read books'.split(' ');
const textOf = (count, seed = 0) =>
  Array.from({ length: count }, (_, i) => words[(i * 7 + seed) % words.length]).join(' ');

async function post(url, body, signal) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: sent, ...(signal && { signal }) });
  await response.arrayBuffer();
  return String(response.status);
}

/** Like those of a program that searches or chats. */
export function shortRequests(seed) {
  const messages = [{ role: 'user', content: textOf(8, seed) }];
  return [
    (url) => post(`${url}/v1/embeddings`, { model: 'embed', input: textOf(12, seed) }),
    (url) => post(`${url}/v1/chat/completions`, { model: 'chat', messages, max_tokens: 8 }),
    (url) => post(`${url}/api/embed`, { model: 'embed', input: [textOf(5), textOf(9, seed)] }),
    (url) =>
      post(`${url}/v1/chat/completions`, { model: 'chat', messages, max_tokens: 8, stream: true }),
  ];
}

const longText = textOf(1_600_000);
const oneLong = JSON.stringify({ model: 'embed', input: longText });
const manyTexts = JSON.stringify({
  model: 'embed',
  input: Array.from({ length: 2048 }, (_, i) => textOf(200, i)),
});
const longPrompt = JSON.stringify({
  model: 'chat',
  messages: [{ role: 'user', content: longText }],
});

/** The largest that the server takes. */
export function longRequests() {
  return [
    (url) => post(`${url}/v1/embeddings`, oneLong),
    (url) => post(`${url}/v1/embeddings`, manyTexts),
    (url) => post(`${url}/v1/chat/completions`, longPrompt),
  ];
}

const patience = 300;
const leaving = (path, body) => (url) =>
  post(`${url}${path}`, body, AbortSignal.timeout(patience)).catch(() => 'left');

/** A client that leaves, lies and sends rubbish. */
export function hostileRequests() {
  return [
    leaving('/v1/embeddings', oneLong),
    leaving('/v1/embeddings', manyTexts),
    leaving('/v1/chat/completions', longPrompt),
    (url) => post(`${url}/v1/embeddings`, oneLong),
    (url) => post(`${url}/v1/embeddings`, oneLong.slice(0, -1)),
    (url) => post(`${url}/v1/messages`, '['.repeat(1_000_000)),
    (url) => post(`${url}/v1/embeddings`, 'a'.repeat(20_000_000)),
    (url) =>
      post(`${url}/api/embed`, { model: 'embed', input: 'x'.repeat(7_000_000), truncate: false }),
    (url) => post(`${url}/v1/completions`, { model: 'chat', prompt: '\u0000'.repeat(1_000_000) }),
    (url) => post(`${url}/v1/responses`, { model: 'chat', input: '<think>'.repeat(100_000) }),
    ...Array.from({ length: 3 }, () => halfSent),
  ];
}

/** Announces a body, sends a part of it, and goes. */
function halfSent(url) {
  return new Promise((resolve) => {
    const sent = request(`${url}/v1/embeddings`, {
      method: 'POST',
      headers: { 'content-length': 1_000_000 },
    });
    sent.on('error', () => resolve('left'));
    sent.write(oneLong.slice(0, 500_000));
    setTimeout(() => sent.destroy(), patience);
  });
}
