import { valueFromASTUntyped } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CompiledOperation, OperationCompiler } from './compiled-operation.js';
import { conditionsOf } from './operation/conditions.js';
import type { SelectedOperation } from './operation/documents.js';
import type { Variables } from './execution.js';

/**
 * Charges a client network for one more combination of conditions, which takes as long to plan as a new document.
 * @throws RATE_LIMITED
 */
export type ChargePlanning = (clientAddress: string | undefined) => void;

/** How many combinations of conditions of one operation stay compiled. */
const VARIANTS = 16;

/** A validated, planned and compiled operation, which can be executed many times. */
export class PlannedOperation {
  readonly operation: SelectedOperation['operation'];
  /** The default values of variables. graphql-jit demands a value for `Boolean! = true`. */
  readonly defaults: Variables;
  /** The variables of `@skip` and `@include`. The operation is compiled for each combination of their values that occurs. */
  private readonly conditions: readonly string[];
  private readonly variants = new LRUCache<string, CompiledOperation>({ max: VARIANTS });
  private readonly always: CompiledOperation | undefined;

  constructor(
    private readonly selected: SelectedOperation,
    private readonly compiler: OperationCompiler,
    private readonly chargePlanning: ChargePlanning = () => undefined,
  ) {
    this.operation = selected.operation;
    this.defaults = Object.fromEntries(
      (this.operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );
    this.conditions = conditionsOf(selected);
    this.always = this.conditions.length === 0 ? compiler.compile(selected, {}) : undefined;
  }

  /** Returns the operation with its conditions decided. @throws RATE_LIMITED when it must be planned and there is no allowance left */
  compiledFor(values: Variables, clientAddress: string | undefined): CompiledOperation {
    return this.always ?? this.variantFor(values, clientAddress);
  }

  /** How many combinations of conditions are compiled. */
  get variantCount(): number {
    return this.variants.size;
  }

  /** The first combination is charged with the document. */
  private variantFor(values: Variables, clientAddress: string | undefined): CompiledOperation {
    const key = this.conditions.map((name) => (values[name] === true ? '1' : '0')).join('');
    const known = this.variants.get(key);
    if (known) return known;
    if (this.variants.size > 0) this.chargePlanning(clientAddress);
    const compiled = this.compiler.compile(this.selected, values);
    this.variants.set(key, compiled);
    return compiled;
  }
}
