import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../../app/me';
import { Button } from '../../components/forms/button';
import { Card } from '../../components/card';
import { Check, TextField } from '../../components/forms/fields';
import { Time } from '../../components/format';
import { Empty, ListProblem, Skeleton } from '../../components/states';
import { Table, type Column } from '../../components/tables/table';
import { mutationWords } from './mutation-words';
import { useAuditLog, type Entry, type Filter } from './use-audit-log';
import './audit-log.css';

const ALL: Filter = { mutation: '', from: '', to: '', hasRefreshes: false };

interface AuditLogCardProps {
  /** Names of tokens and sessions by their ids. */
  readonly names: ReadonlyMap<string, string>;
}

/** What the account changed, and what others changed for it, with filters. */
export function AuditLogCard({ names }: AuditLogCardProps) {
  const [filter, setFilter] = useState(ALL);
  const { entries, error, more, reload } = useAuditLog(filter);
  return (
    <Card title="Audit log" isFlush>
      <Filters filter={filter} seen={entries ?? []} onChange={setFilter} />
      <ListProblem error={error} hasRows={entries !== undefined} onRetry={reload} />
      {entries === undefined && error === undefined && <Skeleton />}
      {entries && (
        <Table
          label="Audit log"
          columns={columnsOf(names)}
          rows={entries}
          rowId={({ id }) => id}
          empty={
            <Empty icon={ScrollText} title="No changes found">
              Each change is listed here with what it changed, who made it and from which address.
            </Empty>
          }
        />
      )}
      {more && (
        <div className="audit-more">
          <Button onPress={more}>Older</Button>
        </div>
      )}
    </Card>
  );
}

interface FiltersProps {
  readonly filter: Filter;
  readonly seen: readonly Entry[];
  readonly onChange: (filter: Filter) => void;
}

/** Filters by day and by kind of change; the kinds that were seen so far are offered. */
function Filters({ filter, seen, onChange }: FiltersProps) {
  const names = [...new Set([filter.mutation, ...seen.map(({ mutation }) => mutation)])].filter(Boolean).toSorted();
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={filter[name]}
      onChange={({ target }) => onChange({ ...filter, [name]: target.value })}
    />
  );
  return (
    <div className="audit-filters" role="search" aria-label="Filter the audit log">
      <TextField
        label="Change"
        list="audit-changes"
        placeholder="createGroup"
        defaultValue={filter.mutation}
        onBlur={({ target }) => onChange({ ...filter, mutation: target.value.trim() })}
        onKeyDown={({ key, currentTarget }) =>
          key === 'Enter' && onChange({ ...filter, mutation: currentTarget.value.trim() })
        }
      />
      <datalist id="audit-changes">
        {names.map((name) => (
          <option key={name} value={name} label={mutationWords(name)} />
        ))}
      </datalist>
      {day('from', 'From')}
      {day('to', 'To')}
      <Check
        label="Show session refreshes"
        checked={filter.hasRefreshes}
        onChange={({ target }) => onChange({ ...filter, hasRefreshes: target.checked })}
      />
    </div>
  );
}

function columnsOf(names: ReadonlyMap<string, string>): readonly Column<Entry>[] {
  return [
    { id: 'at', title: 'When', value: ({ id }) => id, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'change',
      title: 'Change',
      value: ({ mutation }) => mutationWords(mutation),
      cell: ({ mutation, requestId }) => (
        <span title={`Request ${requestId}`}>
          <strong>{mutationWords(mutation)}</strong> <code className="muted small">{mutation}</code>
        </span>
      ),
    },
    { id: 'ids', title: 'What', cell: (entry) => <Ids {...entry} /> },
    { id: 'by', title: 'By', value: (entry) => callerOf(entry, names), cell: (entry) => callerOf(entry, names) },
    {
      id: 'from',
      title: 'From',
      value: ({ clientAddress }) => clientAddress ?? '',
      cell: ({ clientAddress, userAgent }) =>
        clientAddress !== null && <code title={userAgent ?? undefined}>{clientAddress}</code>,
    },
  ];
}

const CALLERS = {
  ANONYMOUS: 'no token',
  API_TOKEN: 'token',
  PLATFORM: 'the platform',
  SERVICE_TOKEN: 'service',
  SESSION: 'session',
} as const;
const ACTORS = {
  ADMINISTRATOR: 'an administrator',
  PLATFORM: 'the platform',
  SERVICE: 'a service',
  USER: 'another user',
} as const;

function callerOf({ actor, caller, tokenId }: Entry, names: ReadonlyMap<string, string>): string {
  if (actor !== null) return ACTORS[actor];
  const name = tokenId === null ? undefined : (names.get(tokenId) ?? tokenId);
  return name === undefined ? CALLERS[caller] : `${CALLERS[caller]} ${name}`;
}

/** What was asked to change and what was made, each id once, without that of the account; below, what it was before. */
function Ids({ argumentIds, resultIds, previousIds }: Entry) {
  const { id, substrateAddress } = useMe();
  const own = new Set([`userId ${id}`, `ownerAddress ${substrateAddress}`, `substrateAddress ${substrateAddress}`]);
  const all = new Map([...argumentIds, ...resultIds].map((one) => [`${one.name} ${one.value}`, one]));
  const others = [...all].filter(([text]) => !own.has(text)).map(([, one]) => one);
  if (others.length + previousIds.length === 0 && all.size > 0) return <span className="muted">your account</span>;
  return (
    <>
      <IdList ids={others} />
      {previousIds.length > 0 && (
        <details>
          <summary className="muted small">Before the change</summary>
          <IdList ids={previousIds} />
        </details>
      )}
    </>
  );
}

function IdList({ ids }: { readonly ids: Entry['argumentIds'] }) {
  return (
    <span className="audit-ids">
      {ids.map((id, position) => (
        <code key={position} title={`${id.name} ${id.value}`}>
          {idWords(id)}
        </code>
      ))}
    </span>
  );
}

/** An id in words: `folderHash 7af0…` is `folder 7af0…`, `policy.destGroupId 2` is `policy dest group 2`. Hashes and addresses are shortened. */
function idWords({ name, value }: Entry['argumentIds'][number]): string {
  const words = name
    .replace(/(?<=.)(?:Id|Ids|Hash|Address)$/, '')
    .replace(/[.A-Z]/g, (letter) => ` ${letter === '.' ? '' : letter.toLowerCase()}`);
  return `${words} ${value.length > MAX_VALUE ? `${value.slice(0, 6)}…${value.slice(-4)}` : value}`;
}

/** Characters of a value that are shown; an id of a number or a UUID is whole. */
const MAX_VALUE = 36;
