import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { code, filesIn } from './source.js';

const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'];

/** What a subgraph may hold: files that put it together, migrations, and areas of nouns. */
const LAYOUT = [
  /^(?:subgraph|services|jobs|resolvers|calls|secrets)\.ts$/,
  /^[a-z-]+\.rules\.ts$/,
  /^migrations\/\d{14}_[a-z_]+\.sql$/,
  /^(?:[a-z0-9-]+\/){1,3}[a-z0-9-]+(?:\.(?:resolver|actions|rules|reference))?\.ts$/,
  /^blake3\/lanes\.wasm$/,
  /^joining\/join\/join\.sh$/,
];

describe.each(SUBGRAPHS)('the subgraph %s', (name) => {
  const files = filesIn([`subgraphs/${name}`], '').map((file) => ({
    ...file,
    room: file.path.slice(`subgraphs/${name}/`.length),
  }));

  it('has a manifest of under 40 lines and at least one migration', () => {
    const manifest = files.find(({ room }) => room === 'subgraph.ts');
    expect(manifest?.text.split('\n').length).toBeLessThan(40);
    expect(files.some(({ room }) => room.startsWith('migrations/'))).toBe(true);
  });

  it('has the same layout as every other', () => {
    const strangers = files.filter(({ room }) => !LAYOUT.some((pattern) => pattern.test(room)));
    expect(strangers.map(({ path }) => path)).toEqual([]);
  });

  it('touches only its own PostgreSQL schema', () => {
    const others = SUBGRAPHS.filter((other) => other !== name).join('|');
    const pattern = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE|REFERENCES|ON)\\s+(?:${others})\\.`);
    expect(files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('the boundaries', () => {
  it('are checked on every module there is', () => {
    const cruiser = join(packageRoot(), 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const words = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'gateway', 'kernel', 'subgraphs'];
    const report = execFileSync(process.execPath, [cruiser, ...words], {
      cwd: packageRoot(),
      maxBuffer: 2 ** 28,
    }).toString();
    const { modules } = JSON.parse(report) as { modules: { source: string }[] };
    const seen = new Set(modules.map(({ source }) => source));
    expect(
      code()
        .filter(({ path }) => !seen.has(path))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});
