import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useClient } from 'urql';
import { Button } from '../../components/forms/button';
import { TextField } from '../../components/forms/fields';
import { Form } from '../../components/forms/form';
import { useAnswer } from '../../components/forms/use-answer';
import { done } from '../../graphql/done';
import type { ResultOf } from '../../graphql/graphql';
import type { GraphNode } from '../../topology/graph';
import type { Model } from '../../topology/model';
import { REACHABILITY } from './operations';

type Answer = ResultOf<typeof REACHABILITY>['reachability'];

/** An answer with the way that packets take. */
type Found = Answer & { readonly way: ReadonlySet<string> };

interface EndFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
}

function EndField({ onChange, ...field }: EndFieldProps) {
  return <TextField list="network-ends" {...field} onChange={({ target }) => onChange(target.value)} />;
}

function EndNames({ ends }: { readonly ends: Ends }) {
  return (
    <datalist id="network-ends">
      {[...ends].map(([name, { id }]) => (
        <option key={id} value={name} />
      ))}
    </datalist>
  );
}

/** Peers and resources by their names. Those with the same label have their address in it too. */
type Ends = ReadonlyMap<string, GraphNode>;

function endsOf({ peers, resources }: Model): Ends {
  const byLabel = Map.groupBy([...peers, ...resources], ({ label }) => label);
  const named = [...byLabel.values()].flatMap((same) =>
    same.map((end) => [same.length === 1 ? end.label : `${end.label} · ${addressOf(end)}`, end] as const),
  );
  return new Map(named);
}

/** Only a peer has an address that no other end has. */
function addressOf({ id, meta }: GraphNode): string {
  return meta.ip ?? `${meta.address ?? ''} · ${id}`;
}

/** The end with a name. @throws if there is none, or more than one with this label */
function endOf(ends: Ends, name: string, kind: string): GraphNode {
  const end = ends.get(name);
  if (end) return end;
  const isShared = [...ends.values()].some(({ label }) => label === name);
  throw new Error(
    isShared ? `More than one is named ${name}; choose the one with its address from the list.` : `Choose ${kind}.`,
  );
}

interface ReachProps {
  readonly model: Model;
  /** The revision of the graph; an answer is about one of them. */
  readonly revision: number;
  /** Lights the way that packets take; undefined: nothing. */
  readonly onLit: (ids: ReadonlySet<string> | undefined) => void;
}

/** "Can A reach B on 443?", answered with the rule that decides and drawn as a way. */
export function Reach({ model, revision, onLit }: ReachProps) {
  const client = useClient();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [port, setPort] = useState('443');
  const { answer, clear, read } = useAnswer<Found>([revision, from, to, port]);
  const ends = useMemo(() => endsOf(model), [model]);
  useEffect(() => onLit(answer?.way), [answer]);
  const check = () =>
    read(async () => {
      const source = endOf(ends, from, 'a peer');
      const target = endOf(ends, to, 'a peer or resource');
      if (source.type !== 'peer') throw new Error(`${from} is a resource; only a peer can reach others.`);
      const on = port === '' ? {} : { protocol: 'tcp' as const, port: Number(port) };
      const { reachability } = await done(
        client.query(REACHABILITY, { from: source.id, to: target.id, ...on }, { requestPolicy: 'network-only' }),
      );
      return { ...reachability, way: wayOf(source, target, reachability) };
    });
  return (
    <>
      <Form submit="Ask" label="Can one reach the other?" onSubmit={check}>
        <EndField label="Can" placeholder="a peer" value={from} onChange={setFrom} />
        <EndField label="reach" placeholder="a peer or resource" value={to} onChange={setTo} />
        <TextField
          label="on TCP port"
          placeholder="every port"
          inputMode="numeric"
          pattern="[0-9]*"
          value={port}
          onChange={({ target: input }) => setPort(input.value)}
        />
      </Form>
      <EndNames ends={ends} />
      {answer && <AnswerView answer={answer} onClear={clear} />}
    </>
  );
}

function AnswerView({
  answer: { reachable, reason },
  onClear,
}: {
  readonly answer: Answer;
  readonly onClear: () => void;
}) {
  const Icon = reachable ? CircleCheck : CircleX;
  return (
    <div className={`answer ${reachable ? 'good' : 'bad'}`} role="status">
      <Icon className="icon" aria-hidden />
      <div className="grow">
        <strong>{reachable ? 'Yes' : 'No'}</strong>
        <p>{reason}</p>
      </div>
      <Button kind="quiet" size="small" onPress={onClear}>
        Clear
      </Button>
    </div>
  );
}

/** What is on the way: the groups of the policy that decides, or of both ends. */
function wayOf(from: GraphNode, to: GraphNode, { policy }: Answer): ReadonlySet<string> {
  if (policy) return new Set([`policy:${policy.id}`, `group:${policy.sourceGroupId}`, `group:${policy.destGroupId}`]);
  return new Set([...(from.meta.groups ?? []), ...(to.meta.groups ?? [])].map((id) => `group:${id}`));
}
