import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { packageRoot } from '../../../kernel/package-root.js';

/** An object that `kubectl apply -k` would send. */
export interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Whether kubectl is there and renders components. They need Kustomize 3.7, which kubectl has since 1.21; 1.20 has 2.0.3. */
export function rendersComponents(): boolean {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
  if (status !== 0) return false;
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { major: string; minor: string } };
  return Number(clientVersion.major) > 1 || Number.parseInt(clientVersion.minor, 10) >= 21;
}

/** Renders a folder below the root of the package. */
export function render(folder: string): Rendered[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { cwd: packageRoot(), encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Rendered);
}

/** Renders deploy/kubernetes/base with a component. */
export function renderWith(component: string): Rendered[] {
  const overlay = mkdtempSync(join(tmpdir(), 'archipelago-overlay-'));
  try {
    const [base, added] = ['deploy/kubernetes/base', component].map((name) =>
      relative(overlay, join(packageRoot(), name)),
    );
    writeFileSync(
      join(overlay, 'kustomization.yaml'),
      `namespace: archipelago\nresources: [${base}]\ncomponents: [${added}]\n`,
    );
    return render(overlay);
  } finally {
    rmSync(overlay, { recursive: true });
  }
}
