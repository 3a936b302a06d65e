import { addDirectives } from './random-directives.js';
import { Random } from './random.js';
import { INTERFACE_OBJECT, sdlOf, type FieldModel, type SupergraphModel, type TypeModel } from '../supergraph-model.js';
import type { SubgraphSdl } from '../facts.js';

const SCALARS = ['Int', 'Float', 'String', 'Boolean', 'ID', 'Json', 'Color'];
const ARGUMENTS = ['x: Int', 's: String = "d"', 'e: Color = RED', 'f: Filter', 'j: Json', 'l: [Int!]', 'n: Int! = 4'];
const WRAPPERS = ['T', 'T', 'T', 'T', 'T!', 'T!', '[T]', '[T!]', '[T!]!', '[T]!', '[[T]]', '[[T!]]!'];
const KEYS = ['id', 'sku', 'org number', 'tag { code }', 'id tag { kind }', 'num'];

/** Returns the subgraphs of a random supergraph. They may not compose. */
export function randomSubgraphs(seed: string): SubgraphSdl[] {
  const random = new Random(seed);
  const subgraphs = ['a', 'b', 'c', 'd', 'e'].slice(0, 2 + random.below(4));
  const model: SupergraphModel = { subgraphs, types: [], abstracts: [], interfaceObject: undefined };
  addValueTypes(model, random);
  addEntities(model, random);
  addAbstracts(model, random);
  for (const type of model.types) addFields(type, model, random);
  addInterfaceObject(model, random);
  addRoots(model, random);
  addDirectives(model, random);
  return subgraphs.map((name) => ({ name, sdl: sdlOf(model, name) }));
}

function addValueTypes(model: SupergraphModel, random: Random): void {
  const count = random.below(3);
  for (let i = 0; i < count; i++) model.types.push(typeModel('value', `V${i}`, random.atLeastOne(model.subgraphs, 50)));
}

function addEntities(model: SupergraphModel, random: Random): void {
  const count = 2 + random.below(3);
  for (let i = 0; i < count; i++) {
    const subgraphs = random.atLeastOne(model.subgraphs, 60);
    const type = typeModel('entity', `T${i}`, subgraphs);
    const kinds = random.chance(60) ? ['id'] : random.atLeastOne(KEYS, 40);
    const isHub = random.chance(50);
    for (const subgraph of subgraphs) type.keys.set(subgraph, isHub ? [...kinds] : random.atLeastOne(kinds, 60));
    model.types.push(type);
  }
}

function typeModel(kind: TypeModel['kind'], name: string, subgraphs: readonly string[]): TypeModel {
  return { kind, name, subgraphs, keys: new Map(), unresolvable: new Set(), interfaces: [], fields: [] };
}

/** Adds a union and an interface, whose members differ between subgraphs. */
function addAbstracts(model: SupergraphModel, random: Random): void {
  if (random.chance(60)) {
    const members = new Map<string, string[]>();
    for (const subgraph of model.subgraphs) {
      const known = random.some(
        model.types.filter((type) => type.subgraphs.includes(subgraph)),
        60,
      );
      if (known.length > 0)
        members.set(
          subgraph,
          known.map(({ name }) => name),
        );
    }
    if (members.size > 0) model.abstracts.push({ kind: 'union', name: 'U', members });
  }
  if (!random.chance(60)) return;
  const types = random.some(model.types, 60).filter(({ kind }) => kind === 'entity');
  const subgraphs = random
    .atLeastOne(model.subgraphs, 60)
    .filter((name) => types.some((type) => type.subgraphs.includes(name)));
  if (subgraphs.length === 0) return;
  const label = { ...plainField('label', random.pick(['String', 'String!', '[Color]']), []), isShareable: true };
  const membersIn = (name: string) => types.filter((type) => type.subgraphs.includes(name)).map((type) => type.name);
  model.abstracts.push({
    kind: 'interface',
    name: 'I',
    members: new Map(subgraphs.map((name) => [name, membersIn(name)])),
  });
  for (const type of types) {
    const owners = type.subgraphs.filter((name) => subgraphs.includes(name));
    if (owners.length > 0) type.fields.push({ ...label, owners });
    if (owners.length > 0) type.interfaces.push({ name: 'I', subgraphs: owners });
  }
}

function plainField(name: string, type: string, owners: readonly string[]): FieldModel {
  return {
    name,
    type,
    args: '',
    owners,
    isShareable: owners.length > 1,
    external: new Set(),
    directives: new Map(),
    overridden: undefined,
  };
}

function addFields(type: TypeModel, model: SupergraphModel, random: Random): void {
  const count = 1 + random.below(type.kind === 'value' ? 3 : 6);
  for (let i = 0; i < count; i++) {
    const isShared = type.kind === 'value' || random.chance(25);
    const owners = isShared
      ? type.kind === 'value'
        ? type.subgraphs
        : random.atLeastOne(type.subgraphs, 60)
      : [random.pick(type.subgraphs)];
    type.fields.push(randomField(`${random.pick(['f', 'g', 'name', 'size'])}${i}`, owners, model, random));
  }
}

function randomField(name: string, owners: readonly string[], model: SupergraphModel, random: Random): FieldModel {
  const named = random.chance(45) ? random.pick(SCALARS) : random.pick([...compositesOf(model, owners), ...SCALARS]);
  const isLoop = named.startsWith('V');
  const wrapper = random.pick(isLoop ? ['T', '[T]', '[T!]'] : WRAPPERS);
  const args = random.chance(30) ? `(${random.atLeastOne(ARGUMENTS, 25).join(', ')})` : '';
  return { ...plainField(name, wrapper.replace('T', named), owners), args };
}

/** Returns the composite types that all these subgraphs know. A shared field has no abstract type: its members could differ. */
function compositesOf({ types, abstracts }: SupergraphModel, owners: readonly string[]): string[] {
  const known = types.filter(({ subgraphs }) => owners.every((owner) => subgraphs.includes(owner)));
  const [owner, ...others] = owners;
  const unions = others.length > 0 || owner === undefined ? [] : abstracts.filter(({ members }) => members.has(owner));
  return [...known, ...known, ...unions].map(({ name }) => name);
}

/** Adds an interface entity, which one subgraph knows as an interface object only. */
function addInterfaceObject(model: SupergraphModel, random: Random): void {
  if (!random.chance(35)) return;
  const [owner, extender] = model.subgraphs;
  if (owner === undefined || extender === undefined) return;
  const others = model.subgraphs.filter((name) => name !== extender);
  const names = ['N0', 'N1'].slice(0, 1 + random.below(2));
  for (const name of names) {
    const type = typeModel('entity', name, [owner, ...random.some(others.slice(1), 30)]);
    for (const subgraph of type.subgraphs) type.keys.set(subgraph, ['id']);
    type.interfaces.push({ name: INTERFACE_OBJECT, subgraphs: [owner] });
    type.fields.push({ ...plainField('title', 'String', [owner]) });
    addFields(type, model, random);
    model.types.push(type);
  }
  const count = 1 + random.below(3);
  const extra = Array.from({ length: count }, (_, i) => randomField(`extra${i}`, [extender], model, random));
  model.interfaceObject = { name: INTERFACE_OBJECT, owner, extender, members: names, fields: extra };
}

function addRoots(model: SupergraphModel, random: Random): void {
  const query = typeModel('root', 'Query', model.subgraphs);
  const mutation = typeModel('root', 'Mutation', random.some(model.subgraphs, 60));
  for (const [type, prefix] of [
    [query, 'q'],
    [mutation, 'm'],
  ] as const)
    for (const subgraph of type.subgraphs) {
      const count = 1 + random.below(3);
      for (let i = 0; i < count; i++) {
        const composites = [...compositesOf(model, [subgraph]), ...nodeOf(model, subgraph)];
        const field = randomField(`${prefix}${subgraph}${i}`, [subgraph], model, random);
        const named = composites.length > 0 && random.chance(85) ? random.pick(composites) : 'Int';
        type.fields.push({ ...field, type: random.pick(WRAPPERS).replace('T', named) });
      }
    }
  const shared = random.some(model.subgraphs, 40);
  if (shared.length > 1) query.fields.push({ ...randomField('shared', shared, model, random), isShareable: true });
  model.types.push(query);
  if (mutation.fields.length > 0) model.types.push(mutation);
}

function nodeOf({ interfaceObject }: SupergraphModel, subgraph: string): string[] {
  const isKnown = subgraph === interfaceObject?.owner || subgraph === interfaceObject?.extender;
  return isKnown ? [INTERFACE_OBJECT, INTERFACE_OBJECT] : [];
}
