import { Kind, parse, print, visit, type FieldNode, type GraphQLError, type OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { SubgraphClient, SubgraphRequest, SubgraphResult } from '../subgraph-client.js';

/** How many fetches one request has at most. */
const MAX_FETCHES = 16;

/** How many characters of texts stay joined. */
const MAX_CHARACTERS = 900_000;

const ENTITIES = '_entities';

type Send = (request: SubgraphRequest) => Promise<SubgraphResult>;

/** Returns a client that joins entity fetches; spans and metrics of the given client are those of whole requests. */
export function withEntityBatches(client: SubgraphClient): SubgraphClient {
  const batches = new EntityBatches((request) => client.execute(request));
  return {
    dependency: client.dependency,
    execute: (request) => batches.execute(request),
    open: (request) => client.open(request),
    subscribe: (request, signal) => client.subscribe(request, signal),
    check: () => client.check(),
    close: () => client.close(),
  };
}

/** Fetches of one caller that begin together. */
interface Batch {
  readonly requests: SubgraphRequest[];
  /** The answer to each request. */
  readonly answers: Promise<readonly Promise<SubgraphResult>[]>;
}

/**
 * Sends the entity fetches that one execution begins at the same time as one request, with an alias for each. Where the
 * answer does not tell which fetch has failed, each is sent by itself: they only read.
 */
export class EntityBatches {
  /** The batches that get fetches until the code that runs now ends. */
  private readonly open = new Set<Batch>();
  /** The joined texts; empty: they cannot be joined. */
  private readonly texts: LRUCache<string, string>;

  constructor(
    private readonly send: Send,
    maxCharacters = MAX_CHARACTERS,
  ) {
    const sizeCalculation = (joined: string, texts: string) => joined.length + texts.length;
    this.texts = new LRUCache({ maxSize: maxCharacters, sizeCalculation });
  }

  async execute(request: SubgraphRequest): Promise<SubgraphResult> {
    if (!Array.isArray(request.variables['representations'])) return this.send(request);
    const batch = [...this.open].find(({ requests }) => takes(requests, request)) ?? this.begin();
    const index = batch.requests.push(request) - 1;
    return (await batch.answers)[index] ?? this.send(request);
  }

  private begin(): Batch {
    const requests: SubgraphRequest[] = [];
    const answers = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      this.open.delete(batch);
      return this.sendAll(requests);
    });
    const batch = { requests, answers };
    this.open.add(batch);
    return batch;
  }

  private async sendAll(requests: readonly SubgraphRequest[]): Promise<readonly Promise<SubgraphResult>[]> {
    const [first] = requests;
    const query = requests.length > 1 ? this.join(requests.map((request) => request.query)) : '';
    if (!first || query === '') return requests.map(this.send);
    const answer = this.send({ ...first, query, variables: joinedVariables(requests) });
    const parts = await answer.then(
      (result) => divide(result, requests.length),
      () => requests.map(() => answer),
    );
    return parts ?? requests.map(this.send);
  }

  private join(queries: readonly string[]): string {
    const key = queries.join('\n');
    const joined = this.texts.get(key) ?? joinedText(queries);
    this.texts.set(key, joined);
    return joined;
  }
}

/** Whether a batch can have one more request: the subgraph learns who asks once for all of them. */
function takes([first, ...others]: readonly SubgraphRequest[], request: SubgraphRequest): boolean {
  return (
    first?.viewer === request.viewer &&
    first.requestId === request.requestId &&
    first.signal === request.signal &&
    first.clientAddress === request.clientAddress &&
    first.userAgent === request.userAgent &&
    first.isBillingBypassed === request.isBillingBypassed &&
    others.length + 1 < MAX_FETCHES
  );
}

/** Returns an operation with the entities of each; empty when one is more than a fetch of entities. */
function joinedText(queries: readonly string[]): string {
  const operations = queries.flatMap((query, index) => renamedOperation(query, index) ?? []);
  const [first] = operations;
  if (!first || operations.length < queries.length) return '';
  return print({
    ...first,
    variableDefinitions: operations.flatMap(({ variableDefinitions = [] }) => variableDefinitions),
    selectionSet: {
      kind: Kind.SELECTION_SET,
      selections: operations.flatMap(({ selectionSet }) => selectionSet.selections),
    },
  });
}

function renamedOperation(query: string, index: number): OperationDefinitionNode | undefined {
  const { definitions } = parse(query, { noLocation: true });
  const [operation, ...others] = definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return undefined;
  const [field, ...fields] = operation.selectionSet.selections;
  if (field?.kind !== Kind.FIELD || field.name.value !== ENTITIES || field.alias || fields.length > 0) return undefined;
  const alias = { kind: Kind.NAME, value: aliasOf(index) } as const;
  const selections: readonly FieldNode[] = [{ ...field, alias }];
  const aliased = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  return visit(aliased, {
    Variable: (node) => ({ ...node, name: { kind: Kind.NAME, value: variableOf(node.name.value, index) } as const }),
  });
}

function aliasOf(index: number): string {
  return `entities${index}`;
}

function variableOf(name: string, index: number): string {
  return `${name}_${index}`;
}

function joinedVariables(requests: readonly SubgraphRequest[]): SubgraphRequest['variables'] {
  return Object.fromEntries(
    requests.flatMap(({ variables }, index) =>
      Object.entries(variables).map(([name, value]) => [variableOf(name, index), value]),
    ),
  );
}

/** Returns the answer to each fetch; undefined when an error is of none of them, or of all entities of one. */
function divide({ data, errors = [] }: SubgraphResult, count: number): readonly Promise<SubgraphResult>[] | undefined {
  if (!data) return undefined;
  const aliases = Array.from({ length: count }, (_, index) => aliasOf(index));
  const failures = new Map<unknown, GraphQLError[]>(aliases.map((alias) => [alias, []]));
  for (const error of errors) {
    const [alias, ...below] = error.path ?? [];
    const known = failures.get(alias);
    if (!known || below.length === 0) return undefined;
    known.push(Object.assign(error, { path: [ENTITIES, ...below] }));
  }
  return aliases.map(async (alias) => {
    const own = failures.get(alias) ?? [];
    return { data: { [ENTITIES]: data[alias] }, ...(own.length > 0 && { errors: own }) };
  });
}
