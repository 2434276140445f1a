import { join } from 'node:path';
import { Nginx } from '../../test/support/nginx.ts';
import { FOR_LOAD } from './nginx-for-load.ts';
import { startService } from './server.ts';

/** The service with nginx in front, which sends the bytes: one process tree, so that both are measured. */
const folder = process.cwd();
const { IDP_DOMAIN = '', IDP_AUDIENCE = '' } = process.env;

const service = await startService({
  folder,
  env: { IDP_DOMAIN, IDP_AUDIENCE, ACCEL_REDIRECT_PREFIX: '/_blobs/' },
});
const nginx = await Nginx.start({
  upstreams: [Number(new URL(service.url).port)],
  blobFolder: join(folder, 'blobs'),
  // As the baseline has.
  changes: [[/worker_processes \d+;/, 'worker_processes 2;'], ...FOR_LOAD],
});

process.once('SIGTERM', () => void stop());
console.log(JSON.stringify({ msg: 'listening', port: nginx.port }));

async function stop(): Promise<void> {
  await nginx.stop();
  await service.stop();
  process.exit();
}
