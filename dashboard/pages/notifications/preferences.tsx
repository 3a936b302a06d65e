import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Card } from '../../components/card';
import { Check, TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { showToast, showError } from '../../components/toasts';
import { CHOICES, PREFERENCES, SAVE } from '../../generated/notification-kinds';
import { done } from '../../graphql/done';
import type { ResultOf } from '../../graphql/graphql';
import { useOptimistic } from '../../graphql/optimistic';
import { EmailCard } from './email';
import { ABOVE, NotificationSections } from './sections';

type Preferences = ResultOf<typeof PREFERENCES>['notificationPreferences'];

const E_MAIL = ['emailEnabled', 'Send all of these by e-mail as well'] as const;

/** Which notifications the user gets, and where. */
export function PreferencesPage() {
  const query = useQuery({ query: PREFERENCES, requestPolicy: 'cache-and-network' });
  return (
    <Page
      title="Notification preferences"
      lead="You are always notified of payments, the end of a subscription and changes of your account."
      above={ABOVE}
    >
      <NotificationSections />
      <div className="columns">
        <Card title="Kinds of notification">
          <QueryView query={query}>
            {({ notificationPreferences }) => <PreferencesForm saved={notificationPreferences} />}
          </QueryView>
        </Card>
        <EmailCard />
      </div>
    </Page>
  );
}

/** Each choice is saved when it is made. */
function PreferencesForm({ saved }: { readonly saved: Preferences }) {
  const client = useClient();
  const [shown, showAtOnce] = useOptimistic(saved);
  const [level, setLevel] = useState(saved.lowCreditLevel);
  useEffect(() => setLevel(saved.lowCreditLevel), [saved.lowCreditLevel]);
  const save = (values: Partial<Preferences>) =>
    showAtOnce(
      (all) => ({ ...all, ...values }),
      () => done(client.mutation(SAVE, values)),
    );
  const saveLevel = async () => {
    await save({ lowCreditLevel: level });
    showToast('The level is saved.');
  };
  return (
    <div className="stack">
      {[...CHOICES, E_MAIL].map(([name, label]) => (
        <Check
          key={name}
          label={label}
          checked={shown[name]}
          onChange={({ target }) => save({ [name]: target.checked }).catch(showError)}
        />
      ))}
      <Form submit="Save the level" onSubmit={saveLevel}>
        <TextField
          label="Level of low credits"
          type="number"
          min={0}
          step="any"
          required
          disabled={!shown.lowCreditAlerts}
          value={level}
          onChange={(event) => setLevel(event.target.value)}
        />
      </Form>
    </div>
  );
}
