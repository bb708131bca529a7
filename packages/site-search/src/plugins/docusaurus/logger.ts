// Docusaurus' logger, which plugins are not given.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PluginLogger } from '../shared/index-site.ts';

interface DocusaurusLogger {
  info(message: unknown): void;
  warn(message: unknown): void;
}

/** The logger of the site's Docusaurus, or the console where the site has none of its own. */
export async function loggerOf(siteDir: string): Promise<PluginLogger> {
  try {
    const site = createRequire(join(siteDir, 'package.json'));
    const core = createRequire(site.resolve('@docusaurus/core/package.json'));
    const { default: logger } = core('@docusaurus/logger') as {
      default: DocusaurusLogger;
    };
    return {
      info: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
    };
  } catch {
    return console;
  }
}
