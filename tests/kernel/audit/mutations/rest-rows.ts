import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, OperationTypeNode, type OperationDefinitionNode } from 'graphql';
import { FOLDER_ROUTES, PLATFORM_ROUTES, SITE_ROUTES } from '../../../../gateway/rest/contract.js';
import { parseOperations } from '../../../../gateway/rest/operations.js';
import type { Route } from '../../../../gateway/rest/route.js';
import { packageRoot } from '../../../../kernel/package-root.js';
import { useFolders } from '../../../kit/rest/folder-journey.js';
import { recorded, type Answered } from '../../../kit/rest/openapi.js';
import { call } from '../../../kit/platform.js';
import { useAccounts, useInfrastructure, useNetwork } from '../../../kit/rest/rest-journey.js';
import { OPEN, PROTECTED, PUBLIC } from '../../../kit/rest/rest-routes.js';

const TEXT = readFileSync(join(packageRoot(), 'gateway/rest/operations.graphql'), 'utf8');

/** The mutation of each operation that is one. */
const MUTATION_OF = new Map(
  parseOperations(TEXT).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION && definition.operation === OperationTypeNode.MUTATION
      ? [[definition.name?.value ?? '', rootOf(definition)] as const]
      : [],
  ),
);

function rootOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const [root] = selections;
  return root?.kind === Kind.FIELD ? root.name.value : '';
}

function mutationsOf({ operation }: Route): string[] {
  const names = typeof operation === 'string' ? [operation] : (operation?.operations ?? []);
  return names.flatMap((name) => MUTATION_OF.get(name) ?? []);
}

const routeName = (route: Route, prefix: string) => `${route.method} ${prefix}${route.path}`;

/** The mutations of each REST route that has any, by method and path of the OpenAPI document. */
export const WRITING_ROUTES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...PLATFORM_ROUTES.map((route) => [routeName(route, '/api'), mutationsOf(route)] as const),
    ...[...SITE_ROUTES, ...FOLDER_ROUTES].map((route) => [routeName(route, ''), mutationsOf(route)] as const),
  ].filter(([, mutations]) => mutations.length > 0),
);

/** Calls every REST route, so that each succeeds and is refused. Returns the answers. */
export function callAllRoutes(origin: string): Promise<readonly Answered[]> {
  return recorded(origin, async () => {
    for (const use of [useAccounts, useInfrastructure, useNetwork, useFolders]) await use();
    for (const target of [...PROTECTED, ...OPEN, ...PUBLIC])
      await call(target, target.startsWith('GET') ? {} : { rawBody: '{}' });
  });
}
