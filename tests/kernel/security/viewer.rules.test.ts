import { describe, expect, it } from '@jest/globals';
import { hasRole, ROLES, type Viewer } from '../../../kernel/security/viewer.js';
import { userWith } from '../../kit/accounts/viewer.js';

describe('roles', () => {
  it.each(ROLES)('SUPERUSER implies %s', (role) => {
    expect(hasRole(userWith('SUPERUSER'), role)).toBe(true);
  });

  it.each(ROLES.filter((role) => role !== 'ADMIN'))('ADMIN does not imply %s', (role) => {
    expect(hasRole(userWith('ADMIN'), role)).toBe(false);
  });

  it.each(['anonymous', 'platform'] as const)('are none of %s', (kind) => {
    const viewer: Viewer = kind === 'platform' ? { kind, subgraph: 'x' } : { kind };
    expect(ROLES.filter((role) => hasRole(viewer, role))).toEqual([]);
  });
});
