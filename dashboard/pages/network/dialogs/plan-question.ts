import type { PlannedPolicy } from '../use-plan';

/** The undo of a change and all later ones. */
export interface PlannedUndo {
  readonly undoes: string;
}

/** A change of the network that the user is to confirm. */
export interface PlanQuestion {
  readonly title: string;
  readonly lead: string;
  /** The words on the button that does it. */
  readonly action: string;
  readonly change: PlannedPolicy | PlannedUndo;
}
