import { projectFile } from '../kit/compose.js';

/** A service of several processes behind a port of a proxy. */
export interface Balanced {
  readonly name: string;
  readonly port: number;
  /** The ports of its processes. */
  readonly servers: readonly number[];
}

/** deploy/haproxy.cfg before these gateways, with the places of this machine. @param socket hands listening sockets to the next process */
export function balancerConfiguration({ port, servers }: Balanced, healthPort: number, socket: string): string {
  const server = /^( *server)-template (\w+) \d+ \S+ (.*?) resolvers docker init-addr none$/m;
  const [line = '', word, name, checks] = server.exec(projectFile('deploy/haproxy.cfg')) ?? [];
  const lines = servers.map((each, index) => `${word} ${name}${index + 1} 127.0.0.1:${each} ${checks}`);
  return projectFile('deploy/haproxy.cfg')
    .replace(line, lines.join('\n'))
    .replace(/^resolvers docker\n(?: .*\n)+/m, '')
    .replace('bind :4000', `bind 127.0.0.1:${port}`)
    .replace('bind 127.0.0.1:8404', `bind 127.0.0.1:${healthPort}`)
    .replace(/^global$/m, `global\n  stats socket ${socket} expose-fd listeners`);
}

/** What a service is for subgraphs, and a name that moves for PostgreSQL: to the standby when the primary is gone. */
export function innerConfiguration(
  postgresPort: number,
  [primary, standby]: readonly [string, string],
  subgraphs: readonly Balanced[],
): string {
  const web = subgraphs.map(
    ({ name, port, servers }) => `
listen ${name}
  bind 127.0.0.1:${port}
  mode http
  balance roundrobin
  retries 3
  option redispatch 1
  retry-on conn-failure
${servers.map((each, index) => `  server ${name}${index + 1} 127.0.0.1:${each} check inter 250 fall 2 rise 1`).join('\n')}`,
  );
  return `global
  maxconn 8000
defaults
  timeout connect 2s
  timeout check 3s
  timeout client 1h
  timeout server 1h
  timeout http-request 60s
  timeout queue 5s
listen postgres
  bind 127.0.0.1:${postgresPort}
  mode tcp
  option tcp-check
  server primary ${primary} check inter 250 fall 2 rise 1 on-marked-down shutdown-sessions on-marked-up shutdown-backup-sessions
  server standby ${standby} check inter 250 fall 2 rise 1 backup
${web.join('\n')}
`;
}
