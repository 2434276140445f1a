import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { FORM_OVERHEAD_BYTES } from '../../src/application/upload/incoming-file.ts';
import { parseConfig, variableNames } from '../../src/infrastructure/config/config.ts';
import { type ConditionalProfile, ociProfile } from '../support/deploy/oci-seccomp.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = 'deploy/kubernetes';
const MB = 1_000_000;
const MIB = 1024 ** 2;
const UNITS: Readonly<Record<string, number>> = { Mi: MIB, Gi: 1024 ** 3, m: 0.001, '': 1 };
/** The service ends at the latest this long after its grace period. */
const HANG_SECONDS = 5;
/** From the end of a pod's endpoints to the last proxy that knows it. */
const LEAST_SECONDS_BEFORE_STOP = 5;
/** The variables of other libraries. */
const OF_LIBRARIES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const CONFINED = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};
const POD_SECURITY = {
  runAsNonRoot: true,
  runAsUser: 1000,
  runAsGroup: 1000,
  fsGroup: 1000,
  seccompProfile: { type: 'Localhost', localhostProfile: 'image-catalog.json' },
};

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
}

interface ContainerSpec {
  readonly image: string;
  readonly args?: readonly string[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<string, string>>>>;
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly enableServiceLinks: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly [ContainerSpec];
  readonly volumes: readonly { readonly name: string; readonly emptyDir: { readonly sizeLimit: string } }[];
}

interface Workload {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly selector: Selector;
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
  };
}

interface Selector {
  readonly matchLabels: object;
}

interface Service {
  readonly spec: {
    readonly selector: object;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}

interface Disruptions {
  readonly spec: { readonly maxUnavailable: number; readonly selector: Selector };
}

interface Ingress {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly tls: readonly { readonly hosts: readonly string[] }[];
    readonly rules: readonly { readonly host: string; readonly http: { readonly paths: readonly Path[] } }[];
  };
}

interface Path {
  readonly path: string;
  readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
}

function read(name: string): string {
  return readFileSync(new URL(name, ROOT), 'utf8');
}

/** Every document of the folder, by its kind. */
function parseFolder(): ReadonlyMap<string, unknown> {
  const files = readdirSync(new URL(FOLDER, ROOT), { recursive: true, encoding: 'utf8' });
  const objects = files
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(read(`${FOLDER}/${file}`), { strict: true, uniqueKeys: true }))
    .map((document) => {
      if (document.errors.length > 0) throw new Error(String(document.errors[0]));
      return document.toJS() as { readonly kind: string };
    });
  return new Map(objects.map((object) => [object.kind, object]));
}

/** Such as `2Gi` in bytes, or `100m` in cores. */
function quantity(text: string | undefined): number {
  const [, digits = '', unit = ''] = /^(\d+)(\D*)$/.exec(text ?? '') ?? [];
  const factor = UNITS[unit];
  if (digits === '' || factor === undefined) throw new Error(`${text} is no quantity`);
  return Number(digits) * factor;
}

const objects = parseFolder();
const deployment = objects.get('Deployment') as Workload;
const job = objects.get('Job') as Workload;
const service = objects.get('Service') as Service;
const ingress = objects.get('Ingress') as Ingress;
const { data } = objects.get('ConfigMap') as { readonly data: Readonly<Record<string, string>> };
const { stringData } = objects.get('Secret') as { readonly stringData: Readonly<Record<string, string>> };
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const config = parseConfig({ ...data, ...stringData });

describe('deploy/kubernetes', () => {
  it('has one object of each kind', () => {
    expect([...objects.keys()]).to.have.members([
      'ConfigMap',
      'Secret',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
      'Ingress',
      'Job',
    ]);
  });

  describe('its settings', settings);
  describe('its pods', pods);
  describe('its network', network);
  describe('deploy/seccomp-oci.json', seccomp);
});

function settings(): void {
  it('are variables that are known, each in one place, with secrets in the Secret alone', () => {
    const names = [...Object.keys(data), ...Object.keys(stringData)];

    expect([...variableNames(), ...OF_LIBRARIES]).to.include.members(names);
    expect(new Set(names).size).to.equal(names.length);
    expect(Object.keys(stringData)).to.include('DATABASE_URL').and.include.members(OF_LIBRARIES);
  });

  it('are valid, with Postgres, a bucket and renditions that all pods share', () => {
    const stores = [config.database, config.blobStore, config.renditions.cache];

    expect(stores.map(({ constructor }) => constructor.name)).to.deep.equal([
      'PostgresLocation',
      'S3StoreLocation',
      'S3StoreLocation',
    ]);
  });

  it('listen for probes on all addresses, and for people at the host of the Ingress', () => {
    expect(config.management?.host).to.equal('0.0.0.0');
    expect([config.apiUrl, config.web.url]).to.deep.equal(
      Array(2).fill(`https://${ingress.spec.rules[0]?.host}/`),
    );
    expect(ingress.spec.tls[0]?.hosts).to.deep.equal(ingress.spec.rules.map(({ host }) => host));
  });
}

function pods(): void {
  it('are confined as the image allows, and get no variables of other Services', () => {
    for (const { spec } of [deployment.spec.template, job.spec.template]) {
      expect(spec.securityContext).to.deep.equal(POD_SECURITY);
      expect(spec.containers[0].securityContext).to.deep.equal(CONFINED);
      expect(spec.enableServiceLinks).to.equal(false);
      expect(spec.containers[0].image).to.equal(container.image);
      const sources = spec.containers[0].envFrom.flatMap((source) => Object.entries(source));
      expect(sources).to.deep.equal([
        ['configMapRef', { name: 'image-catalog' }],
        ['secretRef', { name: 'image-catalog' }],
      ]);
    }
    expect(read('deploy/Containerfile')).to.include(
      '/data and everything in it belongs to the user `node` (1000)',
    );
    expect(pod.shareProcessNamespace).to.equal(true);
    expect(job.spec.template.spec.containers[0].args).to.deep.equal(['migrate']);
  });

  it('may use the memory that docs/operations.md adds up, with their number of decoders', () => {
    const cores = quantity(container.resources.requests.cpu);
    const { upload, decoders, changes } = config;
    const needed =
      (110 + decoders * 85 + 200 + upload.concurrency * 2) * MB + 1024 ** 3 + changes.streams * 65_536;

    expect(decoders).to.equal(cores + 1);
    expect(container.resources.requests.memory).to.equal(container.resources.limits.memory);
    expect(quantity(container.resources.limits.memory)).to.be.above(1.1 * needed);
    expect(read('docs/operations.md')).to.include('| 1.8 GB for a process with the defaults on two cores |');
    expect(needed / 1e9).to.be.closeTo(1.8, 0.05);
  });

  it('have a folder for all uploads at a time, and one for temporary files', () => {
    const staged = config.upload.concurrency * config.upload.maxBytes;
    const sizes = Object.fromEntries(
      pod.volumes.map(({ name, emptyDir }) => [name, quantity(emptyDir.sizeLimit)]),
    );
    const mounts = Object.fromEntries(container.volumeMounts.map(({ mountPath, name }) => [mountPath, name]));

    expect(mounts).to.deep.equal({ '/data': 'data', '/tmp': 'tmp' });
    expect(config.stagingPath).to.match(/^\/data\//);
    expect(sizes.data).to.be.above(staged);
    expect(quantity(container.resources.requests['ephemeral-storage'])).to.be.at.least(sizes.data ?? 0);
    expect(quantity(container.resources.limits['ephemeral-storage'])).to.be.above(
      (sizes.data ?? 0) + (sizes.tmp ?? 0),
    );
  });

  it('stop later than they leave the Service, and are killed later than they stop', () => {
    const [program, seconds] = container.lifecycle.preStop.exec.command;

    expect(program).to.equal('sleep');
    expect(Number(seconds)).to.be.at.least(LEAST_SECONDS_BEFORE_STOP);
    expect(pod.terminationGracePeriodSeconds).to.be.above(
      Number(seconds) + config.shutdownGraceMs / 1000 + HANG_SECONDS,
    );
  });

  it('are asked at the management port, and may migrate for ten minutes', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);

    expect(paths).to.deep.equal([
      { path: '/livez', port: 'management' },
      { path: '/livez', port: 'management' },
      { path: '/readyz', port: 'management' },
    ]);
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).to.equal(600);
  });
}

function network(): void {
  const portsOfPod = Object.fromEntries(
    container.ports.map(({ name, containerPort }) => [name, containerPort]),
  );

  it('has the ports of the listeners, and offers all but the management port', () => {
    const { listener, web, management } = config;

    expect(portsOfPod).to.deep.equal({
      api: listener.port,
      web: web.listener?.port,
      management: management?.port,
    });
    expect(service.spec.ports.map(({ targetPort, port }) => [targetPort, port])).to.deep.equal([
      ['api', listener.port],
      ['web', web.listener?.port],
    ]);
  });

  it('selects the pods of the Deployment, not those of the Job', () => {
    const { selector, maxUnavailable } = (objects.get('PodDisruptionBudget') as Disruptions).spec;
    const { labels } = deployment.spec.template.metadata;

    for (const labelsOf of [
      service.spec.selector,
      selector.matchLabels,
      deployment.spec.selector.matchLabels,
    ]) {
      expect(labelsOf).to.deep.equal(labels);
    }
    expect(job.spec.template.metadata.labels).to.not.deep.equal(labels);
    expect(maxUnavailable).to.be.below(deployment.spec.replicas);
  });

  it('sends the paths of the API to it, and all others to the web listener', () => {
    const paths = ingress.spec.rules[0]?.http.paths.map(({ path, backend: { service: to } }) => [
      path,
      to.name,
      to.port.name,
    ]);

    expect(paths).to.deep.equal([
      ['/api', 'image-catalog', 'api'],
      ['/', 'image-catalog', 'web'],
    ]);
  });

  it('has the limits and timeouts of deploy/nginx.conf', () => {
    const nginx = read('deploy/nginx.conf');
    const annotation = (name: string): string | undefined =>
      ingress.metadata.annotations[`nginx.ingress.kubernetes.io/${name}`];
    const size = /^(\d+)m$/.exec(annotation('proxy-body-size') ?? '')?.[1];

    expect(Number(size) * MIB).to.equal(config.upload.maxBytes + FORM_OVERHEAD_BYTES);
    expect(Number(annotation('proxy-read-timeout')) * 1000).to.be.above(config.requestTimeoutMs);
    for (const name of ['proxy-read-timeout', 'proxy-send-timeout', 'proxy-connect-timeout']) {
      expect(nginx).to.include(`\n    ${name.replaceAll('-', '_')} ${annotation(name)}s;`);
    }
    expect(nginx).to.include(`proxy_buffer_size ${annotation('proxy-buffer-size')};`);
    expect(nginx).to.include(`proxy_request_buffering ${annotation('proxy-request-buffering')};`);
    expect(annotation('proxy-next-upstream')).to.equal('off');
    expect(annotation('enable-access-log')).to.equal('false');
  });
}

function seccomp(): void {
  it('is deploy/seccomp.json for a container without capabilities (test/support/deploy/write-oci-seccomp-main.ts)', () => {
    const profile = JSON.parse(read('deploy/seccomp.json')) as ConditionalProfile;

    expect(JSON.parse(read('deploy/seccomp-oci.json'))).to.deep.equal(ociProfile(profile));
  });
}
