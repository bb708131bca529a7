// What Node and the machine have and lack. Loaded with the first examination.
import { totalmem } from 'node:os';
import { AmbryError } from '../base/errors.ts';
import {
  nameOfProxy,
  proxyFor,
  proxyOf,
  serversWithoutProxy,
} from '../sources/http/node-proxies.ts';
import { check } from './doctor.ts';
import { graphics } from './graphics.ts';
import type { DoctorCheck } from './types.ts';

/** `url` is the address that is examined, if any. */
export async function environment(url?: string): Promise<DoctorCheck[]> {
  return [engine(), memory(), proxy(url), await graphics()];
}

function engine(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 3);
  return check('node', isNew, `Node ${process.versions.node}`, 'Install Node 20.3 or newer.');
}

function memory(): DoctorCheck {
  return check('memory', true, `${(totalmem() / 1e9).toFixed(1)} GB`, '');
}

/** Which proxy requests go through. A variable that names none that can be used is a fault. */
function proxy(url: string | undefined): DoctorCheck {
  try {
    return check('proxy', true, url === undefined ? allProxies() : proxyOfAddress(url), '');
  } catch (error) {
    if (!(error instanceof AmbryError)) {
      throw error;
    }
    return check('proxy', false, error.message, `Set ${error.path} anew, or unset it.`);
  }
}

function proxyOfAddress(url: string): string {
  const found = proxyOf(url);
  return `${found ? `requests go through ${nameOfProxy(found)}` : 'requests use no proxy'}`;
}

function allProxies(): string {
  const proxies = [proxyFor('https:'), proxyFor('http:')].filter((found) => found !== undefined);
  if (proxies.length === 0) {
    return 'requests use no proxy';
  }
  const names = [...new Set(proxies.map(nameOfProxy))].join(' and ');
  const servers = serversWithoutProxy();
  return `requests go through ${names}${servers && `, but not those to ${servers}`}`;
}
