import sharp from 'sharp';
import { randomNumbers } from '../../support/fixtures/random-numbers.ts';
import { type PickedFile, photo } from './gallery-pictures.ts';

// The service's settings of sharp, which the fixtures load, allow no SVG.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

/** The colours of a time of day, from far to near. */
interface Light {
  readonly sky: readonly [top: string, middle: string, horizon: string];
  readonly sun: string;
  readonly far: readonly [number, number, number];
  readonly near: readonly [number, number, number];
}

interface Shape {
  readonly width: number;
  readonly height: number;
}

const DAYS_BETWEEN = 1.3;
const RIDGE_POINTS = 48;
const SHAPES: readonly Shape[] = [
  { width: 1200, height: 800 },
  { width: 800, height: 1100 },
  { width: 1280, height: 720 },
  { width: 1000, height: 1000 },
  { width: 1400, height: 620 },
];
const LIGHTS: readonly Light[] = [
  { sky: ['#2b5c9e', '#8ab6dc', '#f3e3c3'], sun: '#fff6d8', far: [139, 168, 190], near: [24, 56, 48] },
  { sky: ['#2a1f4e', '#b5527a', '#ffb56b'], sun: '#ffe3a3', far: [150, 90, 120], near: [30, 18, 40] },
  { sky: ['#060b1f', '#16264d', '#3c5a86'], sun: '#eef2ff', far: [52, 78, 122], near: [6, 12, 26] },
  { sky: ['#5f8f9c', '#b9d4cf', '#f4efe0'], sun: '#ffffff', far: [168, 194, 188], near: [46, 84, 62] },
  { sky: ['#7a2e1d', '#e0733a', '#ffd98a'], sun: '#fff1c4', far: [196, 112, 78], near: [52, 20, 18] },
  { sky: ['#8fc1e8', '#cfe6f5', '#ffffff'], sun: '#fffdf0', far: [196, 214, 230], near: [62, 92, 118] },
];

/** Drawn landscapes for pictures of the documentation: the same for the same number, taken every few days back from June 2026. */
export async function drawLandscapes(count: number): Promise<readonly PickedFile[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => drawLandscape(index)));
}

async function drawLandscape(index: number): Promise<PickedFile> {
  const random = randomNumbers(index + 11);
  const shape = SHAPES[Math.floor(random() * SHAPES.length)] as Shape;
  const light = LIGHTS[index % LIGHTS.length] as Light;
  const jpeg = await sharp(Buffer.from(svgOf(shape, light, random)))
    .jpeg({ quality: 85 })
    .toBuffer();
  const taken = new Date(Date.UTC(2026, 5, 14, 12) - index * DAYS_BETWEEN * 86_400_000);
  return photo(`landscape-${String(index + 1).padStart(2, '0')}.jpg`, jpeg, taken);
}

function svgOf(shape: Shape, light: Light, random: () => number): string {
  const { width, height } = shape;
  const [top, middle, horizon] = light.sky;
  const sun = { x: (0.15 + random() * 0.7) * width, y: (0.2 + random() * 0.25) * height };
  const radius = (0.03 + random() * 0.05) * height;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".45" stop-color="${middle}"/>
        <stop offset=".8" stop-color="${horizon}"/></linearGradient>
      <radialGradient id="glow"><stop stop-color="${light.sun}" stop-opacity=".6"/>
        <stop offset=".4" stop-color="${light.sun}" stop-opacity=".15"/>
        <stop offset="1" stop-color="${light.sun}" stop-opacity="0"/></radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${radius * 6}" fill="url(#glow)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${radius}" fill="${light.sun}"/>
    ${ridges(shape, light, random)}
  </svg>`;
}

/** Mountains one behind the other; nearer ones are lower and darker. */
function ridges(shape: Shape, { far, near }: Light, random: () => number): string {
  const layers = 4 + Math.floor(random() * 3);
  return Array.from({ length: layers }, (_, layer) => {
    const depth = layer / (layers - 1);
    const colour = far.map((channel, at) => Math.round(channel + ((near[at] as number) - channel) * depth));
    return `<path d="${ridge(shape, depth, random)}" fill="rgb(${colour.join()})"/>`;
  }).join('\n');
}

/** Waves of halving length and height, the far ones steeper. */
function ridge({ width, height }: Shape, depth: number, random: () => number): string {
  const base = height * (0.48 + depth * 0.4);
  const waves = [1, 2, 4, 8, 16].map((frequency) => ({ frequency, phase: random() * Math.PI * 2 }));
  const steepness = height * (0.11 - depth * 0.05);
  const points = Array.from({ length: RIDGE_POINTS + 1 }, (_, at) => {
    const angle = (at / RIDGE_POINTS) * Math.PI * 1.7;
    const rise = waves.reduce(
      (sum, { frequency, phase }) => sum + Math.sin(angle * frequency + phase) / frequency,
      0,
    );
    return `${((at / RIDGE_POINTS) * width).toFixed(1)},${(base - rise * steepness).toFixed(1)}`;
  });
  return `M0,${height} L${points.join(' L')} L${width},${height} Z`;
}
