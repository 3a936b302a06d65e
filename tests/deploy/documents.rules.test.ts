import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../kernel/package-root.js';
import { projectFile } from '../kit/compose.js';

describe('the documents about containers', () => {
  it('name the file of each command of an operator, which the image can run without npm', () => {
    const entries = projectFile('scripts/run.js');
    const named = ['backup', 'restore', 'migrate', 'secrets:reseal', 'ledger:prove'].map((name) => {
      const [, file = ''] = new RegExp(`^  '?${name}'?: '(.+)\\.js'`, 'm').exec(entries) ?? [];
      const isThere = existsSync(join(packageRoot(), `dist/${file}.js`));
      return [name, isThere && projectFile('docs/operations.md').includes(`\`dist/${file}.js\``)];
    });
    expect(named.filter(([, isNamed]) => isNamed !== true)).toEqual([]);
  });

  it('build the image again after an update, since Compose keeps the one that it has', () => {
    for (const name of ['README.md', 'docker-compose.yml'])
      expect(projectFile(name)).toMatch(/^(?:# )?docker compose up --build /m);
  });

  it('say what Prometheus sends while the token of the metrics is rotated, as it sends one', () => {
    expect(projectFile('SECURITY.md')).toContain('`PROMETHEUS_TOKEN_FILE`');
  });
});
