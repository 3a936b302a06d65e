import { describe, expect, it } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { parse } from 'yaml';
import { packageVersion } from '../../kernel/package-root.js';
import { readCompose, projectFile } from '../kit/compose.js';
import { sayExpected } from '../kit/expected-lines.js';
import { rendersComponents, renderWith } from '../kit/kubernetes/kustomize.js';
import { validateStrictly } from '../kit/kubernetes/strict-schema.js';

const FOLDER = 'deploy/kubernetes/components/lighthouse';
const deployment = new Deployment(parse(projectFile(`${FOLDER}/lighthouse.yaml`)) as object);
const pod = deployment.spec?.template.spec;
const [container] = pod?.containers ?? [];
const valueOf = (name: string) => container?.env?.find((variable) => variable.name === name)?.value;

describe(FOLDER, () => {
  it('is what Kubernetes allows, with the image of docker-compose.yml', () => {
    validateStrictly(deployment);
    expect(container?.image).toBe(`archipelago-lighthouse:${packageVersion()}`);
    expect(container?.image).toBe(readCompose().services.lighthouse?.image);
  });

  it('listens at the ports of its node, one pod at a time, without rights', () => {
    const base = parse(projectFile('deploy/kubernetes/base/network.yaml').split('\n---')[0] ?? '') as Deployment;
    const network = base.spec?.template.spec;
    expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    expect(pod).toMatchObject({ hostNetwork: true, securityContext: network?.securityContext });
    expect(container?.securityContext).toEqual(network?.containers[0]?.securityContext);
  });

  it('has the variables that docker-compose.yml gives the lighthouse, and the files that they name', () => {
    const known = Object.keys(readCompose().services.lighthouse?.environment ?? {}).filter(
      (name) => name !== 'LOG_LEVEL',
    );
    expect(container?.env?.map(({ name }) => name)).toEqual(expect.arrayContaining(known));
    const mounted = pod?.volumes?.flatMap(
      ({ secret }) => secret?.items?.map(({ path }) => `/run/secrets/${path}`) ?? [],
    );
    const files = known.filter((name) => name.endsWith('_FILE')).map(valueOf);
    expect(mounted).toEqual(expect.arrayContaining(files));
    expect([valueOf('LIGHTHOUSE_PORT'), valueOf('DATA_DIR')]).toEqual(['4242', '/data']);
  });
});

const isInstalled = rendersComponents();
if (!isInstalled) sayExpected('kubectl 1.21 or newer is not installed: nothing was rendered');

describe.each(isInstalled ? [FOLDER] : [])('%s, rendered', (folder) => {
  it('tells the subgraph network and the lighthouse the same addresses', () => {
    const deployments = renderWith(folder)
      .filter(({ kind }) => kind === 'Deployment')
      .map((object) => object as unknown as Deployment);
    const given = deployments.flatMap(({ metadata, spec }) => {
      const variable = spec?.template.spec?.containers[0]?.env?.find(({ name }) => name === 'LIGHTHOUSES');
      return variable ? [[metadata?.name, variable.valueFrom?.configMapKeyRef?.key]] : [];
    });
    expect(new Map(given as [string, string][])).toEqual(
      new Map([
        ['lighthouse', 'lighthouses'],
        ['network', 'lighthouses'],
      ]),
    );
  });
});
