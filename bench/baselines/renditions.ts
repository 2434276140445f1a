import sharp from 'sharp';

/**
 * Baseline of renditions: sharp alone, with the settings of the service. Arguments: the concurrency, then the originals.
 * Prints the elapsed time and the CPU time in ms.
 */
const [concurrency = '1', ...paths] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);

async function render(path: string): Promise<Buffer> {
  return await sharp(path, { failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: 320 })
    .toColourspace('srgb')
    .webp({ quality: 75 })
    .toBuffer();
}

async function work(queue: string[]): Promise<void> {
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) await render(path);
}

await render(paths[0] ?? ''); // A warm-up: the first rendition also loads the library.
const cpu = process.cpuUsage();
const begun = performance.now();
const queue = [...paths];
await Promise.all(Array.from({ length: Number(concurrency) }, () => work(queue)));
const elapsedMs = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
console.log(
  JSON.stringify({
    renditions: paths.length,
    elapsedMs,
    cpuMs: (user + system) / 1000,
    peakRssBytes: process.resourceUsage().maxRSS * 1024,
  }),
);
