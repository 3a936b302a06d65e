/** Past forms that no rule makes. */
const IRREGULAR: Readonly<Record<string, string>> = {
  label: 'labelled',
  run: 'ran',
  set: 'set',
  spawn: 'created',
  spend: 'spent',
  update: 'changed',
};

/** Words of the API that the dashboard calls otherwise. */
const NOUNS: readonly (readonly [RegExp, string])[] = [
  [/\bvm\b/, 'machine'],
  [/\bsub token\b/, 'access key'],
  [/\bemail\b/, 'e-mail address'],
  [/\boverlay certificate\b/, 'certificate'],
];

/** Mutations whose names make no sentence. */
const WHOLE: Readonly<Record<string, string>> = {
  adminNotify: 'Notified a user',
  adminProveLedger: 'Proved the ledger',
  applyNetwork: 'Applied a network document',
  lookAtVm: 'Checked a machine',
  provisionTenant: 'Created the private network',
  signIn: 'Signed in',
  tellAdministrators: 'Notified the administrators',
  tellUser: 'Notified a user',
  undoLastChange: 'Undid the last change of the network',
};

/** The name of a mutation in words: `updatePolicy` is `Changed a policy`. Who did it is said beside it. */
export function mutationWords(mutation: string): string {
  const words = mutation.replace(/^admin(?=[A-Z])/, '').replaceAll(/(?<=.)[A-Z]/g, ' $&');
  const [verb = '', ...rest] = words.toLowerCase().split(' ');
  const object = NOUNS.reduce((text, [word, instead]) => text.replace(word, instead), rest.join(' '));
  const sentence = [pastOf(verb), withArticle(object)].filter(Boolean).join(' ');
  return WHOLE[mutation] ?? sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function pastOf(verb: string): string {
  const irregular = IRREGULAR[verb];
  if (irregular !== undefined) return irregular;
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return verb.replace(/y$/, 'ied');
  // One short syllable: `stop` is `stopped`.
  return /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb) ? `${verb}${verb.at(-1) ?? ''}ed` : `${verb}ed`;
}

/** An object without an article is one of many, unless it is several, all, or cannot be counted. */
function withArticle(object: string): string {
  if (object === '' || /^all |(?:[^s]s|usage)$/.test(object)) return object;
  return `${/^[aeio]/.test(object) ? 'an' : 'a'} ${object}`;
}
