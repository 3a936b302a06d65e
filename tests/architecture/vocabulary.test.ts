import { describe, expect, it } from '@jest/globals';
import { basename } from 'node:path';
import ts from 'typescript';
import { filesIn, type SourceFile } from './source.js';

/** Retired words of names, in lower case, and what to write instead. A word matches whole words of camelCase, CAPITALS and file names. */
const RETIRED: Readonly<Record<string, string>> = {
  door: 'Dependencies, Endpoint or Client',
  doors: 'Dependencies, Endpoints or Clients',
  asker: 'RequestContext',
  asking: 'RequestContext',
  'subgraph source': 'SubgraphClient',
  'fair line': 'FairQueue',
  'one for all': 'SingleFlight',
  'shared reader': 'SharedSubscription',
  announce: 'publish',
  announces: 'publishes',
  announced: 'published',
  announcement: 'event',
  sealer: 'SecretBox',
  workshop: 'CompilerWorker',
  desk: 'SandboxStore',
  wish: 'Input, Patch or Spec',
  wishes: 'Inputs, Patches or Specs',
  intake: 'UploadLimiter',
  marker: 'StoreId',
  questioned: 'Cache',
  drawn: 'Cache',
  territory: 'Regions',
  patience: 'TIMEOUT_MS',
  farewell: 'SHUTDOWN_TIMEOUT_MS',
  'look ms': 'POLL_INTERVAL_MS',
  'facts of': 'eventDataOf, or what is read',
  knock: 'request',
  told: 'notified',
  asks: 'calls',
};

/** Retired names: other names may contain these words. */
const RETIRED_NAMES: readonly RegExp[] = [
  /^(?:MOST|LONGEST|LIFE)_/,
  /^(?:Turns|Lane|Batches|Breaker|Followed|Pace|Home|Fact|Move|MOVES|Terms|Caller|Asks)$/,
];

/** Retired words still in use, by folder. REMOVE a word when its folder no longer has it; add none. */
const EXCEPTED: Readonly<Record<string, readonly string[]>> = {};

const FOLDERS = ['gateway', 'kernel', 'subgraphs', 'tests', 'bench'];

describe('a retired word', () => {
  it.each(FOLDERS)('is in no file name and no declared name of %s/', (folder) => {
    const found = filesIn([folder], '.ts').flatMap((file) =>
      [basename(file.path, '.ts'), ...declaredNames(file)].flatMap((name) => advice(file.path, name)),
    );
    expect([...new Set(found)]).toEqual([]);
  });
});

function advice(path: string, name: string): string[] {
  const words = ` ${wordsOf(name)} `;
  const excepted = Object.entries(EXCEPTED).flatMap(([folder, list]) => (path.startsWith(folder) ? list : []));
  const retired = Object.keys(RETIRED).filter((word) => words.includes(` ${word} `) && !excepted.includes(word));
  if (RETIRED_NAMES.some((pattern) => pattern.test(name)) && !excepted.includes(name))
    return [`${path}: ${name} is a retired name`];
  return retired.map((word) => `${path}: ${name} has the retired word “${word}”; write ${RETIRED[word]}`);
}

/** `openNodeDoor`, `OPEN_NODE_DOOR` and `open-node-door` are all `open node door`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]/g, ' ')
    .toLowerCase();
}

function declaredNames({ path, text }: SourceFile): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclared(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}

function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const isDeclaration =
    ts.isVariableDeclaration(parent) ||
    ts.isBindingElement(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassElement(parent) ||
    ts.isTypeElement(parent) ||
    ts.isClassLike(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent);
  return isDeclaration && parent.name === node;
}
