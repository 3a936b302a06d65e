import { Link } from '@tanstack/react-router';
import { useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Card, DescriptionList } from '../../components/card';
import { QueryView } from '../../components/query-view';
import { graphql } from '../../graphql/graphql';

const ALERTS = graphql(`
  {
    notificationPreferences {
      emailEnabled
      lowCreditAlerts
      lowCreditLevel
      zeroBalanceAlerts
    }
  }
`);

/** Which warnings about credits the user gets. */
export function AlertsCard() {
  const email = useMe().email ?? 'no address is confirmed yet';
  const query = useQuery({ query: ALERTS, requestPolicy: 'cache-and-network' });
  return (
    <Card title="Alerts" actions={<Link to="/notifications/preferences">Change</Link>}>
      <QueryView query={query}>
        {({ notificationPreferences: { lowCreditAlerts, lowCreditLevel, zeroBalanceAlerts, emailEnabled } }) => (
          <DescriptionList
            items={[
              ['Low credits', lowCreditAlerts ? `below ${lowCreditLevel}` : 'off'],
              ['Credits used up', zeroBalanceAlerts ? 'on' : 'off'],
              ['By e-mail', emailEnabled ? email : 'off'],
            ]}
          />
        )}
      </QueryView>
    </Card>
  );
}
