import { useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Card } from '../../components/card';
import { Check, TextField } from '../../components/fields';
import { Form } from '../../components/form';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { tell } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { EmailCard } from './email';
import { ABOVE, NotificationSections } from './sections';

const PREFERENCES = graphql(`
  {
    notificationPreferences {
      emailEnabled
      lowCreditAlerts
      lowCreditLevel
      zeroBalanceAlerts
      machineUpdates
      fileStatusUpdates
      marketingEmails
    }
  }
`);
const SAVE = graphql(`
  mutation (
    $emailEnabled: Boolean!
    $lowCreditAlerts: Boolean!
    $lowCreditLevel: Decimal!
    $zeroBalanceAlerts: Boolean!
    $machineUpdates: Boolean!
    $fileStatusUpdates: Boolean!
    $marketingEmails: Boolean!
  ) {
    updateNotificationPreferences(
      emailEnabled: $emailEnabled
      lowCreditAlerts: $lowCreditAlerts
      lowCreditLevel: $lowCreditLevel
      zeroBalanceAlerts: $zeroBalanceAlerts
      machineUpdates: $machineUpdates
      fileStatusUpdates: $fileStatusUpdates
      marketingEmails: $marketingEmails
    ) {
      lowCreditLevel
    }
  }
`);

type Preferences = ResultOf<typeof PREFERENCES>['notificationPreferences'];

const CHOICES = [
  ['lowCreditAlerts', 'When credits fall below a level'],
  ['zeroBalanceAlerts', 'When credits are used up'],
  ['machineUpdates', 'When a machine runs, stops or fails'],
  ['fileStatusUpdates', 'Changes of files'],
  ['marketingEmails', 'News and offers'],
  ['emailEnabled', 'Send all of these by e-mail as well'],
] as const;

/** What the user is told of, and where. */
export function PreferencesPage() {
  const query = useQuery({ query: PREFERENCES, requestPolicy: 'cache-and-network' });
  return (
    <Page
      title="Notification preferences"
      lead="Payments, the end of a subscription and changes of your account are always told."
      above={ABOVE}
    >
      <NotificationSections />
      <div className="columns">
        <Card title="What you are told of">
          <QueryView query={query}>
            {({ notificationPreferences }) => <PreferencesForm saved={notificationPreferences} />}
          </QueryView>
        </Card>
        <EmailCard />
      </div>
    </Page>
  );
}

function PreferencesForm({ saved }: { readonly saved: Preferences }) {
  const client = useClient();
  const [chosen, setChosen] = useState(saved);
  const save = async () => {
    await done(client.mutation(SAVE, chosen));
    tell('Your preferences are saved.');
  };
  return (
    <Form submit="Save" label="Notification preferences" onSubmit={save}>
      {CHOICES.map(([name, label]) => (
        <Check
          key={name}
          label={label}
          checked={chosen[name]}
          onChange={(event) => setChosen({ ...chosen, [name]: event.target.checked })}
        />
      ))}
      <TextField
        label="Level of low credits"
        type="number"
        min={0}
        step="any"
        required
        disabled={!chosen.lowCreditAlerts}
        value={chosen.lowCreditLevel}
        onChange={(event) => setChosen({ ...chosen, lowCreditLevel: event.target.value })}
      />
    </Form>
  );
}
