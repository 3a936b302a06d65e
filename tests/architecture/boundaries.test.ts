import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { circlesOf, type Import } from './circles.js';
import { filesIn } from './source.js';

interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/** The folders whose imports `npm test` checks. */
const CHECKED = ['gateway', 'kernel', 'subgraphs', 'sdk', 'cli', 'bench', 'scripts', 'dashboard'];

/** Files that compose a subgraph or the dashboard from its areas: `subgraphs/<name>/<file>`. */
const ROOT_FILE = /^(?:subgraphs\/[^/]+|dashboard)\/[^/]+$/;

const ADVICE =
  'Move the file to the area or noun that owns its subject, move the shared function below both, or pass the value in.';

let modules: readonly Module[] = [];
let imports: readonly Import[] = [];

beforeAll(() => {
  const cruiser = join(packageRoot(), 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const words = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...CHECKED];
  const options = { cwd: packageRoot(), maxBuffer: 2 ** 28 };
  const report = execFileSync(process.execPath, [cruiser, ...words], options).toString();
  ({ modules } = JSON.parse(report) as { modules: readonly Module[] });
  imports = modules
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
    .filter(({ from, to }) => !ROOT_FILE.test(from) && !ROOT_FILE.test(to));
}, 60_000);

describe('the boundaries', () => {
  it('are checked on every module', () => {
    const seen = new Set(modules.map(({ source }) => source));
    const files = ['.ts', '.tsx', '.js'].flatMap((ending) => filesIn(CHECKED, ending));
    const missing = files.filter(({ path }) => !path.endsWith('.d.ts') && !seen.has(path));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

describe.each(rooms())('%s', (room) => {
  const depth = room.split('/').length + 1;

  it('has no circle of imports between its areas', () => {
    const circles = circlesOf(inside(room), (path) => ancestor(path, depth));
    expect(withAdvice(circles)).toEqual([]);
  });

  it('has no circle of imports between the nouns of an area', () => {
    const areas = new Set(inside(room).map(({ from }) => ancestor(from, depth)));
    const circles = [...areas].flatMap((area) => circlesOf(inside(area), (path) => ancestor(path, depth + 1)));
    expect(withAdvice(circles)).toEqual([]);
  });
});

function rooms(): string[] {
  const subgraphs = ['accounts', 'infrastructure', 'network', 'sync'];
  return ['gateway', 'kernel', 'dashboard', ...subgraphs.map((name) => `subgraphs/${name}`)];
}

function inside(folder: string): readonly Import[] {
  return imports.filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`));
}

/** Returns the folder at this depth, or the file itself when it is less deep. */
function ancestor(path: string, depth: number): string {
  return path.split('/').slice(0, depth).join('/');
}

function withAdvice(circles: readonly string[]): readonly string[] {
  return circles.length === 0 ? [] : [...circles, ADVICE];
}
