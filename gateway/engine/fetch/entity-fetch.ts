import type { FetchNode, ResponsePath } from '@apollo/query-planner';
import { GraphQLError } from 'graphql';
import type { SubgraphResult } from '../../../kernel/subgraph/subgraph-client.js';
import { TYPENAME, type Data, type Execution } from '../execution.js';
import { compileRequest, pathRestorer, type Step, type StepContext } from './fetch.js';
import { merge, noteFailedNulls } from './merge.js';
import { compileRepresentation } from './representations.js';
import { compileRewrites, type Change } from './rewrites.js';
import { operationError } from './subgraph-errors.js';
import { objectsAt, placesAt, type Path } from './targets.js';

/** A fetch of entities, with the fields that it requires. */
export type EntityFetchNode = FetchNode & { readonly requires: NonNullable<FetchNode['requires']> };

/** What a fetch sends. Equal representations are sent once. */
interface Batch {
  readonly targets: readonly Data[];
  readonly representations: readonly Data[];
  /** The index of the representation of each target object; -1 without one. */
  readonly indexes: readonly number[];
}

/** Compiles a fetch of entities. Each answer is merged into the objects at the path that it was fetched for. */
export function compileEntityFetch(node: EntityFetchNode, path: ResponsePath, context: StepContext): Step {
  const collect = compileBatch(node, context);
  const send = compileRequest(node, context);
  const receive = compileAnswer(node, path, context);
  return async (execution) => {
    const batch = collect(execution, objectsAt(execution.data, path));
    if (batch.representations.length === 0) return;
    receive(execution, batch, await send(execution, { representations: batch.representations }));
  };
}

function compileBatch(node: EntityFetchNode, { outline }: StepContext) {
  const { represent, isNeeded, identify } = compileRepresentation(outline, node.requires);
  const rewrite = compileRewrites(outline, node.inputRewrites);
  return ({ errors, incomplete }: Execution, targets: readonly Data[]): Batch => {
    const representations: Data[] = [];
    const known = new Map<unknown, number>();
    const indexes = targets.map((target) => {
      const representation = represent(target);
      if (!representation) {
        // An earlier fetch failed, so the key may be missing.
        if (errors.length > 0 && isNeeded(target)) incomplete.add(target);
        return -1;
      }
      rewrite?.(representation);
      const identity = identify(representation);
      const present = known.get(identity);
      if (present !== undefined) return present;
      known.set(identity, representations.length);
      return representations.push(representation) - 1;
    });
    return { targets, representations, indexes };
  };
}

function compileAnswer(node: EntityFetchNode, path: ResponsePath, { outline }: StepContext) {
  const rewrite = compileRewrites(outline, node.outputRewrites);
  const restorePath = pathRestorer(node);
  // An error of an entity is an error of each object that the entity was fetched for.
  const addError = ({ errors }: Execution, error: GraphQLError, { owners, places }: Owners): void => {
    const rest = restorePath(error.path?.slice(2) ?? []);
    const paths = [...new Set(owners)].flatMap((owner) => places.get(owner) ?? []).map((place) => [...place, ...rest]);
    // Another answer has left null where the objects were: that has an error already.
    if (owners.length > 0 && paths.length === 0) return;
    for (const place of paths.length > 0 ? paths : [undefined])
      errors.push(operationError(error, node.serviceName, place));
  };
  const noteNulls = ({ failedNulls }: Execution, error: GraphQLError, { owners }: Owners): void =>
    noteFailedNulls(failedNulls, owners, restorePath(error.path?.slice(2) ?? []));
  /** Looked up once for all errors of an answer: there can be one for each entity. */
  const ownersIn = ({ data }: Execution, batch: Batch) => {
    const [byIndex, places] = [targetsByIndex(batch), placesAt(data, path)];
    return ({ path: [field, index] = [] }: GraphQLError): Owners => ({
      owners: field === '_entities' ? (byIndex.get(index) ?? []) : [],
      places,
    });
  };
  return (execution: Execution, batch: Batch, { data, errors = [] }: SubgraphResult): void => {
    const ownersOf = errors.length > 0 ? ownersIn(execution, batch) : undefined;
    if (ownersOf) for (const error of errors) addError(execution, error, ownersOf(error));
    const entities = entitiesOf(data, batch.representations.length, node.serviceName, execution);
    if (rewrite) rewriteEntities(entities, batch, rewrite);
    const failed = failedEntities(data, errors);
    batch.targets.forEach((target, at) => {
      const entity = entities[batch.indexes[at] ?? -1];
      if (entity) merge(target, entity, { interfaces: outline.interfaces, failedNulls: execution.failedNulls });
      else if (failed === 'all' || failed.has(batch.indexes[at])) execution.incomplete.add(target);
    });
    if (ownersOf) for (const error of errors) noteNulls(execution, error, ownersOf(error));
  };
}

/** The objects that an error concerns, and the places of all objects in the response. */
interface Owners {
  readonly owners: readonly Data[];
  readonly places: ReadonlyMap<object, readonly Path[]>;
}

function targetsByIndex({ targets, indexes }: Batch): ReadonlyMap<unknown, readonly Data[]> {
  const byIndex = new Map<unknown, Data[]>();
  targets.forEach((target, at) => {
    const known = byIndex.get(indexes[at]);
    if (known) known.push(target);
    else byIndex.set(indexes[at], [target]);
  });
  return byIndex;
}

/** Returns the indexes of the failed entities. An error without an index may concern any entity: all count as failed. */
function failedEntities(
  data: SubgraphResult['data'],
  errors: SubgraphResult['errors'] = [],
): ReadonlySet<unknown> | 'all' {
  const isOfOne = ({ path = [] }: Pick<GraphQLError, 'path'>) => path[0] === '_entities' && path[1] !== undefined;
  return data && errors.every(isOfOne) ? new Set(errors.map(({ path }) => path?.[1])) : 'all';
}

/** Rewrites match on `__typename`, which the subgraph is not asked for; it is copied from the representation. */
function rewriteEntities(entities: readonly (Data | null)[], { representations }: Batch, rewrite: Change): void {
  for (const [index, entity] of entities.entries()) {
    if (entity && !Object.hasOwn(entity, TYPENAME)) entity[TYPENAME] = representations[index]?.[TYPENAME];
    rewrite(entity);
  }
}

/** Returns one entity, or null, for each representation. */
function entitiesOf(
  data: SubgraphResult['data'],
  count: number,
  serviceName: string,
  { errors }: Execution,
): readonly (Data | null)[] {
  if (!data) return [];
  const { _entities: entities } = data;
  if (Array.isArray(entities) && entities.length === count) return entities as (Data | null)[];
  errors.push(new GraphQLError(`Expected \`_entities\` of the subgraph "${serviceName}" to be a list of ${count}.`));
  return [];
}
