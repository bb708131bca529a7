// The functions that declarations say a module has, with their types traced to what crosses.
import { readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import type { ESTree } from 'rolldown/utils';
import { type Signature, textOf } from './signature.ts';

const folder = new URL('../../web/src/wasm/', import.meta.url);

/** Declarations by the names of their files. */
export type Declarations = ReadonlyMap<string, string>;

export function readDeclarations(names: readonly string[]): Declarations {
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}

/** Every function of an interface and of those that it extends, by name. */
export function declaredIn(declarations: Declarations, name: string): Map<string, Signature> {
  const { interfaces, aliases } = parse(declarations);
  const typeName = (type: ESTree.TSType): string => nameOf(type, aliases);
  const functionsOf = (name: string): [string, Signature][] => {
    const found = interfaces.get(name);
    if (!found) {
      throw new Error(`no interface ${name}`);
    }
    const inherited = found.extends.flatMap(({ expression }) => {
      if (expression.type !== 'Identifier') {
        throw new Error(`${name} extends what has no name`);
      }
      return functionsOf(expression.name);
    });
    const own = found.body.body
      .filter((member) => member.type === 'TSMethodSignature')
      .map((method): [string, Signature] => [keyOf(method), signatureOf(method, typeName)]);
    return [...inherited, ...own];
  };
  return withoutOverloads(functionsOf(name));
}

/** Overloads of a function say what each kind takes and gives. They all cross as the one that is bound. */
function withoutOverloads(functions: readonly [string, Signature][]): Map<string, Signature> {
  const found = new Map<string, Signature>();
  for (const [name, signature] of functions) {
    const other = found.get(name);
    if (other && textOf(other) !== textOf(signature)) {
      throw new Error(`${name} is declared as ${textOf(other)} and as ${textOf(signature)}`);
    }
    found.set(name, signature);
  }
  return found;
}

interface Names {
  readonly interfaces: ReadonlyMap<string, ESTree.TSInterfaceDeclaration>;
  readonly aliases: ReadonlyMap<string, ESTree.TSType>;
}

function parse(declarations: Declarations): Names {
  const interfaces = new Map<string, ESTree.TSInterfaceDeclaration>();
  const aliases = new Map<string, ESTree.TSType>();
  for (const [file, text] of declarations) {
    for (const statement of parseAst(text, { lang: 'dts' }, file).body) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
      if (declared?.type === 'TSInterfaceDeclaration') {
        interfaces.set(declared.id.name, declared);
      }
      if (declared?.type === 'TSTypeAliasDeclaration') {
        aliases.set(declared.id.name, declared.typeAnnotation);
      }
    }
  }
  return { interfaces, aliases };
}

function keyOf({ key }: ESTree.TSMethodSignature): string {
  if (key.type !== 'Identifier') {
    throw new Error('a function whose name is computed');
  }
  return key.name;
}

function signatureOf(
  { params, returnType }: ESTree.TSMethodSignature,
  typeName: (type: ESTree.TSType) => string,
): Signature {
  const parameters = params.map((parameter) => {
    const annotation = parameter.type === 'Identifier' ? parameter.typeAnnotation : null;
    if (!annotation || parameter.type !== 'Identifier') {
      return 'unknown';
    }
    return typeName(annotation.typeAnnotation) + (parameter.optional ? ' | undefined' : '');
  });
  return { parameters, result: returnType ? typeName(returnType.typeAnnotation) : 'unknown' };
}

/** The type that crosses: of a branded type the one that is branded, of a union the one that its members share. */
function nameOf(type: ESTree.TSType, aliases: Names['aliases']): string {
  switch (type.type) {
    case 'TSStringKeyword':
      return 'string';
    case 'TSNumberKeyword':
      return 'number';
    case 'TSBooleanKeyword':
      return 'boolean';
    case 'TSVoidKeyword':
      return 'void';
    case 'TSLiteralType':
      return type.literal.type === 'Literal' ? typeof type.literal.value : 'unknown';
    case 'TSIntersectionType':
      return type.types[0] ? nameOf(type.types[0], aliases) : 'unknown';
    case 'TSUnionType':
      return [...new Set(type.types.map((member) => nameOf(member, aliases)))].join(' | ');
    case 'TSTypeReference': {
      const name = type.typeName.type === 'Identifier' ? type.typeName.name : 'unknown';
      const alias = aliases.get(name);
      return alias ? nameOf(alias, aliases) : name;
    }
    default:
      return type.type;
  }
}
