import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** Thrown when a part of the dashboard could not be loaded: the browser is offline, or the server has a newer version. */
export class CodeMissing extends Error {
  constructor(cause: unknown) {
    super('This part of the dashboard could not be loaded.', { cause });
  }
}

/** Loads a part of the dashboard. @throws CodeMissing */
export async function loadCode<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new CodeMissing(error);
  }
}

/** A component with code of its own. */
type LazyPart<Props> = LazyExoticComponent<ComponentType<Props>> & {
  /** Loads the code. Where it is missing, a page that waits for it before it draws the component stays as it is. @throws CodeMissing */
  readonly load: () => Promise<unknown>;
};

/** Returns a component whose code is loaded when it is needed. */
export function lazyPart<Props>(component: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  const load = async () => ({ default: await loadCode(component) });
  return Object.assign(lazy(load), { load });
}
