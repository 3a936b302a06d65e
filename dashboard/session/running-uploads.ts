import { createStore } from '../app/store';

/** How many files of this tab are sent or wait for it. They end with the session and with the page. */
export const runningUploads = createStore(0);

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

// Lets the browser warn before the page is left.
runningUploads.subscribe(() => {
  if (runningUploads.get() > 0) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});
