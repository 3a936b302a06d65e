import type { Page } from 'playwright-core';

/** What React has done on a page. */
export interface ReactWork {
  /** Changes of the document that it made in one go. */
  readonly commits: number;
  /** Components that it ran for them. */
  readonly components: number;
}

/** Runs before the page: counts what React does, by the hook of its developer tools, which a production build calls too. */
export const COUNT_REACT_WORK = `{
  const work = { commits: 0, components: 0 };
  window.reactWork = work;
  const RUN = 1; // the flag PerformedWork of a fiber
  const COMPONENTS = [0, 1, 11, 14, 15]; // functions and classes, with a ref or a memo
  const count = (fiber) => {
    if (COMPONENTS.includes(fiber.tag) && (fiber.flags & RUN) !== 0) work.components += 1;
    if (fiber.alternate !== null && fiber.alternate.child === fiber.child) return; // nothing ran below
    for (let child = fiber.child; child !== null; child = child.sibling) count(child);
  };
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    checkDCE: () => {},
    onScheduleFiberRoot: () => {},
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot: (_, { current }) => {
      work.commits += 1;
      count(current);
    },
  };
}`;

/** Returns what React did on the page during some work. */
export async function reactWorkOf(page: Page, act: () => Promise<unknown>): Promise<ReactWork> {
  const read = () => page.evaluate<ReactWork>('({ ...window.reactWork })');
  const before = await read();
  await act();
  const after = await read();
  return { commits: after.commits - before.commits, components: after.components - before.components };
}
