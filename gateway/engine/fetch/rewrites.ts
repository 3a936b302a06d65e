import type { FetchNode } from '@apollo/query-planner';
import type { Data } from '../execution.js';
import type { Outline } from '../supergraph/supergraph.js';
import { typeCondition } from './type-conditions.js';

type Rewrites = NonNullable<FetchNode['inputRewrites']>;
type Rewrite = Rewrites[number];

/** Changes a value in place. */
export type Change = (value: unknown) => void;

const FRAGMENT = '... on ';

/** Compiles the rewrites of a fetch: values that are set, and aliases of the planner that get their names back. */
export function compileRewrites(outline: Outline, rewrites: Rewrites | undefined): Change | undefined {
  if (!rewrites || rewrites.length === 0) return undefined;
  const changes = rewrites.map((rewrite) =>
    compilePath(outline, rewrite.path.slice(0, -1), changeOf(rewrite, rewrite.path.at(-1) ?? '')),
  );
  return (value) => {
    for (const change of changes) change(value);
  };
}

/** Returns the names that the planner's aliases stand for. */
export function renamedKeys(rewrites: Rewrites | undefined): ReadonlyMap<string, string> {
  return new Map(
    rewrites?.flatMap((rewrite): [string, string][] =>
      rewrite.kind === 'KeyRenamer' ? [[rewrite.path.at(-1) ?? '', rewrite.renameKeyTo]] : [],
    ),
  );
}

function changeOf(rewrite: Rewrite, key: string): (object: Data) => void {
  if (rewrite.kind === 'ValueSetter') return (object) => void (object[key] = rewrite.setValueTo);
  const { renameKeyTo } = rewrite;
  return (object) => {
    if (!Object.hasOwn(object, key) || object[key] === undefined) return;
    object[renameKeyTo] = object[key];
    object[key] = undefined;
  };
}

function compilePath(outline: Outline, [step, ...rest]: readonly string[], change: (object: Data) => void): Change {
  if (step === undefined) return eachObject(change);
  const below = compilePath(outline, rest, change);
  if (!step.startsWith(FRAGMENT)) return eachObject((object) => below(object[step]));
  const isOfType = typeCondition(outline, step.slice(FRAGMENT.length));
  return eachObject((object) => isOfType(object, true) && below(object));
}

function eachObject(change: (object: Data) => void): Change {
  const each: Change = (value) => {
    if (Array.isArray(value)) value.forEach(each);
    else if (typeof value === 'object' && value !== null) change(value as Data);
  };
  return each;
}
