'use client';
export { nextLoader as default } from '@image-catalog/client/next';
