// What Node and the machine have and lack. Loaded with the first examination.
import { totalmem } from 'node:os';
import { check } from './doctor.ts';
import type { DoctorCheck } from './types.ts';

export function environment(): DoctorCheck[] {
  return [engine(), memory()];
}

function engine(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 20 || (major === 20 && minor >= 3);
  return check('node', isNew, `Node ${process.versions.node}`, 'Install Node 20.3 or newer.');
}

function memory(): DoctorCheck {
  return check('memory', true, `${(totalmem() / 1e9).toFixed(1)} GB`, '');
}
