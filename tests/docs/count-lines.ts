// Writes the table of lines into docs/same-task.md: node tests/docs/count-lines.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './support/code-blocks.ts';
import { page, withTable } from './support/line-counts.ts';

const path = join(root, page);
writeFileSync(path, withTable(readFileSync(path, 'utf8')));
