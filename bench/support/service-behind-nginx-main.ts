import { join } from 'node:path';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';
import { Nginx } from '../../test/support/servers/nginx.ts';
import { FOR_LOAD } from './nginx-for-load.ts';
import { startService } from './server.ts';

/**
 * Starts the service and nginx, which sends the bytes of originals and caches signed links. Both are in one process tree, so that
 * both are measured.
 */
const folder = process.cwd();
const { IDP_DOMAIN = '', IDP_AUDIENCE = '' } = process.env;

const webPort = await lastingPort();
const service = await startService({
  folder,
  env: {
    IDP_DOMAIN,
    IDP_AUDIENCE,
    ACCEL_REDIRECT_PREFIX: '/_blobs/',
    WEB_HOST: '127.0.0.1',
    WEB_PORT: String(webPort),
  },
});
const nginx = await Nginx.start({
  upstreams: [Number(new URL(service.url).port)],
  webUpstreams: [webPort],
  blobFolder: join(folder, 'blobs'),
  // The same number of workers as the baseline.
  changes: [[/worker_processes \d+;/, 'worker_processes 2;'], ...FOR_LOAD],
});

process.once('SIGTERM', () => void stop());
console.log(JSON.stringify({ msg: 'listening', port: nginx.port }));

async function stop(): Promise<void> {
  await nginx.stop();
  await service.stop();
  process.exit();
}
