import { forbidden } from '../../../../kernel/errors.js';
import { hasRole, type Role, type Viewer } from '../../../../kernel/security/viewer.js';

/** Roles that only a superuser can grant, because they allow granting other roles. */
const GUARDED: ReadonlySet<Role> = new Set(['ADMIN', 'SUPERUSER']);

/** Refuses administrators who grant or revoke ADMIN or SUPERUSER. @throws FORBIDDEN */
export function refuseEscalation(viewer: Viewer, ...roleLists: readonly (readonly Role[])[]): void {
  if (hasRole(viewer, 'SUPERUSER')) return;
  if (roleLists.flat().some((role) => GUARDED.has(role))) {
    throw forbidden('Only a superuser can grant or revoke the roles ADMIN and SUPERUSER.');
  }
}

/** Whether the viewer may see this user's data: the user, validators and administrators. */
export function mayRead(viewer: Viewer, userId: number): boolean {
  return (
    (viewer.kind === 'user' && viewer.userId === userId) || hasRole(viewer, 'VALIDATOR') || hasRole(viewer, 'ADMIN')
  );
}
