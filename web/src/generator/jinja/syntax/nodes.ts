// What templates are parsed to. The fields are in the order in which jinja2 visits them.
import type { Operator } from '../values/arithmetic.ts';
import type { Value } from '../values/types.ts';

interface At {
  readonly line: number;
}

export interface CallArguments {
  readonly args: readonly Expression[];
  readonly named: readonly { readonly name: string; readonly value: Expression }[];
  readonly moreArgs: Expression | undefined;
  readonly moreNamed: Expression | undefined;
}

interface Expressions {
  constant: { readonly value: Value };
  name: { readonly name: string };
  list: { readonly items: readonly Expression[] };
  tuple: { readonly items: readonly Expression[] };
  dict: { readonly items: readonly (readonly [Expression, Expression])[] };
  attribute: { readonly object: Expression; readonly name: string };
  item: { readonly object: Expression; readonly index: Expression };
  slice: {
    readonly object: Expression;
    readonly from: Expression | undefined;
    readonly to: Expression | undefined;
    readonly by: Expression | undefined;
  };
  call: { readonly callee: Expression } & CallArguments;
  filter: { readonly operand: Expression | undefined; readonly name: string } & CallArguments;
  test: { readonly operand: Expression; readonly name: string } & CallArguments;
  binary: { readonly sign: Operator; readonly left: Expression; readonly right: Expression };
  unary: { readonly sign: '+' | '-'; readonly operand: Expression };
  concat: { readonly items: readonly Expression[] };
  compare: {
    readonly first: Expression;
    readonly rest: readonly { readonly sign: string; readonly operand: Expression }[];
  };
  not: { readonly operand: Expression };
  and: { readonly left: Expression; readonly right: Expression };
  or: { readonly left: Expression; readonly right: Expression };
  condition: {
    readonly test: Expression;
    readonly then: Expression;
    readonly otherwise: Expression | undefined;
  };
}

export type ExpressionOf<K extends keyof Expressions> = { readonly type: K } & At & Expressions[K];
export type Expression = { [K in keyof Expressions]: ExpressionOf<K> }[keyof Expressions];

/** What a value is assigned to. */
export type Target =
  | ({ readonly type: 'store'; readonly name: string } & At)
  | ({ readonly type: 'field'; readonly name: string; readonly field: string } & At)
  | ({ readonly type: 'targets'; readonly items: readonly Target[] } & At);

export interface Parameter {
  readonly name: string;
  readonly otherwise: Expression | undefined;
}

export type Body = readonly Statement[];

interface Statements {
  output: { readonly parts: readonly (string | Expression)[] };
  set: { readonly value: Expression; readonly target: Target };
  setBlock: {
    readonly target: Target;
    readonly filter: Expression | undefined;
    readonly body: Body;
  };
  if: {
    readonly branches: readonly { readonly test: Expression; readonly body: Body }[];
    readonly otherwise: Body;
  };
  for: {
    readonly items: Expression;
    readonly target: Target;
    readonly test: Expression | undefined;
    readonly body: Body;
    readonly otherwise: Body;
    readonly isRecursive: boolean;
  };
  macro: { readonly name: string; readonly parameters: readonly Parameter[]; readonly body: Body };
  callBlock: {
    readonly call: ExpressionOf<'call'>;
    readonly parameters: readonly Parameter[];
    readonly body: Body;
  };
  filterBlock: { readonly filter: Expression; readonly body: Body };
  with: {
    readonly values: readonly Expression[];
    readonly targets: readonly Target[];
    readonly body: Body;
  };
  generation: { readonly body: Body };
  block: { readonly name: string; readonly isScoped: boolean; readonly body: Body };
  break: Readonly<Record<never, never>>;
  continue: Readonly<Record<never, never>>;
}

export type StatementOf<K extends keyof Statements> = { readonly type: K } & At & Statements[K];
export type Statement = { [K in keyof Statements]: StatementOf<K> }[keyof Statements];
