import { join } from 'node:path';
import { composeSchemas, writeSchemas } from './schema-files.js';
import { packageRoot } from '../../kernel/package-root.js';

await writeSchemas(join(packageRoot(), 'schema'), composeSchemas());
