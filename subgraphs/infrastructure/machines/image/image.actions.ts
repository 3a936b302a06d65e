import type { Database } from '../../../../kernel/database/database.js';
import { violatedConstraint } from '../../../../kernel/database/errors.js';
import { conflict, notFound } from '../../../../kernel/errors.js';
import { IMAGE_COLUMNS, type VmImage } from './image.js';
import type { ImageSpec } from './image.rules.js';

const IMAGES_ON_OFFER = {
  name: 'images-on-offer',
  text: `SELECT ${IMAGE_COLUMNS} FROM infrastructure.vm_image WHERE retired_at IS NULL ORDER BY id`,
};

/** The available images, oldest first. */
export function listImages(database: Database): Promise<VmImage[]> {
  return database.rows<VmImage>(IMAGES_ON_OFFER);
}

const ADD = `INSERT INTO infrastructure.vm_image (name, slug, description) VALUES ($1, $2, $3) RETURNING ${IMAGE_COLUMNS}`;
const CHANGE = `
  UPDATE infrastructure.vm_image SET name = $1, slug = $2, description = $3, retired_at = NULL WHERE id = $4
  RETURNING ${IMAGE_COLUMNS}`;

/** Adds an image, or changes one and makes it available again. @throws NOT_FOUND, CONFLICT for name and slug */
export function saveImage(database: Database, id: number | undefined, terms: ImageSpec): Promise<VmImage> {
  const values = [terms.name, terms.slug, terms.description];
  const work = database.change(async (transaction) => {
    const [image] = await (id === undefined
      ? transaction.execute<VmImage>(ADD, values)
      : transaction.execute<VmImage>(CHANGE, [...values, id]));
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
    const [image] = await transaction.execute<VmImage>(
      `UPDATE infrastructure.vm_image SET retired_at = coalesce(retired_at, $1) WHERE id = $2 RETURNING ${IMAGE_COLUMNS}`,
      [now, id],
    );
    if (!image) throw notFound('There is no such image.');
    return image;
  });
}
