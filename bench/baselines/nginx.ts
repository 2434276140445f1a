import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { lastingPort } from '../../test/support/servers/lasting-port.ts';

/** Baseline of a static file: nginx with two workers, in the working folder. Argument: the path of the file. */
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

const port = await lastingPort();
const folder = process.cwd();
mkdirSync(join(folder, 'tmp'));
writeFileSync(join(folder, 'nginx.conf'), configOf(port));
const checked = spawnSync(PROGRAM, ['-t', '-p', folder, '-c', 'nginx.conf']);
if (checked.status !== 0) throw new Error(`nginx does not start: ${checked.stderr.toString()}`);
const nginx = spawn(PROGRAM, ['-p', folder, '-c', 'nginx.conf'], { stdio: 'inherit' });
process.once('SIGTERM', () => nginx.kill('SIGTERM'));
nginx.once('exit', () => process.exit());
nginx.once('spawn', () => console.log(JSON.stringify({ msg: 'listening', port })));
