import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** The limit of a static file: nginx. `argv`: its path. Runs in the working folder, with two workers. */
const path = process.argv[2] ?? '';

const PROGRAM = 'nginx';

function configOf(port: number): string {
  return `
${process.getuid?.() === 0 ? `user ${userInfo().username};` : ''}
worker_processes 2;
daemon off;
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  keepalive_requests 1000000;
  client_body_temp_path tmp/body; proxy_temp_path tmp/proxy; fastcgi_temp_path tmp/fastcgi;
  uwsgi_temp_path tmp/uwsgi; scgi_temp_path tmp/scgi;
  server {
    listen 127.0.0.1:${port};
    location = / { rewrite ^ /${basename(path)} last; }
    location / { root ${dirname(path)}; }
  }
}`;
}

/** A port that is free now. nginx cannot be asked to choose one. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const port = await freePort();
const folder = process.cwd();
mkdirSync(join(folder, 'tmp'));
writeFileSync(join(folder, 'nginx.conf'), configOf(port));
const checked = spawnSync(PROGRAM, ['-t', '-p', folder, '-c', 'nginx.conf']);
if (checked.status !== 0) throw new Error(`nginx does not start: ${checked.stderr.toString()}`);
const nginx = spawn(PROGRAM, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'inherit' });
process.once('SIGTERM', () => nginx.kill('SIGTERM'));
nginx.once('exit', () => process.exit());
nginx.once('spawn', () => console.log(JSON.stringify({ msg: 'listening', port })));
