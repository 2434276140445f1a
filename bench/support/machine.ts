import { cpus, release, totalmem } from 'node:os';
import sharp from 'sharp';
import sqlite3 from 'sqlite3';

/** Hardware and versions, without which the figures mean nothing. */
export function describeMachine(): Readonly<Record<string, string | number>> {
  return {
    date: new Date().toISOString(),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    sharp: sharp.versions.sharp ?? 'unknown',
    libvips: sharp.versions.vips,
    sqlite: sqlite3.VERSION,
  };
}
