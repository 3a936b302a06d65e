import { describe, expect, it } from '@jest/globals';
import { filesIn } from './source.js';

const SUBGRAPHS = ['accounts', 'infrastructure', 'network', 'sync'];

/** Allowed content of a subgraph: composition files, migrations, and areas of nouns. */
const LAYOUT = [
  /^(?:subgraph|entities|services|jobs|resolvers|calls|config)\.ts$/,
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
