import { valueFromASTUntyped } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CompiledOperation, OperationCompiler } from './compiled-operation.js';
import { conditionsOf, type Conditions } from './operation/conditions.js';
import type { SelectedOperation } from './operation/documents.js';
import type { Execution, Variables } from './execution.js';

/** Called when an operation is planned and when its values are known. */
export interface PlanningHooks {
  /**
   * Charges a client network for one more combination of conditions, which takes as long to plan as a new document.
   * @throws RATE_LIMITED
   */
  readonly charge: (clientAddress: string | undefined) => void;
  /** Called when a combination of conditions is compiled, and `selectionCount` has changed. */
  readonly onSizeChange: () => void;
  /** Checks the values of variables. @throws BAD_REQUEST */
  readonly check?: ((values: Variables) => void) | undefined;
}

const NO_HOOKS: PlanningHooks = { charge: () => undefined, onSizeChange: () => undefined };

/** Maximum combinations of conditions of one operation that stay compiled. */
const MAX_VARIANTS = 16;

/** A validated, planned and compiled operation, which can be executed many times. */
export class PlannedOperation {
  readonly operation: SelectedOperation['operation'];
  /** The default values of variables. Passed explicitly, because graphql-jit requires a value for `Boolean! = true`. */
  readonly defaults: Variables;
  /** Variables of `@include`, `@skip` and `@defer`. Each combination of values is compiled on first use. */
  private readonly conditions: Conditions;
  private readonly variants = new LRUCache<string, CompiledOperation>({ max: MAX_VARIANTS });
  private readonly always: CompiledOperation | undefined;

  constructor(
    private readonly selected: SelectedOperation,
    private readonly compiler: OperationCompiler,
    private readonly hooks = NO_HOOKS,
  ) {
    this.operation = selected.operation;
    this.defaults = Object.fromEntries(
      (this.operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );
    this.conditions = conditionsOf(selected);
    const { variables, hasDefer } = this.conditions;
    this.always = variables.length === 0 && !hasDefer ? compiler.compile(selected, {}, false) : undefined;
  }

  /** Whether fragments of the operation can be answered after the rest. */
  get hasDefer(): boolean {
    return this.conditions.hasDefer;
  }

  /**
   * Returns the operation compiled for the variables of this execution. @throws RATE_LIMITED when it must be planned and there is no allowance
   * left, BAD_REQUEST when the values of its variables are above a limit
   */
  compiledFor(execution: Execution): CompiledOperation {
    this.hooks.check?.(execution.values);
    return this.always ?? this.variantFor(execution);
  }

  /** Number of selections in all combinations of conditions that are compiled. */
  get selectionCount(): number {
    const compiled = [...this.variants.values(), ...(this.always ? [this.always] : [])];
    return compiled.reduce((sum, { selectionCount }) => sum + selectionCount, 0);
  }

  /** The first combination is not charged: the charge for the document covers it. */
  private variantFor({ values, requestContext, deferred }: Execution): CompiledOperation {
    const { variables, hasDefer } = this.conditions;
    const isDeferring = hasDefer && deferred !== undefined;
    // A nullable condition of `@defer` holds unless it is false.
    const key = JSON.stringify([isDeferring, ...variables.map((name) => values[name] ?? null)]);
    const known = this.variants.get(key);
    if (known) return known;
    if (this.variants.size > 0) this.hooks.charge(requestContext.clientAddress);
    const compiled = this.compiler.compile(this.selected, values, isDeferring);
    this.variants.set(key, compiled);
    this.hooks.onSizeChange();
    return compiled;
  }
}
