import { confirm } from '../../../components/overlays/confirm';
import { showError } from '../../../components/toasts';
import type { GroupModel, Model, PolicyModel } from '../../../topology/model';
import type { Acts } from '../acts';
import { requireUnused } from './group-uses';

/** Deletes a group or policy if the user agrees: a key is pressed by accident more easily than a button. @throws Error for a group in use */
export async function confirmDelete(id: string, model: Model, acts: Acts): Promise<void> {
  const part = model.groupOf.get(id) ?? model.policies.find(({ edge }) => edge.id === id);
  if (!part) return;
  if (isKept(part)) showError('The platform keeps it; it cannot be deleted.');
  else if (!('node' in part)) await acts.deletePolicy(part);
  else {
    requireUnused(part, model);
    if (await confirm({ title: `Delete the group ${part.node.label}?`, text: UNDONE, action: 'Delete' }))
      await acts.deleteGroup(part);
  }
}

const UNDONE = 'You can undo it afterwards.';

function isKept(part: GroupModel | PolicyModel): boolean {
  return ('node' in part ? part.node.meta.isDefault : part.edge.meta.isManaged) === true;
}
