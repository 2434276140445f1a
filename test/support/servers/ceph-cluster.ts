import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../time/eventually.ts';
import { HANG_GUARD_MS } from '../time/hang-guard.ts';
import { accepts } from './accepts.ts';
import { runAfterThisProcess } from './after-this-process.ts';
import { lastingPort } from './lasting-port.ts';

export type Daemon = 'mon' | 'osd' | 'rgw';

const COMMANDS: Readonly<Record<Daemon, readonly string[]>> = {
  mon: ['ceph-mon', '-i', 'a'],
  osd: ['ceph-osd', '-i', '0'],
  rgw: ['radosgw', '-n', 'client.rgw'],
};

/** Ends the daemons of a folder and removes the folder. It checks each pid first, because another process may have it by now. */
const CLEAN_UP = `
  for pid_file in "$1"/run/*.pid; do
    pid=$(cat "$pid_file" 2>/dev/null) && grep -q "$1" "/proc/$pid/cmdline" 2>/dev/null && kill -KILL "$pid"
  done
  rm -rf "$1" || { sleep 1; rm -rf "$1"; }
`;
const PROGRAMS = [
  ...Object.values(COMMANDS).map(([command]) => command ?? ''),
  'radosgw-admin',
  'ceph',
  'monmaptool',
];

/** The paths of the programs: unpacked below a folder by `fetch-ceph.sh`, or installed. `undefined` if there are none. */
export interface CephPrograms {
  readonly environment: Readonly<Record<string, string>>;
  /** Lines of the configuration with the paths of the modules. */
  readonly settings: readonly string[];
}

/** @param prefix empty for installed programs */
export function findCephPrograms(prefix: string): CephPrograms | undefined {
  const path = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];
  if (prefix !== '') path.unshift(join(prefix, 'usr/bin'));
  if (!PROGRAMS.every((program) => path.some((folder) => existsSync(join(folder, program))))) {
    return undefined;
  }
  const base = { PATH: path.join(':'), PYTHONDONTWRITEBYTECODE: '1' };
  if (prefix === '') return { environment: base, settings: [] };
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => multiarchFolders(join(prefix, folder)));
  const [main = ''] = libraries;
  return {
    environment: {
      ...base,
      LD_LIBRARY_PATH: [...libraries, join(main, 'ceph')].join(':'),
      PYTHONPATH: join(prefix, 'usr/lib/python3/dist-packages'),
    },
    settings: [
      `plugin_dir = ${join(main, 'ceph')}`,
      `erasure_code_dir = ${join(main, 'ceph/erasure-code')}`,
      `osd_class_dir = ${join(main, 'rados-classes')}`,
    ],
  };
}

/** `x86_64-linux-gnu`, or that of another architecture. */
function multiarchFolders(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.includes('-linux-gnu')).map((name) => join(folder, name));
}

/**
 * The smallest Ceph cluster that speaks S3: a monitor, one storage daemon and the gateway, on loopback, below one temporary
 * folder. Everything ends, and the folder goes, with this process at the latest.
 */
export class CephCluster {
  readonly accessKeyId = 'test';
  readonly secretAccessKey = randomUUID();
  private readonly processes = new Map<Daemon, ChildProcess>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'image-catalog-ceph-'));
  private readonly configuration = join(this.folder, 'ceph.conf');

  private constructor(
    private readonly programs: CephPrograms,
    private readonly gatewayPort: number,
    private readonly monitorPort: number,
  ) {}

  static async start(programs: CephPrograms): Promise<CephCluster> {
    const cluster = new CephCluster(programs, await lastingPort(), await lastingPort());
    runAfterThisProcess(CLEAN_UP, cluster.folder);
    try {
      await cluster.build();
    } catch (error) {
      throw new Error(`The S3 server does not start\n${cluster.logs()}`, { cause: error });
    }
    return cluster;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.gatewayPort}`;
  }

  /** Kills daemons. Without the gateway connections are refused; without the storage daemon requests hang. */
  async kill(daemon: Daemon): Promise<void> {
    const child = this.processes.get(daemon);
    if (child === undefined || !this.isRunning(daemon)) return;
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  /** Starts the killed daemons with the stored objects. */
  async restart(): Promise<void> {
    this.spawn('mon');
    await this.until('the monitor listens', () => accepts(this.monitorPort));
    await this.startStorage();
    this.spawn('rgw');
    await this.until('the gateway responds', () => this.answers());
  }

  private async build(): Promise<void> {
    for (const folder of ['run', 'log', 'rgw', 'crash', 'osd']) mkdirSync(join(this.folder, folder));
    const cluster = randomUUID();
    const monitorMap = join(this.folder, 'monitors');
    writeFileSync(this.configuration, this.settings(cluster));
    this.run(
      'monmaptool',
      '--create',
      '--fsid',
      cluster,
      '--addv',
      'a',
      `[v2:127.0.0.1:${this.monitorPort}/0]`,
      monitorMap,
    );
    this.run('ceph-mon', '-i', 'a', '-c', this.configuration, '--mkfs', '--monmap', monitorMap);
    this.spawn('mon');
    await this.until('the monitor listens', () => accepts(this.monitorPort));
    const storage = randomUUID();
    this.run('ceph', '-c', this.configuration, '--connect-timeout', '30', 'osd', 'new', storage);
    this.run('ceph-osd', '-i', '0', '-c', this.configuration, '--mkfs', '--osd-uuid', storage);
    await this.startStorage();
    this.run(
      'radosgw-admin',
      '-c',
      this.configuration,
      'user',
      'create',
      '--uid=test',
      '--display-name=test',
      `--access-key=${this.accessKeyId}`,
      `--secret-key=${this.secretAccessKey}`,
    );
    this.spawn('rgw');
    await this.until('the gateway responds', () => this.answers());
  }

  private async startStorage(): Promise<void> {
    const log = join(this.folder, 'log/osd.0.log');
    const seen = existsSync(log) ? readFileSync(log).length : 0;
    if (!this.spawn('osd')) return;
    await this.until(
      'the storage daemon is active',
      () => existsSync(log) && readFileSync(log).subarray(seen).includes('state: booting -> active'),
    );
  }

  private run(command: string, ...args: readonly string[]): void {
    const { environment } = this.programs;
    execFileSync(command, args, {
      env: environment,
      timeout: HANG_GUARD_MS,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** `false` while it runs. */
  private spawn(daemon: Daemon): boolean {
    if (this.isRunning(daemon)) return false;
    const [command = '', ...args] = COMMANDS[daemon];
    const output = openSync(join(this.folder, `log/${daemon}.out`), 'a');
    const child = spawn(command, [...args, '-c', this.configuration, '-f'], {
      env: this.programs.environment,
      stdio: ['ignore', output, output],
    });
    // The daemon must not keep this process running.
    child.unref();
    writeFileSync(join(this.folder, `run/${daemon}.pid`), String(child.pid));
    this.processes.set(daemon, child);
    return true;
  }

  private isRunning(daemon: Daemon): boolean {
    const child = this.processes.get(daemon);
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  private async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    if (!(await eventually(isSo, (so) => so))) {
      throw new Error(`Timed out waiting until ${what}`);
    }
  }

  private async answers(): Promise<boolean> {
    if (!this.isRunning('rgw')) return false;
    return await fetch(this.endpoint).then(
      async (response) => (await response.text()).includes('ListAllMyBucketsResult'),
      () => false,
    );
  }

  private logs(): string {
    const folder = join(this.folder, 'log');
    const names = readdirSync(folder).filter((name) => name.endsWith('.out'));
    return names
      .map((name) => `--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-2000)}`)
      .join('\n');
  }

  /** Uses little memory and disk, starts quickly, and omits everything that only a real cluster needs. */
  private settings(cluster: string): string {
    const { folder, monitorPort } = this;
    const lowestPort = 20_000 + Math.floor(Math.random() * 10_000);
    return `[global]
fsid = ${cluster}
mon_host = v2:127.0.0.1:${monitorPort}
mon_initial_members = a
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr1 = false
ms_bind_port_min = ${lowestPort}
ms_bind_port_max = ${lowestPort + 100}
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${folder}/run
pid_file =
admin_socket = ${folder}/run/$name.asok
log_file = ${folder}/log/$name.log
log_to_stderr = false
err_to_stderr = true
log_to_syslog = false
crash_dir = ${folder}/crash
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
ms_async_op_threads = 2
mon_client_hunt_interval = 0.3
mon_client_hunt_interval_backoff = 1.0
${this.programs.settings.join('\n')}
[mon]
mon_data = ${folder}/mon
mon_cluster_log_file = ${folder}/log/cluster.log
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
mon_data_avail_warn = 2
mon_data_avail_crit = 1
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
mon_osd_min_down_reporters = 1
[osd]
osd_data = ${folder}/osd
osd_objectstore = bluestore
bluestore_block_create = true
bluestore_block_size = ${20 * 1024 ** 3}
bluestore_block_db_create = false
bluestore_block_wal_create = false
bluestore_cache_autotune = false
bluestore_cache_size = ${64 * 1024 ** 2}
osd_memory_target = ${896 * 1024 ** 2}
bluestore_fsck_on_mkfs = false
bdev_aio_poll_ms = 50
osd_mon_shutdown_timeout = 1
osd_client_watch_timeout = 2
osd_default_notify_timeout = 2
osd_op_num_shards = 2
osd_op_num_threads_per_shard = 1
osd_scrub_begin_hour = 3
osd_scrub_end_hour = 4
[client]
rgw_frontends = beast endpoint=127.0.0.1:${this.gatewayPort} tcp_nodelay=1
rgw_data = ${folder}/rgw
ms_mon_client_mode = crc
rgw_enable_apis = s3, admin
rgw_thread_pool_size = 32
rgw_num_rados_handles = 1
rgw_rados_pool_pg_num_min = 4
rgw_override_bucket_index_max_shards = 1
rgw_dynamic_resharding = false
rgw_run_sync_thread = false
rgw_enable_usage_log = false
rgw_enable_ops_log = false
rgw_enable_lc_threads = false
objecter_tick_interval = 0.5
objecter_timeout = 1
`;
  }
}
