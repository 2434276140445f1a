import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { isInstalled } from '../skipped/is-installed.ts';
import { lastingPort } from './lasting-port.ts';
import { Nginx } from './nginx.ts';
import { ServerProgram } from './server-program.ts';

/** Ports of a service on the loopback interface. */
export interface ServicePorts {
  readonly api: number;
  readonly web: number;
}

export interface CompressingProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** A kind of proxy that compresses JSON, with `/api/` and the web listener at one origin. */
export interface CompressingKind {
  readonly title: string;
  readonly program: string;
  readonly isInstalled: () => boolean;
  /** What it makes of the tag `"t"`. */
  readonly alteredTag: string;
  readonly start: (service: ServicePorts, port?: number) => Promise<CompressingProxy>;
}

const APACHE_MODULES = '/usr/lib/apache2/modules';

export const COMPRESSING_PROXIES: readonly CompressingKind[] = [
  {
    title: 'nginx with gzip_types',
    program: 'nginx',
    isInstalled: () => isInstalled('nginx', ['-v']),
    alteredTag: 'W/"t"',
    start: startNginx,
  },
  {
    title: 'HAProxy with compression, to which another proxy forwards no Cache-Control',
    program: 'haproxy',
    isInstalled: () => isInstalled('haproxy', ['-v']),
    alteredTag: 'W/"t"',
    start: startHaproxy,
  },
  {
    title: 'Apache with mod_deflate',
    program: 'apache2',
    isInstalled: () => isInstalled('apache2', ['-v']),
    alteredTag: '"t-gzip"',
    start: (service, port) => startApache(service, 'deflate', 'DEFLATE', port),
  },
  {
    title: 'Apache with mod_brotli',
    program: 'apache2',
    isInstalled: () => isInstalled('apache2', ['-v']),
    alteredTag: '"t-br"',
    start: (service, port) => startApache(service, 'brotli', 'BROTLI_COMPRESS', port),
  },
];

async function startNginx({ api, web }: ServicePorts, port?: number): Promise<CompressingProxy> {
  return await Nginx.start({
    upstreams: [api],
    webUpstreams: [web],
    blobFolder: '/nonexistent',
    ...(port !== undefined && { port }),
    changes: [[/gzip off;/, 'gzip on; gzip_types application/json; gzip_min_length 1; gzip_comp_level 1;']],
  });
}

/** HAProxy compresses nothing that has `no-transform`, so a listener in front of the service removes `Cache-Control`. */
async function startHaproxy({ api, web }: ServicePorts, port?: number): Promise<CompressingProxy> {
  const [front, plainApi] = [port ?? (await lastingPort()), await lastingPort()];
  return await startProgram('haproxy', front, (folder) => ({
    args: ['-db', '-f', join(folder, 'proxy.conf')],
    config: `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
listen plain
  bind 127.0.0.1:${plainApi}
  http-response del-header Cache-Control
  server service 127.0.0.1:${api}
frontend compressing
  bind 127.0.0.1:${front}
  compression algo gzip
  compression type application/json
  use_backend api if { path_beg /api/ }
  default_backend web
backend api
  server service 127.0.0.1:${plainApi}
backend web
  server service 127.0.0.1:${web}
`,
  }));
}

async function startApache(
  { api, web }: ServicePorts,
  module: 'deflate' | 'brotli',
  filter: string,
  port?: number,
): Promise<CompressingProxy> {
  const front = port ?? (await lastingPort());
  const modules = ['mpm_event', 'authz_core', 'filter', module, 'proxy', 'proxy_http'];
  const user = process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : '';
  return await startProgram('apache2', front, (folder) => ({
    args: ['-f', join(folder, 'proxy.conf'), '-DFOREGROUND'],
    config: `
ServerRoot ${folder}
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
Listen 127.0.0.1:${front}
${modules.map((name) => `LoadModule ${name}_module ${APACHE_MODULES}/mod_${name}.so`).join('\n')}
${user}
ErrorLog ${folder}/error.log
AddOutputFilterByType ${filter} application/json
ProxyPass /api/ http://127.0.0.1:${api}/api/
ProxyPass / http://127.0.0.1:${web}/
`,
  }));
}

async function startProgram(
  program: string,
  port: number,
  describe: (folder: string) => { readonly args: readonly string[]; readonly config: string },
): Promise<CompressingProxy> {
  const folder = await temporaryFolder();
  const { args, config } = describe(folder.path);
  await writeFile(join(folder.path, 'proxy.conf'), config);
  const server = await ServerProgram.start(program, args, port);
  return {
    port,
    stop: async () => {
      await server.stop();
      await folder.remove();
    },
  };
}
