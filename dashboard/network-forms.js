import { attempt, element, field, tell } from './dom.js';

const CREATE_GROUP = 'mutation ($label: String!) { createGroup(label: $label) { label } }';

const CREATE_POLICY = `mutation (
  $source: Int!, $dest: Int!, $protocol: PolicyProtocol, $ports: [String!], $bidirectional: Boolean, $action: PolicyAction
) {
  createPolicy(
    sourceGroupId: $source, destGroupId: $dest, protocol: $protocol, ports: $ports, bidirectional: $bidirectional, action: $action
  ) { name }
}`;

/** A form that makes a group. */
export function groupForm({ ask }) {
  const label = element('input', {
    name: 'label',
    required: true,
    maxlength: 50,
    pattern: '[a-z0-9\\-]+',
    title: 'Lower-case letters, digits and dashes',
    autocomplete: 'off',
    placeholder: 'web-servers',
  });
  const form = formOf('New group', [field('Label', label)], 'Create group', async () => {
    const { createGroup } = await ask(CREATE_GROUP, { label: label.value.trim() });
    form.reset();
    return `The group ${createGroup.label} is there.`;
  });
  return { form };
}

/** A form that makes a policy; `offer` tells it the groups there are. */
export function policyForm({ ask }) {
  const inputs = policyInputs();
  const { source, dest, action, protocol, ports, bidirectional } = inputs;
  const fields = [
    field('From', source),
    field('To', dest),
    field('Action', action),
    field('Protocol', protocol),
    field('Ports', ports),
    element('label', { class: 'check' }, bidirectional, 'Also the way back'),
  ];
  const form = formOf('New policy', fields, 'Create policy', async () => {
    const { createPolicy } = await ask(CREATE_POLICY, {
      source: Number(source.value),
      dest: Number(dest.value),
      action: action.value,
      protocol: protocol.value,
      bidirectional: bidirectional.checked,
      ports: ports.disabled ? [] : ports.value.split(/[\s,]+/).filter(Boolean),
    });
    return `The policy ${createPolicy.name} is there.`;
  });
  const offer = (groups) => {
    for (const choice of [source, dest]) offerGroups(choice, groups);
  };
  return { form, offer };
}

function policyInputs() {
  const ports = element('input', { name: 'ports', placeholder: '80, 8000-8100', disabled: true, autocomplete: 'off' });
  const protocol = select('protocol', ['all', 'tcp', 'udp', 'icmp']);
  protocol.addEventListener('change', () => {
    ports.disabled = protocol.value !== 'tcp' && protocol.value !== 'udp';
  });
  return {
    ports,
    protocol,
    source: element('select', { name: 'source', required: true }),
    dest: element('select', { name: 'dest', required: true }),
    action: select('action', ['accept', 'drop']),
    bidirectional: element('input', { type: 'checkbox', name: 'bidirectional', checked: true }),
  };
}

function select(name, words) {
  return element('select', { name }, ...words.map((word) => element('option', { value: word }, word)));
}

/** The choice stays while its group does. */
function offerGroups(choice, groups) {
  const { value } = choice;
  choice.replaceChildren(...groups.map(({ label, meta }) => element('option', { value: meta.groupId }, label)));
  if (groups.some(({ meta }) => String(meta.groupId) === value)) choice.value = value;
}

function formOf(title, fields, submit, work) {
  const form = element(
    'form',
    { class: 'compact', 'aria-label': title },
    element('h3', {}, title),
    element('div', { class: 'fields' }, ...fields),
    element('button', { type: 'submit' }, submit),
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    let done = '';
    const worked = await attempt(form, async () => {
      done = await work();
    });
    if (worked) tell(done);
  });
  return form;
}
