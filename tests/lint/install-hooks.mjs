// Installs Git's hooks of lefthook.yml. `npm install` calls this as the package's `prepare` script. It does
// nothing on CI, outside a checkout of Git, and where lefthook is not installed. A failure is told, and the
// installation goes on.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lefthook = join(root, 'node_modules/.bin/lefthook');
const { CI } = process.env;
const onCi = CI !== undefined && CI !== '' && CI !== 'false';

if (!onCi && existsSync(join(root, '.git')) && existsSync(lefthook)) {
  const { status, error, stderr } = spawnSync(lefthook, ['install'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`The Git hooks are not installed: ${error?.message ?? stderr}`);
  }
}
