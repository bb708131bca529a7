// `ambry doctor`: what it prints, and its exit code.
import { describe, expect, test } from 'vitest';
import { ambryCli } from '../support/cli/cli.ts';
import { smallModel } from '../support/package.ts';
import { startServer } from '../support/servers/server.ts';

const server = await startServer(await smallModel());

describe('doctor', () => {
  test('prints the checks, and fails if a required one does', async () => {
    const { code, json } = await ambryCli(['doctor', server.url('ranges'), '--json']);
    expect(code).toBe(0);
    expect(json()[0]).toContainEqual(expect.objectContaining({ name: 'range', ok: true }));
    expect((await ambryCli(['doctor', server.url('missing')])).code).toBe(1);
  });
});
