// What the statements and expressions of a template need of whoever runs them.
import type { Machine } from '../methods/machine.ts';
import type { Analysis, Scope } from '../syntax/analysis.ts';
import type { Body, Expression, ExpressionOf } from '../syntax/nodes.ts';
import type { Value } from '../values/types.ts';
import type { Frame } from './frame.ts';
import type { Output } from './output.ts';

export interface Runner extends Machine {
  readonly analysis: Analysis;
  /** The names of a part, by what the analysis knows it by. */
  scopeOf(part: object): Scope;
  newOutput(): Output;
  textOfBody(body: Body, frame: Frame): string;
  evaluate(node: Expression, frame: Frame): Value;
  /** Runs what lies one level deeper. A fault gets the line of the innermost part that it is in. */
  at<T>(line: number, work: () => T): T;
  applyFilter(node: ExpressionOf<'filter'>, value: Value, frame: Frame): Value;
  /** The text of a block, through the filters that stand in its tag. */
  filtered(filter: Expression, text: string, frame: Frame): Value;
}
