import type { ImageCatalog } from '@image-catalog/client';
import { sharedValue } from '../base/shared-value.ts';

export const useCatalog = sharedValue<ImageCatalog>();
