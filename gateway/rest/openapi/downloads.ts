import { STATUS_BY_CODE, type ErrorCode } from '../../../kernel/errors.js';
import { ERROR_DESCRIPTIONS, type DialectSchemas } from './responses.js';
import type { Shapes } from './shapes.js';
import type { Download, Route } from '../route.js';

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const TEXT = { 'text/plain': { schema: { type: 'string' } } };

/** The description of a download with its errors. */
export function downloadDescription({ description, errors = {} }: Download): string {
  const listed = Object.entries(errors).map(([code, reason]) => `${code} ${reason}`.trim());
  return listed.length > 0 ? `${description} Errors: ${listed.join(', ')}.` : description;
}

/** The responses of a download. */
export function downloadResponses(shapes: Shapes, route: Route, dialect: DialectSchemas): object {
  const [name, shape] = dialect.refusal;
  const content = { 'application/json': { schema: shapes.component(name, () => shape) } };
  const entries = Object.entries(route.download?.headers ?? {});
  const headers = Object.fromEntries(
    entries.map(([header, text]) => [header, { description: text, schema: { type: 'string' } }]),
  );
  const isText = route.download?.isText === true;
  const codes = (Object.keys(STATUS_BY_CODE) as ErrorCode[]).filter(
    (code) =>
      code === 'BAD_REQUEST' ||
      (code === 'RANGE_NOT_SATISFIABLE' && !isText) ||
      (code === 'UNAUTHENTICATED' && route.access !== 'public') ||
      route.download?.errors?.[code] !== undefined,
  );
  return {
    ...(isText
      ? {
          200: { description: 'The text.', headers, content: TEXT },
          ...('ETag' in headers && {
            304: { description: 'Not modified: the ETag in `If-None-Match` is current.', headers },
          }),
        }
      : {
          200: { description: 'The whole content.', headers, content: BYTES },
          206: { description: 'The requested range.', headers, content: BYTES },
        }),
    ...Object.fromEntries(
      codes.map((code) => [STATUS_BY_CODE[code], { description: ERROR_DESCRIPTIONS[code], content }]),
    ),
    default: { description: 'Any other error.', content },
  };
}
