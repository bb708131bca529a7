// Code for the interpreter: its import declarations, which stand first, and the rest.

const declarations = /^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|import\b[^;'"]*['"][^'"\n]*['"];?)*/;
const names = /\bimport\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;

/** The module of a code: what follows the imports becomes a function `main`, so that it may wait. */
export function moduleOf(code: string): string {
  const [head = ''] = declarations.exec(code) ?? [];
  return `${head}export async function main(console) {${code.slice(head.length)}\n}`;
}

/** Throws a SyntaxError for a module that is not there, and for a name that it does not export. */
export function checkImports(code: string, modules: Readonly<Record<string, object>>): void {
  const [head = ''] = declarations.exec(code) ?? [];
  for (const [, , name = ''] of head.matchAll(/\bimport\b([^;'"]*)['"]([^'"\n]*)['"]/g)) {
    if (name in modules) {
      continue;
    }
    const known = Object.keys(modules).join(', ');
    throw new SyntaxError(`There is no module ${name} here. There are ${known}.`);
  }
  for (const [, list = '', name = ''] of head.matchAll(names)) {
    for (const imported of list.split(',').map((part) => part.trim().split(/\s/)[0] ?? '')) {
      if (imported === '' || imported in (modules[name] ?? {})) {
        continue;
      }
      throw new SyntaxError(`${name} has no export ${imported}.`);
    }
  }
}
