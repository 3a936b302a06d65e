import { addressNumber, cidrsOfAddresses, writeCidr } from '../../graph/address/span.rules.js';
import type { GraphPeer } from '../../graph/network-graph/network-graph.js';

interface Kind {
  readonly groups: readonly number[];
  readonly size: number;
}

/** Classes of kinds that are in the same of some groups. */
export interface Grouping {
  /** The class of each kind; 0: in none of the groups. */
  readonly byKind: Int32Array;
  /** A class is in the groups of its parent and in one more group; some classes are only parents and have no kinds. */
  readonly classes: readonly { readonly parent: number; readonly group: number; readonly size: number }[];
}

/** Sources grouped into kinds: peers with the same groups. */
export class Sources {
  /** Ascending; the kinds are in a parallel array. */
  private readonly addresses: readonly number[];
  private readonly kindOfAddress: readonly number[];
  private readonly kindOfPeer = new Map<number, number>();
  private readonly kindsByGroup = new Map<number, number[]>();
  private readonly sizes = new Map<number, number>();
  private readonly cidrsByGroup = new Map<number, readonly string[]>();
  readonly kinds: readonly Kind[];
  private readonly texts = new Map<number, string>();
  private readonly write = (first: number, bits: number): string => {
    const place = (first - (this.addresses[0] ?? 0)) * 64 + bits;
    const text = this.texts.get(place) ?? writeCidr(first, bits);
    this.texts.set(place, text);
    return text;
  };

  constructor(peers: readonly GraphPeer[]) {
    const numbers = new Map<string, number>();
    const kinds: { groups: number[]; size: number }[] = [];
    const sorted = peers
      .map(({ id, ip, groups }) => ({ id, address: addressNumber(ip), groups: [...new Set(groups)] }))
      .toSorted((a, b) => a.address - b.address);
    for (const { id, groups } of sorted) {
      const key = groups.toSorted((a, b) => a - b).join(' ');
      const kind = numbers.get(key) ?? kinds.push({ groups, size: 0 }) - 1;
      if (!numbers.has(key)) this.addKind(kind, groups);
      numbers.set(key, kind);
      const entry = kinds[kind];
      if (entry) entry.size++;
      this.kindOfPeer.set(id, kind);
    }
    this.kinds = kinds;
    this.addresses = sorted.map(({ address }) => address);
    this.kindOfAddress = sorted.map(({ id }) => this.kindOf(id));
  }

  private addKind(kind: number, groups: readonly number[]): void {
    for (const group of groups) {
      const members = this.kindsByGroup.get(group);
      if (members) members.push(kind);
      else this.kindsByGroup.set(group, [kind]);
    }
  }

  /** The kinds of a group's members. */
  inGroup(group: number): readonly number[] {
    return this.kindsByGroup.get(group) ?? [];
  }

  grouped(groups: readonly number[]): Grouping {
    const byKind = new Int32Array(this.kinds.length);
    const classes = [{ parent: 0, group: 0, size: 0 }];
    for (const group of groups) {
      const next = new Map<number, number>();
      for (const kind of this.inGroup(group)) {
        const parent = byKind[kind] ?? 0;
        const own = next.get(parent) ?? classes.push({ parent, group, size: 0 }) - 1;
        next.set(parent, own);
        byKind[kind] = own;
      }
    }
    for (const own of byKind) {
      const entry = classes[own];
      if (entry) entry.size++;
    }
    return { byKind, classes };
  }

  /** The number of peers in a group. */
  sizeOf(group: number): number {
    const known = this.sizes.get(group);
    if (known !== undefined) return known;
    const size = this.inGroup(group).reduce((sum, kind) => sum + (this.kinds[kind]?.size ?? 0), 0);
    this.sizes.set(group, size);
    return size;
  }

  /** @throws for a peer that is not among the sources */
  kindOf(peerId: number): number {
    const kind = this.kindOfPeer.get(peerId);
    if (kind === undefined) throw new Error(`the peer ${peerId} is not among the sources`);
    return kind;
  }

  /** The members of a group as CIDRs that contain no other peer. */
  cidrsOf(group: number): readonly string[] {
    const known = this.cidrsByGroup.get(group);
    if (known) return known;
    const kinds = new Set(this.inGroup(group));
    const members = this.addresses.filter((_, place) => kinds.has(this.kindOfAddress[place] ?? -1));
    const cidrs = cidrsOfAddresses(members, this.write);
    this.cidrsByGroup.set(group, cidrs);
    return cidrs;
  }

  /** The peers grouped by the number of their kind, as CIDRs that contain no other peer; kinds with 0 are omitted. */
  cidrsByNumber(numbers: ArrayLike<number>): Map<number, string[]> {
    const members = new Map<number, number[]>();
    for (let place = 0; place < this.addresses.length; place++) {
      const number = numbers[this.kindOfAddress[place] ?? 0] ?? 0;
      if (number === 0) continue;
      const known = members.get(number);
      if (known) known.push(this.addresses[place] ?? 0);
      else members.set(number, [this.addresses[place] ?? 0]);
    }
    return new Map([...members].map(([number, addresses]) => [number, cidrsOfAddresses(addresses, this.write)]));
  }
}
