import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { counted } from '../../../components/format';
import type { GraphNode } from '../../../topology/graph';
import type { GroupModel, Model } from '../../../topology/model';

interface SearchFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly found: Found;
  /** A group is chosen. */
  readonly onSelect: (id: string) => void;
}

/** The search in the drawing. It names the members that match: a box lists only some, and a closed one none. */
export function SearchField({ text, onChange, found: { groups, members }, onSelect }: SearchFieldProps) {
  return (
    <div className="graph-search">
      <label>
        <Search className="icon" aria-hidden />
        <span className="unseen">Search the network</span>
        <input
          className="input"
          type="search"
          placeholder="Group, name or address"
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      </label>
      <p className="unseen" role="status">
        {groups && `${counted(groups.size, 'group')} and ${counted(members.length, 'member')} found`}
      </p>
      {members.length > 0 && <FoundMembers members={members} onSelect={onSelect} />}
    </div>
  );
}

/** Members that are named; the rest is counted. */
const MAX_NAMED = 6;

function FoundMembers({ members, onSelect }: Pick<Found, 'members'> & Pick<SearchFieldProps, 'onSelect'>) {
  return (
    <ul className="graph-found" aria-label="Members found">
      {members.slice(0, MAX_NAMED).map(({ node: { id, label, meta }, group: { node } }) => (
        <li key={id}>
          <button type="button" className="link-button" onClick={() => onSelect(node.id)}>
            {label}
          </button>{' '}
          <span className="muted">
            <code>{meta.ip ?? meta.address}</code> in {node.label}
          </span>
        </li>
      ))}
      {members.length > MAX_NAMED && <li className="muted">and {members.length - MAX_NAMED} more</li>}
    </ul>
  );
}

/** A peer or resource that matches, and the newest group that it is in. */
interface FoundMember {
  readonly node: GraphNode;
  readonly group: GroupModel;
}

interface Found {
  /** Ids of the groups with a match in their name or in a member; undefined: nothing is searched. */
  readonly groups: ReadonlySet<string> | undefined;
  readonly members: readonly FoundMember[];
}

const NOTHING: Found = { groups: undefined, members: [] };

/** The groups and members with a match in their name or address. */
export function useFound(model: Model, text: string): Found {
  return useMemo(() => {
    const word = text.trim().toLowerCase();
    if (word === '') return NOTHING;
    const matches = (value: string | null) => value?.toLowerCase().includes(word) === true;
    const groups = new Set<string>();
    const members = new Map<string, FoundMember>();
    for (const group of model.groups) {
      if (matches(group.node.label)) groups.add(group.node.id);
      for (const node of [...group.resources, ...group.peers]) {
        if (![node.label, node.meta.ip, node.meta.address].some(matches)) continue;
        groups.add(group.node.id);
        members.set(node.id, { node, group });
      }
    }
    return { groups, members: [...members.values()] };
  }, [model, text]);
}
