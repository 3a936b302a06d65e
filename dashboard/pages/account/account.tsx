import { useQuery } from 'urql';
import { useMe } from '../../app/me';
import { Card, DescriptionList } from '../../components/card';
import { CopyButton } from '../../components/forms/copy';
import { bytes } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { graphql } from '../../graphql/graphql';
import { LinkWalletButton } from './link-wallet';
import { AccountSections } from './sections';
import { Ways } from './ways';

const STORAGE = graphql(`
  {
    me {
      id
      storageUsage {
        storageBytes
        periodEnd
      }
    }
    usageRecords(pageSize: 10) {
      results {
        id
        periodStart
        periodEnd
        storageBytes
      }
    }
  }
`);
/** Who is signed in, and every token and session of theirs. */
export function AccountPage() {
  return (
    <Page title="Sessions and tokens" lead="Everything that can act in your name. End anything you do not recognise.">
      <AccountSections />
      <div className="columns">
        <ProfileCard />
        <StorageCard />
      </div>
      <Ways />
    </Page>
  );
}

function ProfileCard() {
  const { username, substrateAddress, email, roles } = useMe();
  return (
    <Card title="You">
      <DescriptionList
        items={[
          ['Name', <Address key="name" text={username} />],
          [
            'SS58 address',
            substrateAddress === null ? (
              <span className="row" key="ss58">
                none yet <LinkWalletButton />
              </span>
            ) : (
              <Address key="ss58" text={substrateAddress} />
            ),
          ],
          ['E-mail', email ?? 'none yet'],
          ['Roles', roles.length > 0 ? roles.join(', ').toLowerCase() : 'none'],
        ]}
      />
    </Card>
  );
}

function Address({ text }: { readonly text: string }) {
  return (
    <span className="row">
      <code className="truncate">{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

function StorageCard() {
  const query = useQuery({ query: STORAGE, requestPolicy: 'cache-and-network' });
  return (
    <Card title="Storage used">
      <QueryView query={query}>
        {({ me: { storageUsage }, usageRecords: { results } }) => (
          <>
            <p>
              {storageUsage
                ? `${bytes(storageUsage.storageBytes)} until ${day(storageUsage.periodEnd)}`
                : 'No storage has been recorded yet.'}
            </p>
            <DescriptionList
              items={results.map(({ periodStart, periodEnd, storageBytes }) => [
                `${day(periodStart)} – ${day(periodEnd)}`,
                bytes(storageBytes),
              ])}
            />
          </>
        )}
      </QueryView>
    </Card>
  );
}

function day(time: string): string {
  return new Date(time).toLocaleDateString();
}
