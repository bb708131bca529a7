// The platform of a page, made of the scripts that it may start.
import { AmbryError, messageOf } from '../base/errors.ts';
import { withoutStop } from '../base/without-stop.ts';
import { type Port, webPort } from '../rpc/port.ts';
import type { InThread } from './other-ports.ts';
import type { Platform, WorkerName } from './platform.ts';
import type { Starter } from './start-worker.ts';
import { startingPort } from './starting-port.ts';
import { web } from './web.ts';

/** The packaged scripts. Bundlers see the addresses in it. */
export type Scripts = Readonly<Partial<Record<WorkerName, Starter>>>;

/** Without `inThread`, a page without workers is refused. */
export function pagePlatform(scripts: Scripts, inThread?: InThread): Platform {
  return {
    ...web,
    spawn: (worker) => {
      const start = scripts[worker];
      if (start) {
        return packagedPort(start, inThread);
      }
      const message = `This needs the worker for ${worker}, which is not part of this entry of the package. Import from 'ambry'.`;
      throw new AmbryError('Unsupported', message);
    },
    cores: () => (hasWorkers() && navigator.hardwareConcurrency) || 1,
  };
}

const hasWorkers = () => typeof Worker === 'function';

/** Most pages never fetch what starts a worker in another way. */
let others: typeof import('./other-ports.ts') | undefined;

function packagedPort(start: Starter, inThread: InThread | undefined): Port {
  return startingPort(
    () => {
      if (others?.areMissing()) {
        throw new Error('the scripts are missing');
      }
      return webPort(others ? others.startWorker(start) : start());
    },
    async (reason) => {
      others ??= await importOthers();
      return others.portInstead(start, reason, inThread);
    },
  );
}

function importOthers() {
  return import('./other-ports.ts').catch((error: unknown) => {
    // Service workers and worklets load no code later.
    const fix = hasWorkers()
      ? 'Check that the files of the package are served.'
      : "Import from 'ambry/in-thread' in the place of 'ambry'.";
    throw new AmbryError(
      'Unsupported',
      `Neither workers nor code load here: ${withoutStop(messageOf(error))}. ${fix}`,
    );
  });
}
