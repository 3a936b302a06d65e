import { attempt, card, element, tell } from './dom.js';
import { edgeWords, Graph, GraphView } from './graph.js';
import { groupForm, policyForm } from './network-forms.js';

const CHANGES = `subscription {
  topologyChanged {
    revision isWhole removedNodes removedEdges
    nodes { id type label meta { groupId isDefault } }
    edges { id type source target meta { policyId isManaged protocol ports bidirectional action enabled } }
  }
}`;

const PROVISION = 'mutation { provisionTenant { id } }';
const DELETE_GROUP = 'mutation ($id: Int!) { deleteGroup(id: $id) }';
const DELETE_POLICY = 'mutation ($id: Int!) { deletePolicy(id: $id) }';
const ENABLE_POLICY = 'mutation ($id: Int!, $enabled: Boolean!) { updatePolicy(id: $id, enabled: $enabled) { id } }';

/** The private network, live: provision it, look at it, change it. */
export function network(session) {
  const room = element('div', { class: 'network' }, element('p', { class: 'faint' }, 'Loading…'));
  const section = card('Private network', room);
  section.classList.add('wide');
  watch(session, room);
  return section;
}

function watch(session, room) {
  let view;
  session.live.subscribe({
    query: CHANGES,
    next: ({ topologyChanged }) => {
      if (!view) {
        view = new NetworkView(session);
        room.replaceChildren(...view.parts);
      }
      view.change(topologyChanged);
    },
    refused: ({ code, message }) => {
      view = undefined;
      room.replaceChildren(
        ...(code === 'FORBIDDEN' ? provisionPart(session, room) : againPart(session, room, message)),
      );
    },
  });
}

function provisionPart(session, room) {
  const provision = async () => {
    await session.ask(PROVISION);
    watch(session, room);
  };
  return [
    element(
      'p',
      {},
      'You have no private network yet. Provisioning makes one with a default group that may talk among itself.',
    ),
    element(
      'button',
      { type: 'button', onclick: (event) => attempt(event.currentTarget, provision) },
      'Provision the network',
    ),
  ];
}

function againPart(session, room, message) {
  return [
    element('p', {}, message),
    element('button', { type: 'button', onclick: () => watch(session, room) }, 'Try again'),
  ];
}

class NetworkView {
  #session;
  #graph = new Graph();
  #chosen = '';
  #detail = element('div', { class: 'detail', 'aria-live': 'polite' });
  #lists = element('div', { class: 'lists' });
  #caption = element('p', { class: 'faint caption' });
  #view = new GraphView((id) => this.#choose(id));
  #groups;
  #policies;

  constructor(session) {
    this.#session = session;
    this.#groups = groupForm(session);
    this.#policies = policyForm(session);
    this.parts = [
      element('div', { class: 'canvas' }, this.#view.svg, this.#caption),
      this.#detail,
      element('div', { class: 'forms' }, this.#groups.form, this.#policies.form),
      this.#lists,
    ];
  }

  change(change) {
    this.#graph.apply(change);
    this.#view.draw(this.#graph);
    const { nodes, edges, revision } = this.#graph;
    this.#caption.textContent = `${count(nodes.size, 'node')}, ${count(edges.size, 'edge')} · revision ${revision}`;
    this.#policies.offer([...nodes.values()].filter(({ type }) => type === 'group'));
    this.#showLists();
    this.#choose(nodes.has(this.#chosen) || edges.has(this.#chosen) ? this.#chosen : '');
  }

  #choose(id) {
    this.#chosen = id;
    this.#view.mark(id);
    const thing = this.#graph.nodes.get(id) ?? this.#graph.edges.get(id);
    this.#detail.replaceChildren(
      ...(thing
        ? this.#about(thing)
        : [element('p', { class: 'faint' }, 'Choose a node or an edge to see what it is.')]),
    );
  }

  #about(thing) {
    return [element('p', {}, this.#words(thing)), element('div', { class: 'actions' }, ...this.#actions(thing))];
  }

  #words(thing) {
    if ('source' in thing) return edgeWords(thing, (id) => this.#graph.nodes.get(id)?.label ?? id);
    return `${thing.type} ${thing.label}${thing.meta.isDefault ? ', default' : ''}`;
  }

  #actions({ type, label, meta }) {
    const { ask } = this.#session;
    if (type === 'group' && !meta.isDefault) {
      return [action(`Delete ${label}`, () => ask(DELETE_GROUP, { id: meta.groupId }), `The group ${label} is gone.`)];
    }
    if (type !== 'policy' || meta.isManaged) return [element('small', {}, 'It cannot be changed here.')];
    const toggled = { id: meta.policyId, enabled: !meta.enabled };
    return [
      action(
        meta.enabled ? 'Put out of force' : 'Put in force',
        () => ask(ENABLE_POLICY, toggled),
        'The policy is changed.',
      ),
      action('Delete the policy', () => ask(DELETE_POLICY, { id: meta.policyId }), 'The policy is gone.'),
    ];
  }

  /** The same in words, for whom a drawing does not serve. */
  #showLists() {
    const list = (title, things) =>
      element(
        'details',
        {
          open: this.#lists.querySelector(`details[data-title="${title}"]`)?.hasAttribute('open') ?? false,
          'data-title': title,
        },
        element('summary', {}, `${title} (${things.length})`),
        element('ul', { class: 'lines' }, ...things.map((thing) => this.#listed(thing))),
      );
    const { nodes, edges } = this.#graph;
    this.#lists.replaceChildren(list('Nodes', [...nodes.values()]), list('Edges', [...edges.values()]));
  }

  #listed(thing) {
    const show = element('button', { type: 'button', class: 'quiet', onclick: () => this.#choose(thing.id) }, 'Show');
    show.setAttribute('aria-label', `Show ${this.#words(thing)}`);
    return element('li', {}, element('span', {}, this.#words(thing)), show);
  }
}

function action(label, work, done) {
  const press = async ({ currentTarget }) => {
    if (await attempt(currentTarget, work)) tell(done);
  };
  return element('button', { type: 'button', class: 'second', onclick: press }, label);
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
