import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

/** The tus server with its file store and default settings, without fsync. Arguments: folder, port. */
const [folder = '', port = ''] = process.argv.slice(2);

const server = new Server({ path: '/files', datastore: new FileStore({ directory: folder }) });
server.listen({ host: '127.0.0.1', port: Number(port) }, () => process.stdout.write('ready\n'));
