import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { packageFolder } from '../../package-folder.ts';
import type { ServiceFile } from './service-file.ts';

const SECCOMP = 'seccomp.json';

/** Node.js of an image with the packages of this installation, so that nothing needs to be built. */
export function composeFile(folder: string): ServiceFile {
  const packages = installationFolder();
  const program = join('/app', relative(packages, packageFolder()), 'bin/image-catalog.cjs');
  const [user, group] = [process.getuid?.() || 1000, process.getgid?.() || 1000];
  const text = `# Made by image-catalog init. It runs the packages of this installation, so the machine must be Linux with glibc.
services:
  catalog:
    image: docker.io/library/node:22-bookworm-slim
    command: [node, ${JSON.stringify(program)}, serve]
    user: '${user}:${group}'
    env_file: [${JSON.stringify(relative(folder, join(folder, '.env')))}]
    environment: { NODE_ENV: production, HOST: 0.0.0.0, WEB_HOST: 0.0.0.0 }
    # The default folder of all written files, ./data, is /data from here.
    working_dir: /
    volumes:
      - ${JSON.stringify(`${packages}:/app:ro`)}
      - ./data:/data
    # This machine only: a proxy in front brings https.
    ports: ['127.0.0.1:3000:3000', '127.0.0.1:3002:3002']
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    # The default profile without the calls by which a decoder could read the memory of the service, or leave memory behind.
    security_opt: ['no-new-privileges:true', 'seccomp=${SECCOMP}']
    # Raise both with DECODERS and DECODE_MEMORY_BYTES. ${join(packageFolder(), 'docs/operations.md')}, "Sizing", explains them.
    mem_limit: 2g
    pids_limit: 1024
    # Above SHUTDOWN_GRACE_SECONDS + 5.
    stop_grace_period: 40s
    init: true
    restart: unless-stopped
`;
  return {
    name: 'compose.yaml',
    text,
    needs: [{ name: SECCOMP, text: readFileSync(join(packageFolder(), 'deploy', SECCOMP), 'utf8') }],
    next: [`mkdir -p data && chown ${user}:${group} data`, 'docker compose up --detach'],
  };
}

/** The folder with the packages: that of npm install, or the clone. */
function installationFolder(): string {
  const parent = dirname(packageFolder());
  return basename(parent) === 'node_modules' ? dirname(parent) : packageFolder();
}
