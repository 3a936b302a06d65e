import { sql } from 'kysely';
import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { query } from '../../../../kernel/database/query.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import type { Tables } from '../../entities.js';
import { IMAGE_COLUMNS, type VmImage } from './image.js';
import type { ImageSpec } from './image.rules.js';

const IMAGES_ON_OFFER = query('images-on-offer', (db: Tables) =>
  db.selectFrom('vmImage').select(IMAGE_COLUMNS).where('retiredAt', 'is', null).orderBy('id'),
);

/** The available images, oldest first. */
export function listImages(database: Database): Promise<VmImage[]> {
  return database.run(IMAGES_ON_OFFER, {});
}

const RETIRED_IMAGES = query('retired-images', (db: Tables) =>
  db.selectFrom('vmImage').select(IMAGE_COLUMNS).where('retiredAt', 'is not', null).orderBy('id'),
);

/** The retired images, oldest first. */
export function listRetiredImages(database: Database): Promise<VmImage[]> {
  return database.run(RETIRED_IMAGES, {});
}

const ADD = query('add-image', (db: Tables, { name, slug, description }: ImageSpec) =>
  db.insertInto('vmImage').values({ name, slug, description }).returning(IMAGE_COLUMNS),
);
const CHANGE = query('change-image', (db: Tables, { id, name, slug, description }: ImageSpec & { id: number }) =>
  db
    .updateTable('vmImage')
    .set({ name, slug, description, retiredAt: null })
    .where('id', '=', id)
    .returning(IMAGE_COLUMNS),
);
const RETIRE = query('retire-image', (db: Tables, value: { id: number; now: Date }) =>
  db
    .updateTable('vmImage')
    .set({ retiredAt: sql<Date>`coalesce(retired_at, ${value.now})` })
    .where('id', '=', value.id)
    .returning(IMAGE_COLUMNS),
);

/** Adds an image, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for name and slug */
export function saveImage(database: Database, id: number | undefined, spec: ImageSpec): Promise<VmImage> {
  const work = database.change(async (transaction) => {
    const [image] = await (id === undefined ? transaction.run(ADD, spec) : transaction.run(CHANGE, { ...spec, id }));
    if (!image) throw notFound('There is no such image.');
    return image;
  });
  return work.catch((error: unknown) => {
    const taken = TAKEN.get(violatedConstraint(error) ?? '');
    throw taken ? conflict(`An available or retired image already has this ${taken}.`) : error;
  });
}

const TAKEN: ReadonlyMap<string, string> = new Map([
  ['vm_image_name', 'name'],
  ['vm_image_slug', 'slug'],
]);

/** Retires an image. Safe to repeat. @throws NOT_FOUND */
export function retireImage(database: Database, id: number, now: Date): Promise<VmImage> {
  return database.change(async (transaction) => {
    const [image] = await transaction.run(RETIRE, { id, now });
    if (!image) throw notFound('There is no such image.');
    return image;
  });
}
