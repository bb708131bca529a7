// Copies the built-in models, their cards and their licences to models/. packages/build.mjs calls this after tsc.
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../web/demo/public/models/', import.meta.url));
const target = fileURLToPath(new URL('./models/', import.meta.url));
rmSync(target, { recursive: true, force: true });
cpSync(source, target, { recursive: true });
