import { describe, expect, it } from '@jest/globals';
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
  questioned: 'Cache',
  drawn: 'Cache',
  territory: 'Regions',
  patience: 'TIMEOUT_MS',
  farewell: 'SHUTDOWN_TIMEOUT_MS',
  'look ms': 'POLL_INTERVAL_MS',
  marker: 'StoreId',
  'life ms': 'ttlMs',
  'life seconds': 'ttlSeconds',
  'most pages': 'maxPages',
  'most bytes': 'maxBytes',
  'most at once': 'maxConcurrent',
  'facts of': 'eventDataOf, or what is read',
  knock: 'request',
  told: 'notified',
  asks: 'calls',
  drive: 'reconcile',
  drives: 'reconciles',
  letter: 'emailTemplate',
  wire: 'websocketServer',
  breaker: 'CircuitBreaker',
  'local source': 'LocalSubgraph',
  'remote source': 'RemoteSubgraph',
  turns: 'KeyedSemaphore',
  pace: 'PollOptions',
  'found state': 'actualState',
};

/** Words that are plain in a test, but name nothing in production code. */
const RETIRED_IN_PRODUCTION: Readonly<Record<string, string>> = {
  fact: 'event',
  facts: 'events, details or metadata',
  wanted: 'desired or requested',
  ask: 'call, request or read',
  asked: 'requested',
  look: 'read or poll',
  looks: 'reads or polls',
  tell: 'notify',
  tells: 'notifies',
  home: 'DataDirectory, server or directory',
};

/*
 * Retired in one sense, and plain in another: `exact` (numbers), `unread` (notifications, bytes), `holder` (of a token, a certificate
 * or a lease), `found` (by a search), `caller` (of a subgraph, in the audit log), `turn`, `lanes` (of BLAKE3). Names of jobs
 * (`drive-instance`, `look-at-instance`, `tell-…`) are texts and stay: jobs that wait in databases have them.
 */

/** Retired names: other names may contain these words. */
const RETIRED_NAMES: readonly RegExp[] = [
  /^(?:MOST|LONGEST|LIFE)_/,
  /^(?:Turns|Lane|Batches|Breaker|Followed|Pace|Home|Fact|Move|MOVES|Terms|Call|Caller|Asks)$/,
  /^(?:MOVE|move(?:Instance|Transaction))$/,
];

/** Names that stay. ADD none but those of a schema or of another's API. */
const KEPT: ReadonlySet<string> = new Set([
  // Fields of the schema: processes of two releases call each other during a rolling restart.
  'tell user',
  'tell administrators',
  'look at vm',
  // A field of the schema, and a column.
  'wanted',
  'wanted state',
  // A disk of Proxmox; one of the alphabet; the first page, and HOME.
  'drive',
  'drives',
  'seed drive',
  'letter',
  'home',
  'home page',
  'home tsx',
  'circuit breaker',
  'circuit breaker ts',
  // SVG
  'marker',
  'marker start',
]);

const FOLDERS = [
  'gateway',
  'kernel',
  'subgraphs',
  'sdk/src',
  'cli',
  'dashboard',
  'scripts',
  'bench',
  'tests',
  'deploy',
];

describe('a retired word', () => {
  it.each(FOLDERS)('is in no file name and no declared name of %s/', (folder) => {
    const found = ['.ts', '.tsx', '.js', '.sh']
      .flatMap((ending) => filesIn([folder], ending))
      .flatMap((file) => [...file.path.split('/'), ...declaredNames(file)].flatMap((name) => advice(file.path, name)));
    expect([...new Set(found)].filter((line) => !line.startsWith('tests/architecture/vocabulary'))).toEqual([]);
  });
});

function advice(path: string, name: string): string[] {
  if (RETIRED_NAMES.some((pattern) => pattern.test(name))) return [`${path}: ${name} is a retired name`];
  const words = ` ${wordsOf(name)} `;
  const retired = { ...RETIRED, ...(!path.startsWith('tests/') && RETIRED_IN_PRODUCTION) };
  return Object.entries(retired)
    .filter(([word]) => words.includes(` ${word} `) && !KEPT.has(words.trim()))
    .map(([word, instead]) => `${path}: ${name} has the retired word “${word}”; write ${instead}`);
}

/** `openNodeDoor`, `OPEN_NODE_DOOR` and `open-node-door` are all `open node door`. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_.]/g, ' ')
    .toLowerCase();
}

function declaredNames({ path, text }: SourceFile): string[] {
  if (path.endsWith('.sh')) return [...text.matchAll(SHELL_DECLARATION)].map((groups) => groups.slice(1).join(''));
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclared(node)) names.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return names;
}

/** A variable that is set, or a function. */
const SHELL_DECLARATION = /(?:^|[\s;])(\w+)=|^(\w+)\(\) |\bfor (\w+) in\b/gm;

const DECLARATIONS = [
  ts.isVariableDeclaration,
  ts.isBindingElement,
  ts.isParameter,
  ts.isFunctionLike,
  ts.isClassElement,
  ts.isTypeElement,
  ts.isClassLike,
  ts.isInterfaceDeclaration,
  ts.isTypeAliasDeclaration,
  ts.isTypeParameterDeclaration,
  ts.isPropertyAssignment,
  ts.isEnumMember,
];

function isDeclared(node: ts.Identifier): boolean {
  return DECLARATIONS.some((isDeclaration) => isDeclaration(node.parent) && node.parent.name === node);
}
