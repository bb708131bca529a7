// What Node and the machine have and lack. Loaded with the first examination.
import { totalmem } from 'node:os';
import { check } from './doctor.ts';
import type { DoctorCheck } from './types.ts';

export function environment(): DoctorCheck[] {
  return [engine(), memory()];
}

function engine(): DoctorCheck {
  const major = Number(process.versions.node.split('.')[0]);
  return check('node', major >= 20, `Node ${process.versions.node}`, 'Install Node 20 or newer.');
}

function memory(): DoctorCheck {
  return check('memory', true, `${(totalmem() / 1e9).toFixed(1)} GB`, '');
}
