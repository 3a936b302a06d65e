import { createStore } from '../runtime/store';
import { counted } from '../components/format';

/** How many files of this tab are sent or wait for it. They end with the session and with the page. */
export const runningUploads = createStore(0);

/** How many files are to be uploaded once their paths are checked and the user agrees. */
export const preparedUploads = createStore(0);

/** How many files this tab downloads. They end with the session and with the page. */
export const runningDownloads = createStore(0);

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

// Lets the browser warn before the page is left.
for (const running of [runningUploads, preparedUploads, runningDownloads])
  running.subscribe(() => {
    if (stoppedWords() !== '') addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  });

/** What the end of the session stops, in words; empty if nothing. */
export function stoppedWords(): string {
  const [up, down] = [runningUploads.get() + preparedUploads.get(), runningDownloads.get()];
  return [
    up > 0 ? `${counted(up, 'file')} ${up === 1 ? 'is' : 'are'} not uploaded yet.` : '',
    down > 0 ? `${counted(down, 'file')} ${down === 1 ? 'is' : 'are'} not downloaded yet.` : '',
    up + down > 0 ? 'Signing out stops that.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** What the end of the session in use does, as the end of a sentence. */
export function signOutWords(): string {
  return `this signs you out. ${stoppedWords()}`.trim();
}
