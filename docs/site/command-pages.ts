// The reference of the command line, made from the definitions of the commands.
import { commandGroups } from '../../web/src/cli/commands.ts';
import { helpPage } from '../../web/src/cli/shared/help.ts';

/** The page in Markdown: a section for each group, and in it the help of each command. */
export async function commandPage(): Promise<string> {
  const sections = await Promise.all(commandGroups.map(groupSection));
  return `# Commands\n\nThis is what \`ambry help COMMAND\` prints.\n\n${sections.join('\n')}`;
}

async function groupSection({ title, commands }: (typeof commandGroups)[number]): Promise<string> {
  const parts = Object.entries(commands).map(async ([name, load]) => {
    const { command } = await load();
    return `### ambry ${name}\n\n\`\`\`text\n${helpPage(name, command).join('\n')}\n\`\`\`\n`;
  });
  return `## ${title}\n\n${(await Promise.all(parts)).join('\n')}`;
}
