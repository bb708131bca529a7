// The API reference: TypeDoc reads the docstrings of the package and writes a page in Markdown for each topic.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Application, type TypeDocOptions } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import ts from 'typescript';
import { entryPages, topicOf, topics } from './api-topics.ts';

/** The pages by their path in the repository, as if they lay there. `work` is a folder for what TypeDoc reads and writes. */
export async function apiPages(root: string, work: string): Promise<Map<string, string>> {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const entryPoints = writeEntries(root, work);
  const out = join(work, 'out');
  const options: Partial<TypeDocOptions & PluginOptions> = {
    entryPoints,
    tsconfig: join(work, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    outputs: [{ name: 'markdown', path: out }],
    logLevel: 'Warn',
    readme: 'none',
    disableSources: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeExternals: true,
    // Types are checked by the lints, with another version of TypeScript.
    skipErrorChecking: true,
    treatWarningsAsErrors: true,
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hidePageTitle: true,
    hideGroupHeadings: false,
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    propertyMembersFormat: 'table',
    typeDeclarationFormat: 'table',
    enumMembersFormat: 'table',
    tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true },
    sort: ['source-order'],
    groupOrder: ['Functions', 'Classes', 'Variables', 'Interfaces', 'Type Aliases'],
  };
  const app = await Application.bootstrapWithPlugins(options);
  const project = await app.convert();
  if (!project) {
    throw new Error('TypeDoc could not read the package');
  }
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('TypeDoc has found faults in the docstrings, which are above');
  }
  const pages = [...topics, ...entryPages].map(({ id, title, summary }) => {
    const text = anchored(tidied(readFileSync(join(out, `${id}.md`), 'utf8')));
    return [`docs/api/${id}.md`, `# ${title}\n\n${summary}\n\n${text}`] as const;
  });
  return new Map([['docs/api/index.md', overview(new Map(pages))], ...pages]);
}

/** A table of the pages, with the names of what each of them has. */
function overview(pages: ReadonlyMap<string, string>): string {
  const rows = [...topics, ...entryPages].map(({ id, title, summary }) => {
    const text = pages.get(`docs/api/${id}.md`) ?? '';
    const links = [
      ...text.matchAll(/^## (Functions|Classes|Variables)$(.*?)(?=^## |$(?![\s\S]))/gms),
    ]
      .flatMap(([, , section = '']) => section.match(/(?<=^### )[\w$]+/gm) ?? [])
      .map((name) => `[${name}](${id}.md#${name.toLowerCase()})`);
    return `| [${title}](${id}.md) | ${summary} | ${links.join(', ')} |`;
  });
  return [
    '# API',
    '',
    'What the package exports, made from its docstrings. `ambry` has all of it but the last two pages.',
    '',
    '| page | what for | functions, classes and values |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const group =
  /^#{4,6} (Parameters|Type Parameters|Examples?|Properties|Extends|Extended by|Indexable|Overrides|Implements|Type Declaration|Default Value|Deprecated|Throws)$/gm;

/** Takes away what says nothing new, and makes captions of the headings that every member has. */
export function tidied(page: string): string {
  return page
    .replaceAll(/^#+ (Get Signature|Methods|Accessors|Constructors)\n\n/gm, '')
    .replaceAll(/^#+ (Overrides|Inherited from|Implementation of)\n\n[^\n]+\n+/gm, '')
    .replaceAll(/^#+ Returns\n\n[^\n]+\n+(?=#|\*\*\*|$(?![\s\S]))/gm, '')
    .replaceAll(group, '**$1**')
    .replaceAll(/^#+ Returns$/gm, '**Returns**')
    .replaceAll(/^#+ Call Signature$/gm, '**Call**')
    .replaceAll(/^#{5,6} /gm, '#### ')
    .replaceAll(/^\*\*\*\n+/gm, '');
}

/** Leads links to the anchors that the site gives to headings. TypeDoc numbers equal names in another way when a function and a
 *  type differ in their capitals only, such as `runReport` and `RunReport`. */
function anchored(page: string): string {
  const counts = new Map<string, number>();
  const anchors = new Map<string, string>();
  for (const [, name = ''] of page.matchAll(/^#{2,6} ([\w$]+)(?:\(\))?$/gm)) {
    const slug = name.toLowerCase();
    const before = counts.get(slug) ?? 0;
    counts.set(slug, before + 1);
    anchors.set(name, before === 0 ? slug : `${slug}-${before}`);
  }
  const known = new Set(anchors.values());
  return page.replaceAll(/\[`(\w+)`\]\(#(\w+-\d+)\)/g, (whole, name: string, anchor: string) => {
    const right = anchors.get(name);
    return right === undefined || known.has(anchor) ? whole : `[\`${name}\`](#${right})`;
  });
}

/** Writes a module for each topic that exports what belongs to it, and the project that has them. */
function writeEntries(root: string, work: string): string[] {
  const index = join(root, 'web/src/index.ts');
  const lines = new Map<string, string[]>();
  for (const { name, path, isType } of exportsOf(index, root)) {
    const { id } = topicOf(name, path);
    const own = lines.get(id) ?? lines.set(id, []).get(id);
    own?.push(`export ${isType ? 'type ' : ''}{ ${name} } from '${relative(work, index)}';`);
  }
  for (const { id, source } of entryPages) {
    lines.set(id, [`export * from '${relative(work, join(root, 'web/src', source))}';`]);
  }
  const files = [...lines].map(([id, exports]) => {
    const file = join(work, `${id}.ts`);
    writeFileSync(file, `${exports.join('\n')}\n`);
    return file;
  });
  const project = {
    extends: relative(work, join(root, 'web/tsconfig.build.json')),
    include: ['*.ts'],
    compilerOptions: {
      rootDir: relative(work, root),
      typeRoots: [join(root, 'node_modules/@types')],
    },
  };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(project));
  return files;
}

interface Exported {
  readonly name: string;
  /** The path of the file that declares it, below web/src. */
  readonly path: string;
  readonly isType: boolean;
}

function exportsOf(file: string, root: string): Exported[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) {
    throw new Error(`${file} exports nothing`);
  }
  return checker.getExportsOfModule(module).flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declared = target.declarations?.[0]?.getSourceFile().fileName ?? file;
    const path = relative(join(root, 'web/src'), declared);
    // `export type *` passes on constants as well, which only `ambry/tables` has as values.
    if (target.flags & ts.SymbolFlags.Variable && declared !== file) {
      return [];
    }
    return { name: symbol.name, path, isType: (target.flags & ts.SymbolFlags.Value) === 0 };
  });
}
