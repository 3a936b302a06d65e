import { CircleAlert } from 'lucide-react';
import { Page } from '../components/page';
import { Empty } from '../components/states';
import { restoreProblem } from '../session/session';
import { useStore } from '../runtime/store';

/** Shown until it is known whether somebody is signed in: nothing at first, then why it takes longer. */
export function Restoring() {
  const problem = useStore(restoreProblem);
  if (problem === '') return null;
  return (
    <main className="content">
      <Page title="Archipelago">
        <div role="status">
          <Empty icon={CircleAlert} title="The session could not be read yet">
            {problem} It is tried again every two seconds.
          </Empty>
        </div>
      </Page>
    </main>
  );
}
