import { addressNumber, cidrsOfAddresses, writeCidr } from '../../graph/address/span.rules.js';
import type { GraphPeer } from '../../graph/network-graph/network-graph.js';

/** Peers that are in the same groups. */
interface PeerClass {
  readonly groups: readonly number[];
  readonly size: number;
}

/** Peer classes, partitioned by which of the given groups they belong to. */
export interface Grouping {
  /** By peer class: its class in this partition; 0: in none of the groups. */
  readonly byPeerClass: Int32Array;
  /** A class is in the groups of its parent and in one more group; some classes are only parents and have no peer classes. */
  readonly classes: readonly { readonly parent: number; readonly group: number; readonly size: number }[];
}

/** The peers as sources, in peer classes. */
export class Sources {
  /** Ascending; the peer classes are in a parallel array. */
  private readonly addresses: readonly number[];
  private readonly peerClassOfAddress: readonly number[];
  private readonly peerClassOfPeer = new Map<number, number>();
  private readonly peerClassesByGroup = new Map<number, number[]>();
  private readonly sizes = new Map<number, number>();
  private readonly cidrsByGroup = new Map<number, readonly string[]>();
  readonly peerClasses: readonly PeerClass[];
  private readonly cidrTexts = new Map<number, string>();
  private readonly write = (first: number, bits: number): string => {
    const index = (first - (this.addresses[0] ?? 0)) * 64 + bits;
    const text = this.cidrTexts.get(index) ?? writeCidr(first, bits);
    this.cidrTexts.set(index, text);
    return text;
  };

  constructor(peers: readonly GraphPeer[]) {
    const numbers = new Map<string, number>();
    const peerClasses: { groups: number[]; size: number }[] = [];
    const sorted = peers
      .map(({ id, ip, groups }) => ({ id, address: addressNumber(ip), groups: [...new Set(groups)] }))
      .toSorted((a, b) => a.address - b.address);
    for (const { id, groups } of sorted) {
      const key = groups.toSorted((a, b) => a - b).join(' ');
      const peerClass = numbers.get(key) ?? peerClasses.push({ groups, size: 0 }) - 1;
      if (!numbers.has(key)) this.addPeerClass(peerClass, groups);
      numbers.set(key, peerClass);
      const entry = peerClasses[peerClass];
      if (entry) entry.size++;
      this.peerClassOfPeer.set(id, peerClass);
    }
    this.peerClasses = peerClasses;
    this.addresses = sorted.map(({ address }) => address);
    this.peerClassOfAddress = sorted.map(({ id }) => this.peerClassOf(id));
  }

  private addPeerClass(peerClass: number, groups: readonly number[]): void {
    for (const group of groups) {
      const members = this.peerClassesByGroup.get(group);
      if (members) members.push(peerClass);
      else this.peerClassesByGroup.set(group, [peerClass]);
    }
  }

  /** The peer classes of a group's members. */
  inGroup(group: number): readonly number[] {
    return this.peerClassesByGroup.get(group) ?? [];
  }

  /** Groups the peer classes by the given groups that they are in. */
  grouped(groups: readonly number[]): Grouping {
    const byPeerClass = new Int32Array(this.peerClasses.length);
    const classes = [{ parent: 0, group: 0, size: 0 }];
    for (const group of groups) {
      const next = new Map<number, number>();
      for (const peerClass of this.inGroup(group)) {
        const parent = byPeerClass[peerClass] ?? 0;
        const classId = next.get(parent) ?? classes.push({ parent, group, size: 0 }) - 1;
        next.set(parent, classId);
        byPeerClass[peerClass] = classId;
      }
    }
    for (const classId of byPeerClass) {
      const entry = classes[classId];
      if (entry) entry.size++;
    }
    return { byPeerClass, classes };
  }

  /** The number of peers in a group. */
  sizeOf(group: number): number {
    const cached = this.sizes.get(group);
    if (cached !== undefined) return cached;
    const size = this.inGroup(group).reduce((sum, peerClass) => sum + (this.peerClasses[peerClass]?.size ?? 0), 0);
    this.sizes.set(group, size);
    return size;
  }

  /** @throws for a peer that is not among the sources */
  peerClassOf(peerId: number): number {
    const peerClass = this.peerClassOfPeer.get(peerId);
    if (peerClass === undefined) throw new Error(`the peer ${peerId} is not among the sources`);
    return peerClass;
  }

  /** The members of a group as CIDRs that contain no other peer. */
  cidrsOf(group: number): readonly string[] {
    const cached = this.cidrsByGroup.get(group);
    if (cached) return cached;
    const peerClasses = new Set(this.inGroup(group));
    const members = this.addresses.filter((_, index) => peerClasses.has(this.peerClassOfAddress[index] ?? -1));
    const cidrs = cidrsOfAddresses(members, this.write);
    this.cidrsByGroup.set(group, cidrs);
    return cidrs;
  }

  /** The peers grouped by the number of their peer class, as CIDRs that contain no other peer; peer classes with 0 are omitted. */
  cidrsByNumber(numbers: ArrayLike<number>): Map<number, string[]> {
    const members = new Map<number, number[]>();
    for (let index = 0; index < this.addresses.length; index++) {
      const number = numbers[this.peerClassOfAddress[index] ?? 0] ?? 0;
      if (number === 0) continue;
      const existing = members.get(number);
      if (existing) existing.push(this.addresses[index] ?? 0);
      else members.set(number, [this.addresses[index] ?? 0]);
    }
    return new Map([...members].map(([number, addresses]) => [number, cidrsOfAddresses(addresses, this.write)]));
  }
}
