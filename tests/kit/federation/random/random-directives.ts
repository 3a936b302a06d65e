import type { Random } from './random.js';
import type { FieldModel, SupergraphModel, TypeModel } from '../supergraph-model.js';

const LEAVES = ['Int', 'Float', 'String', 'Boolean', 'ID', 'Json', 'Color'];
const LITERALS: Readonly<Record<string, string>> = {
  x: '7',
  s: '\\"r\\"',
  e: 'GREEN',
  f: '{x: 1, inner: {color: RED}}',
  j: '[1, {a: null}]',
  l: '[1, 2]',
  n: '5',
};

/** Adds `@requires`, `@provides`, `@override` and unresolvable keys to a supergraph of plain fields. */
export function addDirectives(model: SupergraphModel, random: Random): void {
  for (const type of model.types) {
    for (const field of type.fields) addTo(field, type, model, random);
    for (const subgraph of type.subgraphs)
      if (canBeStub(type, subgraph) && random.chance(40)) type.unresolvable.add(subgraph);
  }
}

function addTo(field: FieldModel, type: TypeModel, model: SupergraphModel, random: Random): void {
  const [owner, ...others] = field.owners;
  if (owner === undefined || others.length > 0 || field.external.size > 0 || field.isShareable) return;
  const isOfEntity = type.kind === 'entity';
  if (isOfEntity && random.chance(30)) addRequires(field, { type, owner, model, random });
  else if (isOfEntity && random.chance(10)) addOverride(field, { type, owner, random });
  else if (random.chance(35)) addProvides(field, { owner, model, random });
}

interface Place {
  readonly type: TypeModel;
  readonly owner: string;
  readonly model: SupergraphModel;
  readonly random: Random;
}

/** A subgraph without own fields of the type needs no representation. */
function canBeStub({ kind, fields }: TypeModel, subgraph: string): boolean {
  return (
    kind === 'entity' && !fields.some(({ owners, external }) => owners.includes(subgraph) || external.has(subgraph))
  );
}

function addRequires(field: FieldModel, { type, owner, model, random }: Place): void {
  const earlier = type.fields.slice(0, type.fields.indexOf(field));
  const selections = random
    .some(earlier, 60)
    .flatMap((other) => requirementOn(other, { type, owner, model, random }, 2));
  if (selections.length > 0) field.directives.set(owner, `@requires(fields: "${selections.join(' ')}")`);
}

/** Returns the selection of a field of another subgraph, which becomes external here. */
function requirementOn(field: FieldModel, place: Place, depth: number): string[] {
  const { owner, random } = place;
  if (depth === 0 || field.overridden !== undefined) return [];
  const isOfValue = place.type.kind === 'value';
  if (!isOfValue && (field.owners.includes(owner) || (field.directives.size > 0 && random.chance(50)))) return [];
  const selection = selectionIn(field, place, depth);
  if (selection === undefined) return [];
  if (!isOfValue) field.external.add(owner);
  return [`${field.name}${literalArguments(field, random)}${selection}`];
}

function literalArguments(field: FieldModel, random: Random): string {
  const names = [...field.args.matchAll(/(\w+): /g)].map(([, name]) => name ?? '');
  const chosen = names.filter((name) => LITERALS[name] !== undefined && random.chance(70));
  return chosen.length > 0 ? `(${chosen.map((name) => `${name}: ${LITERALS[name]}`).join(', ')})` : '';
}

function selectionIn({ type }: FieldModel, { owner, model, random }: Place, depth: number): string | undefined {
  const named = type.replaceAll(/[[\]!]/g, '');
  if (LEAVES.includes(named)) return '';
  const child = model.types.find(({ name }) => name === named);
  if (!child?.subgraphs.includes(owner)) return undefined;
  const inner = random
    .some(child.fields, 60)
    .flatMap((field) => requirementOn(field, { type: child, owner, model, random }, depth - 1));
  const keys = child.keys.get(owner) ?? [];
  if (keys[0] !== undefined && (inner.length === 0 || random.chance(40))) inner.push(keys[0]);
  return inner.length > 0 ? ` { ${inner.join(' ')} }` : undefined;
}

function addOverride(field: FieldModel, { type, owner, random }: Pick<Place, 'type' | 'owner' | 'random'>): void {
  const others = type.subgraphs.filter((name) => name !== owner && !field.external.has(name));
  const named = field.type.replaceAll(/[[\]!]/g, '');
  if (others.length > 0 && LEAVES.includes(named) && field.external.size === 0) field.overridden = random.pick(others);
}

/** Provides leaf fields of the type of the field. */
function addProvides(field: FieldModel, { owner, model, random }: Omit<Place, 'type'>): void {
  const child = model.types.find(({ name }) => name === field.type.replaceAll(/[[\]!]/g, ''));
  if (child?.kind !== 'entity' || !child.subgraphs.includes(owner) || field.directives.size > 0) return;
  const candidates = child.fields.filter(
    ({ owners, type, args, directives, overridden }) =>
      !owners.includes(owner) &&
      args === '' &&
      directives.size === 0 &&
      overridden === undefined &&
      LEAVES.includes(type.replaceAll(/[[\]!]/g, '')),
  );
  const provided = random.some(candidates, 60);
  if (provided.length === 0) return;
  for (const other of provided) {
    other.external.add(owner);
    other.isShareable = true;
  }
  field.directives.set(owner, `@provides(fields: "${provided.map(({ name }) => name).join(' ')}")`);
}
