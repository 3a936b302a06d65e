import type { Command } from 'commander';
import { confirm, YES, type Confirmed } from '../../confirm.js';
import { UsageError } from '../../failure.js';
import { findRow } from '../../find-row.js';
import { readText } from '../../input.js';
import { run, type Session } from '../../session.js';
import { CATALOGUE, itemsOf, KINDS, type Field, type Noun } from './catalogue-kinds.js';

/** The fields of an item as texts. */
type Texts = Readonly<Record<string, string>>;

/** Adds `admin catalogue`. */
export function addCatalogue(admin: Command): void {
  const catalogue = admin.command('catalogue').description('flavors, images and applications of new machines');
  catalogue.command('list').description('list the catalogue, retired items too').action(run(listCatalogue));
  for (const noun of ['flavor', 'image', 'application'] as const) addKind(catalogue, noun);
}

function addKind(catalogue: Command, noun: Noun): void {
  const { key, fields, example } = KINDS[noun];
  const [first = ''] = example.split(' ');
  const kind = catalogue.command(noun).description(`${noun}s, by their ${key} or id`);
  const create = kind
    .command(`create <${key}>`)
    .alias('add')
    .description(`add one; its ${key} may contain only lower-case letters, digits and dashes`)
    .addHelpText('after', `\nExample: archipelago admin catalogue ${noun} create ${example}`)
    .action(run((session, [word = ''], options: Texts) => createItem(session, noun, { ...options, [key]: word })));
  const change = kind
    .command(`change <${noun}>`)
    .description('change fields; offers a retired item again; existing machines do not change')
    .option(`--${key} <${key}>`, `its new ${key}`)
    .addHelpText('after', `\nExample: archipelago admin catalogue ${noun} change ${first} --description "Newer words"`)
    .action(run((session, [word = ''], options: Texts) => changeItem(session, noun, { word, options })));
  for (const { name, value, about, isRequired = false } of fields) {
    create.option(`${flagOf(name)} <${value}>`, isRequired ? `${about} (required)` : about);
    change.option(`${flagOf(name)} <${value}>`, isRequired ? about : `${about}; '' for none`);
  }
  kind
    .command(`retire <${noun}>`)
    .description('no longer offer it; machines that use it keep running')
    .option(...YES)
    .action(run((session, [word = ''], { yes }: Confirmed) => retireItem(session, noun, { word, yes })));
  kind
    .command(`offer <${noun}>`)
    .description('offer a retired one again')
    .action(run((session, [word = '']) => updateItem(session, noun, { word, options: {}, done: 'offered' })));
}

async function listCatalogue({ client, output }: Session): Promise<void> {
  const { flavor: flavors, image: images, application: applications } = itemsOf(await client.graphql(CATALOGUE));
  if (output.isJson) return output.json({ flavors, images, applications });
  output.table(flavors, [
    ['id', ({ id }) => id],
    ['flavor', ({ name }) => name],
    ['state', stateOf],
    ['name', ({ displayName }) => displayName],
    ['cores', ({ cpuCores }) => cpuCores],
    ['memory MiB', ({ memoryMb }) => memoryMb],
    ['disk GiB', ({ dataDiskGb }) => dataDiskGb],
    ['credits per hour', ({ creditsPerHour }) => creditsPerHour],
    ['stopped', ({ stoppedCreditsPerHour }) => stoppedCreditsPerHour],
  ]);
  for (const [title, rows] of [
    ['image', images],
    ['application', applications],
  ] as const) {
    output.line('');
    output.table(rows, [
      ['id', ({ id }) => id],
      [title, ({ slug }) => slug],
      ['state', stateOf],
      ['name', ({ name }) => name],
    ]);
  }
}

function stateOf({ isRetired }: { readonly isRetired: boolean }): string {
  return isRetired ? 'retired' : 'offered';
}

/** Returns the option that gives a field. */
function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

async function createItem({ client, output }: Session, noun: Noun, options: Texts): Promise<void> {
  const { key, fields } = KINDS[noun];
  const missing = fields.filter(({ name, isRequired = false }) => isRequired && options[name] === undefined);
  if (missing.length > 0) throw new UsageError(`Give ${missing.map(({ name }) => flagOf(name)).join(', ')}.`);
  const texts = await withFiles(fields, options);
  const item = await saveItem(client, noun, null, texts);
  output.done(`${texts[key]} has the id ${item.id}`, item);
}

interface Change {
  readonly word: string;
  readonly options: Texts;
}

async function changeItem(session: Session, noun: Noun, change: Change): Promise<void> {
  if (Object.keys(change.options).length === 0)
    throw new UsageError('Give at least one field, for example --description.');
  await updateItem(session, noun, { ...change, done: 'changed' });
}

async function updateItem(
  session: Session,
  noun: Noun,
  { word, options, done }: Change & { readonly done: string },
): Promise<void> {
  const { client, output } = session;
  const found = await findItem(session, noun, word);
  const texts = { ...textsOf(found), ...(await withFiles(KINDS[noun].fields, options)) };
  output.done(`${word} is ${done}`, await saveItem(client, noun, found.id, texts));
}

async function saveItem(client: Session['client'], noun: Noun, id: number | null, texts: Texts) {
  return (await KINDS[noun].save(client, id, (name) => texts[name] ?? '')).item;
}

interface Retirement {
  readonly word: string;
  readonly yes: boolean | undefined;
}

async function retireItem(session: Session, noun: Noun, { word, yes }: Retirement): Promise<void> {
  const { client, output } = session;
  const { id } = await findItem(session, noun, word);
  await confirm(`Retire ${word}?`, yes, 'retired');
  const { item } = await KINDS[noun].retire(client, id);
  output.done(`${word} is retired`, item);
}

interface Item {
  readonly id: number;
  readonly name: string;
  readonly slug?: string;
}

/** Finds an item by its key or id. @throws UsageError */
async function findItem({ client, program }: Session, noun: Noun, word: string): Promise<Item> {
  const { key } = KINDS[noun];
  const items: readonly Item[] = itemsOf(await client.graphql(CATALOGUE))[noun];
  return findRow(items, word, { kind: noun, namesOf: (item) => [item[key]], list: `${program} admin catalogue list` });
}

function textsOf(item: Item): Texts {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, textOf(value)]));
}

/** Numbers are written without an exponent. */
function textOf(value: string | number | null): string {
  if (typeof value !== 'number') return value ?? '';
  return value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 18 });
}

/** Replaces file names by the contents of the files. */
async function withFiles(fields: readonly Field[], options: Texts): Promise<Texts> {
  const files = fields.filter(({ name, isFile = false }) => isFile && (options[name] ?? '') !== '');
  const read = files.map(async ({ name }) => [name, await readText(options[name] ?? '')] as const);
  return { ...options, ...Object.fromEntries(await Promise.all(read)) };
}
