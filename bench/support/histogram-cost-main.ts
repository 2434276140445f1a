import { Histogram, Registry } from 'prom-client';
import { DurationHistogram } from '../../src/adapters/prometheus/duration-histogram.ts';

/**
 * CPU of the observations of one GET of a record, with the histogram of the service and with that of prom-client: one of a
 * call of the database, whose series is kept, and one of the request.
 */

const OBSERVED = 1_000_000;
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LABELS = ['method', 'route', 'status'];
const SECONDS = [0.0004, 0.0012, 0.003, 0.02];

const registry = new Registry();
const shared = { help: 'Bench', labelNames: LABELS, buckets: BUCKETS };
const own = new DurationHistogram({ ...shared, name: 'own', registry });
const ownCall = own.of('GET', 'call', '200');
const library = new Histogram({ ...shared, name: 'library', registers: [registry] });
const libraryCall = library.labels('GET', 'call', '200');

for (let round = 0; round < 3; round += 1) {
  report('own', (seconds) => {
    ownCall.observe(seconds);
    own.of('GET', '/api/image/:id', '200').observe(seconds);
  });
  report('prom-client', (seconds) => {
    libraryCall.observe(seconds);
    library.observe({ method: 'GET', route: '/api/image/:id', status: '200' }, seconds);
  });
}

function report(name: string, observe: (seconds: number) => void): void {
  const start = process.cpuUsage();
  for (let index = 0; index < OBSERVED; index += 1) observe(SECONDS[index % SECONDS.length] as number);
  const { user, system } = process.cpuUsage(start);
  console.log(`${name.padEnd(12)} ${((user + system) / OBSERVED).toFixed(2)} µs`);
}
