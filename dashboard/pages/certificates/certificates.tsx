import { BadgeCheck, Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Status, type Tone } from '../../components/badge';
import { Button } from '../../components/forms/button';
import { Card, DescriptionList } from '../../components/card';
import { confirm } from '../../components/overlays/confirm';
import { Check } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { Time } from '../../components/format';
import { Page } from '../../components/page';
import { QueryView } from '../../components/query-view';
import { Empty } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { showToast } from '../../components/toasts';
import { done } from '../../graphql/done';
import { graphql, type ResultOf } from '../../graphql/graphql';
import { codeOf } from '../../graphql/refusal';
import { newOwnKey, type OwnKey } from './own-key';

const RECORDS = graphql(`
  {
    overlayCertificates {
      certificateId
      reference
      ip
      state
      isOwnKey
      createdAt
      expiresAt
      revokedAt
    }
  }
`);
const CURRENT = graphql('{ overlayCertificate { certificateId ip config key expiresAt } }');
const REQUEST = graphql(
  'mutation ($key: String) { requestOverlayCertificate(publicKey: $key) { certificateId ip config key expiresAt } }',
);
const RENEW = graphql('mutation { renewOverlayCertificate { certificateId ip config key expiresAt } }');
const REVOKE = graphql('mutation ($id: Int!) { revokeOverlayCertificate(certificateId: $id) { certificateId } }');

type CertificateRow = ResultOf<typeof RECORDS>['overlayCertificates'][number];
type Issued = ResultOf<typeof RENEW>['renewOverlayCertificate'];

const TONES: Readonly<Record<CertificateRow['state'], Tone>> = {
  active: 'good',
  expired: 'plain',
  revoking: 'warn',
  revoked: 'bad',
};

/** The certificate with which a device of the user joins the private network without the platform's agent. */
export function CertificatesPage() {
  const query = useQuery({ query: RECORDS, requestPolicy: 'cache-and-network' });
  const client = useClient();
  const reload = () => query[1]({ requestPolicy: 'network-only' });
  const renew = async () => {
    const { renewOverlayCertificate } = await done(client.mutation(RENEW, {}));
    saveConfiguration(renewOverlayCertificate);
    showToast('The certificate is renewed. Replace the configuration on the device.');
    reload();
  };
  const revoke = async ({ certificateId, ip }: CertificateRow) => {
    const text = 'Every machine in your private network rejects it, and its address is released.';
    if (!(await confirm({ title: `Revoke the certificate of ${ip}?`, text, action: 'Revoke it' }))) return;
    await done(client.mutation(REVOKE, { id: certificateId }));
    showToast('The certificate is revoked.');
    reload();
  };
  const save = async () =>
    saveConfiguration((await done(client.query(CURRENT, {}, { requestPolicy: 'network-only' }))).overlayCertificate);
  return (
    <Page
      title="Certificates"
      lead="A certificate brings a device of your own, such as a laptop, into your private network."
    >
      <QueryView query={query}>
        {({ overlayCertificates: rows }) => (
          <>
            {!rows.some(({ state }) => state === 'active') && <RequestCard onIssued={reload} />}
            <Card title="Certificates" isFlush>
              <Table
                label="Certificates"
                columns={columnsOf({ renew, revoke, save })}
                rows={rows}
                rowId={({ certificateId }) => String(certificateId)}
                empty={
                  <Empty icon={BadgeCheck} title="No certificates yet">
                    Request one above, then start Nebula on the device with the configuration that you get.
                  </Empty>
                }
              />
            </Card>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function RequestCard({ onIssued }: { readonly onIssued: () => void }) {
  const client = useClient();
  const [makesKey, setMakesKey] = useState(true);
  const made = useRef<OwnKey>(undefined);
  const request = async () => {
    const own = makesKey ? (made.current ??= await newOwnKey()) : undefined;
    if (makesKey && !own) throw new Error('This browser cannot make the key. Let the platform make it.');
    const saveKey = () => own && save('host.key', own.privatePem);
    const answer = await done(client.mutation(REQUEST, { key: own?.publicKey ?? null })).catch((error: unknown) => {
      // The certificate may be issued nevertheless: its key must not be lost.
      if (codeOf(error) === 'UNREACHABLE') saveKey();
      throw error;
    });
    saveKey();
    made.current = undefined;
    const issued = answer.requestOverlayCertificate;
    saveConfiguration(issued);
    showToast(`The certificate of ${issued.ip} is issued.`);
    onIssued();
  };
  return (
    <Card title="Request a certificate">
      <Form submit="Request the certificate" label="Request a certificate" onSubmit={request}>
        <p>It needs a balance of 10 credits, but spends none. You get a configuration for Nebula as a file.</p>
        <Check
          label="Generate the private key in this browser, so that the platform never sees it"
          checked={makesKey}
          onChange={({ target }) => setMakesKey(target.checked)}
        />
        <DescriptionList
          items={[
            ['config.yml', 'the configuration, with the certificate'],
            [
              'host.key',
              makesKey ? 'the private key; put it at /etc/nebula/host.key' : 'is inside of the configuration',
            ],
          ]}
        />
      </Form>
    </Card>
  );
}

function saveConfiguration({ config }: Issued): void {
  save('config.yml', config);
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface CertificateActions {
  readonly renew: () => Promise<void>;
  readonly revoke: (row: CertificateRow) => Promise<void>;
  readonly save: () => Promise<void>;
}

function columnsOf({ renew, revoke, save: download }: CertificateActions): readonly Column<CertificateRow>[] {
  return [
    { id: 'ip', title: 'Address', value: ({ ip }) => ip, cell: ({ ip }) => <code>{ip}</code> },
    {
      id: 'state',
      title: 'State',
      value: ({ state }) => state,
      cell: ({ state }) => <Status tone={TONES[state]}>{state}</Status>,
    },
    {
      id: 'key',
      title: 'Private key',
      cell: ({ isOwnKey }) => (isOwnKey ? 'only on the device' : 'generated by the platform'),
    },
    {
      id: 'expires',
      title: 'Expires',
      value: ({ expiresAt }) => expiresAt,
      cell: (row) => <Time at={row.expiresAt} />,
    },
    {
      id: 'actions',
      title: 'Actions',
      hidesTitle: true,
      isAtEnd: true,
      cell: (row) =>
        row.state === 'active' && (
          <span className="row end">
            <Button size="small" icon={Download} label="Download the configuration" onPress={download} />
            <Button size="small" onPress={renew}>
              Renew
            </Button>
            <Button size="small" onPress={() => revoke(row)}>
              Revoke
            </Button>
          </span>
        ),
    },
  ];
}
