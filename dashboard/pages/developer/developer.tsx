import { BookOpen, Terminal } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card';
import { CopyLine } from '../../components/forms/copy';
import { Page } from '../../components/page';
import { RequestLog } from './request-log';

/** How programs use the platform: GraphQL, REST, tokens. */
export function DeveloperPage() {
  const origin = location.origin;
  return (
    <Page title="Developer" lead="Everything that this dashboard does, programs can do too.">
      <div className="columns">
        <Card title="GraphQL">
          <p>One schema for all operations, with subscriptions over a websocket at the same address.</p>
          <CopyLine text={`${origin}/graphql`} label="Copy the address" />
          <p>
            <a className="button" href="/graphql">
              <Terminal className="icon" aria-hidden />
              Open the explorer
            </a>
          </p>
        </Card>
        <Card title="REST">
          <p>The same operations as resources, described by OpenAPI.</p>
          <CopyLine text={`${origin}/api/`} label="Copy the address" />
          <p>
            <a className="button" href="/api/docs/">
              <BookOpen className="icon" aria-hidden />
              Open the reference
            </a>
          </p>
        </Card>
      </div>
      <TokensCard />
      <RequestLog />
      <Card title="Webhooks">
        <p>
          An endpoint of yours receives each notification as a POST, signed by Standard Webhooks. Check the headers
          webhook-id, webhook-timestamp and webhook-signature with the secret of the endpoint.
        </p>
        <p>
          <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
            How to check a signature
          </a>
        </p>
      </Card>
    </Page>
  );
}

function TokensCard() {
  const query = JSON.stringify({ query: '{ me { username } }' });
  return (
    <Card title="Tokens">
      <p>
        Send a token with each request. On the page of your sessions and tokens, create one for each program. There you
        can also end each of them.
      </p>
      <p>
        <Link className="button" to="/account">
          Sessions and tokens
        </Link>
      </p>
      <CopyLine
        label="Copy the command"
        text={`curl -H "Authorization: Token $ARCHIPELAGO_TOKEN" -H "Content-Type: application/json" -d '${query}' ${location.origin}/graphql`}
      />
      <p className="muted small">
        The explorer is signed in as you are here; set the header Authorization in it to use another token.
      </p>
    </Card>
  );
}
