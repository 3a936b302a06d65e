import { join } from 'node:path';
import { composeSchemas, writeSchemas } from './compose.js';
import { packageRoot } from '../kernel/package-root.js';

await writeSchemas(join(packageRoot(), 'schema'), composeSchemas());
