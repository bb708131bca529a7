// Turns at a model.
import { describe, expect, test } from 'vitest';
import { Turns } from '../../src/service/turns.ts';

const forever = new AbortController().signal;

describe('turns', () => {
  test('come in order, one at a time', async () => {
    const turns = new Turns(5);
    const order: number[] = [];
    const run = async (i: number) => {
      const end = await turns.take(forever);
      expect(turns.running).toBe(1);
      order.push(i);
      await Promise.resolve();
      end();
      end();
    };
    await Promise.all([1, 2, 3, 4].map(run));
    expect(order).toEqual([1, 2, 3, 4]);
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  test('come first to small requests, and each fourth to the one that has waited longest', async () => {
    const turns = new Turns(20);
    const order: string[] = [];
    const end = await turns.take(forever);
    const run = async (name: string, size: number) => {
      const done = await turns.take(forever, { size });
      order.push(name);
      done();
    };
    const all = [
      run('large', 1000),
      run('medium', 100),
      ...Array.from({ length: 6 }, (_, i) => run(`small ${i}`, 1)),
    ];
    end();
    await Promise.all(all);
    expect(order).toEqual([
      ...['small 0', 'small 1', 'small 2', 'large'],
      ...['small 3', 'small 4', 'small 5', 'medium'],
    ]);
  });

  test('of a request that goes on are not refused', async () => {
    const turns = new Turns(0);
    const end = await turns.take(forever);
    await expect(turns.take(forever)).rejects.toMatchObject({ status: 429 });
    const further = turns.take(forever, { goesOn: true });
    end();
    (await further)();
  });

  test('are refused when too many wait', async () => {
    const turns = new Turns(1);
    const end = await turns.take(forever);
    const second = turns.take(forever);
    await expect(turns.take(forever)).rejects.toMatchObject({ status: 429 });
    end();
    (await second)();
    expect(turns.running).toBe(0);
  });

  test('are not given to one that has gone in the same moment', async () => {
    const turns = new Turns(2);
    const end = await turns.take(forever);
    const abort = new AbortController();
    const gone = turns.take(abort.signal);
    const next = turns.take(forever);
    abort.abort(new Error('gone'));
    end();
    await expect(gone).rejects.toThrow('gone');
    (await next)();
    await expect(turns.take(abort.signal)).rejects.toThrow('gone');
    expect([turns.running, turns.waiting]).toEqual([0, 0]);
  });

  test('end for those that wait and come when they are closed', async () => {
    const turns = new Turns(2);
    const end = await turns.take(forever);
    const waiting = turns.take(forever);
    turns.close();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    end();
    await expect(turns.take(forever)).rejects.toMatchObject({ status: 503 });
  });
});
