import { describe, expect, it } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { packageVersion } from '../../kernel/package-root.js';
import { projectFile, readCompose } from '../kit/compose.js';

const { services } = readCompose();
const NAMES = ['gateway', 'accounts', 'infrastructure', 'network', 'sync'] as const;

/** The objects of a file by kind; each kind is there once. */
function objectsOf(name: string): Map<string, unknown> {
  const documents = parseAllDocuments(projectFile(`deploy/kubernetes/${name}.yaml`));
  return new Map(documents.map((document) => [String(document.get('kind')), document.toJS()]));
}

const MODELS = { Deployment, HorizontalPodAutoscaler, NetworkPolicy, PodDisruptionBudget, Service } as const;

function deploymentOf(name: string): Deployment {
  return new Deployment(objectsOf(name).get('Deployment') as ConstructorParameters<typeof Deployment>[0]);
}

function podOf(name: string) {
  const pod = deploymentOf(name).spec?.template.spec;
  const [container] = pod?.containers ?? [];
  return { pod, container };
}

/** Variables of a container by name. */
function variablesOf(name: string): Record<string, string | undefined> {
  const { container } = podOf(name);
  return Object.fromEntries((container?.env ?? []).map(({ name: variable, value }) => [variable, value]));
}

describe('deploy/kubernetes', () => {
  it('applies every file', () => {
    const { resources } = parse(projectFile('deploy/kubernetes/kustomization.yaml')) as { resources: string[] };
    expect(resources).toEqual(NAMES.map((name) => `${name}.yaml`));
  });

  it('has a schema that refuses wrong objects', () => {
    expect(() => new Service({ spec: { ports: [{ port: 'x' }] } } as never).validate()).toThrow();
  });
});

describe.each(NAMES)('deploy/kubernetes/%s.yaml', (name) => {
  it('is what Kubernetes allows', () => {
    const kinds = [...objectsOf(name)].map(([kind, object]) => {
      new MODELS[kind as keyof typeof MODELS](object as never).validate();
      return kind;
    });
    const usual = ['Deployment', 'Service', 'PodDisruptionBudget', 'NetworkPolicy'];
    expect(kinds).toEqual(name === 'gateway' ? [...usual, 'HorizontalPodAutoscaler'] : usual);
  });

  it('starts what docker-compose.yml starts', () => {
    const { container } = podOf(name);
    expect([container?.image, container?.args]).toEqual([`archipelago:${packageVersion()}`, services[name]?.command]);
  });

  it('listens on the port of docker-compose.yml', () => {
    const port = Number(services[name]?.environment?.PORT);
    const { container } = podOf(name);
    const service = objectsOf(name).get('Service');
    expect([container?.ports, variablesOf(name).PORT]).toEqual([[{ name: 'http', containerPort: port }], `${port}`]);
    expect(service).toMatchObject({ metadata: { name }, spec: { ports: [{ port, targetPort: 'http' }] } });
  });

  it('has the variables of docker-compose.yml, but those of its surroundings', () => {
    const surroundings = ['LIGHTHOUSES', 'LOG_LEVEL', 'TELEMETRY', 'SMTP_URL', 'REGISTRY_URL', 'PAYPROC'];
    const fixed = (variables: object) => Object.keys(variables).filter((variable) => !surroundings.includes(variable));
    expect(fixed(variablesOf(name)).toSorted()).toEqual(fixed(services[name]?.environment ?? {}).toSorted());
  });

  it('reads its secrets from files that are mounted', () => {
    const { pod } = podOf(name);
    const items = pod?.volumes?.flatMap(({ secret }) => secret?.items ?? []) ?? [];
    const read = Object.values(variablesOf(name)).filter((value) => value?.startsWith('/run/secrets/'));
    expect(new Set(items.map(({ path }) => `/run/secrets/${path}`))).toEqual(new Set(read));
    const made = projectFile('deploy/kubernetes/kustomization.yaml');
    expect(items.filter(({ key }) => !made.includes(`--from-file=${key}=`))).toEqual([]);
  });

  it('runs without rights and waits until the platform has stopped', () => {
    const { pod, container } = podOf(name);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 40,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('asks for health at paths that exist', () => {
    const paths = [...projectFile(`deploy/kubernetes/${name}.yaml`).matchAll(/path: (\/health\S*),/g)];
    const known = projectFile('gateway/http/health.ts');
    expect(paths.map(([, path = '']) => known.includes(`'${path}'`))).toEqual(name === 'gateway' ? [true, true] : []);
  });
});
