// The caller's side of a worker, with workers that misbehave.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  Crash,
  FromReader,
  ReaderPort,
  ToReader,
} from '../../../../web/src/passages/reading/protocol.ts';
import { documentReader } from '../../../../web/src/passages/reading/read-document.ts';
import { recordSessions } from '../../../../web/src/passages/reading/record-sessions.ts';
import { recordReader } from '../../../../web/src/passages/records/record-stream.ts';

class FakePort implements ReaderPort {
  readonly posted: ToReader[] = [];
  isEnded = false;
  say: (message: FromReader | string) => void = () => {};
  crash: (crash: Crash) => void = () => {};

  post(message: ToReader): void {
    this.posted.push(message);
  }
  listen(onMessage: (message: unknown) => void, onCrash: (crash: Crash) => void): void {
    this.say = onMessage;
    this.crash = onCrash;
  }
  hold(): void {}
  terminate(): void {
    this.isEnded = true;
  }
}

/** Sends each message that is posted to `onPost`. */
class AnsweringPort extends FakePort {
  readonly onPost: (message: ToReader, port: FakePort) => void;
  constructor(onPost: (message: ToReader, port: FakePort) => void) {
    super();
    this.onPost = onPost;
  }
  override post(message: ToReader): void {
    super.post(message);
    setTimeout(() => this.onPost(message, this));
  }
}

const bytes = new TextEncoder().encode('Hello.');
const done: FromReader = { done: { encoding: 'utf-8', warnings: [] } };

const noPdfjs = () => Promise.reject(new Error('There is no PDF.js here.'));

/** A reader whose workers do nothing by themselves. */
function readerWithPorts() {
  const ports: FakePort[] = [];
  const readDocument = documentReader(() => {
    const port = new FakePort();
    ports.push(port);
    return port;
  }, noPdfjs);
  const port = () => vi.waitUntil(() => ports.find((each) => each.posted.length > 0));
  return { readDocument, ports, port };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a document reader', () => {
  test('reads without a worker where its script cannot be loaded', async () => {
    const { readDocument, ports, port } = readerWithPorts();
    const reading = readDocument('a.txt', bytes);
    (await port()).crash({ reason: 'blocked by the policy' });
    expect((await reading).passages).toMatchObject([{ text: 'Hello.' }]);
    await readDocument('a.txt', bytes);
    expect(ports).toHaveLength(1);
  });

  test('where the worker for PDFs cannot be loaded, the one for other documents still reads', async () => {
    const { readDocument, ports, port } = readerWithPorts();
    const reading = readDocument('a.pdf', bytes);
    (await port()).crash({ reason: 'left out by the bundler' });
    await expect(reading).rejects.toThrow('There is no PDF.js here.');
    await expect(readDocument('b.pdf', bytes)).rejects.toThrow('There is no PDF.js here.');
    expect(ports).toHaveLength(1);
    const other = readDocument('a.txt', bytes);
    await vi.waitUntil(() => ports[1]?.posted.length === 1);
    ports[1]?.say(done);
    expect((await other).encoding).toBe('utf-8');
  });

  test('reads without a worker where there are none', async () => {
    const readDocument = documentReader(undefined, noPdfjs);
    expect((await readDocument('a.txt', bytes)).passages).toMatchObject([{ text: 'Hello.' }]);
  });

  test.each([
    [{ reason: 'a bug' }, 'Crashed', /a\.txt stopped: a bug/],
    [{ reason: '', isOutOfMemory: true }, 'LimitExceeded', /^a\.txt needs more memory/],
  ])('tells of a crash: %j', async (crash, code, message) => {
    const { readDocument, port } = readerWithPorts();
    const reading = readDocument('a.txt', bytes);
    const { say, crash: end } = await port();
    say({ ready: true });
    end(crash);
    await expect(reading).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  test('ends a worker that takes too long for a page, and names the page', async () => {
    const { readDocument, port } = readerWithPorts();
    const reading = readDocument('a.pdf', bytes);
    const worker = await port();
    vi.useFakeTimers();
    for (const step of ['page 1', 'page 2', 'page 3']) {
      worker.say({ step });
      vi.advanceTimersByTime(29_000);
      expect(worker.isEnded).toBe(false);
    }
    vi.advanceTimersByTime(1000);
    expect(worker.isEnded).toBe(true);
    await expect(reading).rejects.toMatchObject({
      code: 'LimitExceeded',
      path: 'page 3',
      message: expect.stringMatching(/^a\.pdf, page 3, took longer than 30 s/) as string,
    });
  });

  test('waits for the caller who counts tokens', async () => {
    const { readDocument, port } = readerWithPorts();
    let answer = (_: number[]) => {};
    const count = () => new Promise<number[]>((resolve) => (answer = resolve));
    const reading = readDocument('a.txt', bytes, { count });
    const worker = await port();
    worker.say({ count: ['Hello.'] });
    vi.useFakeTimers();
    vi.advanceTimersByTime(1e9);
    expect(worker.isEnded).toBe(false);
    vi.useRealTimers();
    answer([2]);
    await vi.waitUntil(() => worker.posted.length === 2);
    expect(worker.posted[1]).toEqual({ counts: [2] });
    worker.say(done);
    expect(await reading).toEqual({ passages: [], encoding: 'utf-8', warnings: [] });
  });

  test('ignores messages of others, and keeps the worker for the next document', async () => {
    const { readDocument, ports, port } = readerWithPorts();
    for (let i = 0; i < 3; i++) {
      const reading = readDocument('a.txt', bytes);
      const worker = await port();
      await vi.waitUntil(() => worker.posted.length === i + 1);
      worker.say('hello');
      worker.say(done);
      await reading;
    }
    expect(ports).toHaveLength(1);
    expect(ports[0]?.isEnded).toBe(false);
  });

  test('ends a worker that read a PDF', async () => {
    const { readDocument, port } = readerWithPorts();
    const reading = readDocument('a.pdf', bytes);
    const worker = await port();
    worker.say(done);
    await reading;
    expect(worker.isEnded).toBe(true);
  });
});

describe('readRecords', () => {
  const stream = () => new Blob(['{"text":"a"}\n{"text":"b"}\n']).stream();
  const textsWith = (onPost: (message: ToReader, port: FakePort) => void) => {
    const ports: FakePort[] = [];
    const readRecords = recordReader(
      recordSessions(() => {
        ports.push(new AnsweringPort(onPost));
        return ports.at(-1) as FakePort;
      }),
    );
    const read = async () => {
      const texts: string[] = [];
      for await (const { text } of readRecords(stream())) {
        texts.push(text);
      }
      return texts;
    };
    return { read, ports };
  };

  test('reads without a worker where its script cannot be loaded', async () => {
    const { read, ports } = textsWith((_, port) => port.crash({ reason: 'blocked' }));
    expect(await read()).toEqual(['a', 'b']);
    expect(await read()).toEqual(['a', 'b']);
    expect(ports).toHaveLength(1);
  });

  test('tells of a crash, and starts a new worker afterwards', async () => {
    const { read, ports } = textsWith((message, port) => {
      const records = 'records' in message ? message.records : undefined;
      if (records && 'open' in records) {
        port.say({ ready: true });
        port.say({ records: { id: records.id, found: [], isDone: true } });
      } else {
        port.crash({ reason: 'a bug' });
      }
    });
    for (const count of [1, 2]) {
      await expect(read()).rejects.toMatchObject({
        code: 'Crashed',
        message: expect.stringMatching(/a bug$/) as string,
      });
      expect(ports).toHaveLength(count);
    }
  });
});
