import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';

/** A term of the glossary and its name in the code. */
const NAMES = [...projectFile('docs/glossary.md').matchAll(/^\| \*\*(.*?)\*\* +\| ([^|]*)\|/gm)].flatMap(
  ([, word = '', names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [word, name] as const),
);

describe('the glossary', () => {
  it.each(NAMES)('says of “%s” that it is called %s, as it is', (_, name) => {
    const schema = projectFile('schema/supergraph.graphql');
    const isCommand = name.startsWith('npm ') && name.replace(/^npm (?:run )?/, '') in scripts();
    const isPath = name.startsWith('/') && projectFile('schema/openapi.json').includes(`"${name}`);
    const isFolder = name.endsWith('/') && existsSync(join(packageRoot(), name));
    const isInSchema = new RegExp(`^ *(?:type |input |enum )?${name}\\b`, 'm').test(schema);
    expect([isCommand, isPath, isFolder, isInSchema]).toContain(true);
  });
});

function scripts(): Record<string, string> {
  return (JSON.parse(projectFile('package.json')) as { scripts: Record<string, string> }).scripts;
}
