import { sharedValue } from '../base/shared-value.ts';
import type { Uploads } from './uploads.ts';

export const useUploads = sharedValue<Uploads>();
